"""Protocol of worlds: reset, step, and the true state for those who may know it.

Worlds go by names. A name stands for a class or function that opens one world of a suite. It may
ask for ``spec``, the world as a value, and for ``folder``, in which the suite keeps it, and returns
a `World`::

    def opened(spec: WorldSpec, folder: Path) -> World: ...

Packages add worlds under the entry point group ``worldquiz.worlds``; ``module:attribute`` names
one too. `worldquiz.t2q.suite` makes a suite of them, and `checks.check_world` says whether one
keeps the protocol.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from worldquiz.errors import CatalogError, WorldError
from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import Fact, State
from worldquiz.plugins import Catalogue
from worldquiz.runs.given import fresh
from worldquiz.t2q.world.spec import Task, WorldSpec


@dataclass(frozen=True, slots=True)
class Transition:
    """Result of a reset or a command.

    `revealed` lists the facts that the observation discloses, from the true state; an agent's
    ``act(observation)`` cannot receive it, so the type checker guards against leaks.
    """

    observation: Observation
    revealed: tuple[Fact, ...]  # sorted
    command: str | None  # as the world understood it; None where it was refused, and at reset

    @property
    def done(self) -> bool:
        """True if the episode is over."""
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


CATALOGUE = Catalogue(
    noun="world",
    group="worldquiz.worlds",
    ours={"python": "worldquiz.t2q.world.game:Game"},
)


def opened(name: str, spec: WorldSpec, folder: Path) -> World:
    """Open a world of a suite by the name of its kind.

    Raises `CatalogError` for a name that nobody has, or that does not make a world; `WorldError`
    where it makes another world than the suite holds.
    """
    world = as_world(fresh(CATALOGUE.load(name), "world", spec=spec, folder=folder), name)
    if world.spec != spec:
        raise WorldError(
            f"world {spec.id!r}: {name!r} makes a world of other facts than {folder} holds: make "
            "the suite again"
        )
    return world


def as_world(made: object, name: str) -> World:
    """Return an object as a world. Raises `CatalogError` if it lacks a method."""
    for method in ("spec", "state", "reset", "step", "close"):
        if not hasattr(made, method):
            kind = type(made).__name__
            raise CatalogError(f"world {name!r}: {kind} is not a World: missing {method!r}")
    return cast("World", made)
