"""Asking the memory's model: one prompt, one reply, read leniently, and counted when unreadable.

A reply that cannot be read never stops a run: the memory goes on as its method would without that
piece, and `Asking.unreadable` says how often that was so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from worldquiz.llm.json_replies import read_object, said
from worldquiz.llm.records import Status
from worldquiz.t2q.prompts import filled

if TYPE_CHECKING:
    from inspect_ai.model import Model

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_NO_REPLY = ("model_length", "content_filter")
"""Reasons to stop under which a completion is an error's or a filter's text."""


class Asking:
    """One memory's calls of the model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.unreadable = 0  # replies that could not be used

    async def text(self, prompt: str, **values: str) -> str:
        """Return the reply to a prompt of that name, without thoughts; "" if there is none."""
        output = await self._model.generate(filled(prompt, **values))
        text = ""
        if output.stop_reason not in _NO_REPLY:
            text = _THOUGHT.sub("", output.completion).strip()
        self.unreadable += not text
        return text

    async def fields(self, prompt: str, *wanted: str, **values: str) -> dict[str, Any]:
        """Return the reply's JSON object that has one of the `wanted` fields; {} if none has."""
        output = await self._model.generate(filled(prompt, **values))
        found: dict[str, Any] = {}
        status = Status.UNREADABLE
        if output.stop_reason not in _NO_REPLY:
            found, status = read_object(output.completion, *wanted)
        self.unreadable += status is Status.UNREADABLE
        return found


def words(value: object) -> tuple[str, ...]:
    """Return a JSON list, or one text, as texts that say something, each once."""
    items = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text for item in items if (text := said(item))))
