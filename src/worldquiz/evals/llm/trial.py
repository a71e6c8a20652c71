"""Which model, memory and wiring a run measures, and the parts made of that for one world."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from worldquiz.agents.memory import catalog as memories
from worldquiz.agents.memory.base import Embedder, Wiring
from worldquiz.agents.prompts.compose import Options
from worldquiz.errors import CatalogError, KnobError, MissingExtra
from worldquiz.evals import t2q
from worldquiz.evals.suite import Suite, versions
from worldquiz.model.store import ENDPOINT, MODEL

if TYPE_CHECKING:
    from inspect_ai.model import Model

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
        from worldquiz.agents.memory.embed import embedder

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


def require() -> None:
    """Raise `MissingExtra` unless models can be run."""
    for library, extra in (("inspect_ai", "llm"), ("openai", "llm"), ("json_repair", "llm")):
        try:
            __import__(library)
        except ImportError as error:
            raise MissingExtra(library.replace("_", "-"), extra) from error


def model_of(name: str, base_url: str | None = None) -> Model:
    """Return inspect's model of a name, or one behind an OpenAI-compatible base URL.

    With a base URL, `name` is what the server calls it; the key is taken from ``OPENAI_API_KEY`` if
    it is set. Raises `CatalogError` for a name that inspect does not know or cannot set up.
    """
    require()
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import get_model

    try:
        if base_url is None:
            return get_model(name)
        key = os.environ.get("OPENAI_API_KEY") or "none"
        full = name if name.startswith("openai-api/") else f"{ENDPOINT}/{name}"
        return get_model(full, base_url=base_url, api_key=key)
    except (ValueError, PrerequisiteError) as error:
        told = " ".join(re.sub(r"\[/?[a-z]+\]|^ERROR: ", "", str(error)).split())
        raise CatalogError(f"model {name!r}: {told}") from error


def check_settings(generate: Mapping[str, Any]) -> None:
    """Raise `KnobError` for settings of generation that inspect does not have."""
    require()
    from inspect_ai.model import GenerateConfig
    from pydantic import ValidationError

    own = {"max_connections": "--connections", "max_retries": "--retries"}
    for name in own.keys() & generate.keys():
        raise KnobError(f"generate {name}: give it by {own[name]}")
    try:
        GenerateConfig(**generate)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = "".join(f"{part}: " for part in first["loc"])
        told = first["msg"].removeprefix("Value error, ")
        raise KnobError(f"generate {place}{told}") from error
