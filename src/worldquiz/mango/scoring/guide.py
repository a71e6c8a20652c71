"""Edges of a maze that answer a question, and edges of the moves that an answer tells."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from worldquiz.llm.reply_lists import ToldMove
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import plain
from worldquiz.mango.scoring.grade import Question, Task, Ways, destinations

Cost = tuple[int, int, int]
"""Moves, which count for a route only; imputed moves; the latest step, for a destination only."""


class Guide:
    """A maze's edges by their numbers, as questions and answers name them."""

    def __init__(self, maze: Maze) -> None:
        self._maze, self._ways = maze, Ways(maze)
        self._names = {plain(place): place for place in reversed(maze.places)}
        self._leaving: dict[str, list[int]] = {}
        for number, edge in enumerate(maze.edges):
            self._leaving.setdefault(plain(edge.source), []).append(number)

    def correct(self, question: Question) -> list[str]:
        """Return every place that answers a question, the question's own first."""
        if question.task is Task.RF:
            return [question.target]
        found = destinations(self._ways, question.source, question.actions)
        others = sorted(self._names.get(each, each) for each in found - {plain(question.target)})
        return [question.target, *others]

    def answer(self, question: Question, steps: int) -> list[int] | None:
        """Return the edges of the question's route, or of a shortest route, as told by a step.

        Routes that the walkthrough takes come before those with imputed moves. None where what
        was told by then has no such route.
        """
        actions = [plain(action) for action in question.actions]
        queue: list[tuple[Cost, list[int], str]] = [((0, 0, 0), [], plain(question.source))]
        done: set[tuple[str, int]] = set()
        while queue:
            (moves, imputed, latest), route, here = heapq.heappop(queue)
            state = here, len(route) if actions else 0
            if here == plain(question.target) and state[1] == len(actions):
                return route
            if state in done or (actions and state[1] == len(actions)):
                continue
            done.add(state)
            for number in self._leaving.get(here, ()):
                edge = self._maze.edges[number]
                told = edge.told.until(steps)
                if told.first is None or (actions and plain(edge.action) != actions[state[1]]):
                    continue
                last = max(latest, told.first) if actions else 0
                cost = moves + (not actions), imputed + (told.forward is None), last
                heapq.heappush(queue, (cost, [*route, number], plain(edge.target)))
        return None

    def told(self, question: Question, moves: Iterable[ToldMove]) -> list[int]:
        """Return the edges of told moves, up to the first that cannot be taken."""
        here, found = plain(question.source), []
        for move in moves:
            actions, said = self._ways.taken(plain(move.action)), plain(move.target)
            ends = [
                (plain(edge.target) != said, plain(edge.target), number)
                for number in self._leaving.get(here, ())
                if plain((edge := self._maze.edges[number]).action) in actions
            ]
            if not ends:
                break
            _, here, number = min(ends)
            found.append(number)
        return found
