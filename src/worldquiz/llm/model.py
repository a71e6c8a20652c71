"""Language models: messages, replies, and the usage, price and limits of calls.

`Http` of `llm.http` speaks OpenAI's protocol (OpenAI, vLLM, Ollama, llama.cpp, OpenRouter);
`Inspect` of `llm.inspect_model` reaches every other provider.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import fsum, inf
from typing import Any, Protocol

from worldquiz.errors import KnobError
from worldquiz.facts.knowledge import share
from worldquiz.facts.replies import is_whole
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import AnswerStatus

Message = Mapping[str, Any]
"""A message as OpenAI's protocol has it: ``role``, ``content`` (a text or parts), tool calls."""
OVERFLOW, FILTERED, CUT = AnswerStatus.OVERFLOW, AnswerStatus.FILTERED, AnswerStatus.CUT
"""Why a model stopped without an answer."""


@dataclass(frozen=True, slots=True)
class CommandReply:
    """A model's reply when asked for a command, as given."""

    moment: Moment  # of the step that came of it
    raw: str
    status: AnswerStatus  # answered: it holds a command
    left_out: int = 0  # turns that the prompt left out because the window was full


@dataclass(frozen=True, slots=True)
class Context:
    """Text that a memory returned, kept once however often it was shown."""

    id: str  # a hash of the text
    text: str
    left_out: int = 0  # turns left out because the window was full
    whole: bool = False  # all turns are in it, word for word


class Purpose(StrEnum):
    """Purpose of a model call."""

    ACT = "act"
    QUIZ = "quiz"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls and tokens of one world for one purpose, as the provider counted them."""

    purpose: Purpose
    calls: int = 0
    input: int = 0  # tokens of prompts, cached ones among them
    cached: int = 0  # tokens of prompts that were read from the provider's cache
    output: int = 0  # tokens of replies, thinking among them
    cost: float | None = None  # US dollars; None where no price is known
    unknown: int = 0  # calls whose tokens the provider did not tell, or not in numbers

    def __add__(self, other: Usage) -> Usage:
        if self.purpose is not other.purpose:
            raise ValueError(f"usage for {self.purpose} and for {other.purpose} is not one sum")
        known = self.cost is not None and other.cost is not None
        return Usage(
            self.purpose,
            calls=self.calls + other.calls,
            input=self.input + other.input,
            cached=self.cached + other.cached,
            output=self.output + other.output,
            cost=(self.cost or 0) + (other.cost or 0) if known else None,
            unknown=self.unknown + other.unknown,
        )


def kept_usage(usage: Usage) -> dict[str, Any]:
    """Return usage as a line of answers tells it."""
    whole = asdict(usage)
    return {name: whole[name] for name in (*_COUNTS, "cost")}


_COUNTS = ("calls", "input", "cached", "output", "unknown")


def usages(told: Iterable[Mapping[str, Any] | None]) -> list[Usage]:
    """Return the usage that lines of answers tell (`kept_usage`), where they tell any."""
    return [Usage(Purpose.QUIZ, **each) for each in told if each]


def total(used: Sequence[Usage]) -> dict[str, Any]:
    """Add up usage. A cost is known only if that of every part with calls is."""
    tokens = {name: sum(getattr(entry, name) for entry in used) for name in _COUNTS}
    called = [entry for entry in used if entry.calls]
    costs = [entry.cost for entry in called if entry.cost is not None]
    known = bool(called) and len(costs) == len(called)
    return {
        **tokens,
        "cached_share": share(tokens["cached"], tokens["input"]),
        "cost": fsum(costs) if known else None,
    }


def by_purpose(used: Sequence[Usage]) -> dict[str, Any]:
    """Return calls, tokens and cost, in all and by purpose."""
    return total(used) | {
        "by_purpose": {
            str(purpose): total([entry for entry in used if entry.purpose is purpose])
            for purpose in Purpose
        }
    }


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    cached: float
    output: float

    @classmethod
    def of(cls, told: Any) -> Price | None:
        """Read ``INPUT,CACHED,OUTPUT``, or three numbers. Raises `KnobError`."""
        if told is None or isinstance(told, Price):
            return told
        text = told if isinstance(told, str) else ",".join(map(str, told))
        try:
            prices = cls(*(float(part) for part in text.split(",")))
        except (TypeError, ValueError) as error:
            raise KnobError(
                f"price {text!r}: give US dollars per million tokens as INPUT,CACHED,OUTPUT, "
                "e.g. 1.25,0.125,10"
            ) from error
        if not all(0 <= part < inf for part in (prices.input, prices.cached, prices.output)):
            raise KnobError(f"price {text!r}: prices are not below 0, and have an end")
        return prices

    def cost(self, usage: Usage) -> float:
        """Return what a usage costs."""
        fresh = usage.input - usage.cached
        total = fresh * self.input + usage.cached * self.cached + usage.output * self.output
        return total / 1e6


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A model's call of a tool; `arguments` is None where they are no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    text: str = ""  # the arguments as they were sent


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply to a call. Tokens are None where the provider did not tell them in numbers."""

    text: str = ""
    stop: str = "stop"  # why it ends: "stop", CUT, "tool_calls"; OVERFLOW, FILTERED: no reply
    tool_calls: tuple[FunctionCall, ...] = ()
    input: int | None = None  # tokens of the prompt, cached ones among them
    cached: int = 0
    output: int = 0  # tokens of the reply, thinking among them
    cost: float | None = None  # US dollars; None where no price is known

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

    def usage(self, purpose: Purpose) -> Usage:
        """Return what the call took."""
        if self.input is None:
            return Usage(purpose, calls=1, unknown=1)
        return Usage(purpose, 1, self.input, self.cached, self.output, self.cost)


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

    marks: bool
    """Whether it takes parts of a text marked ``cache_breakpoint``; else texts are joined."""

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


def priced(reply: Completion, price: Price | None) -> Completion:
    """Return a reply with its cost, where a price and its tokens are known."""
    if price is None or reply.input is None:
        return reply
    return replace(reply, cost=price.cost(reply.usage(Purpose.QUIZ)))
