"""Session of an agent that plays one world by calling tools, over any transport.

A benchmark writes the course of a world as a *script*: a coroutine that makes offers (the present
situation, and the usable tools) to an agent and gets back its tool calls. A `Session` sends calls
into a script. It needs no transport or event loop, so servers, inspect agents and tests can use it.

**The calls alone decide what happens**: a script depends on nothing else, and each call is recorded
before it is carried out. So a lost session is restored by replaying its calls, and its agent gets
the same texts as before. If a text differs, the session starts over.

    RUN/.calls/easy-00.journal    a line for each call: the seat, the tool and its arguments

Each line also has a digest of the text that the agent was shown before the call. A server that was
killed before it carried out a recorded call does so after its restart. A line for `look` records
that the agent has seen the present situation, so it need not look again after a restart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from types import coroutine
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from worldquiz.errors import RecordError, WorldquizError, did_you_mean
from worldquiz.records import digest, dumps, read_record
from worldquiz.runs.losses import Passing
from worldquiz.runs.rows import JournalFile

_SHOWN = 60


class ToolError(WorldquizError):
    """A call that a session refuses without any change. The text says what to do instead."""


class Replayed(Passing):
    """A restored session would show different texts than before."""


def _as_text(told: Any) -> Any:
    try:
        return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    except (ValueError, RecursionError) as error:
        raise ValueError("pass a text, or JSON that is nested less deeply") from error


def _no_truth(told: Any) -> Any:
    if isinstance(told, bool):
        raise ValueError("true and false are not numbers")
    return told


TEXT = Annotated[str, Field(max_length=2_000)]
VALUE = Annotated[str, Field(max_length=20_000), BeforeValidator(_as_text)]
"""Any JSON; the script gets it as text."""
NUMBER = Annotated[float, Field(ge=-1e6, le=1e6), BeforeValidator(_no_truth)]
"""A number, or a text that is one."""


class Parameter(NamedTuple):
    """Parameter of a tool, required if it has no default."""

    name: str
    about: str
    type: Any = TEXT
    default: Any = ...


@dataclass(frozen=True)
class Tool:
    """An action that an agent can take."""

    name: str
    about: str
    parameters: tuple[Parameter, ...] = ()

    @cached_property
    def _model(self) -> type[BaseModel]:
        fields: dict[str, Any] = {
            each.name: (each.type, Field(each.default, description=each.about))
            for each in self.parameters
        }
        meant = ConfigDict(extra="forbid", coerce_numbers_to_str=True)  # 3 is "3", "true" is true
        return create_model(self.name, __config__=meant, **fields)

    def schema(self) -> dict[str, Any]:
        """Return the tool's parameters as a JSON Schema."""
        return self._model.model_json_schema()

    def read(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call. Raises `ToolError` if they do not fit this tool."""
        try:
            return self._model.model_validate(dict(arguments)).model_dump()
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]
            place = ": ".join([self.name, *(_short(each) for each in wrong["loc"])])
            known = ", ".join(each.name for each in self.parameters) or "nothing"
            raise ToolError(f"{place}: {wrong['msg']}; it takes {known}") from error


LOOK = Tool("look", "Shows again what is before you. It changes nothing and costs nothing.")


def unseen(name: str) -> ToolError:
    """Return the error for a call before the agent has looked."""
    return ToolError(f"{name}: call `{LOOK.name}` first: you were not shown where you are")


def read_call(tools: Iterable[Tool], name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call. Raises `ToolError` if `tools` lacks the tool."""
    known = {each.name: each for each in tools}
    if name not in known:
        raise ToolError(f"there is no tool {_short(name)!r}{did_you_mean(_short(name), known)}")
    return known[name].read(arguments)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a session carries out."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolReply:
    """Reply of a tool: text and pictures."""

    text: str
    pictures: tuple[bytes, ...] = ()  # PNG files
    last: bool = False  # True if this ends everything


@dataclass(frozen=True, slots=True)
class Offer:
    """Present situation of an agent, and the tools that it may use next."""

    reply: ToolReply  # to the call that led here
    tools: tuple[str, ...]
    again: ToolReply | None = None  # shown by `look`, if not the reply

    @property
    def digest(self) -> str:
        """Digest of the text and number of pictures, not of pixels, which depend on the driver."""
        return digest(self.reply.text, str(len(self.reply.pictures)))[:16]


Script = Coroutine[Offer, ToolCall, str]
"""The course of a world. It awaits only `offered`, and returns the last text for its agent."""


@coroutine
def offered(offer: Offer) -> Generator[Offer, ToolCall, ToolCall]:
    """Make an offer to the agent, and return its call."""
    return (yield offer)


@dataclass(frozen=True)
class KeptToolCall:
    """A recorded call, one line of a session's journal."""

    seat: str
    tool: str
    arguments: Mapping[str, Any]
    seen: str  # digest of the offer before the call


def calls_in(journal: JournalFile) -> list[KeptToolCall]:
    """Return the recorded calls, up to the first damaged line."""
    found: list[KeptToolCall] = []
    with suppress(RecordError):
        for line in journal.read():
            found.append(read_record(line, KeptToolCall, journal.path))  # noqa: PERF401
    return found


class Session:
    """The playing of a script, one call of an agent at a time."""

    def __init__(
        self,
        begin: Callable[[], Script],
        tools: Sequence[Tool],
        journal: JournalFile | None = None,
        seat: str = "",
    ) -> None:
        """Begin a script, or restore its state by replaying the calls in the `journal`.

        Without a journal, no calls are recorded. Raises what the script raises.
        """
        self._tools = {each.name: each for each in (LOOK, *tools)}
        self._journal, self._seat = journal, seat
        self._note = ""  # says so if the session had to start over
        self._shown = False
        """Whether the agent was shown the present situation, without which it may not act."""
        try:
            self._begin(begin)
            number = 0
            for call in calls_in(journal) if journal else ():
                same = not self.over and call.seen == self._offer.digest
                if call.tool == LOOK.name:
                    self._shown = same
                    continue
                number += 1
                if not same or call.tool not in self._offer.tools:
                    raise Replayed(f"what was shown before call {number} has changed")
                try:
                    read = self._tools[call.tool].read(call.arguments)
                except ToolError as error:
                    raise Replayed(f"call {number} on disk is damaged ({error})") from error
                self._carried(ToolCall(call.tool, read))
                self._shown = False
        except Replayed as error:
            assert journal is not None
            self.close()
            journal.forget()
            self._note = f"This starts over: {error}.\n\n"
            self._begin(begin)

    @property
    def tools_now(self) -> tuple[str, ...]:
        """The tools that the agent can use now."""
        return self._offer.tools

    def _begin(self, begin: Callable[[], Script]) -> None:
        self.over, self._script = False, begin()
        self._carried(None)

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolReply:
        """Carry out a call and return the reply for the agent.

        Raises `ToolError` for a call that cannot be carried out, and any error of the script.
        """
        read = read_call(self._tools.values(), name, arguments)
        if self.over:
            raise ToolError(f"{name}: this is over: stop here")
        if name == LOOK.name:
            shown = self._offer.again or self._offer.reply
            if not self._shown:
                self._show()
            note, self._note = self._note, ""
            return ToolReply(note + shown.text, shown.pictures)
        if name not in self._offer.tools:
            now = " or ".join(f"`{each}`" for each in self._offer.tools)
            raise ToolError(f"{name}: not now: call {now}, or `{LOOK.name}` to see where you are")
        if not self._shown:
            raise unseen(name)
        self._keep(name, read)
        reply = self._carried(ToolCall(name, read))
        if not self.over:
            self._show()
        return reply

    def _show(self) -> None:
        """Record that the agent was shown the present situation."""
        self._shown = True
        with suppress(ToolError):  # at worst, the agent must look again after a restart
            self._keep(LOOK.name, {})

    def _keep(self, name: str, read: Mapping[str, Any]) -> None:
        """Write a call to disk before it is carried out. Raises `ToolError` if that fails."""
        if self._journal is None:
            return
        kept = KeptToolCall(self._seat, name, read, self._offer.digest)
        try:
            self._journal.append(dumps(kept, KeptToolCall).encode(), sync=name != LOOK.name)
        except OSError as error:
            raise ToolError(
                f"{name}: not carried out: the call cannot be saved ({error.strerror or error}); "
                "free some disk space, then call it again"
            ) from error

    def _carried(self, call: ToolCall | None) -> ToolReply:
        try:
            self._offer = self._script.send(call)  # type: ignore[arg-type]  # None begins it
        except StopIteration as end:
            self.over = True
            return ToolReply(end.value, last=True)
        if not isinstance(self._offer, Offer):
            raise TypeError(f"a script awaits {self._offer!r}; it may only await `offered`")
        return self._offer.reply

    def close(self) -> None:
        """Free the script's resources; its recorded calls stay."""
        self._script.close()


def _short(name: object) -> str:
    """Return a name shortened for an error."""
    text = str(name).encode("utf-8", "replace").decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
