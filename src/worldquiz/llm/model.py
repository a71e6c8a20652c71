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
"""A message in OpenAI's protocol: ``role``, ``content`` (a text or parts), tool calls."""
OVERFLOW, FILTERED, CUT = AnswerStatus.OVERFLOW, AnswerStatus.FILTERED, AnswerStatus.CUT
"""Why a model stopped without an answer."""


UNKNOWN = Usage(calls=1, input=0, cached=0, output=0, cost=None, unknown=1)
"""Usage of a call for which the provider sent no valid token counts."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A model's call of a tool; `arguments` is None unless the model sent a JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    text: str = ""  # the arguments as they were sent


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply to a call, and the call's usage."""

    text: str = ""
    stop: str = "stop"  # why it ends: "stop", CUT, "tool_calls"; OVERFLOW, FILTERED: no reply
    tool_calls: tuple[FunctionCall, ...] = ()
    usage: Usage = UNKNOWN

    @property
    def given(self) -> bool:
        """True if there is a reply: the prompt fit the context window, and nothing was withheld."""
        return self.stop not in (OVERFLOW, FILTERED)

    @property
    def lost(self) -> AnswerStatus | None:
        """Reason why the reply cannot hold an answer; None if it may hold one."""
        if not self.given or (self.stop == CUT and not is_whole(self.text)):
            return AnswerStatus(self.stop)
        return None


class CallError(Exception):
    """A call that a server refused, or answered in a way that the protocol does not allow."""

    def __init__(self, text: str, status_code: int | None = None) -> None:
        super().__init__(text)
        self.status_code = status_code


class Again(CallError):
    """A failed call that may succeed later: after `wait` seconds, if the server said so."""

    def __init__(
        self, text: str, status_code: int | None = None, wait: float | None = None
    ) -> None:
        super().__init__(text, status_code)
        self.wait = wait


class NoServer(Again):
    """No server answers at the address."""


class Model(Protocol):
    """Interface of a language model. ``str(model)`` is its name in manifests."""

    def generate(
        self,
        messages: Sequence[Message],
        *,
        form: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        tool_choice: str | None = None,
    ) -> Awaitable[Completion]:
        """Return an awaitable for a reply, which must follow the JSON Schema `form` if given.

        Tools are described as in OpenAI's protocol; `tool_choice` is "auto", "none", "required" or
        a function's name. Raises `CallError`.
        """
        ...

    async def close(self) -> None:
        """Close connections."""
        ...


def user(text: str | Sequence[Mapping[str, Any]]) -> Message:
    """Return a user's message."""
    return {"role": "user", "content": text}


def message(words: str, pictures: Sequence[bytes] = ()) -> Message:
    """Return a user's message with pictures (PNG files) before its text."""
    if not pictures:
        return user(words)
    held = (base64.b64encode(each).decode() for each in pictures)
    shown = ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{each}"}}
             for each in held)  # fmt: skip
    return user([*shown, {"type": "text", "text": words}])
