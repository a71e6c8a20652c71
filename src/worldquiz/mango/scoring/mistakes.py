"""Why the map builder's answers are wrong: its map against the maze, move by move.

Each wrong answer has one cause. It is that of the first move at which map and maze part: on the
asked route (destination finding), on the told one, or where none was told on a shortest one (route
finding). What the text itself does not settle comes before what was read wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from worldquiz.mango.mapper.mapper import Leg, Mapper, trajectory
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.readable import Naming, TextClaims, told
from worldquiz.mango.scoring.grade import Question, Task, Ways, grade


class MistakeCause(StrEnum):
    """What an answer failed by."""

    UNNAMED = "unnamed"  # no line of the text names the place
    SHARED = "shared"  # lines name it only together with others
    UNTAKEN = "untaken"  # never taken, and no opposite of a move that was
    SEVERAL = "several"  # the move leads to several places, and the map has another of them
    REVERSE = "reverse"  # the map supposes an opposite that the game has not
    MISREAD = "misread"  # the map has the move, but from or to elsewhere
    MISSED = "missed"  # the map lacks a move that the text shows


def mistakes(
    maze: Maze, steps: int, mapper: Mapper, questions: Iterable[Question]
) -> dict[str, Any]:
    """Return how many questions the map builder is asked, answers wrong, and why, by cause.

    Of the questions that so many steps answer, and whether they are unambiguous: ``{"asked",
    "wrong", "unambiguous", "unambiguous_wrong", "causes": {...}}``.
    """
    judge = _Judge(maze.prefix(steps), mapper)
    asked = [question for question in questions if question.level(steps) is not None]
    wrong = [question for question in asked if not judge.right(question)]
    clear = [question for question in asked if judge.clear(question)]
    causes = Counter(judge.cause(question) for question in wrong)
    return {
        "asked": len(asked),
        "wrong": len(wrong),
        "unambiguous": len(clear),
        "unambiguous_wrong": sum(not judge.right(question) for question in clear),
        "causes": {str(cause): causes[cause] for cause in MistakeCause},
    }


def added(found: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sums of several mazes' mistakes."""
    every = list(found)
    names = ("asked", "wrong", "unambiguous", "unambiguous_wrong")
    causes = {str(cause): sum(each["causes"][cause] for each in every) for cause in MistakeCause}
    return {**{name: sum(each[name] for each in every) for name in names}, "causes": causes}


@dataclass
class _Judge:
    """A maze, and a map of it."""

    maze: Maze
    mapper: Mapper

    @cached_property
    def ways(self) -> Ways:
        return Ways(self.maze)

    @cached_property
    def told(self) -> TextClaims:
        return told(self.maze)

    @cached_property
    def edges(self) -> Mapping[tuple[str, str], list[Edge]]:
        """Every edge by place and action."""
        found: dict[tuple[str, str], list[Edge]] = defaultdict(list)
        for edge in self.maze.edges:
            found[edge.source, edge.action].append(edge)
        return found

    def right(self, question: Question) -> bool:
        return grade(self.ways, question, trajectory(self._legs(question))).success == 1

    def clear(self, question: Question) -> bool:
        if question.task is Task.RF:
            return self.told.pair(question.source, question.target)
        return self.told.path(self._route(question))

    def cause(self, question: Question) -> MistakeCause:
        """Return why an answer is wrong."""
        told_legs = self._legs(question) if question.task is Task.RF else []
        for leg in told_legs:
            if not any(edge.target == leg.target for edge in self.edges[leg.source, leg.action]):
                return self._false(leg)
        for edge in self._route(question):
            if self.mapper.exits[edge.source].get(edge.action) != edge.target:
                return self._lacking(edge)
        return MistakeCause.SEVERAL

    def _legs(self, question: Question) -> list[Leg]:
        if question.task is Task.DF:
            return self.mapper.destination(question.source, question.actions)
        return self.mapper.route(question.source, question.target)

    def _route(self, question: Question) -> list[Edge]:
        """Return the edges of a question: those it asks about, or a shortest route."""
        level = {question.source: list[Edge]()}
        if question.task is Task.DF:
            for action in question.actions:
                level = {
                    edge.target: [*way, edge]
                    for place, way in level.items()
                    for edge in self.edges.get((place, action), ())
                }
            return level.get(question.target, [])
        queue = deque([question.source])
        while queue and question.target not in level:
            here = queue.popleft()
            for edge in self.maze.edges:
                if edge.source == here and edge.target not in level:
                    level[edge.target] = [*level[here], edge]
                    queue.append(edge.target)
        return level.get(question.target, [])

    def _false(self, leg: Leg) -> MistakeCause:
        """Return why the map has a move that the maze has not."""
        if (blind := self._blind(leg.source, leg.target)) is not None:
            return blind
        imputed = self.mapper.imputed(leg.source, leg.action)
        return MistakeCause.REVERSE if imputed else MistakeCause.MISREAD

    def _lacking(self, edge: Edge) -> MistakeCause:
        """Return why the map lacks a move that the maze has."""
        drawn = self.mapper.exits[edge.source].get(edge.action)
        if any(other.target == drawn for other in self.edges[edge.source, edge.action]):
            return MistakeCause.SEVERAL
        if (blind := self._blind(edge.source, edge.target)) is not None:
            return blind
        if drawn is not None:
            imputed = self.mapper.imputed(edge.source, edge.action)
            return MistakeCause.REVERSE if imputed else MistakeCause.MISREAD
        return MistakeCause.UNTAKEN if edge.imputed else MistakeCause.MISSED

    def _blind(self, *places: str) -> MistakeCause | None:
        """Return what the text lacks of some places, if anything."""
        naming = {self.told.naming[place] for place in places}
        if Naming.NEVER in naming:
            return MistakeCause.UNNAMED
        return MistakeCause.SHARED if Naming.SHARED in naming else None
