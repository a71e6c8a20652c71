"""What every world offers: reset, step, and the true state for those who may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import Fact, State
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task


@dataclass(frozen=True, slots=True)
class Transition:
    """What came of a reset or a command.

    `revealed` lists the facts that the observation discloses, from the true state; an agent's
    ``act(observation)`` cannot receive it, so the type checker guards against leaks.
    """

    observation: Observation
    revealed: tuple[Fact, ...]  # sorted
    command: str | None  # as the world understood it; None where it was refused, and at reset

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.observation.done


class World(Protocol):
    """A world that can be played. One episode at a time; `reset` may be called at any moment."""

    @property
    def spec(self) -> WorldSpec:
        """The world as a value."""
        ...

    @property
    def state(self) -> State:
        """All that is true now, with the spec's facts that never change."""
        ...

    def reset(self, task: Task) -> Transition:
        """Return to the initial state and state the task."""
        ...

    def step(self, action: str) -> Transition:
        """Carry out what an agent wrote; anything not understood is refused in the game's voice."""
        ...

    def close(self) -> None:
        """Free what the world holds."""
        ...
