"""The map taken apart at its bridges.

A *bridge* is a passage without which the map falls in two. Between bridges lie the *blocks*: rooms
joined by loops, most often one room alone. Bridges and blocks form a tree, so what a walk must do
in it can be counted bit by bit: ``path[a] ^ path[b]`` are the bridges between two rooms, and a
block that neither room is within (its top room not counted) lies off every way between them.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from typing import NamedTuple

from worldquiz.t2q.tasks.closure import Closure
from worldquiz.t2q.tasks.layout import Charge, Exit, Layout, shared


class Bridge(NamedTuple):
    """A passage that must be crossed to get behind it."""

    near: int  # the room on the start's side
    toll: Charge  # what crossing it demands in any case


class Blocks:
    """Bridges and blocks of the rooms that can be reached."""

    def __init__(self, layout: Layout, closure: Closure) -> None:
        self._exits = closure.exits
        self._links = _links(closure.exits)
        self._parent: dict[int, int] = {layout.start: layout.start}
        self._merged = list(range(len(layout.rooms)))  # towards the top room of each block
        self._grow_tree()
        self.top = [self._find(room) for room in range(len(layout.rooms))]
        self.bridges: dict[int, Bridge] = {}  # by the top room of the block behind it
        self.gates: dict[int, array[int]] = {}  # of each block of several rooms, by its bit
        self.path = [0] * len(layout.rooms)  # bits of the bridges between the start and a room
        self.within = [0] * len(layout.rooms)  # bits of the blocks that a room is in or behind
        looped = self._looped()
        for room in self._parent:
            self._place(room, looped)
        for top, bit in looped.items():
            self.gates[bit] = self._gate(top)

    def _grow_tree(self) -> None:
        """Span the rooms with a tree; each passage beside the tree closes a loop."""
        queue = deque(self._parent)
        depth = dict.fromkeys(queue, 0)
        spare = []
        while queue:
            room = queue.popleft()
            for other, passages in self._links[room].items():
                if other not in self._parent:
                    self._parent[other] = room
                    depth[other] = depth[room] + 1
                    queue.append(other)
                tree = self._parent[other] == room or self._parent[room] == other
                if passages > 1 or not tree:
                    spare.append((room, other))
        for room, other in spare:
            self._merge(room, other, depth)

    def _merge(self, room: int, other: int, depth: dict[int, int]) -> None:
        """Merge all blocks on the tree's way between two rooms."""
        room, other = self._find(room), self._find(other)
        while room != other:
            if depth[room] < depth[other]:
                room, other = other, room
            self._merged[room] = self._parent[room]
            room = self._find(room)

    def _find(self, room: int) -> int:
        merged = self._merged
        while merged[room] != room:
            merged[room] = merged[merged[room]]
            room = merged[room]
        return room

    def _place(self, room: int, looped: dict[int, int]) -> None:
        top, near = self.top[room], self._parent[room]
        self.path[room], self.within[room] = self.path[near], self.within[near]
        if room != top:
            self.within[room] |= looped[top]
        elif room != near:
            self.path[room] |= 1 << len(self.bridges)
            self.bridges[room] = Bridge(near, self._toll(near, room))

    def _toll(self, room: int, other: int) -> Charge:
        return next(shared(way.charges) for way in self._exits[room] if way.to == other)

    def _looped(self) -> dict[int, int]:
        """Give each block of several rooms a bit, by its top room."""
        sizes = Counter(self.top[room] for room in self._parent)
        tops = [top for top, size in sizes.items() if size > 1]
        return {top: 1 << number for number, top in enumerate(tops)}

    def _gate(self, top: int) -> array[int]:
        """Return for each room the first room of a block on every way from there into it."""
        gate = array("i", [top]) * len(self.top)
        for room in self._parent:
            if self.top[room] == top:
                gate[room] = room
            elif room != self._parent[room]:
                gate[room] = gate[self._parent[room]]
        return gate


def _links(exits: list[list[Exit]]) -> list[dict[int, int]]:
    """Return each room's neighbours, either way, with the number of passages to them."""
    ways = Counter((room, way.to) for room, ways in enumerate(exits) for way in ways)
    links: list[dict[int, int]] = [{} for _ in exits]
    for room, other in sorted(ways):
        links[room][other] = links[other][room] = max(ways[room, other], ways[other, room])
    return links
