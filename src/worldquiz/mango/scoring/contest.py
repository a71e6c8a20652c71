"""Graded answers, and means of their scores: for each maze, over mazes, of pairs.

A contest is some contestants' answers to questions about the same mazes. Contestants need not have
been asked the same questions, nor have read the same part of a walkthrough.

The paper averages over mazes (arXiv 2403.19913, Figure 2): every maze weighs the same, however many
questions it has (``macro``). ``micro`` weighs every question the same. Every mean stands beside the
number of questions asked and of mazes. *Knowledge* is the mean of the points over the questions
that count there (`grade.Grade.points`). A 95 % interval draws whole mazes again
(`worldquiz.stats.intervals`), and so needs two mazes.

Pairs (Tables 1 and 9) are compared on the questions that both were asked, each question at the
level that it has for both; one that is easy for one and hard for the other is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import fsum
from typing import Any

from worldquiz.facts.knowledge import share
from worldquiz.llm.reply_lists import Form
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.scoring.grade import Grade, Level, Question, Task
from worldquiz.stats.intervals import RESAMPLES, Ratio, differences, intervals

SCORES = ("success", "reasoning", "weighted")
MEANS = (*SCORES, "knowledge")
LEVELS = ("all", Level.EASY, Level.HARD)
Key = tuple[str, str, Task]  # game, question's id, task
Grades = Mapping[str, Sequence[Grade]]
"""The grades of each maze, by its name."""


@dataclass(frozen=True, slots=True)
class Marked:
    """One answer, and what it earned."""

    question: Question
    steps: int  # of the walkthrough that were read
    level: Level | None  # None: what was read does not settle the question, so it counts nowhere
    reply: object  # a model's text, or its list of moves; None for none
    grade: Grade

    @property
    def key(self) -> Key:
        """Key that no other question has."""
        return self.question.game, self.question.id, self.question.task


def counted(marked: Iterable[Marked]) -> tuple[Marked, ...]:
    """Return the answers to questions that what was read settles."""
    return tuple(each for each in marked if each.level is not None)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A model, a person or a program, and its answers in the order in which they were asked."""

    name: str
    settings: Mapping[str, Any]  # how it was run, as its manifest says
    marked: tuple[Marked, ...]
    usage: Mapping[str, Any]  # calls, tokens and cost; empty where nothing was used
    by_rule: Mapping[str, float | None]  # success of route finding, as `scoring.score.by_rule`

    @property
    def scored(self) -> tuple[Marked, ...]:
        """The answers that count."""
        return counted(self.marked)


@dataclass(frozen=True, slots=True)
class Contest:
    """Contestants, and the mazes that they were asked about, whole and by name."""

    mazes: Mapping[str, Maze]
    contestants: tuple[Contestant, ...]
    baselines: tuple[Contestant, ...] = ()  # on all questions that some contestant was asked


def of(marked: Iterable[Marked], task: Task | None = None, level: str = "all") -> Grades:
    """Return the grades of a task (None: of both) at a level, maze by maze."""
    games: dict[str, list[Grade]] = {}
    for each in counted(marked):
        if task in (None, each.question.task) and level in ("all", each.level):
            games.setdefault(each.question.game, []).append(each.grade)
    return dict(sorted(games.items()))


def record(grades: Sequence[Grade]) -> dict[str, float | int | None]:
    """Return counts and means over grades, None where nothing was asked."""
    return {**_counts(grades), **{score: share(*_sum(grades, score)) for score in MEANS}}


def _counts(grades: Sequence[Grade]) -> dict[str, int]:
    forms = Counter(each.form for each in grades)
    return {
        "asked": len(grades), "clean": forms[Form.CLEAN], "repaired": forms[Form.REPAIRED],
        "ill_formed": forms[Form.ILL_FORMED], "counted": int(_sum(grades, "knowledge")[1]),
    }  # fmt: skip


def _sum(grades: Iterable[Grade], score: str) -> tuple[float, float]:
    """Return the sum of a score, and how many grades have it."""
    name = "points" if score == "knowledge" else score
    values = [value for each in grades if (value := getattr(each, name)) is not None]
    return fsum(values), float(len(values))


def _pooled(games: Grades, score: str) -> Ratio:
    """Return a score's mean over all answers, one entry a maze."""
    sums = [_sum(grades, score) for grades in games.values()]
    return Ratio(tuple(a for a, _ in sums), tuple(b for _, b in sums), score == "knowledge")


def _macro(games: Grades, score: str) -> Ratio:
    """Return a score's mean over the mazes that have it, one entry a maze."""
    values = [share(*_sum(grades, score)) for grades in games.values()]
    there = tuple(float(value is not None) for value in values)
    return Ratio(tuple(value or 0.0 for value in values), there, score == "knowledge")


def means(games: Grades, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the means over mazes: macro with its 95 % interval, micro, and the counts."""
    ratios = {score: _macro(games, score) for score in MEANS}
    bounds = intervals(ratios, resamples=resamples)
    scores = {
        score: {"macro": each.value, "interval": bounds[score],
                "micro": _pooled(games, score).value}
        for score, each in ratios.items()
    }  # fmt: skip
    every = [grade for grades in games.values() for grade in grades]
    return {**_counts(every), "mazes": len(games), **scores}


def table(marked: Iterable[Marked], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{task: {level: means with their counts and intervals}}``.

    Raises `MissingExtra` without numpy unless ``resamples`` is 0.
    """
    every = tuple(marked)
    return {
        str(task): {
            str(level): means(of(every, task, level), resamples=resamples) for level in LEVELS
        }
        for task in Task
    }


def knowledge(marked: Iterable[Marked], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{"knowledge", "knowledge_ci", "counted"}`` of all answers, both tasks together.

    The mean of the points over the questions that count, wherever they are asked; the interval
    draws mazes.
    """
    ratio = _pooled(of(marked), "knowledge")
    found = intervals({"knowledge": ratio}, resamples=resamples)["knowledge"]
    return {"knowledge": ratio.value, "knowledge_ci": found, "counted": int(sum(ratio.below))}


def _shared(left: Iterable[Marked], right: Iterable[Marked]) -> list[tuple[Marked, Marked]]:
    """Return both sides' answers to each question that both were asked."""
    theirs = {each.key: each for each in counted(right)}
    ours = {each.key: each for each in counted(left) if each.key in theirs}
    return [(ours[key], theirs[key]) for key in sorted(ours)]


def pair(
    left: Iterable[Marked], right: Iterable[Marked], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return both sides' means on the questions that both were asked, and their difference.

    Differences are left minus right, with a 95 % interval and a p-value over mazes.
    """
    both = _shared(left, right)
    alike = [pair for pair in both if pair[0].level is pair[1].level]
    found: dict[str, Any] = {"shared": len(both), "of_two_levels": len(both) - len(alike)}
    for task in Task:
        found[str(task)] = {
            str(level): _compared(
                of((ours for ours, _ in alike), task, level),
                of((theirs for _, theirs in alike), task, level),
                resamples,
            )
            for level in LEVELS
        }
    return found


def _compared(left: Grades, right: Grades, resamples: int) -> dict[str, Any]:
    sides = {score: (_macro(left, score), _macro(right, score)) for score in SCORES}
    gaps = differences(sides, resamples=resamples) if resamples else dict.fromkeys(sides)
    scores = {
        score: {"left": ours.value, "right": theirs.value,
                "difference": asdict(gap) if (gap := gaps[score]) else None}
        for score, (ours, theirs) in sides.items()
    }  # fmt: skip
    return {"asked": sum(map(len, left.values())), "mazes": len(left), **scores}
