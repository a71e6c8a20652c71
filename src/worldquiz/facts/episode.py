"""Episodes: attempts at one task, step by step.

An agent receives only `Observation`s. `Step.revealed` is privileged: it lists the facts that the
observation discloses, computed from the simulator's state, never from text. `added` and `removed`
serve to rebuild the true state at any step.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from worldquiz.facts.fact import Fact


@dataclass(frozen=True, slots=True)
class Observation:
    """All that an agent gets to see after a command."""

    text: str
    inventory: str = ""
    score: int = 0  # 1 once the goal is met, else 0
    done: bool = False
    objective: str = ""
    pictures: tuple[bytes, ...] = ()  # PNG files


class Outcome(StrEnum):
    """Outcome of an episode."""

    WON = "won"
    STEP_LIMIT = "step_limit"
    GAVE_UP = "gave_up"


@dataclass(frozen=True, slots=True)
class Step:
    """One command and its result."""

    index: int  # 0 is the observation at reset; actions count from 1
    action: str | None  # as the agent wrote it; None at reset
    command: str | None  # as the game received it; None at reset and where it was refused
    observation: Observation
    revealed: tuple[Fact, ...]
    added: tuple[Fact, ...]
    removed: tuple[Fact, ...]


class Turn(NamedTuple):
    """One step as a player sees it: its command and its observation."""

    action: str | None  # None at reset
    observation: Observation


Transcript = tuple[Turn, ...]
"""The public side of an episode: all that may be shown to a model or an answerer."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One attempt at one task, from reset to its outcome."""

    world: str
    task: str
    agent: str
    seed: int
    outcome: Outcome
    steps: tuple[Step, ...]

    @property
    def transcript(self) -> Transcript:
        """The episode without anything privileged."""
        return tuple(Turn(step.action, step.observation) for step in self.steps)

    @property
    def actions(self) -> int:
        """Number of commands that the agent gave."""
        return len(self.steps) - 1
