"""Difficulty of questions about long walkthroughs, beyond imputed moves.

Of a question and its route, as a reader of so many steps knows it (`guide.Guide.answer`):

    steps       steps of the walkthrough that are read
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

from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.walk import taken
from worldquiz.mango.scoring.grade import Question
from worldquiz.mango.scoring.guide import Guide

CLASSES: Mapping[str, tuple[int, ...]] = {
    "steps": (36, 71, 141, 281, 561),
    "distance": (2, 4, 8, 16),
    "age": (35, 70, 140, 280),
    "imputed": (1, 2),
    "reversals": (1, 2),
    "loops": (1, 2, 4),
}
"""Where each class after the first begins."""


def words(name: str, number: int) -> str:
    """Return the name of a class: "2-3"."""
    ends = (1 if name == "distance" else 0, *CLASSES[name])
    if number + 1 == len(ends):
        return f"{ends[number]}+"
    low, high = ends[number], ends[number + 1] - 1
    return str(low) if low == high else f"{low}-{high}"


class Strata:
    """Measures of the questions about a maze, for a reader of so many steps."""

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

    def measures(self, question: Question) -> dict[str, int] | None:
        """Return a question's measures, None where the steps that are read show it no route."""
        numbers = self._guide.answer(question, self._steps)
        if numbers is None:
            return None
        route = [self._maze.edges[number] for number in numbers]
        places = {edge.source for edge in route} | {route[-1].target}
        return {
            "steps": self._steps,
            "distance": len(route),
            "age": self._steps - min(max(self._passed(edge)) for edge in route),
            "imputed": sum(edge.told.until(self._steps).forward is None for edge in route),
            "reversals": sum(back > there for there, back in map(self._passed, route)),
            "loops": sum(self._came.get(place, 0) > 1 for place in places),
        }

    def stratum(self, question: Question) -> tuple[int, ...] | None:
        """Return the number of the class of each measure."""
        found = self.measures(question)
        return (
            None
            if found is None
            else tuple(bisect_right(CLASSES[name], found[name]) for name in CLASSES)
        )

    def _passed(self, edge: Edge) -> tuple[int, int]:
        """Return the last steps that led between a move's places, its way and back; 0: none."""
        there = self._last.get((edge.source, edge.target), 0)
        return there, self._last.get((edge.target, edge.source), 0)
