"""A run's model calls: numbered and counted, kept as they come, in turns and within limits.

A call has its number from the moment at which it is asked for, not awaited, and sums are taken in
the order of numbers. So nothing that is counted depends on the order in which replies come.

A world of Task2Quiz is hundreds of calls one after the other, at a local model hours. Its moves
follow from the replies, since a world has no other source of chance. So the replies are all that
is kept (`Calls`): when the run goes on, the world is played again from its first command, and each
call is answered from there, by its number and the digest of its prompt. A prompt that differs from
the one on record shows that the moves lead elsewhere (another version of a library, say): then the
unit starts over.

Limits on cost and tokens are those of the run, whatever number of commands it takes. They are
looked at before each call, so calls under way are finished and paid: at most as many as there are
connections. So it is where the disk is full: once a reply could not be kept, no other is asked for.
Processes that play one run together know nothing of each other's calls: each has its share of what
is left when the command begins.
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
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from heapq import heapify, heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from worldquiz.errors import RecordError, notice
from worldquiz.llm.model import Completion, FunctionCall, Limits, Message, Model, Purpose, Usage
from worldquiz.records import check, digest
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.losses import LimitReached, Passing, passing
from worldquiz.runs.rows import CALLS, SUFFIX, JournalFile, whole_lines

T = TypeVar("T")
R = TypeVar("R")


class Diverged(Passing):
    """A unit that is played again asks something else than it did before."""


@dataclass(frozen=True)
class KeptCall:
    """A line of a unit's calls."""

    call: int
    prompt: str
    reply: Completion


class Calls:
    """The calls of one unit: those of before, and those that are made now."""

    def __init__(self, out: Path, unit: str, done: Done = silent) -> None:
        """Read the calls that are kept; `done.within`, if it has that, is told of each new one."""
        self._unit, self._told = unit, getattr(done, "within", None)
        self._file = JournalFile(out / CALLS / f"{quote(unit, safe='')}{SUFFIX}")
        lines = _told(self._file.read(), self._file.path)
        self._known: dict[int, dict[str, Any]] = {told["call"]: told for told in lines}
        self._made = len(self._known)

    def find(self, number: int, messages: Sequence[Message]) -> tuple[str, Completion | None]:
        """Return the digest of a call's messages, and the reply if the call was made before.

        Raises `Diverged` where another prompt was sent then.
        """
        asked = digest_of(messages)
        told = self._known.get(number)
        if told is None:
            return asked, None
        if told["prompt"] != asked:
            raise Diverged(f"call {number + 1} asks something else than before")
        return asked, _reply(told["reply"])

    def keep(self, number: int, asked: str, reply: Completion) -> None:
        """Keep a call, on the disk: it cost money or time."""
        told = {"call": number, "prompt": asked, "reply": asdict(reply)}
        line = json.dumps(told, sort_keys=True, ensure_ascii=False).encode()
        while True:
            self._file.path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # a process that is done took the empty folder away
                self._file.append(line, sync=True)
                break
        self._made += 1
        if self._told is not None:
            self._told(self._unit, self._made)

    def forget(self) -> None:
        """Remove what is kept, once the unit is finished or starts over."""
        self._made, self._known = 0, {}
        self._file.path.unlink(missing_ok=True)
        with suppress(OSError):  # no call was kept, or those of other units lie there
            self._file.path.parent.rmdir()


async def gone_on(unit: str, calls: Calls, play: Callable[[], Awaitable[T]]) -> T:
    """Play a unit on from its calls of before; from its beginning where they lead elsewhere."""
    try:
        return await play()
    except Diverged as error:
        notice(f"{unit}: {error}: it starts over")
        calls.forget()
        return await play()


def digest_of(messages: Sequence[Message]) -> str:
    """Return a digest of messages that are sent."""
    return digest(json.dumps(messages, sort_keys=True))


def made(out: Path) -> Iterator[tuple[str, list[Completion]]]:
    """Yield the replies to each unit that a run is at, by its name. Nothing is written."""
    for path in sorted((out / CALLS).glob(f"*{SUFFIX}")):
        lines = whole_lines(path.read_bytes())
        replies = [_reply(told["reply"]) for told in _told(lines, path)]
        yield unquote(path.name.removesuffix(SUFFIX)), replies


def _told(lines: Iterable[bytes], where: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines that record a call; a call on any other line is made again."""
    for line in lines:
        with suppress(RecordError):
            check(line, KeptCall, where)
            yield json.loads(line)


def _reply(told: Mapping[str, Any]) -> Completion:
    calls = tuple(FunctionCall(**each) for each in told["tool_calls"])
    return Completion(**{**told, "tool_calls": calls})


class Meter:
    """Dollars and tokens that a run has taken so far, and whose call is next.

    Of calls that wait for a turn, those of a world that is still played go first: a quiz asks many
    questions at once, and every command would wait behind other worlds' quizzes.
    """

    def __init__(
        self,
        limits: Limits,
        spent: Iterable[Usage] = (),
        *,
        processes: int = 1,
        at_once: int = 1,
    ) -> None:
        """Start from `spent`, the run's usage before; `processes` share out what is left.

        So many calls are under way `at_once`.
        """
        self._limits, self._processes = limits, processes
        self.cost, self.tokens = 0.0, 0
        self.unkept: Exception | None = None  # why a reply could not be kept
        for usage in spent:
            self.add(usage)
        self._cost = self._share(limits.cost, self.cost)
        self._tokens = self._share(limits.tokens, self.tokens)
        self._free = at_once
        self._waiting: list[tuple[bool, int, asyncio.Event]] = []  # a heap
        self._number = count()

    def _share(self, most: float | None, spent: float) -> float | None:
        """Return up to which sum this process may call, of all that the run may take."""
        return None if most is None else spent + (most - spent) / self._processes

    def add(self, usage: Usage) -> None:
        """Add what a call took."""
        self.cost += usage.cost or 0.0
        self.tokens += usage.input + usage.output

    def check(self) -> None:
        """Raise `LimitReached` where no further call may be made, `Passing` where it were lost."""
        if self.unkept is not None:
            raise Passing(f"a reply could not be kept: {self.unkept}") from self.unkept
        limits = self._limits
        by = f" by one of {self._processes} processes at its share" if self._processes > 1 else ""
        if self._cost is not None and self.cost >= self._cost:
            raise LimitReached(
                f"--max-cost {limits.cost:g} is reached{by}: ${self.cost:.4f} are spent"
            )
        if self._tokens is not None and self.tokens >= self._tokens:
            raise LimitReached(
                f"--max-tokens {limits.tokens} is reached{by}: {self.tokens} are used"
            )

    @asynccontextmanager
    async def turn(self, *, urgent: bool) -> AsyncIterator[None]:
        """Wait for a turn, and hold it meanwhile."""
        if self._free:
            self._free -= 1
        else:
            mine = (not urgent, next(self._number), asyncio.Event())
            heappush(self._waiting, mine)
            try:
                await mine[2].wait()
            except BaseException:  # cancelled: nobody else may lose the turn by that
                if mine[2].is_set():
                    self._pass_on()
                else:
                    self._waiting.remove(mine)
                    heapify(self._waiting)
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting:
            heappop(self._waiting)[2].set()
        else:
            self._free += 1


meter: ContextVar[Meter | None] = ContextVar("meter", default=None)
"""Counts what the run under way takes, if it has limits."""


@contextmanager
def keeping() -> Iterator[None]:
    """Keep a reply in the block; where that fails, the run under way makes no further call."""
    try:
        yield
    except (OSError, RecordError) as error:
        if (one := meter.get()) is not None:
            one.unkept = error
        raise


class Counter:
    """Sums of one world's calls. Purposes come in the order of `Purpose`."""

    def __init__(self, calls: Calls | None = None) -> None:
        """`calls` keeps what is replied, and replies to what was asked before."""
        self.calls = calls
        self._used: dict[int, Usage] = {}  # by the numbers of calls
        self._numbers = count()
        self.purpose = Purpose.ACT  # of the player's own calls: changes between the stages

    def counting(self, model: Model, purpose: Purpose | None = None) -> Model:
        """Return a model that counts: for `purpose`, or for what is under way when it is called."""
        return _Counting(model, self, purpose)

    def number(self) -> int:
        """Return the number of the next call."""
        return next(self._numbers)

    def add(self, number: int, purpose: Purpose, reply: Completion) -> Usage:
        """Count the call of a number, and return what it took."""
        self._used[number] = reply.usage(purpose)
        return self._used[number]

    def usage(self) -> tuple[Usage, ...]:
        """Return the sums for purposes that had any calls."""
        sums: dict[Purpose, Usage] = {}
        for _, one in sorted(self._used.items()):
            sums[one.purpose] = sums[one.purpose] + one if one.purpose in sums else one
        return tuple(sums[purpose] for purpose in Purpose if purpose in sums)


class _Counting:
    """A model like the one it wraps, whose calls are counted, kept and limited."""

    def __init__(self, model: Model, counter: Counter, purpose: Purpose | None) -> None:
        self._model, self._counter, self._purpose = model, counter, purpose
        self.marks = model.marks

    def __str__(self) -> str:
        return str(self._model)

    def generate(self, messages: Sequence[Message], **how: Any) -> Awaitable[Completion]:
        """Number a call, which is made and counted when it is awaited.

        It may be answered from what is kept. Raises `LimitReached`, when it is awaited, where the
        run may call no more, and `Passing` where a reply could not be kept.
        """
        counter = self._counter
        return self._called(counter.number(), self._purpose or counter.purpose, messages, how)

    async def close(self) -> None:
        """Close connections."""
        await self._model.close()

    async def _called(
        self, number: int, purpose: Purpose, messages: Sequence[Message], how: Mapping[str, Any]
    ) -> Completion:
        calls, limited = self._counter.calls, meter.get()
        asked, known = calls.find(number, messages) if calls else ("", None)
        if known is not None:
            self._counter.add(number, purpose, known)
            return known
        urgent = purpose is not Purpose.QUIZ
        async with limited.turn(urgent=urgent) if limited else nullcontext():
            if limited:
                limited.check()
            reply = await self._model.generate(messages, **how)
            used = self._counter.add(number, purpose, reply)
            if limited:
                limited.add(used)
        if calls:
            with keeping():
                calls.keep(number, asked, reply)
        return reply


async def asked_at_once(
    prepare: Callable[[T], Awaitable[Awaitable[R]]], items: Sequence[T], most: int
) -> list[R | Exception]:
    """Return what each item's call came to, or the error that it raised, in the order of items.

    Results depend neither on how many calls are under way, at `most` so many, nor on the order in
    which replies come: `prepare` makes an item's call ready and returns it, and is awaited for one
    item at a time. An error that says nothing about its item (`passing`) keeps further calls from
    being begun; those under way are finished, and the first such error by the order of items is
    raised.
    """
    found: dict[int, R | Exception] = {}
    fatal: dict[int, Exception] = {}
    free = asyncio.Semaphore(most)

    async def finish(place: int, coming: Awaitable[Any]) -> Any:
        """Await what comes; note why it failed, and let the next item go on."""
        try:
            return await coming
        except Exception as error:  # whatever a provider's or a memory's library raises
            found[place] = error
            if passing(error):
                fatal[place] = error
            free.release()
            return None

    async def ask(place: int, call: Awaitable[R]) -> None:
        reply = await finish(place, call)
        if place not in found:
            found[place] = reply
            free.release()

    async with asyncio.TaskGroup() as group:
        for place, item in enumerate(items):
            await free.acquire()
            if fatal:
                break
            call = await finish(place, prepare(item))
            if place not in found:
                group.create_task(ask(place, call))
    if fatal:
        raise fatal[min(fatal)]
    return [found[place] for place in range(len(items))]
