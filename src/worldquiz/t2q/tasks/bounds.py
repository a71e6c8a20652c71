"""What every plan must do: lower bounds that make the search short.

*Walks.* A walk from `a` to `b` that visits some sites crosses each bridge of the tree that joins
them twice, less those between `a` and `b`, which it crosses once. Inside each block it goes at
least from where it enters to where it leaves by way of the farthest room that it must touch, a site
or the near end of a bridge. Bridges and blocks add up.

*Actions.* A locked bridge must be unlocked, so its key must be fetched, so what lies before that
key must be passed: `Musts` holds for each room the actions that no plan to it can do without.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldquiz.t2q.tasks.blocks import Blocks
from worldquiz.t2q.tasks.closure import Closure
from worldquiz.t2q.tasks.distances import Distances, Step
from worldquiz.t2q.tasks.layout import Charge, Find, Layout, each, shared


class Musts:
    """Actions that no plan can do without, by what it is to reach."""

    def __init__(self, layout: Layout, closure: Closure, blocks: Blocks) -> None:
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
        self, layout: Layout, closure: Closure, blocks: Blocks, hops: Distances, *, tolls: bool
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

    def _steps(self, layout: Layout, closure: Closure) -> Iterable[Step]:
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
