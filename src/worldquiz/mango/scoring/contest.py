"""Contests of answers, and means of their scores: for each maze, over mazes, of pairs.

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

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
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


@dataclass(frozen=True, slots=True)
class Scored:
    """One graded answer and where it counts."""

    game: str
    id: str
    task: Task
    level: Level
    grade: Grade

    @property
    def key(self) -> Key:
        """Key that no other question has."""
        return (self.game, self.id, self.task)


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
    by_rule: Mapping[str, float | None]  # success of route finding, as `scoring.score.by_rule`

    @property
    def scored(self) -> tuple[Scored, ...]:
        """The grades that count."""
        return counted(self.marked)


@dataclass(frozen=True, slots=True)
class Contest:
    """Contestants, and the mazes that they were asked about, whole and by name."""

    mazes: Mapping[str, Maze]
    contestants: tuple[Contestant, ...]
    baselines: tuple[Contestant, ...] = ()  # on all questions that some contestant was asked


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts and sums over graded answers; they add up."""

    asked: int = 0
    clean: int = 0
    repaired: int = 0
    ill_formed: int = 0
    success: float = 0.0
    reasoning: float = 0.0
    weighted: float = 0.0
    points: float = 0.0  # of the knowledge score
    counted: int = 0  # answers that have points

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        )

    def record(self) -> dict[str, float | int | None]:
        """Return the counts and the means, None where nothing was asked."""
        means = {name: share(getattr(self, name), self.asked) for name in SCORES}
        return {**self.counts(), **means, "knowledge": self.knowledge}

    @property
    def knowledge(self) -> float | None:
        """The mean of the points, None where no question counts."""
        return share(self.points, self.counted)

    def counts(self) -> dict[str, int]:
        """Return the whole counts."""
        return {
            "asked": self.asked,
            "clean": self.clean,
            "repaired": self.repaired,
            "ill_formed": self.ill_formed,
            "counted": self.counted,
        }


def tally(grades: Iterable[Grade]) -> Tally:
    """Count and sum grades; their order changes nothing."""
    given = tuple(grades)
    forms = [grade.form for grade in given]
    points = [grade.points for grade in given if grade.points is not None]
    return Tally(
        asked=len(given),
        clean=forms.count(Form.CLEAN),
        repaired=forms.count(Form.REPAIRED),
        ill_formed=forms.count(Form.ILL_FORMED),
        success=fsum(grade.success for grade in given),
        reasoning=fsum(grade.reasoning for grade in given),
        weighted=fsum(grade.weighted for grade in given),
        points=fsum(points),
        counted=len(points),
    )


def of(scored: Iterable[Scored], task: Task, level: str) -> dict[str, Tally]:
    """Return a tally for each maze that was asked anything of a task at a level ("all": any)."""
    games: dict[str, list[Grade]] = {}
    for each in scored:
        if each.task is task and level in ("all", each.level):
            games.setdefault(each.game, []).append(each.grade)
    return {game: tally(games[game]) for game in sorted(games)}


def table(scored: Iterable[Scored], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{task: {level: means with their counts and intervals}}``.

    Raises `MissingExtra` without numpy unless ``resamples`` is 0.
    """
    every = tuple(scored)
    return {
        str(task): {
            str(level): means(of(every, task, level), resamples=resamples) for level in LEVELS
        }
        for task in Task
    }


def means(games: Mapping[str, Tally], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the means over mazes: macro with its 95 % interval, micro, and the counts."""
    total = sum(games.values(), Tally())
    ratios = {**{name: macro(games, name) for name in SCORES}, "knowledge": _knowledge(games)}
    bounds = intervals(ratios, resamples=resamples)
    micro = total.record()
    shares = {
        name: {"macro": ratio.value, "interval": bounds[name], "micro": micro[name]}
        for name, ratio in ratios.items()
    }
    return {**total.counts(), "mazes": len(games), **shares}


def _knowledge(games: Mapping[str, Tally]) -> Ratio:
    """Return the mean of knowledge over the mazes where some question counts."""
    values = [games[game].knowledge for game in sorted(games)]
    counts = tuple(float(value is not None) for value in values)
    return Ratio(tuple(value or 0.0 for value in values), counts, signed=True)


def knowledge(scored: Iterable[Scored], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{"knowledge", "knowledge_ci", "counted"}`` of all answers, both tasks together.

    The mean of the points over the questions that count, wherever they are asked; the interval
    draws mazes.
    """
    ratio = _pooled(scored)
    found = intervals({"knowledge": ratio}, resamples=resamples)["knowledge"]
    return {"knowledge": ratio.value, "knowledge_ci": found, "counted": int(sum(ratio.below))}


def _pooled(scored: Iterable[Scored]) -> Ratio:
    """Return the points of all answers over those that count, one entry a maze."""
    games: dict[str, list[Grade]] = {}
    for each in scored:
        games.setdefault(each.game, []).append(each.grade)
    tallies = [tally(games[game]) for game in sorted(games)]
    return Ratio(
        tuple(each.points for each in tallies), tuple(float(each.counted) for each in tallies),
        signed=True,
    )  # fmt: skip


def macro(games: Mapping[str, Tally], score: str) -> Ratio:
    """Return a score's mean over mazes as a ratio of two sums, one entry a maze."""
    values = tuple(getattr(games[game], score) / games[game].asked for game in sorted(games))
    return Ratio(values, (1.0,) * len(values))


def pair(
    left: Iterable[Scored], right: Iterable[Scored], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return both sides' means on the questions that both were asked, and their difference.

    Differences are left minus right, with a 95 % interval and a p-value over mazes.
    """
    ours, theirs = ({each.key: each for each in side} for side in (left, right))
    shared = sorted(ours.keys() & theirs.keys())
    alike = [key for key in shared if ours[key].level is theirs[key].level]
    found: dict[str, Any] = {"shared": len(shared), "of_two_levels": len(shared) - len(alike)}
    for task in Task:
        found[str(task)] = {
            str(level): _compared(
                of((ours[key] for key in alike), task, level),
                of((theirs[key] for key in alike), task, level),
                resamples,
            )
            for level in LEVELS
        }
    return found


def _compared(
    left: Mapping[str, Tally], right: Mapping[str, Tally], resamples: int
) -> dict[str, Any]:
    ratios = {name: (macro(left, name), macro(right, name)) for name in SCORES}
    gaps = differences(ratios, resamples=resamples) if resamples else dict.fromkeys(ratios)
    scores = {
        name: {
            "left": ours.value,
            "right": theirs.value,
            "difference": asdict(gap) if (gap := gaps[name]) else None,
        }
        for name, (ours, theirs) in ratios.items()
    }
    asked = sum(each.asked for each in left.values())
    return {"asked": asked, "mazes": len(left), **scores}
