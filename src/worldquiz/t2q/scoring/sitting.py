"""One world's part of a run, from which every number of the run is counted.

It holds no texts: a run of a thousand worlds is scored from a few kilobytes a world.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from sys import intern

from worldquiz.facts.question import Graded, Result
from worldquiz.t2q.scoring.success import Attempt, attempt
from worldquiz.t2q.store import Played
from worldquiz.t2q.trace import Finding, Trace, without_texts


@dataclass(frozen=True, slots=True)
class Sitting:
    """One world's part of a run: its attempts, its graded questions, and what a model did there."""

    world: str
    level: str
    results: tuple[Result, ...]  # without their replies
    attempts: tuple[Attempt, ...]
    trace: Trace = field(default_factory=Trace)  # without texts; empty where no model took part
    findings: tuple[Finding | None, ...] | None = None  # one a result; None: nobody looked for them


def sitting(
    played: Played, results: Iterable[Result], findings: Sequence[Finding | None] | None = None
) -> Sitting:
    """Put together what one world gives to score.

    Raises `ValueError` where the episodes are not one for each task, in the same order, or where a
    findings are not exactly one for each graded question.
    """
    spec, tasks = played.bundle.spec, played.bundle.tasks
    if [task.id for task in tasks] != [episode.task for episode in played.episodes]:
        raise ValueError(f"world {spec.id!r}: its episodes are not one for each task, in order")
    attempts = tuple(map(attempt, tasks, played.episodes))
    asked = tuple(
        replace(result, world=spec.id, level=spec.level, question=intern(result.question), reply="")
        for result in results
    )
    trace = without_texts(played.trace)
    if findings is None:
        return Sitting(spec.id, spec.level, asked, attempts, trace)
    graded = [isinstance(result.score, Graded) for result in asked]
    if [finding is not None for finding in findings] != graded:
        raise ValueError(
            f"world {spec.id!r}: {len(findings)} findings do not fit {len(asked)} questions, of "
            f"which {sum(graded)} have a grade: give one for each graded question, else None"
        )
    return Sitting(spec.id, spec.level, asked, attempts, trace, tuple(findings))
