"""Model calls of a run: recorded as they come, counted, limited, and made in turns.

A call gets its number when it is requested, not when it is awaited, and sums are taken in the order
of numbers, so counts do not depend on the order in which replies come.

A world of Task2Quiz can take hundreds of calls in sequence: hours with a local model. Its replies
are therefore recorded (`Calls`); the moves follow from them. When a run continues, a world is
played again from its first command, and the record answers each call by its number. If a prompt's
digest differs from the recorded one, the moves have changed (with another version of a library,
say), and the world starts over.

The token limit covers the whole run, even if several commands continue it. It is checked before
each call; calls under way are finished and paid for, at most one per connection. In the same way,
no further call is made once the disk is full, the key is refused or the server is gone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from worldquiz.errors import notice
from worldquiz.facts.row import Purpose, Usage
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Completion, Message, Model
from worldquiz.records import digest, dumps, read_record
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.losses import LimitReached, Passing, passing
from worldquiz.runs.rows import CALLS, SUFFIX, JournalFile, Lines, whole_lines

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")


class Diverged(Passing):
    """Error of a replayed unit (such as a world) whose call differs from the recorded one."""


@dataclass(frozen=True)
class KeptCall:
    """One recorded model call: a line in the journal of a unit, such as a world."""

    call: int
    prompt: str  # digest of the messages
    reply: Completion


class Calls:
    """Model calls of one unit, such as a world: numbered, counted, recorded if it has a journal."""

    def __init__(self, out: Path | None = None, unit: str = "", done: Done = silent) -> None:
        """Read the recorded calls of a unit from a run's folder; without one, nothing is recorded.

        `done.within`, if it exists, is called with the unit and its number of calls so far.
        """
        self._unit, self._told = unit, getattr(done, "within", None)
        self._file = None if out is None else JournalFile.of_unit(out, unit)
        self._known = {each.call: each for each in _read(self._file)} if self._file else {}
        self._begin()

    def _begin(self) -> None:
        self._numbers, self._used = count(), dict[int, tuple[Purpose, Usage]]()
        self.purpose = Purpose.ACT  # of the player's own calls; changes between stages

    def counting(self, model: Model, purpose: Purpose | None = None) -> Model:
        """Return a model whose calls are counted here, under `purpose` or the current purpose."""
        return _Counting(model, self, purpose)

    def usage(self) -> dict[Purpose, Usage]:
        """Return the usage of each purpose that had calls, in the order that `Purpose` declares."""
        sums: dict[Purpose, Usage] = {}
        for _, (purpose, one) in sorted(self._used.items()):
            sums[purpose] = sums[purpose] + one if purpose in sums else one
        return {purpose: sums[purpose] for purpose in Purpose if purpose in sums}

    def made(
        self,
        messages: Sequence[Message],
        purpose: Purpose,
        ask: Callable[[], Awaitable[Completion]],
    ) -> Awaitable[Completion]:
        """Number a call; return an awaitable that takes its reply from the record or from `ask`."""
        number = next(self._numbers)

        async def called() -> Completion:
            asked = digest(json.dumps(messages, sort_keys=True)) if self._file else ""
            known = self._known.get(number)
            if known is not None and known.prompt != asked:
                raise Diverged(f"call {number + 1} differs from the recorded one")
            if known is None:
                limited = meter.get()
                urgent = purpose is not Purpose.QUIZ
                async with limited.turn(urgent=urgent) if limited else nullcontext():
                    reply = await ask()
                    if limited:
                        limited.add(reply.usage)
                    known = KeptCall(number, asked, reply)
                    self._keep(known)
            self._used[number] = purpose, known.reply.usage
            return known.reply

        return called()

    def _keep(self, call: KeptCall) -> None:
        """Append a call to the journal, if there is one."""
        if self._file is not None:
            self._file.append(dumps(call, KeptCall).encode(), sync=True)
            self._known[call.call] = call
            if self._told is not None:
                self._told(self._unit, len(self._known))

    def forget(self) -> None:
        """Delete the recorded calls, when the unit is finished or starts over."""
        self._known = {}
        self._begin()
        if self._file is not None:
            self._file.forget()

    async def played(self, name: str, play: Callable[[], Awaitable[T]]) -> T:
        """Play the unit from its recorded calls, or from its start if they no longer match.

        If it starts over, a notice says so, and calls the unit `name`.
        """
        try:
            return await play()
        except Diverged as error:
            notice(f"{name}: {error}, so it is played again from its start")
            self.forget()
            return await play()


def made(out: Path) -> Iterator[tuple[str, list[Usage]]]:
    """Yield each unfinished unit (such as a world) of a run with its usage; write nothing."""
    for path in sorted((out / CALLS).glob(f"*{SUFFIX}")):
        lines = whole_lines(path.read_bytes())
        used = [read_record(line, KeptCall, path).reply.usage for line in lines]
        yield unquote(path.name.removesuffix(SUFFIX)), used


def _read(file: JournalFile) -> list[KeptCall]:
    return [read_record(line, KeptCall, file.path) for line in file.read()]


class Meter:
    """Limits of a run's model calls: a count of its tokens, and a queue.

    Calls of agents that are still playing go first. Otherwise each command of an agent would wait
    behind the many quiz questions about other worlds.
    """

    def __init__(self, most: int | None, spent: Iterable[Usage], *, at_once: int) -> None:
        """Start from `spent`, the run's earlier usage, with a limit of `most` tokens for the run.

        At most `at_once` calls are made at the same time.
        """
        self._most, self.tokens = most, 0
        self.ended: Exception | None = None  # why no further call can be made
        for usage in spent:
            self.add(usage)
        self._free, self._line = asyncio.Semaphore(1), asyncio.Lock()
        self._more = at_once - 1  # turns that open once a call was answered

    def add(self, usage: Usage) -> None:
        """Add the usage of a call."""
        self.tokens += usage.input + usage.output

    def check(self) -> None:
        """Raise `LimitReached` if the limit is reached, or the error that ended the run's calls."""
        if self.ended is not None:
            raise self.ended
        if self._most is not None and self.tokens >= self._most:
            raise LimitReached(f"--max-tokens {self._most} is reached: {self.tokens} tokens used")

    @asynccontextmanager
    async def turn(self, *, urgent: bool) -> AsyncIterator[None]:
        """Wait for a turn to make a call, and hold it during the call. Until a first call is
        answered, only one call is made at a time, so a wrong key costs one call. Raises as `check`
        does. After an error that is not the question's fault, no further call is made.
        """
        async with nullcontext() if urgent else self._line:
            await self._free.acquire()
        try:
            self.check()
            yield
        except Exception as error:  # whatever a provider's library raises
            self.end(error)
            raise
        finally:
            if self.ended is None:  # the server answers
                for _ in range(self._more):
                    self._free.release()
                self._more = 0
            self._free.release()

    def end(self, error: Exception) -> None:
        """Prevent further calls if an error is not the question's fault."""
        if passing(error):
            self.ended = error


meter: ContextVar[Meter | None] = ContextVar("meter", default=None)
"""The meter of the run under way, if it has limits."""


class _Counting:
    """A wrapper around a model, which counts, records and limits its calls."""

    def __init__(self, model: Model, calls: Calls, purpose: Purpose | None) -> None:
        self._model, self._calls, self._purpose = model, calls, purpose

    def __str__(self) -> str:
        return str(self._model)

    def generate(self, messages: Sequence[Message], **how: Any) -> Awaitable[Completion]:
        """Return an awaitable that makes and counts a call, or answers it from the record.

        The call gets its number at once. When awaited, it raises `LimitReached` if the run may make
        no more calls, or the error that ended the run's calls.
        """
        ask = partial(self._model.generate, messages, **how)
        return self._calls.made(messages, self._purpose or self._calls.purpose, ask)

    async def close(self) -> None:
        """Close connections."""
        await self._model.close()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, and the entries that identify it in its reply's line."""

    about: Mapping[str, Any]
    messages: Callable[[], Sequence[Message]]  # made when it is asked: pictures are large


def ask(prompts: Iterable[Prompt], reach: Reach, kept: Lines[Any]) -> None:
    """Send a model all prompts without a reply; store replies in `kept`, errors in its `losses`.

    A reply's line gets ``reply``, ``status`` and ``usage``. The status is None, ``overflow`` or
    ``filtered`` if the provider gave no reply, or ``cut`` if the reply ended before its answer did.
    Raises `CatalogError` for an unknown model.
    """
    model = reach.made()

    async def one(prompt: Prompt) -> None:
        try:
            counted = Calls().counting(model, Purpose.QUIZ)
            reply = await counted.generate(prompt.messages())
            text = reply.text if reply.given else ""
            told = {"reply": text, "status": reply.lost, "usage": asdict(reply.usage)}
            kept.keep({**prompt.about, **told})
        except Exception as error:  # whatever a provider's library raises
            if (limited := meter.get()) is not None:
                limited.end(error)
            kept.lose(prompt.about, error)

    left = [prompt for prompt in prompts if kept.find(prompt.about) is None]
    each_asked(one, left, reach, (model,), kept.spent())


def each_asked(
    work: Callable[[K], Awaitable[None]],
    keys: Iterable[K],
    reach: Reach,
    models: Sequence[Model],
    spent: Iterable[Usage] = (),
) -> None:
    """Call `work` for many keys at a time, within the run's limits on connections and tokens.

    `work` records its own failures; `models` are closed at the end; `spent` is the earlier usage.
    """

    def quiet_if_stopped(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), KeyboardInterrupt):  # the command reports it
            loop.default_exception_handler(context)

    async def all_of_them() -> None:
        free = asyncio.Semaphore(reach.given.connections)

        async def one(key: K) -> None:
            async with free:
                await work(key)

        asyncio.get_running_loop().set_exception_handler(quiet_if_stopped)
        try:
            await asyncio.gather(*map(one, keys))
        finally:
            for model in models:
                await model.close()

    given = reach.given
    token = meter.set(Meter(given.max_tokens, spent, at_once=given.connections))
    try:
        asyncio.run(all_of_them())
    finally:
        meter.reset(token)


async def asked_at_once(
    prepare: Callable[[T], Awaitable[Awaitable[R]]], items: Sequence[T]
) -> list[R | Exception]:
    """Make one call for each item, all at once; return results or errors in the order of items.

    `prepare` returns an item's call as an awaitable. It is awaited for one item at a time, so
    results do not depend on the order in which replies come. If errors occur that are not the
    items' fault (`passing`), the first in the order of items is raised; after such an error in
    `prepare`, no further item is prepared.
    """
    found: dict[int, R | Exception] = {}

    async def ask(place: int, call: Awaitable[R]) -> None:
        try:
            found[place] = await call
        except Exception as error:  # whatever a provider's or a memory's library raises
            found[place] = error

    async with asyncio.TaskGroup() as group:
        for place, item in enumerate(items):
            try:
                task = group.create_task(ask(place, await prepare(item)))
                if not place:
                    await task  # then the prompts' common start is in the provider's cache
            except Exception as error:  # a memory's, while it recalls
                found[place] = error
                if passing(error):
                    break
    said = [found[place] for place in sorted(found)]
    for each in said:
        if isinstance(each, Exception) and passing(each):
            raise each
    return said
