"""Limits of a run on dollars, tokens and time. At a limit it ends, and can go on.

Cost and tokens are those of the run, whatever number of commands it takes; time is that of one
command. A limit is looked at before each call, so the calls under way when it is reached are
finished and paid: at most as many as there are connections. So it is where the disk is full: once a
reply could not be kept, no other is asked for, which would be paid and lost too. Processes that
play one run together know nothing of each other's calls: each has its share of what is left when
the command begins.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from worldquiz.errors import KnobError, RecordError
from worldquiz.llm.records import Usage
from worldquiz.runs.losses import LimitReached, Passing

_TIME = re.compile(r"(\d+(?:\.\d+)?)([smh]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Limits:
    """Most US dollars and tokens of a run, and most seconds of a command; None: any number."""

    cost: float | None = None
    tokens: int | None = None  # of prompts and replies
    seconds: float | None = None


def seconds(text: str | float | None) -> float | None:
    """Read a time such as ``90s``, ``45m`` or ``2h``, or seconds. Raises `KnobError`."""
    if text is None:
        return None
    found = _TIME.fullmatch(str(text).strip().lower())
    if found is None:
        raise KnobError(f"time {text!r}: give seconds, minutes or hours, as 90s, 45m or 2h")
    return float(found[1]) * _SECONDS[found[2]]


class Meter:
    """Dollars and tokens that a run has taken so far."""

    def __init__(
        self,
        limits: Limits,
        spent: Iterable[Usage] = (),
        clock: Callable[[], float] = time.monotonic,
        *,
        processes: int = 1,
    ) -> None:
        """Start from `spent`, the run's usage before; `processes` share out what is left."""
        self._limits, self._clock, self._begun = limits, clock, clock()
        self._processes = processes
        self.cost, self.tokens = 0.0, 0
        self.unkept: Exception | None = None  # why a reply could not be kept
        for usage in spent:
            self.add(usage)
        self._cost = self._share(limits.cost, self.cost)
        self._tokens = self._share(limits.tokens, self.tokens)

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
        if limits.seconds is not None and self._clock() - self._begun >= limits.seconds:
            raise LimitReached(f"--max-time is reached: {limits.seconds:g} seconds are over")


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
