"""Strata of questions about long walkthroughs: difficulty beyond imputed moves.

Of a question's route, as a reader of so many steps knows it (`guide.Guide.answer`):

    distance    its moves
    age         steps since the walkthrough last passed the move that it passed longest ago, in
                either direction: how far back one has to remember
    imputed     its moves that the walkthrough never took
    reversals   its moves that the walkthrough last passed in the other direction
    loops       its places to which the walkthrough came back after it had left them

Each is put into a few classes (`CLASSES`), so that questions can be drawn evenly over them, and
scores be told for each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import astuple, dataclass

from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.walk import taken
from worldquiz.mango.scoring.grade import Question
from worldquiz.mango.scoring.guide import Guide

CLASSES: Mapping[str, tuple[int, ...]] = {
    "distance": (2, 4, 8, 16),
    "age": (35, 70, 140, 280),
    "imputed": (1, 2),
    "reversals": (1, 2),
    "loops": (1, 2, 4),
}
"""Where each class after the first begins."""
Stratum = tuple[int, ...]
"""A class of each of `CLASSES`, by number."""


@dataclass(frozen=True, slots=True)
class Strata:
    """A question's place in the strata; numbers of moves, steps or places."""

    distance: int
    age: int
    imputed: int
    reversals: int
    loops: int

    @property
    def classes(self) -> dict[str, str]:
        """The class of each, in words: ``{"distance": "2-3", ...}``."""
        told = zip(CLASSES, self.stratum, strict=True)
        return {name: words(name, number) for name, number in told}

    @property
    def stratum(self) -> Stratum:
        """The class of each by number."""
        values = zip(CLASSES.values(), astuple(self), strict=True)
        return tuple(bisect_right(bounds, value) for bounds, value in values)


def words(name: str, number: int) -> str:
    """Return the name of a class."""
    ends = (1 if name == "distance" else 0, *CLASSES[name])
    low = ends[number]
    if number + 1 == len(ends):
        return f"{low}+"
    high = ends[number + 1] - 1
    return str(low) if low == high else f"{low}-{high}"


class Walk:
    """Moves of a walkthrough, as far as it is read."""

    def __init__(self, maze: Maze, steps: int) -> None:
        """Follow so many steps. Raises `KnobError` for a maze without its walkthrough's text."""
        self._maze, self._steps, self._guide = maze, min(steps, maze.steps), Guide(maze)
        self._last: dict[tuple[str, str], int] = {}
        self._came: dict[str, int] = {}
        for step, edge in taken(maze, self._steps).items():
            self._last[edge.source, edge.target] = step
            if not self._came:
                self._came[edge.source] = 1
            self._came[edge.target] = self._came.get(edge.target, 0) + 1

    def strata(self, question: Question) -> Strata | None:
        """Return a question's strata, None where the steps that are read show it no route."""
        numbers = self._guide.answer(question, self._steps)
        if numbers is None:
            return None
        route = [self._maze.edges[number] for number in numbers]
        places = {edge.source for edge in route} | {route[-1].target}
        return Strata(
            distance=len(route),
            age=self._steps - min(max(self._passed(edge)) for edge in route),
            imputed=sum(edge.told.until(self._steps).forward is None for edge in route),
            reversals=sum(back > there for there, back in map(self._passed, route)),
            loops=sum(self._came.get(place, 0) > 1 for place in places),
        )

    def _passed(self, edge: Edge) -> tuple[int, int]:
        """Return the last steps that led between a move's places, its way and back; 0: none."""
        there = self._last.get((edge.source, edge.target), 0)
        return there, self._last.get((edge.target, edge.source), 0)
