"""One world's part of a run, from which every number of the run is counted.

It holds no texts: a run of a thousand worlds is scored from a few kilobytes a world. ``tsr`` is the
paper's task success rate (arXiv 2601.09503, equation 1). Commands are set against the walkthrough
as in SPL (success weighted by path length; Anderson et al., arXiv 1807.06757): a won task earns
walkthrough / max(walkthrough, commands), a lost one nothing. The maximum is there because a
walkthrough by dependency order is not proven shortest and may be beaten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import fsum
from sys import intern
from typing import NamedTuple

from worldquiz.facts.episode import Episode, Outcome
from worldquiz.facts.knowledge import share, whole
from worldquiz.facts.question import Graded, Result
from worldquiz.t2q.store import Played
from worldquiz.t2q.trace import Finding, Trace, without_texts
from worldquiz.t2q.world.spec import Task


class Attempt(NamedTuple):
    """Numbers of one episode that scores need, without its texts."""

    walkthrough: int  # commands of the task's walkthrough
    commands: int  # given by the agent
    outcome: Outcome
    refused: int = 0  # commands that were none
    repeated: int = 0  # commands of the step before once more, with the same answer: a loop

    @classmethod
    def of(cls, task: Task, episode: Episode) -> Attempt:
        """Count what an agent did in a task. Raises `ValueError` for an episode of another task."""
        if task.id != episode.task:
            raise ValueError(f"task {task.id!r} was paired with an episode of {episode.task!r}")
        said = [(step.command or step.action, step.observation.text) for step in episode.steps[1:]]
        return cls(
            walkthrough=len(task.walkthrough.commands),
            commands=episode.actions,
            outcome=episode.outcome,
            refused=sum(step.action is not None and step.command is None for step in episode.steps),
            repeated=sum(before == after for before, after in pairwise(said)),
        )

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

    Raises `ValueError` where the episodes are not one for each task, in the same order, or where
    findings are not exactly one for each graded question.
    """
    spec, tasks = played.bundle.spec, played.bundle.tasks
    if len(tasks) != len(played.episodes):
        raise ValueError(f"world {spec.id!r}: its episodes are not one for each task, in order")
    asked = tuple(
        replace(result, world=spec.id, level=spec.level, question=intern(result.question), reply="")
        for result in results
    )
    graded = [isinstance(result.score, Graded) for result in asked]
    if findings is not None and [finding is not None for finding in findings] != graded:
        raise ValueError(
            f"world {spec.id!r}: {len(findings)} findings do not fit {len(asked)} questions, of "
            f"which {sum(graded)} have a grade: give one for each graded question, else None"
        )
    return Sitting(
        spec.id, spec.level, asked, tuple(map(Attempt.of, tasks, played.episodes)),
        without_texts(played.trace), None if findings is None else tuple(findings),
    )  # fmt: skip
