"""Mazes: places, moves between them, and the step of a walkthrough that showed each move.

MANGO (arXiv 2403.19913, section 2) reads a maze off a game's walkthrough. A move was *taken* at
some step, or it is *imputed*: the walkthrough took its reverse, and the game confirms that it leads
back. The moves shown are monotone in the steps read, so a shorter prefix is the same maze with less
seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from worldquiz.errors import KnobError
from worldquiz.mango.maze.walkthrough import WalkStep

NEVER = 9999
"""How MANGO's files say that a step never comes; here it is None."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The first steps at which a walkthrough shows a move; None: it never does."""

    forward: int | None = None  # the step that takes it
    backward: int | None = None  # the step that takes its reverse

    @property
    def first(self) -> int | None:
        """The first step that shows the move, either way."""
        return min(
            (step for step in (self.forward, self.backward) if step is not None), default=None
        )

    def until(self, step: int) -> Sight:
        """Return what is left of it in a prefix that ends with a step."""
        return Sight(
            self.forward if self.forward is not None and self.forward <= step else None,
            self.backward if self.backward is not None and self.backward <= step else None,
        )


@dataclass(frozen=True, slots=True)
class Edge:
    """A move from one place to another."""

    source: str
    action: str
    target: str
    seen: Sight  # when the game showed it
    told: Sight  # when the text had named both its places as well: from then on it is answerable

    @property
    def last(self) -> int:
        """The last of the steps at which something of it was shown; 0: nothing ever was."""
        steps = (self.seen.forward, self.seen.backward, self.told.forward, self.told.backward)
        return max(step or 0 for step in steps)

    @property
    def key(self) -> tuple[str, str, str]:
        """Key that no other edge of the maze has."""
        return self.source, self.action, self.target

    def __str__(self) -> str:
        """Return its ends and its action, as errors name them."""
        return f"{self.source!r} --> {self.action!r} --> {self.target!r}"

    @property
    def imputed(self) -> bool:
        """Tell whether the walkthrough never takes it."""
        return self.seen.forward is None

    def published(self) -> dict[str, int]:
        """Return its steps under the names that MANGO's files give them."""
        steps = {
            "seen_in_forward": self.seen.forward,
            "seen_in_reversed": self.seen.backward,
            "edge_min_step": self.seen.first,
            "seen_in_forward_answerable": self.told.forward,
            "seen_in_reversed_answerable": self.told.backward,
            "edge_min_step_answerable": self.told.first,
        }
        return {name: NEVER if step is None else step for name, step in steps.items()}


@dataclass(frozen=True, slots=True)
class Maze:
    """A maze, and the walkthrough that it was read off."""

    name: str
    places: tuple[str, ...]  # in the order of their file, or of their first appearance
    edges: tuple[Edge, ...]
    walkthrough: tuple[WalkStep, ...] = ()  # empty where only the map is at hand
    steps: int = 0  # of the walkthrough, step 0 not counted

    @property
    def actions(self) -> tuple[str, ...]:
        """Every action that moves somebody, in the order of first appearance."""
        return tuple(dict.fromkeys(edge.action for edge in self.edges))

    @property
    def text(self) -> tuple[WalkStep, ...]:
        """The walkthrough. Raises `KnobError` where only the map is at hand."""
        if not self.walkthrough:
            raise KnobError(
                f"maze {self.name!r} has no walkthrough text here; put {self.name}.walkthrough "
                "beside its map, or give the steps70 layout"
            )
        return self.walkthrough

    def prefix(self, steps: int) -> Maze:
        """Return the maze as far as the first steps show it; step 0 is always read.

        Places stay if an edge of what is left names them.
        """
        edges = (
            replace(edge, seen=edge.seen.until(steps), told=edge.told.until(steps))
            for edge in self.edges
            if edge.told.until(steps).first is not None
        )
        walkthrough = tuple(step for step in self.walkthrough if step.number <= steps)
        return replace(self.of(edges), walkthrough=walkthrough, steps=min(self.steps, steps))

    def of(self, edges: Iterable[Edge]) -> Maze:
        """Return the maze with no other edges than some, and no places but those they name."""
        kept = tuple(edges)
        named = {place for edge in kept for place in (edge.source, edge.target)}
        places = tuple(place for place in self.places if place in named)
        return replace(self, places=places, edges=kept)
