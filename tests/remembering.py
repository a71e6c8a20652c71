"""Memories in tests: turns to remember, an embedder, and a model that says what a test says.

The model is a real server's; the embedder is pure arithmetic on words, so
that texts which share words are alike and nothing else is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from modelserver import Request, Script, Text, serving
from modelserver.faults import overflows
from modelserver.prompts import role_of
from modelserver.protocol import DIMENSIONS, embed
from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.llm.http import Http
from worldquiz.llm.model import Model
from worldquiz.memory.base import Entry, Memory, Services, entry

T = TypeVar("T")
Says = Callable[[str], str]  # from a prompt to a reply


class Words:
    """An embedder to which texts are alike that share words."""

    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text."""
        return [embed(text) for text in texts]


def told(step: int, text: str, *, action: str | None = "look", task: int = 0) -> Entry:
    """Return one turn as it is added."""
    seen = Observation(text, "You are carrying nothing.", 0, False, "Find the hat.")
    return entry([(Moment(task, step), Turn(action if step else None, seen))])


def services(
    world: str = "world", model: Model | None = None, *, k: int = 10, embeds: bool = True
) -> Services:
    """Return what a memory may call; the model may be left out for those that call none."""
    return Services(model, Words() if embeds else None, world, k)  # type: ignore[arg-type]


def saying(says: Mapping[str, Says | str]) -> Script:
    """Return a script that replies by what a prompt is for: ``{"memory summary": "A hall."}``."""

    def reply(request: Request) -> Text:
        said = says[role_of(request)]
        return Text(said if isinstance(said, str) else said(request.text))

    return reply


def with_model(
    script: Script,
    work: Callable[[Model], Awaitable[T]],
    *,
    window: Any = None,
    **options: Any,
) -> T:
    """Run some work with a model that replies by a script; no prompt is to exceed its window."""
    if window is not None:
        script = overflows(script, window)

    async def run(base_url: str) -> T:
        model = Http("m", base_url, "none")
        try:
            return await work(model)
        finally:
            await model.close()

    with serving(script, **options) as server:
        return asyncio.run(run(server.base_url))


def recalled(memory: Memory, query: str = "") -> str:
    """Return what a memory that calls no model hands over."""
    return asyncio.run(memory.recall(query))
