"""What a world's model calls amount to: models that count their calls, each for its purpose.

A call has its number from the moment at which it is asked for, not awaited, and sums are taken in
the order of numbers. So nothing that is counted depends on the order in which replies come.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable
from contextlib import nullcontext
from itertools import count
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from worldquiz.llm.at_once import turns
from worldquiz.llm.calls import Calls, made
from worldquiz.llm.limits import keeping, meter
from worldquiz.llm.records import Purpose, Usage
from worldquiz.llm.response import guarded, is_count, make_printable
from worldquiz.records import read_records
from worldquiz.runs.folder import world_folder

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelOutput

_FULL = re.compile(r"context (length|size|window)|maximum model length|input length", re.IGNORECASE)
"""What servers say of a prompt that is too long, where they give no code that inspect knows."""


class Counter:
    """Sums up one world's calls. Purposes come in the order of `Purpose`."""

    def __init__(self, calls: Calls | None = None) -> None:
        """`calls` keeps what is replied, and replies to what was asked before."""
        self.calls = calls
        self._used: dict[int, Usage] = {}  # by the numbers of calls
        self._numbers = count()
        self.purpose = Purpose.ACT  # of the player's own calls: changes between the stages

    def counting(self, model: Model, purpose: Purpose | None = None) -> Model:
        """Return a model that counts: for `purpose`, or for what is under way when it is called.

        What its server answers is put right before it is read.
        """
        return cast("Model", _Counting(guarded(model), self, purpose))

    def number(self) -> int:
        """Return the number of the next call."""
        return next(self._numbers)

    def add(self, number: int, purpose: Purpose, output: ModelOutput) -> Usage:
        """Count the call of a number, and return what it took."""
        self._used[number] = taken(purpose, output)
        return self._used[number]

    def usage(self) -> tuple[Usage, ...]:
        """Return the sums for purposes that had any calls."""
        sums: dict[Purpose, Usage] = {}
        for _, one in sorted(self._used.items()):
            sums[one.purpose] = sums[one.purpose] + one if one.purpose in sums else one
        return tuple(sums[purpose] for purpose in Purpose if purpose in sums)


def taken(purpose: Purpose, output: ModelOutput) -> Usage:
    """Return what a call took. Cached tokens are part of the input, as writers of prompts count."""
    used = output.usage
    if used is not None:
        cached = used.input_tokens_cache_read or 0
        written = used.input_tokens_cache_write or 0
        whole = used.input_tokens + cached + written
        counts = (used.input_tokens, whole, cached, written, used.output_tokens)
        if all(map(is_count, counts)) and 0 <= (used.total_cost or 0) < inf:
            return Usage(purpose, 1, whole, cached, used.output_tokens, used.total_cost)
    return Usage(purpose, calls=1, unknown=1)


def spent_of(out: Path) -> list[Usage]:
    """Return what a run took so far: of its finished worlds, and of the calls of the others."""
    from inspect_ai.model import ModelOutput

    kept = [
        usage
        for path in sorted(out.glob("worlds/[!.]*/usage.jsonl"))
        for usage in read_records(path, "usage", Usage)
    ]
    under_way = [
        taken(Purpose.ACT, ModelOutput.model_validate(call["output"]))
        for world, calls in made(out)
        if not world_folder(out, world).is_dir()
        for call in calls
    ]
    return [*kept, *under_way]


class _Counting:
    """A model like the one it wraps; `generate` is counted as well."""

    def __init__(self, model: Model, counter: Counter, purpose: Purpose | None) -> None:
        self._model, self._counter, self._purpose = model, counter, purpose

    def generate(self, *args: Any, **kwargs: Any) -> Awaitable[ModelOutput]:
        """Number a call, which is made and counted when it is awaited.

        It may be answered from what is kept. Raises `LimitReached`, when it is awaited, where the
        run may call no more, and `Passing` where a reply could not be kept.
        """
        counter = self._counter
        return self._called(counter.number(), self._purpose or counter.purpose, args, kwargs)

    async def _called(
        self, number: int, purpose: Purpose, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> ModelOutput:
        calls = self._counter.calls
        if calls is None:
            return await self._generated(number, purpose, args, kwargs)
        asked, known = calls.find(number, args[0] if args else kwargs["input"])
        if known is not None:
            self._counter.add(number, purpose, known)
            return known
        output = await self._generated(number, purpose, args, kwargs)
        with keeping():
            calls.keep(number, asked, output)
        return output

    async def _generated(
        self, number: int, purpose: Purpose, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> ModelOutput:
        limited, order = meter.get(), turns.get()
        async with order.turn(urgent=purpose is not Purpose.QUIZ) if order else nullcontext():
            if limited is not None:
                limited.check()
            try:
                output = await self._model.generate(*args, **kwargs)
            except RuntimeError as error:
                if (told := _full_window(error)) is None:
                    raise
                output = _overflow(str(self._model), told)
            used = self._counter.add(number, purpose, output)
            if limited is not None:
                limited.add(used)
        return make_printable(output)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def __str__(self) -> str:
        return str(self._model)


def _full_window(error: RuntimeError) -> str | None:
    """Return what a server says of a prompt that is too long; None: the error is another one."""
    from openai import APIStatusError

    cause = error.__cause__
    if isinstance(cause, APIStatusError) and cause.status_code in (400, 413, 422):
        return cause.message if _FULL.search(cause.message) else None
    return None


def _overflow(model: str, told: str) -> ModelOutput:
    """Return the output that inspect gives for a full window that it recognizes."""
    from inspect_ai.model import ModelOutput

    return ModelOutput.from_content(model, told, stop_reason="model_length")
