"""What can be reached at all, roughly when, and depending on what.

One sweep per world, nearest first. Each room and each key gets an estimate of the commands until it
is reached and the charge of one way to reach it. A key is reached before the locks it opens are, so
dependencies never run in a circle: what the sweep reaches can be reached, and nothing else can.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from worldquiz.t2q.tasks.distances import Distances
from worldquiz.t2q.tasks.layout import TARGETS, Charge, Exit, Find, Layout, each


class Reached(NamedTuple):
    """One way to get somewhere; the least estimate is the best way."""

    estimate: int  # commands
    needs: Charge


class Found(NamedTuple):
    """A thing that can be taken, and one way to take it."""

    find: Find
    way: Reached


Finds = Mapping[Charge, Found]
"""Things that can be taken, by their bits."""


class Closure:
    """All that can be reached from the start."""

    def __init__(self, layout: Layout, hops: Distances) -> None:
        self.rooms: dict[int, Reached] = {}
        self.finds: dict[Charge, Found] = {}
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
            self.finds[bit] = Found(find._replace(charges=self.payable(find.charges)), way)

    def arrival(self, room: int, charges: tuple[Charge, ...], finds: Finds) -> Reached | None:
        """Return the best way to stand in a room and pay one of the charges, None if none is."""
        ways = [way for charge in charges if (way := self._paid(room, charge, finds))]
        return min(ways, default=None)

    def found(self, find: Find) -> Found | None:
        """Return a thing with one way to take it, None if nothing leads to it."""
        rest = tuple(charge & ~find.bit for charge in find.charges)
        way = self.arrival(find.room, rest, self.finds)
        return way and Found(find, Reached(way.estimate + 1, way.needs | find.bit))

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
        """Follow exits and take keys; what lacks a key waits until the key is found."""
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
