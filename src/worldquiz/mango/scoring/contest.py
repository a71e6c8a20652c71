"""Who answered what, and what it earned: what tables, plots and the report are made of.

A contest is some contestants' answers to questions about the same mazes. Contestants need not have
been asked the same questions, nor have read the same part of a walkthrough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.scoring.grade import Grade, Level, Question
from worldquiz.mango.scoring.table import Scored


@dataclass(frozen=True, slots=True)
class Marked:
    """One answer, and what it earned."""

    question: Question
    steps: int  # of the walkthrough that were read
    level: Level | None  # None: what was read does not settle the question, so it counts nowhere
    reply: object  # a model's text, or its list of moves; None for none
    grade: Grade

    @property
    def scored(self) -> Scored | None:
        """The grade where it counts; None where what was read does not settle the question."""
        asked = self.question
        if self.level is None:
            return None
        return Scored(asked.game, asked.id, asked.task, self.level, self.grade)


def counted(marked: Iterable[Marked]) -> tuple[Scored, ...]:
    """Return the grades of the questions that what was read settles."""
    return tuple(each.scored for each in marked if each.scored is not None)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A model, a person or a program, and its answers in the order in which they were asked."""

    name: str
    settings: Mapping[str, Any]  # how it was run, as its manifest says
    marked: tuple[Marked, ...]
    usage: Mapping[str, Any]  # calls, tokens and cost; empty where nothing was used

    @property
    def scored(self) -> tuple[Scored, ...]:
        """The grades that count."""
        return counted(self.marked)


@dataclass(frozen=True, slots=True)
class Contest:
    """Contestants, and the mazes that they were asked about, whole and by name."""

    mazes: Mapping[str, Maze]
    contestants: tuple[Contestant, ...]
