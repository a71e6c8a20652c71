"""Models that number and count their calls, each for its purpose.

A call has its number from the moment at which it is asked for, not awaited, and sums are taken in
the order of numbers. So nothing that is counted depends on the order in which replies come.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from contextlib import nullcontext
from itertools import count
from typing import Any

from worldquiz.llm.at_once import turns
from worldquiz.llm.calls import Calls
from worldquiz.llm.limits import keeping, meter
from worldquiz.llm.model import Completion, Message, Model
from worldquiz.llm.records import Purpose, Usage


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
        calls = self._counter.calls
        if calls is None:
            return await self._generated(number, purpose, messages, how)
        asked, known = calls.find(number, messages)
        if known is not None:
            self._counter.add(number, purpose, known)
            return known
        reply = await self._generated(number, purpose, messages, how)
        with keeping():
            calls.keep(number, asked, reply)
        return reply

    async def _generated(
        self, number: int, purpose: Purpose, messages: Sequence[Message], how: Mapping[str, Any]
    ) -> Completion:
        limited, order = meter.get(), turns.get()
        async with order.turn(urgent=purpose is not Purpose.QUIZ) if order else nullcontext():
            if limited is not None:
                limited.check()
            reply = await self._model.generate(messages, **how)
            used = self._counter.add(number, purpose, reply)
            if limited is not None:
                limited.add(used)
        return reply
