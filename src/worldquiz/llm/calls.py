"""A run's model calls: numbered and counted, kept as they come, in turns and within limits.

A call has its number from the moment at which it is asked for, not awaited, and sums are taken in
the order of numbers. So nothing that is counted depends on the order in which replies come.

A world of Task2Quiz is hundreds of calls one after the other, at a local model hours. Its moves
follow from the replies, since a world has no other source of chance. So the replies are all that
is kept (`Calls`): when the run goes on, the world is played again from its first command, and each
call is answered from there, by its number and the digest of its prompt. A prompt that differs from
the one on record shows that the moves lead elsewhere (another version of a library, say): then the
unit starts over.

The limit on tokens is that of the run, whatever number of commands it takes. It is looked at before
each call, so calls under way are finished and paid: at most as many as there are connections. So it
is where the disk is full, the key is refused or the server is gone: once a reply cannot be had or
kept for such a reason, no other is asked for.
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
    """A replayed unit makes another call than the one on record."""


@dataclass(frozen=True)
class KeptCall:
    """A line of a unit's calls."""

    call: int
    prompt: str  # digest of the messages
    reply: Completion


class Calls:
    """The model calls of one unit: numbered, counted, and kept where the unit has a journal."""

    def __init__(self, out: Path | None = None, unit: str = "", done: Done = silent) -> None:
        """Read the recorded calls of a run's unit; `done.within`, if there, is called for new ones.

        Without a run's folder, none are kept.
        """
        self._unit, self._told = unit, getattr(done, "within", None)
        self._file = None if out is None else JournalFile.of_unit(out, unit)
        self._known = {each.call: each for each in _read(self._file)} if self._file else {}
        self._begin()

    def _begin(self) -> None:
        self._numbers, self._used = count(), dict[int, tuple[Purpose, Usage]]()
        self.purpose = Purpose.ACT  # of the player's own calls: changes between the stages

    def counting(self, model: Model, purpose: Purpose | None = None) -> Model:
        """Return a model that counts its calls here, under `purpose` or what is under way."""
        return _Counting(model, self, purpose)

    def usage(self) -> dict[Purpose, Usage]:
        """Return the sums for purposes that had any calls, in the order of `Purpose`."""
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
        """Number a call and return its future reply: the one on record, or that of `ask`."""
        number = next(self._numbers)

        async def called() -> Completion:
            asked = digest(json.dumps(messages, sort_keys=True)) if self._file else ""
            known = self._known.get(number)
            if known is not None and known.prompt != asked:
                raise Diverged(f"call {number + 1} is not the recorded one")
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
        """Keep a call on the disk, if calls are kept: it cost money or time."""
        if self._file is not None:
            self._file.append(dumps(call, KeptCall).encode(), sync=True)
            self._known[call.call] = call
            if self._told is not None:
                self._told(self._unit, len(self._known))

    def forget(self) -> None:
        """Remove what is kept, once the unit is finished or starts over."""
        self._known = {}
        self._begin()
        if self._file is not None:
            self._file.forget()

    async def played(self, name: str, play: Callable[[], Awaitable[T]]) -> T:
        """Continue the unit from its recorded calls, or start it over if they no longer fit.

        `name` is what the notice calls it.
        """
        try:
            return await play()
        except Diverged as error:
            notice(f"{name}: {error}: it is played again from its start")
            self.forget()
            return await play()


def made(out: Path) -> Iterator[tuple[str, list[Usage]]]:
    """Yield the usage so far of each unfinished unit of a run, by its name. Nothing is written."""
    for path in sorted((out / CALLS).glob(f"*{SUFFIX}")):
        lines = whole_lines(path.read_bytes())
        used = [read_record(line, KeptCall, path).reply.usage for line in lines]
        yield unquote(path.name.removesuffix(SUFFIX)), used


def _read(file: JournalFile) -> list[KeptCall]:
    return [read_record(line, KeptCall, file.path) for line in file.read()]


class Meter:
    """Token count of a run, and the order of its calls.

    Calls of worlds still being played go first: otherwise every command would wait behind the many
    questions of other worlds' quizzes.
    """

    def __init__(self, most: int | None, spent: Iterable[Usage], *, at_once: int) -> None:
        """Start from `spent`, the run's usage before; so many calls are under way `at_once`.

        `most` is how many tokens the run may take.
        """
        self._most, self.tokens = most, 0
        self.ended: Exception | None = None  # why no call can be made any more
        for usage in spent:
            self.add(usage)
        self._free, self._line = asyncio.Semaphore(1), asyncio.Lock()
        self._more = at_once - 1  # turns that are there once a call was answered

    def add(self, usage: Usage) -> None:
        """Add what a call took."""
        self.tokens += usage.input + usage.output

    def check(self) -> None:
        """Raise `LimitReached` where no further call may be made, or what ended the run's calls."""
        if self.ended is not None:
            raise self.ended
        if self._most is not None and self.tokens >= self._most:
            raise LimitReached(f"--max-tokens {self._most} is reached: {self.tokens} tokens used")

    @asynccontextmanager
    async def turn(self, *, urgent: bool) -> AsyncIterator[None]:
        """Wait for a turn, and hold it. Until the first call is answered, one call is under way at
        a time: a wrong key or name costs one call. Raises what `check` raises. An error that does
        not concern the question ends the run's calls.
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
            if self.ended is None:  # a server is there
                for _ in range(self._more):
                    self._free.release()
                self._more = 0
            self._free.release()

    def end(self, error: Exception) -> None:
        """Make no further call, after an error that does not concern the question."""
        if passing(error):
            self.ended = error


meter: ContextVar[Meter | None] = ContextVar("meter", default=None)
"""Counts what the run under way takes, if it has limits."""


class _Counting:
    """A model like the one it wraps, whose calls are counted, kept and limited."""

    def __init__(self, model: Model, calls: Calls, purpose: Purpose | None) -> None:
        self._model, self._calls, self._purpose = model, calls, purpose

    def __str__(self) -> str:
        return str(self._model)

    def generate(self, messages: Sequence[Message], **how: Any) -> Awaitable[Completion]:
        """Number a call, which is made and counted when it is awaited.

        It may be answered from what is kept. Raises `LimitReached`, when it is awaited, where the
        run may call no more, and what ended its calls.
        """
        ask = partial(self._model.generate, messages, **how)
        return self._calls.made(messages, self._purpose or self._calls.purpose, ask)

    async def close(self) -> None:
        """Close connections."""
        await self._model.close()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, its entries in the line of its reply, and the JSON Schema of the reply, if any."""

    about: Mapping[str, Any]
    messages: Callable[[], Sequence[Message]]  # made when it is asked: pictures are large
    form: Mapping[str, Any] | None = None


def ask(prompts: Iterable[Prompt], reach: Reach, kept: Lines[Any]) -> None:
    """Ask a model each prompt that has no reply yet; those that fail are `losses` of `kept`.

    Lines add ``reply``, ``status`` (None; ``overflow`` or ``filtered`` where the provider gave no
    reply, ``cut`` where it ended too early) and ``usage``. Raises `CatalogError` for an unknown
    model.
    """
    model = reach.made()

    async def one(prompt: Prompt) -> None:
        try:
            counted = Calls().counting(model, Purpose.QUIZ)
            reply = await counted.generate(prompt.messages(), form=prompt.form)
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
    """Do some work for each key, as many at once as there are connections, within the limits.

    `work` notes what fails; `models` are closed at the end; `spent` is what the run took before.
    """

    def quiet_if_stopped(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), KeyboardInterrupt):  # the command says that
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
    """Return what each item's call came to, or the error that it raised, in the order of items.

    Results do not depend on the order in which replies come: `prepare` makes an item's call ready
    and returns it, and is awaited for one item at a time. Of errors that say nothing about their
    items (`passing`), the first by the order of items is raised; none of `prepare` is awaited after
    one.
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
                    await task  # what prompts begin with alike is in the provider's cache then
            except Exception as error:  # a memory's, while it recalls
                found[place] = error
                if passing(error):
                    break
    said = [found[place] for place in sorted(found)]
    for each in said:
        if isinstance(each, Exception) and passing(each):
            raise each
    return said
