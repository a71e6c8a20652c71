"""Task success of an agent: tasks won, and how many commands that took.

``tsr`` is the paper's task success rate (arXiv 2601.09503, equation 1). Commands are set against
the walkthrough as in SPL (success weighted by path length; Anderson et al., arXiv 1807.06757): a
won task earns walkthrough / max(walkthrough, commands), a lost one nothing. The maximum is there
because a walkthrough by dependency order is not proven shortest and may be beaten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import pairwise
from math import fsum

from worldquiz.facts.episode import Episode, Outcome, Step
from worldquiz.facts.knowledge import share, whole
from worldquiz.t2q.world.task import Task


@dataclass(frozen=True, slots=True)
class Attempt:
    """Numbers of one episode that scores need, without its texts."""

    walkthrough: int  # commands of the task's walkthrough
    commands: int  # given by the agent
    outcome: Outcome
    refused: int = 0  # commands that were none
    repeated: int = 0  # commands of the step before once more, with the same answer: a loop


@dataclass(frozen=True, slots=True)
class Success:
    """Counts over attempts; shares and means are None where there is no attempt."""

    tasks: int
    won: int
    commands: int  # given by the agent, over all tasks
    walkthrough: int  # commands of the walkthroughs, over all tasks
    efficiency: float  # sum over won tasks of walkthrough / max(walkthrough, commands)

    @property
    def tsr(self) -> float | None:
        """Task success rate (equation 1)."""
        return share(self.won, self.tasks)

    @property
    def spl(self) -> float | None:
        """Success weighted by path length, over all tasks: ``tsr * efficiency_won``."""
        return share(self.efficiency, self.tasks)

    @property
    def efficiency_won(self) -> float | None:
        """Mean of walkthrough / commands over won tasks; 1 is as short as the walkthrough."""
        return share(self.efficiency, self.won)

    @property
    def mean_commands(self) -> float | None:
        """Commands per task, won or lost."""
        return share(self.commands, self.tasks)

    @property
    def mean_walkthrough(self) -> float | None:
        """Walkthrough commands per task."""
        return share(self.walkthrough, self.tasks)

    def __add__(self, other: Success) -> Success:
        return Success(
            *(getattr(self, field.name) + getattr(other, field.name) for field in fields(self))
        )


def attempt(task: Task, episode: Episode) -> Attempt:
    """Count what an agent did in a task. Raises `ValueError` for an episode of another task."""
    if task.id != episode.task:
        raise ValueError(f"task {task.id!r} was paired with an episode of {episode.task!r}")
    said = [(step.command or step.action, step.observation.text) for step in episode.steps[1:]]
    return Attempt(
        walkthrough=len(task.walkthrough.commands),
        commands=episode.actions,
        outcome=episode.outcome,
        refused=sum(map(_refused, episode.steps)),
        repeated=sum(before == after for before, after in pairwise(said)),
    )


def of(attempts: Iterable[Attempt]) -> Success:
    """Count attempts."""
    tried = tuple(attempts)
    return Success(
        tasks=len(tried),
        won=sum(map(_won, tried)),
        commands=sum(each.commands for each in tried),
        walkthrough=sum(each.walkthrough for each in tried),
        efficiency=fsum(map(_efficiency, tried)),
    )


def steps(success: Success) -> dict[str, float | None]:
    """Return what the commands say, as the JSON contract names it."""
    return {
        "spl": success.spl,
        "efficiency_won": success.efficiency_won,
        "commands": success.mean_commands,
        "walkthrough": success.mean_walkthrough,
    }


def counts(success: Success) -> dict[str, float]:
    """Return the whole counts by name."""
    return {
        "commands": whole(success.commands),
        "tasks": whole(success.tasks),
        "walkthrough": whole(success.walkthrough),
        "won": whole(success.won),
    }


def _refused(step: Step) -> bool:
    return step.action is not None and step.command is None


def _won(tried: Attempt) -> bool:
    return tried.outcome is Outcome.WON


def _efficiency(tried: Attempt) -> float:
    if not _won(tried):
        return 0.0
    return tried.walkthrough / max(tried.walkthrough, tried.commands, 1)
