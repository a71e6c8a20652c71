"""Reachability closure with estimated times, and all-pairs distances between rooms.

*Distances* between rooms lead through any doors: no walk can beat them. One row per target is
computed when first asked for, so that all goals of a world share the rows.

*The closure* is one sweep per world, nearest first. Each room and each key gets an estimate of the
commands until it is reached and the charge of one way to reach it. A key is reached before the
locks it opens are, so dependencies never run in a circle: what the sweep reaches can be reached,
and nothing else can.
"""

from __future__ import annotations

import heapq
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from worldquiz.t2q.tasks.layout import TARGETS, Charge, Exit, Find, Terrain, each

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


class Reached(NamedTuple):
    """One way to get somewhere; the least estimate is the best way."""

    estimate: int  # commands
    needs: Charge


class Takeable(NamedTuple):
    """A thing that can be taken, and one way to take it."""

    find: Find
    way: Reached


Finds = Mapping[Charge, Takeable]
"""Things that can be taken, by their bits."""


class Closure:
    """All that can be reached from the start."""

    def __init__(self, layout: Terrain, hops: Distances) -> None:
        self.rooms: dict[int, Reached] = {}
        self.finds: dict[Charge, Takeable] = {}
        self.order: list[int | Find] = []  # rooms and keys, each after all that it depends on
        self.exits: list[list[Exit]]  # of each room, those that can ever be passed
        self.lost: Charge  # finds that can never be made
        self._layout, self._hops = layout, hops
        self._lying: dict[int, list[Find]] = defaultdict(list)
        for find in layout.finds:
            self._lying[find.room].append(find)
        self._waiting: dict[Charge, list[tuple[int, Exit | Find]]] = defaultdict(list)
        self._heap: list[tuple[int, int, Charge]] = [(0, layout.start, 0)]
        while self._heap:
            estimate, room, needs = heapq.heappop(self._heap)
            if room not in self.rooms:
                self.rooms[room] = Reached(estimate, needs)
                self.order.append(room)
                self._explore([(room, thing) for thing in self._things(room)])
        self.lost = layout.finding & ~sum(self.finds) & ~sum(TARGETS)
        self.exits = [self._passable(room) for room in range(len(layout.rooms))]
        for bit, (find, way) in self.finds.items():
            self.finds[bit] = Takeable(find._replace(charges=self.payable(find.charges)), way)

    def arrival(self, room: int, charges: tuple[Charge, ...], finds: Finds) -> Reached | None:
        """Return the best way to stand in a room and pay one of the charges, None if none is."""
        ways = [way for charge in charges if (way := self._paid(room, charge, finds))]
        return min(ways, default=None)

    def found(self, find: Find) -> Takeable | None:
        """Return a thing with one way to take it, None if nothing leads to it."""
        rest = tuple(charge & ~find.bit for charge in find.charges)
        way = self.arrival(find.room, rest, self.finds)
        return way and Takeable(find, Reached(way.estimate + 1, way.needs | find.bit))

    def _paid(self, room: int, charge: Charge, finds: Finds) -> Reached | None:
        here = self.rooms.get(room)
        if here is None:
            return None
        estimate, needs = here.estimate, here.needs | charge
        for bit in each(charge & self._layout.finding):
            if bit not in finds:
                return None
            find, way = finds[bit]
            estimate = max(estimate, way.estimate + self._hops.to(room)[find.room])
            needs |= way.needs
        return Reached(estimate + (charge & ~here.needs).bit_count(), needs)

    def payable(self, charges: tuple[Charge, ...]) -> tuple[Charge, ...]:
        """Return the charges that need nothing lost for good."""
        return tuple(charge for charge in charges if not charge & self.lost)

    def _passable(self, room: int) -> list[Exit]:
        exits = self._layout.exits[room] if room in self.rooms else []
        payable = [way._replace(charges=self.payable(way.charges)) for way in exits]
        return [way for way in payable if way.charges]

    def _things(self, room: int) -> list[Exit | Find]:
        return [*self._lying[room], *self._layout.exits[room]]

    def _explore(self, queue: list[tuple[int, Exit | Find]]) -> None:
        """Follow exits and take keys; an exit or find that lacks a key waits for that key."""
        for room, thing in queue:
            if isinstance(thing, Exit):
                if way := self.arrival(room, thing.charges, self.finds):
                    heapq.heappush(self._heap, (way.estimate + 1, thing.to, way.needs))
                    continue
            elif thing.bit in self.finds:
                continue
            elif found := self.found(thing):
                self.finds[thing.bit] = found
                self.order.append(thing)
                queue += self._waiting.pop(thing.bit, [])
                continue
            self._wait(room, thing)

    def _wait(self, room: int, thing: Exit | Find) -> None:
        own = thing.bit if isinstance(thing, Find) else 0
        for charge in thing.charges:
            missing = [b for b in each(charge & self._layout.finding & ~own) if b not in self.finds]
            self._waiting[missing[0]].append((room, thing))
