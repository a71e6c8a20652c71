"""One world's part of a run, from which every number of the run is counted.

It is made of the world's rows (`t2q.rows`) and holds no texts: a run of a thousand worlds is scored
from a few kilobytes a world. ``tsr`` is the paper's task success rate (arXiv 2601.09503, equation
1). Commands are set against the walkthrough as in SPL (success weighted by path length; Anderson et
al., arXiv 1807.06757): a won task earns walkthrough / max(walkthrough, commands), a lost one
nothing. The maximum is there because a walkthrough by dependency order is not proven shortest and
may be beaten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import fsum
from sys import intern
from typing import Any, NamedTuple

from worldquiz.facts.episode import Outcome
from worldquiz.facts.knowledge import share, whole
from worldquiz.facts.question import Format, Graded, Result, Type, Unscored
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import TASK, AnswerStatus, Row
from worldquiz.llm.model import Purpose, Usage
from worldquiz.records import Told
from worldquiz.runs.rows import ROWS
from worldquiz.t2q.quiz.answerability import Checkpoints
from worldquiz.t2q.trace import Cause, Finding


class Attempt(NamedTuple):
    """Numbers of one task, as its row tells them."""

    walkthrough: int  # commands of the task's walkthrough
    commands: int  # given by the agent
    outcome: Outcome
    refused: int = 0  # commands that were none
    repeated: int = 0  # commands of the step before once more, with the same answer: a loop

    @property
    def won(self) -> bool:
        """True if the task was won."""
        return self.outcome is Outcome.WON


def task_counts(attempts: Iterable[Attempt]) -> dict[str, float]:
    """Return counts over attempts by name."""
    tried = tuple(attempts)
    return {
        "commands": whole(sum(each.commands for each in tried)),
        "tasks": len(tried),
        "walkthrough": whole(sum(each.walkthrough for each in tried)),
        "won": sum(each.won for each in tried),
    }


def steps(attempts: Iterable[Attempt]) -> dict[str, float | None]:
    """Return what the commands say: SPL and means a task, None where there is no attempt."""
    tried = tuple(attempts)
    counts = task_counts(tried)
    earned = fsum(a.walkthrough / max(a.walkthrough, a.commands, 1) for a in tried if a.won)
    return {
        "spl": share(earned, len(tried)),
        "efficiency_won": share(earned, counts["won"]),
        "commands": share(counts["commands"], len(tried)),
        "walkthrough": share(counts["walkthrough"], len(tried)),
    }


@dataclass(frozen=True, slots=True)
class Calls:
    """A model's part in one world, counted."""

    act: Counter[str] = field(default_factory=Counter)  # how replies were read, by status
    quiz: Counter[str] = field(default_factory=Counter)
    left_out: int = 0  # turns that memory was made to leave out, at most
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Sitting:
    """One world's part of a run: its attempts, its graded questions, and what a model did there."""

    world: str
    level: str
    results: tuple[Result, ...]  # without their replies
    attempts: tuple[Attempt, ...]
    calls: Calls = field(default_factory=Calls)  # empty where no model took part
    findings: tuple[Finding | None, ...] | None = None  # one a result; None: nobody looked for them


def sittings(rows: Iterable[Row], checkpoints: Checkpoints = Checkpoints.LAWS) -> Iterator[Sitting]:
    """Yield what each world gives to score, from the rows of a run; a world that failed, nothing.

    `checkpoints` says by which rule questions count as answerable.
    """
    for world, some in groupby(rows, key=lambda row: row.world):
        every = list(some)
        if not all(row.status is AnswerStatus.FAILED for row in every):
            yield sitting(world, every, checkpoints)


def sitting(
    world: str, rows: Iterable[Row], checkpoints: Checkpoints = Checkpoints.LAWS
) -> Sitting:
    """Put together what the rows of one world give to score."""
    every = list(rows)
    tasks = [row for row in every if row.type == TASK]
    asked = [row for row in every if row.type != TASK]
    findings = tuple(map(_finding, asked))
    return Sitting(
        world, every[0].level or "",
        tuple(_result(row, checkpoints) for row in asked),
        tuple(_attempt(_told(row)) for row in tasks),
        _calls(tasks, asked),
        findings if any(findings) else None,
    )  # fmt: skip


def _told(row: Row) -> Told:
    """Return a row's measures, which raise `RecordError` for one that it lacks."""
    return Told(row.measures, f"{ROWS}: {row.world} {row.item}")


def _attempt(told: Mapping[str, Any]) -> Attempt:
    return Attempt(
        told["walkthrough"], told["commands"], Outcome(told["outcome"]), told["refused"],
        told["repeated"],
    )  # fmt: skip


def _result(row: Row, checkpoints: Checkpoints) -> Result:
    """Return a question's row as it was graded, or as it counts by the paper's rule."""
    moment = Moment(row.episode or 0, row.step or 0) if row.shown else None
    told = _told(row)
    if checkpoints is Checkpoints.PAPER:
        told = told["paper"]
        moment = None if told["shown"] is None else Moment(*told["shown"])
    abstained = row.status is AnswerStatus.ABSTAINED
    earned = float(abstained) if moment is None else row.correct or 0.0
    return Result(
        world=row.world,
        level=row.level or "",
        question=intern(row.item),
        type=Type(row.type),
        format=Format(row.format),
        answerable=moment,
        reply="",
        abstained=abstained,
        score=Unscored(row.unscored or "") if row.score is None else Graded(earned),
        status=row.status,
        at_start=told["at_start"],
        blind=row.guess,
    )


def _finding(row: Row) -> Finding | None:
    return tuple(map(Cause, row.cause.split(" or "))) if row.cause else None


def _calls(tasks: Iterable[Row], asked: Iterable[Row]) -> Calls:
    moves = [move for row in tasks for move in row.measures.get("moves", ())]
    said = [row.measures for row in asked if "read" in row.measures]
    used = [row.measures["usage"] for row in (*tasks, *asked) if "usage" in row.measures]
    return Calls(
        Counter(move["read"] for move in moves),
        Counter(told["read"] for told in said),
        max((told["left_out"] for told in (*moves, *said)), default=0),
        tuple(Usage(Purpose(name), **told) for each in used for name, told in each.items()),
    )
