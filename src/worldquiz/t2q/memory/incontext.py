"""The whole history in the prompt, verbatim: the paper's baseline (arXiv 2601.09503).

What is handed over grows at its end only, in two parts: the earlier tasks, and the current one. A
part that was handed over once starts every later one, so that providers' prompt caches hit.

When a model's window is full, `InContext.shrink` leaves out the oldest quarter of what is shown,
for good, and a line says how many turns are missing:

    [12 earlier turns left out]
"""

from __future__ import annotations

from worldquiz.t2q.memory.base import Entry, Recalled, Services
from worldquiz.t2q.memory.transcript import rendered


class InContext:
    """Keeps every turn as it was told, and hands over all of them."""

    def __init__(self, services: Services | None = None) -> None:
        """Take the services that every memory is given, and use none."""
        self._earlier: list[str] = []  # turns of earlier tasks that are still shown, in order
        self._current: list[str] = []  # those of the task of the last turn
        self._episode = 0  # the last turn's task
        self._left_out = 0
        self._parts: tuple[str, ...] | None = ()  # what is handed over; None: to be joined anew

    async def add(self, entry: Entry) -> None:
        """Keep the turns."""
        for moment, turn in entry.turns:
            if moment.episode != self._episode:
                self._earlier += self._current
                self._current = []
                self._episode = moment.episode
            self._current.append(rendered(moment, turn))
        self._parts = None

    async def recall(self, query: str) -> Recalled:
        """Return all turns but those left out, whatever the query."""
        if self._parts is None:
            self._parts = self._joined()
        return Recalled(self._parts, whole=True)

    def shrink(self) -> int:
        """Leave out the oldest quarter of the turns still shown, at least one, and return how many.

        Raises nothing; 0 means that none is left.
        """
        shown = len(self._earlier) + len(self._current)
        gone = max(1, shown // 4) if shown else 0
        of_current = max(0, gone - len(self._earlier))
        del self._earlier[:gone], self._current[:of_current]
        self._left_out += gone
        self._parts = None
        return gone

    def close(self) -> None:
        """Do nothing."""

    def _joined(self) -> tuple[str, ...]:
        gap = f"[{self._left_out} earlier turns left out]\n" if self._left_out else ""
        parts = (gap + "".join(self._earlier), "".join(self._current))
        return tuple(part for part in parts if part)
