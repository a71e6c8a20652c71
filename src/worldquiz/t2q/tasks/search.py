"""A* for a shortest route, between the bounds of every plan and a plan in hand.

A state is the room, the actions paid for and the things still missing. The plan in hand is the
limit: a state that cannot lead to less is dropped, a lock whose key is too far off to lead to less
is a wall. If nothing is left, the plan in hand is shortest.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from worldquiz.facts.fact import State
from worldquiz.t2q.tasks.bounds import Blocks, Musts, Walks
from worldquiz.t2q.tasks.closure import Closure, Distances
from worldquiz.t2q.tasks.layout import Charge, Exit, Terrain, each, united
from worldquiz.t2q.tasks.routes import Aim, FindsByRoom, Tour, finish

_GOAL = -1
"""The room of a node whose goal is reached."""


class Lock(NamedTuple):
    """A locked door and one way to pay for passing it."""

    detour: int  # moves from the start by way of its keys to it, at least
    paid: int  # the same with tolls
    door: str
    charge: Charge
    ends: tuple[int, ...]


class Precomputed(NamedTuple):
    """All that is computed once per world."""

    layout: Terrain
    closure: Closure
    hops: Distances
    musts: Musts
    bounds: tuple[Walks, ...]  # with tolls, without
    locks: tuple[Lock, ...]  # least detour first

    @classmethod
    def of(cls, state: State) -> Precomputed:
        """Take a world apart."""
        layout = Terrain(state)
        steps = [(room, way.to, 1) for room, ways in enumerate(layout.exits) for way in ways]
        hops = Distances(len(layout.rooms), steps)
        closure = Closure(layout, hops)
        blocks = Blocks(layout, closure)
        musts = Musts(layout, closure, blocks)
        bounds = tuple(Walks(layout, closure, blocks, hops, tolls=tolls) for tolls in (True, False))
        return cls(layout, closure, hops, musts, bounds, _locks(layout, closure, bounds[0]))


class SearchResult(NamedTuple):
    """Result of a search: a route or None, and whether the search was finished."""

    route: Tour | None  # shorter than the limit
    finished: bool  # if so and there is no route, nothing is shorter than the limit


class _Node(NamedTuple):
    """A state on the heap; the least is expanded first."""

    least: int  # no route by way of this state costs less
    gone: int  # minus the moves made
    serial: int
    room: int
    done: Charge
    missing: Charge
    exit: Exit | None
    before: _Node | None


def _locks(layout: Terrain, closure: Closure, walks: Walks) -> tuple[Lock, ...]:
    """Return every way to pass every locked door; `walks` knows the tolls."""
    doors = {
        way.door: way.charges
        for exits in closure.exits
        for way in exits
        if way.door is not None and way.door in layout.locked
    }
    locks = []
    for door, charges in doors.items():
        ends = tuple(room for room in layout.ends[door] if room in closure.rooms)
        for charge in charges:
            keys = [closure.finds[bit].find.room for bit in each(charge & layout.finding)]
            detours = [_detour(layout.start, key, ends, walks) for key in keys]
            moves, paid = (max(costs) for costs in zip((0, 0), *detours, strict=True))
            locks.append(Lock(moves, paid, door, charge, ends))
    return tuple(sorted(locks))


def _detour(start: int, key: int, ends: tuple[int, ...], walks: Walks) -> tuple[int, int]:
    """Return the cost from the start by way of a key to a door: moves alone, and with tolls."""
    to, on = walks.hops.to(key)[start], min(walks.hops.to(end)[key] for end in ends)
    to_paid, on_paid = walks.paid.to(key)[start], min(walks.paid.to(end)[key] for end in ends)
    return to + on, max(to_paid + on, to + on_paid)


def shorter(ground: Precomputed, aim: Aim, limit: int, budget: int) -> SearchResult:
    """Look for the shortest route that costs less than `limit`, expanding up to `budget` nodes."""
    search = _Search(ground, aim, limit)
    if search.root.least >= limit:
        return SearchResult(None, finished=True)
    if not budget:
        return SearchResult(None, finished=False)
    search.choose_locks()
    return search.run(budget)


class _Search:
    def __init__(self, ground: Precomputed, aim: Aim, limit: int) -> None:
        self.ground, self.aim, self.limit = ground, aim, limit
        self.finding = ground.layout.finding
        self.known: list[dict[tuple[int, Charge], int]] = [{} for _ in ground.bounds]
        self.useful: dict[str, list[Charge]] = defaultdict(list)
        self.goals = [site.room for site in aim.sites]
        self.serial = 0
        start = ground.layout.start
        missing = self.aim.must & self.finding
        self.root = _Node(self.bound(start, 0, 0, missing), 0, 0, start, 0, missing, None, None)

    def bound(self, room: int, moves: int, done: Charge, missing: Charge) -> int:
        """Return a cost that no route by way of this state can beat."""
        need = missing & self.aim.must
        best = 0
        for walks, known in zip(self.ground.bounds, self.known, strict=True):
            ahead = known.get((room, need))
            if ahead is None:
                ahead = known[room, need] = self.walk(walks, room, need)
            count = ((self.aim.must | done) & ~walks.tolls).bit_count()
            best = max(best, moves + ahead + count)
            if best >= self.limit:
                break
        return best

    def walk(self, walks: Walks, start: int, need: Charge) -> int:
        """Return a cost that no walk from a room by way of what is needed to a goal can beat."""
        rooms = {self.aim.finds[bit].find.room for bit in each(need)}
        return min(walks.least(start, goal, rooms) for goal in self.goals)

    def choose_locks(self) -> None:
        """Keep the locked doors that can make a route shorter than the limit."""
        wanted = self.aim.must
        for site in self.aim.sites:
            wanted |= united(site.charges)
        for lock in self.ground.locks:
            if lock.detour >= self.limit:
                break
            if self.near(lock):
                self.useful[lock.door].append(lock.charge)
                wanted |= lock.charge
        self.watch(wanted & self.finding)

    def watch(self, wanted: Charge) -> None:
        """Take note of the finds wanted, and of those that they may need."""
        before = 0
        while before != wanted:
            new, before = wanted & ~before, wanted
            for bit in each(new):
                wanted |= united(self.aim.finds[bit].find.charges) & self.finding
        self.floor = FindsByRoom(wanted, self.aim.finds, self.finding)
        missing = self.floor.passed(self.root.room, wanted)
        self.root = self.root._replace(missing=missing)

    def near(self, lock: Lock) -> bool:
        """Tell whether a route through a locked door could cost less than the limit."""
        walks, must = self.ground.bounds[0], self.aim.must | lock.charge
        ends = [(goal, end) for goal in self.goals for end in lock.ends]
        on = min(walks.hops.to(goal)[end] for goal, end in ends)
        if lock.detour + on + must.bit_count() >= self.limit:
            return False
        on_paid = min(walks.paid.to(goal)[end] for goal, end in ends)
        cost = max(lock.detour + on_paid, lock.paid + on)
        return cost + (must & ~walks.tolls).bit_count() < self.limit

    def run(self, budget: int) -> SearchResult:
        """Expand the most promising nodes until the goal, the limit or the budget is reached."""
        heap = [self.root]
        fronts: dict[int, list[tuple[Charge, int, Charge]]] = defaultdict(list)
        while heap:
            node = heapq.heappop(heap)
            if node.room == _GOAL:
                return SearchResult(_route(node), finished=True)
            front = fronts[node.room]
            if _beaten(node, front):
                continue
            if not budget:
                return SearchResult(None, finished=False)
            budget -= 1
            front.append((node.missing, -node.gone, node.done))
            for child in self.children(node):
                if child.least < self.limit:
                    heapq.heappush(heap, child)
        return SearchResult(None, finished=True)

    def children(self, node: _Node) -> Iterator[_Node]:
        """Yield the states that follow: the goal, a choice made, an exit taken."""
        end = finish(self.aim.sites, node.room, node.missing, node.done)
        if end is not None:
            self.serial += 1
            least = end.bit_count() - node.gone
            yield node._replace(
                least=least, serial=self.serial, room=_GOAL, done=end, exit=None, before=node
            )
        for bit, charge in self.floor.choices(node.room, node.missing):
            missing = self.floor.passed(node.room, node.missing & ~bit)
            yield self.child(node, node.room, node.done | charge, missing, None)
        locked = self.ground.layout.locked
        for exit in self.ground.closure.exits[node.room]:
            charges = self.useful.get(exit.door, ()) if exit.door in locked else exit.charges
            for charge in charges:
                if not charge & node.missing:
                    missing = self.floor.passed(exit.to, node.missing)
                    yield self.child(node, exit.to, node.done | charge, missing, exit)

    def child(
        self, node: _Node, room: int, done: Charge, missing: Charge, exit: Exit | None
    ) -> _Node:
        """Return the state after one step; a bound never falls along a route."""
        self.serial += 1
        moves = (exit is not None) - node.gone
        least = max(node.least, self.bound(room, moves, done, missing))
        return _Node(least, -moves, self.serial, room, done, missing, exit, node)


def _beaten(node: _Node, front: list[tuple[Charge, int, Charge]]) -> bool:
    """Tell whether another way into the room is as good whatever comes after.

    It is if it lacks nothing that this one has, even after paying for all that this one paid for.
    """
    return any(
        not missing & ~node.missing and moves + (done & ~node.done).bit_count() <= -node.gone
        for missing, moves, done in front
    )


def _route(goal: _Node) -> Tour:
    exits = []
    node: _Node | None = goal
    while node is not None:
        if node.exit is not None:
            exits.append(node.exit)
        node = node.before
    return Tour(tuple(exits[::-1]), goal.done)
