"""What the page embeds of each maze: its drawing, the steps that were read, questions and answers.

Questions and answers name moves as edges of the maze: those that answer a question, and those that
an answer tells.

Texts are kept once and pointed to by number; of the walkthrough only the part that some contestant
read is on the page. Every text of a game or a model stays data: the page makes text nodes of it.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from worldquiz.llm.reply_lists import Form, ToldMove, ToldMoves, read_moves
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.walkthrough import plain
from worldquiz.mango.report.draw import draw, first_told
from worldquiz.mango.scoring.contest import Contest, Marked
from worldquiz.mango.scoring.grade import Question, Task, Ways, destinations
from worldquiz.report.html import Texts

MOST_MOVES = 60
"""Moves of an answer that are shown."""
MOST_LETTERS = 3_000
"""Letters of a reply that are shown, half of them from its end."""
_LONGEST = 200  # letters of one name in an answer
_LATE = 10**9


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """A question, and each contestant's answer to it by the contestant's place."""

    question: Question
    answers: dict[int, Marked]


def sheets(contest: Contest, game: str) -> list[QuestionSheet]:
    """Return what a maze was asked, destination finding first, else in the order of asking."""
    found: dict[tuple[str, str], QuestionSheet] = {}
    for place, contestant in enumerate(contest.contestants):
        for each in contestant.marked:
            if each.question.game == game:
                key = (str(each.question.task), each.question.id)
                found.setdefault(key, QuestionSheet(each.question, {})).answers[place] = each
    return sorted(found.values(), key=lambda sheet: str(sheet.question.task))


def read_steps(maze: Maze, asked: Sequence[QuestionSheet]) -> int:
    """Return the last step that any contestant read of a maze; all where nobody was asked."""
    read = [min(each.steps, maze.steps) for sheet in asked for each in sheet.answers.values()]
    return max(read, default=maze.steps)


def maze_block(contest: Contest, game: str) -> dict[str, Any]:
    """Return all that the page shows of one maze."""
    maze, asked, texts = contest.mazes[game], sheets(contest, game), Texts()
    steps, places, guide = read_steps(maze, asked), _numbered(maze), Guide(maze)
    return {
        "edges": [_edge(edge, places) for edge in maze.edges],
        "first": first_told(maze),
        "map": draw(maze, steps),
        "name": game,
        "places": list(maze.places),
        "questions": [_question(sheet, maze, guide, texts) for sheet in asked],
        "read": steps,
        "steps": [
            [step.number, texts(step.action), texts.paragraphs(step.observation)]
            for step in maze.walkthrough
            if step.number <= steps
        ],
        "texts": texts.table,
    }


def _numbered(maze: Maze) -> dict[str, int]:
    return {place: number for number, place in enumerate(maze.places)}


def _edge(edge: Edge, places: dict[str, int]) -> list[Any]:
    """Return (source, action, target, steps that take it and its reverse: shown, and told)."""
    return [
        places[edge.source], edge.action, places[edge.target],
        edge.seen.forward, edge.seen.backward, edge.told.forward, edge.told.backward,
    ]  # fmt: skip


def _question(sheet: QuestionSheet, maze: Maze, guide: Guide, texts: Texts) -> dict[str, Any]:
    asked = sheet.question
    read = sorted({min(each.steps, maze.steps) for each in sheet.answers.values()})
    return {
        "actions": list(asked.actions),
        "answers": {
            str(place): _answer(each, maze, guide, texts) for place, each in sheet.answers.items()
        },
        "correct": guide.correct(asked),
        "id": asked.id,
        "routes": {str(steps): guide.answer(asked, steps) for steps in read},
        "source": asked.source,
        "task": str(asked.task),
    }


def _answer(marked: Marked, maze: Maze, guide: Guide, texts: Texts) -> dict[str, Any]:
    told = read_moves(marked.reply)
    grade = marked.grade
    return {
        "form": str(grade.form),
        "level": None if marked.level is None else str(marked.level),
        "more": max(0, len(told.moves) - MOST_MOVES),
        "moves": [[_cut(part, _LONGEST) for part in move] for move in told.moves[:MOST_MOVES]],
        "reply": _reply(marked.reply, told, texts),
        "route": guide.told(marked.question, _shown(told)),
        "score": [grade.success, grade.reasoning, grade.weighted],
        "steps": min(marked.steps, maze.steps),
        "why": told.why,
    }


def _shown(told: ToldMoves) -> Sequence[ToldMove]:
    return told.moves[:MOST_MOVES]


def _reply(reply: object, told: ToldMoves, texts: Texts) -> int | None:
    """Return the text of a reply that is more, or other, than its moves."""
    if reply is None or told.form is Form.CLEAN:
        return None
    text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False, default=str)
    return texts(_cut(text, MOST_LETTERS))


def _cut(text: str, most: int) -> str:
    """Return a text without its middle where it is long; runs of one sign count as text."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} […{len(text) - 2 * half:,} letters…] {text[-half:]}"


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
