"""Language models: messages, replies, and the usage and errors of calls.

`Http` of `llm.http` speaks OpenAI's protocol (OpenAI, vLLM, Ollama, llama.cpp, OpenRouter);
`Inspect` of `llm.inspect_model` reaches every other provider.
"""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from worldquiz.facts.replies import is_whole
from worldquiz.facts.row import AnswerStatus, Usage

Message = Mapping[str, Any]
"""A message as OpenAI's protocol has it: ``role``, ``content`` (a text or parts), tool calls."""
OVERFLOW, FILTERED, CUT = AnswerStatus.OVERFLOW, AnswerStatus.FILTERED, AnswerStatus.CUT
"""Why a model stopped without an answer."""


UNKNOWN = Usage(calls=1, input=0, cached=0, output=0, cost=None, unknown=1)
"""What a call took whose tokens the provider did not tell in numbers."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A model's call of a tool; `arguments` is None where they are no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    text: str = ""  # the arguments as they were sent


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply to a call, and what the call took."""

    text: str = ""
    stop: str = "stop"  # why it ends: "stop", CUT, "tool_calls"; OVERFLOW, FILTERED: no reply
    tool_calls: tuple[FunctionCall, ...] = ()
    usage: Usage = UNKNOWN

    @property
    def given(self) -> bool:
        """True if the model replied: the window was not full and the provider withheld nothing."""
        return self.stop not in (OVERFLOW, FILTERED)

    @property
    def lost(self) -> AnswerStatus | None:
        """Why there is no answer in it, None where there may be one."""
        if not self.given or (self.stop == CUT and not is_whole(self.text)):
            return AnswerStatus(self.stop)
        return None


class CallError(Exception):
    """A call that a server refused, or did not answer as the protocol says."""

    def __init__(self, text: str, status_code: int | None = None) -> None:
        super().__init__(text)
        self.status_code = status_code


class Again(CallError):
    """A call that may succeed when it is made again; `wait` seconds before that, if known."""

    def __init__(
        self, text: str, status_code: int | None = None, wait: float | None = None
    ) -> None:
        super().__init__(text, status_code)
        self.wait = wait


class NoServer(Again):
    """Nobody listens there."""


class Model(Protocol):
    """A model that can be asked. Its text is its name, as manifests state it."""

    def generate(
        self,
        messages: Sequence[Message],
        *,
        form: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        tool_choice: str | None = None,
    ) -> Awaitable[Completion]:
        """Return the coming reply to messages, held to a JSON Schema if `form` is one.

        Tools are functions as OpenAI's protocol describes them; `tool_choice` is "auto", "none",
        "required" or a function's name. Raises `CallError`.
        """
        ...

    async def close(self) -> None:
        """Close connections."""
        ...


def user(text: str | Sequence[Mapping[str, Any]]) -> Message:
    """Return a user's message."""
    return {"role": "user", "content": text}


def message(words: str, pictures: Sequence[bytes] = ()) -> Message:
    """Return a user's message of pictures (PNG files), then words."""
    if not pictures:
        return user(words)
    held = (base64.b64encode(each).decode() for each in pictures)
    shown = ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{each}"}}
             for each in held)  # fmt: skip
    return user([*shown, {"type": "text", "text": words}])
