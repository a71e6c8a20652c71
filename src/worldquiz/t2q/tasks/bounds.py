"""Lower bounds on the length of any plan, which keep the search short.

*Blocks.* A *bridge* is a passage without which the map falls in two. Between bridges lie the
*blocks*: rooms joined by loops, most often one room alone. Bridges and blocks form a tree, so what
a walk must do in it can be counted bit by bit: ``path[a] ^ path[b]`` are the bridges between two
rooms, and a block that neither room is within (its top room not counted) lies off every way between
them.

*Walks.* A walk from `a` to `b` that visits some sites crosses each bridge of the tree that joins
them twice, less those between `a` and `b`, which it crosses once. Inside each block it goes at
least from where it enters to where it leaves by way of the farthest room that it must touch, a site
or the near end of a bridge. Bridges and blocks add up.

*Actions.* A locked bridge must be unlocked, so its key must be fetched, so what lies before that
key must be passed: `Musts` holds for each room the actions that no plan to it can do without.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Iterable
from typing import NamedTuple

from worldquiz.t2q.tasks.closure import Closure, Distances, Step
from worldquiz.t2q.tasks.layout import Charge, Exit, Find, Terrain, each, shared


class Bridge(NamedTuple):
    """A passage that must be crossed to get behind it."""

    near: int  # the room on the start's side
    toll: Charge  # what crossing it demands in any case


class Blocks:
    """Bridges and blocks of the rooms that can be reached."""

    def __init__(self, layout: Terrain, closure: Closure) -> None:
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


class Musts:
    """Actions that no plan can do without, by what it is to reach."""

    def __init__(self, layout: Terrain, closure: Closure, blocks: Blocks) -> None:
        self._finding, self._blocks = layout.finding, blocks
        self._behind: dict[int, Charge] = {}  # by the top room of a block
        self._finds: dict[Charge, Charge] = {}
        for thing in closure.order:
            if isinstance(thing, Find):
                charges = closure.finds[thing.bit].find.charges
                self._finds[thing.bit] = self.at(thing.room, charges, thing.bit)
            elif blocks.top[thing] not in self._behind:
                self._enter(blocks.top[thing])

    def at(self, room: int, charges: tuple[Charge, ...], own: Charge = 0) -> Charge:
        """Return what standing in a room and paying one of the charges demands in any case."""
        return self._behind[self._blocks.top[room]] | self.of(shared(charges) & ~own) | own

    def _enter(self, top: int) -> None:
        bridge = self._blocks.bridges.get(top)
        self._behind[top] = 0 if bridge is None else self.at(bridge.near, (bridge.toll,))

    def of(self, charge: Charge) -> Charge:
        """Return a charge with all that its keys demand."""
        for bit in each(charge & self._finding):
            charge |= self._finds.get(bit, 0)
        return charge


class Walks:
    """Lower bounds of the cost of a walk that visits some sites.

    With tolls, opening and unlocking the doors inside blocks counts as part of the walk (`tolls`
    says which actions those are, so that nobody counts them twice). A door is paid for once, so
    only one of the two legs through a block is counted with tolls.
    """

    def __init__(
        self, layout: Terrain, closure: Closure, blocks: Blocks, hops: Distances, *, tolls: bool
    ) -> None:
        self.tolls: Charge = 0
        self._blocks, self.hops = blocks, hops
        self.paid = Distances(len(layout.rooms), self._steps(layout, closure)) if tolls else hops

    def least(self, start: int, goal: int, sites: Iterable[int]) -> int:
        """Return a cost that no walk from start to goal by way of all sites can beat."""
        path, within, gates = self._blocks.path, self._blocks.within, self._blocks.gates
        joined = direct = path[goal] ^ path[start]
        touched = within[goal] | within[start]
        for site in sites:
            joined |= path[site] ^ path[start]
            touched |= within[site]
        total = 2 * joined.bit_count() - direct.bit_count()
        for bit in each(touched):
            gate = gates[bit]
            total += self._tour(gate[start], gate[goal], {gate[site] for site in sites})
        return total

    def _steps(self, layout: Terrain, closure: Closure) -> Iterable[Step]:
        for room, exits in enumerate(closure.exits):
            for way in exits:
                toll = 0
                if way.door is not None and self._blocks.top[room] == self._blocks.top[way.to]:
                    toll = layout.opens.get(way.door, 0) | layout.unlocks.get(way.door, 0)
                self.tolls |= toll
                yield room, way.to, 1 + toll.bit_count()

    def _tour(self, first: int, last: int, stops: Iterable[int]) -> int:
        """Return the least cost of a way through a block by the stop that is farthest off."""
        moves, paid = self.hops.to(last), self.paid.to(last)
        most = paid[first]
        for stop in stops:
            into, into_paid = self.hops.to(stop)[first], self.paid.to(stop)[first]
            most = max(most, into + paid[stop], into_paid + moves[stop])
        return most
