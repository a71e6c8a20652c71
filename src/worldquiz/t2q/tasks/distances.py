"""Distances between rooms through any doors: what no walk can beat.

One row per target, computed when first asked for, so that all goals of a world share the rows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

Step = tuple[int, int, int]
"""From a room, to a room, at this cost (at least 1)."""


class Distances:
    """Least cost from any room to a target over a graph of steps."""

    def __init__(self, rooms: int, steps: Iterable[Step]) -> None:
        self._into: list[list[tuple[int, int]]] = [[] for _ in range(rooms)]
        self._most = 1
        for room, other, cost in steps:
            self._into[other].append((room, cost))
            self._most = max(self._most, cost)
        self._rows: dict[int, array[int]] = {}

    def to(self, target: int) -> array[int]:
        """Return the cost from each room to the target; a huge number where no way leads."""
        row = self._rows.get(target)
        if row is None:
            row = self._rows[target] = self._sweep(target)
        return row

    def _sweep(self, target: int) -> array[int]:
        """Dial's algorithm: a bucket for each cost within reach, taken in turn."""
        row = array("i", [1 << 30]) * len(self._into)
        row[target] = 0
        buckets: list[list[int]] = [[] for _ in range(self._most + 1)]
        buckets[0].append(target)
        here = 0
        while any(buckets):
            for room in buckets[here % len(buckets)]:
                if row[room] == here:
                    for other, cost in self._into[room]:
                        if here + cost < row[other]:
                            row[other] = here + cost
                            buckets[(here + cost) % len(buckets)].append(other)
            buckets[here % len(buckets)].clear()
            here += 1
        return row
