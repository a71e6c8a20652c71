"""Edges of a maze that answer a question, and edges of the moves that an answer tells."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from worldquiz.llm.reply_lists import ToldMove
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.walkthrough import plain
from worldquiz.mango.scoring.grade import Question, Task, Ways, destinations

_LATE = 10**9


class Guide:
    """A maze's edges by their numbers, as questions and answers name them."""

    def __init__(self, maze: Maze) -> None:
        self._maze = maze
        self._ways = Ways(maze)
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
        if question.task is Task.RF:
            return self._shortest(question.source, question.target, steps)
        return self._along(question, steps)

    def told(self, question: Question, moves: Iterable[ToldMove]) -> list[int]:
        """Return the edges of told moves, up to the first that cannot be taken."""
        here, found = plain(question.source), []
        for move in moves:
            actions = self._ways.taken(plain(move.action))
            choices = [n for n in self._leaving.get(here, ()) if self._action(n) in actions]
            if not choices:
                break
            said = plain(move.target)
            number = min(choices, key=lambda n: (self._target(n) != said, self._target(n)))
            found.append(number)
            here = self._target(number)
        return found

    def _along(self, question: Question, steps: int) -> list[int] | None:
        """Follow a question's moves; where they fork, to its own target if that can be."""
        routes: dict[str, tuple[tuple[int, int], list[int]]] = {
            plain(question.source): ((0, 0), [])
        }
        for action in question.actions:
            reached: dict[str, tuple[tuple[int, int], list[int]]] = {}
            for here, (cost, route) in sorted(routes.items()):
                for number in self._leaving.get(here, ()):
                    edge = self._maze.edges[number]
                    if self._action(number) == plain(action) and _told(edge, steps):
                        found = (_cost(cost, edge, steps), [*route, number])
                        there = self._target(number)
                        reached[there] = min(found, reached.get(there, found))
            routes = reached
        best = routes.get(plain(question.target)) or min(routes.values(), default=None)
        return best[1] if best else None

    def _shortest(self, source: str, target: str, steps: int) -> list[int] | None:
        """Return a shortest route; among equals that with the fewest imputed moves."""
        goal, begin = plain(target), plain(source)
        queue: list[tuple[int, int, list[int], str]] = [(0, 0, [], begin)]
        done: set[str] = set()
        while queue:
            length, imputed, route, here = heapq.heappop(queue)
            if here == goal:
                return route
            if here in done:
                continue
            done.add(here)
            for number in self._leaving.get(here, ()):
                edge = self._maze.edges[number]
                if _told(edge, steps) and self._target(number) not in done:
                    more = imputed + (not _taken(edge, steps))
                    there = self._target(number)
                    heapq.heappush(queue, (length + 1, more, [*route, number], there))
        return None

    def _action(self, number: int) -> str:
        return plain(self._maze.edges[number].action)

    def _target(self, number: int) -> str:
        return plain(self._maze.edges[number].target)


def _told(edge: Edge, steps: int) -> bool:
    return edge.told.until(steps).first is not None


def _taken(edge: Edge, steps: int) -> bool:
    return edge.told.until(steps).forward is not None


def _cost(before: Sequence[int], edge: Edge, steps: int) -> tuple[int, int]:
    """Return imputed moves, then the latest step, of a route and one edge more."""
    told = edge.told.first
    return before[0] + (not _taken(edge, steps)), max(before[1], _LATE if told is None else told)
