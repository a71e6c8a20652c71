"""What the server remembers of the calls made to it."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the server, as it ended."""

    index: int  # in order of arrival, from 0
    order: int  # in order of ending, from 0
    role: str  # what it seems to be for: act, quiz, batch, embed, or a memory's request
    model: str
    digest: str  # of model and prompt
    status: int  # HTTP; 0 where the connection was reset or given up
    finish: str  # stop, length, content_filter, tool_calls; "" where there was no reply
    note: str  # what the script did, in a word
    tokens: int  # of the prompt
    cached: int
    completion: int  # tokens of the reply
    images: int
    began: float  # seconds since the server began
    ended: float
    prompt: str
    reply: str


_LONG = ("prompt", "reply")


class Book:
    """All calls in order of ending, counters, and a log of one JSON line a call."""

    def __init__(self, *, log: Path | None = None, keep: bool = True, texts: bool = False) -> None:
        self.calls: list[Call] = []
        self._keep, self._texts = keep, texts
        self._log = log.open("a", encoding="utf-8") if log else None
        self._start, self._cpu = time.perf_counter(), time.process_time()
        self._arrived = self._ended = self._running = self._peak = 0
        self._sums: dict[str, Counter[str]] = {}
        self._counts = {name: Counter[str]() for name in ("status", "note", "finish")}

    def arrive(self) -> tuple[int, float]:
        """Return a call's index and the time."""
        self._arrived += 1
        self._running += 1
        self._peak = max(self._peak, self._running)
        return self._arrived - 1, self.clock()

    def clock(self) -> float:
        """Return the seconds since the server began."""
        return time.perf_counter() - self._start

    def leave(self, **told: Any) -> None:
        """Take note of how a call ended."""
        self._running -= 1
        call = Call(order=self._ended, ended=self.clock(), **told)
        self._ended += 1
        if self._keep:
            self.calls.append(call)
        sums = self._sums.setdefault(call.role, Counter())
        sums["calls"] += 1
        for name in ("tokens", "cached", "completion", "images"):
            sums[name] += getattr(call, name)
        for name, counter in self._counts.items():
            counter[str(getattr(call, name) or "-")] += 1
        if self._log is not None:
            line = asdict(call)
            shown = {k: v for k, v in line.items() if self._texts or k not in _LONG}
            self._log.write(json.dumps(shown) + "\n")
            self._log.flush()

    def stats(self) -> dict[str, Any]:
        """Return all counters."""
        total: Counter[str] = Counter()
        for sums in self._sums.values():
            total.update(sums)
        return {
            "arrived": self._arrived,
            "ended": self._ended,
            "most_at_once": self._peak,
            "cpu_seconds": time.process_time() - self._cpu,
            "total": dict(total),
            "roles": {role: dict(sums) for role, sums in sorted(self._sums.items())},
            **{name: dict(sorted(counts.items())) for name, counts in self._counts.items()},
        }

    def close(self) -> None:
        """Close the log."""
        if self._log is not None:
            self._log.close()
