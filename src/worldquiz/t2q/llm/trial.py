"""Which model, memory and wiring a run measures, and the parts made of that for one world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from worldquiz.errors import CatalogError, KnobError
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.memory import catalog as memories
from worldquiz.t2q.memory.base import Embedder, Wiring
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.store import MODEL
from worldquiz.t2q.suite import Suite, versions

DEFAULT_EMBEDDER = "minilm"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured, model aside. Equal subjects, models and replies give equal runs."""

    memory: str = "in-context"
    wiring: Wiring = field(default_factory=Wiring)
    options: Options = field(default_factory=Options)
    embedder: str = DEFAULT_EMBEDDER  # used by memories that embed
    agent: str = MODEL  # who plays: the model, or a scripted player
    quiz: str = MODEL  # who answers: the model, or a scripted taker
    seed: int = 0  # for scripted players that draw at random
    max_steps: int = t2q.MAX_STEPS  # commands a task

    def __post_init__(self) -> None:
        if self.max_steps < 0:
            raise KnobError(f"max steps: {self.max_steps} is below 0")
        if MODEL not in (self.agent, self.quiz):
            raise KnobError(f"{self.agent} plays and {self.quiz} answers: leave out the model")
        if "human" in (self.agent, self.quiz):
            raise CatalogError("a person plays, and takes the quiz, with `worldquiz play`")
        memories.entry(self.memory)

    def embedding(self) -> Embedder | None:
        """Return the embedder, None where the memory needs none. Loading may take seconds."""
        if not memories.entry(self.memory).embeds:
            return None
        from worldquiz.t2q.memory.embed import embedder

        return embedder(self.embedder)

    def arguments(self) -> dict[str, Any]:
        """Return the subject as the task's arguments, by which inspect can make it anew."""
        wiring, options = self.wiring.record(), asdict(self.options)
        return {
            "memory": self.memory,
            **{name: str(value) if isinstance(value, str) else value
               for name, value in wiring.items()},
            **options,
            "embedder": self.embedder,
            "agent": self.agent,
            "quiz": self.quiz,
            "player_seed": self.seed,
            "max_steps": self.max_steps,
        }  # fmt: skip

    def record(self, suite: Suite) -> dict[str, Any]:
        """Return a run's manifest but for what depends on the model."""
        entry = memories.entry(self.memory)
        return {
            "kind": "run",
            "suite": suite.digest,
            "agent": self.agent,
            "quiz": self.quiz,
            "seed": self.seed,
            "max_steps": self.max_steps,
            "memory": self.memory,
            "wiring": self.wiring.record(),
            "options": self.options.record(),
            "embedder": self.embedder if entry.embeds else None,
            "features": memories.features(self.memory),
            "versions": versions() | {self.memory: memories.version(self.memory)},
            "worlds": list(suite.worlds),
        }

    def asked(self, model: str, memory_model: str, generate: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a manifest says of the model."""
        calls = memories.entry(self.memory).calls_model
        return {
            "model": model,
            "memory_model": memory_model if calls else None,
            "generate": dict(generate),
        }
