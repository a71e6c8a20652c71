"""Settings of a model's memory in a run: the memory, its wiring, its embedder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from worldquiz.errors import MissingExtra
from worldquiz.llm.calls import Counter
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Model, Purpose
from worldquiz.memory import catalog as memories
from worldquiz.memory.base import Embedder, Memory, Services, Wiring

DEFAULT_EMBEDDER = "minilm"
MEMORY_ROLE = "memory"
"""The role of inspect under which an evaluation names a model for memories."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A memory with its settings. The memory is a name, an object, or a class or function."""

    memory: object = "in-context"
    wiring: Wiring = field(default_factory=Wiring)
    embedder: str = DEFAULT_EMBEDDER  # used by memories that embed

    def require(self) -> None:
        """Raise `MissingExtra` where the memory's library is not installed."""
        line = memories.entry(self.memory)
        if library := memories.missing(line):
            raise MissingExtra(library, line.extra)

    def embedding(self) -> Embedder | None:
        """Return the embedder, None where the memory needs none. Loading may take seconds."""
        if not memories.entry(self.memory).embeds:
            return None
        from worldquiz.memory.embed import embedder

        return embedder(self.embedder)

    def made(self, counter: Counter, model: Model, embedder: Embedder | None, world: str) -> Memory:
        """Return a new memory for one world, whose calls of its model are counted."""
        theirs = counter.counting(model, Purpose.MEMORY)
        return memories.memory(self.memory, Services(theirs, embedder, world, self.wiring))

    def record(self) -> dict[str, Any]:
        """Return what a run's manifest says of it, versions aside."""
        entry = memories.entry(self.memory)
        return {
            "memory": entry.name,
            "wiring": self.wiring.record(),
            "embedder": self.embedder if entry.embeds else None,
        }

    def versions(self) -> dict[str, str]:
        """Return the version of what makes the memory, by its name."""
        return {memories.entry(self.memory).name: memories.version(self.memory)}

    def calls(self, reach: Reach, model: str | None) -> str | None:
        """Return the model that the memory calls, None where it calls none.

        It is that of a name at the same place, or the player's own.
        """
        called = memories.entry(self.memory).calls_model
        return (model or reach.model) if called else None


def remembering(reach: Reach, model: str | None) -> Model:
    """Return the model that memories call: that of a name at the same place, or the player's.

    It has the player's settings and as much time, but no limit of a reply's tokens: a command is
    short, and a memory whose JSON is cut off keeps nothing.
    """
    return reach.made(model, without="max_tokens")
