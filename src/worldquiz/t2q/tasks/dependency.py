"""The dependency plan: fetch the needed keys, nearest first, then go. Valid, seldom far from best.

What is needed is read off the closure's sweep. Each key needs only keys that were swept before it,
so there is always one that can be fetched next, and each leg leads through passages that are free
by then: the plan exists whenever the goal can be reached.
"""

from __future__ import annotations

import heapq
from itertools import count

from worldquiz.t2q.tasks.closure import Closure
from worldquiz.t2q.tasks.distances import Distances
from worldquiz.t2q.tasks.layout import Charge, Exit, Layout, affordable, each
from worldquiz.t2q.tasks.routes import Aim, Floor, Route, finish


def dependency_route(layout: Layout, closure: Closure, hops: Distances, aim: Aim) -> Route:
    """Return a route that reaches a goal."""
    way, last = aim.best
    floor = Floor(way.needs & layout.finding, aim.finds, layout.finding)
    room = layout.start
    missing, done = _look_round(floor, room, layout.finding, 0)
    exits: list[Exit] = []
    while (end := finish(aim.sites, room, missing, done)) is None:
        stop = _next_stop(aim, hops, room, missing & floor.wanted, last)
        for exit in _leg(closure, hops, room, stop, missing, done):
            done |= affordable(exit.charges, missing, done) or 0
            room = exit.to
            missing, done = _look_round(floor, room, missing, done)
            exits.append(exit)
            if finish(aim.sites, room, missing, done) is not None:
                break
    return Route(tuple(exits), end)


def _look_round(floor: Floor, room: int, missing: Charge, done: Charge) -> tuple[Charge, Charge]:
    """Make every find there is in a room; return what is missing then, and all actions done."""
    while True:
        missing = floor.passed(room, missing)
        choice = next(floor.choices(room, missing), None)
        if choice is None:
            return missing, done
        bit, charge = choice
        missing, done = missing & ~bit, done | charge


def _next_stop(aim: Aim, hops: Distances, room: int, missing: Charge, last: int) -> int:
    """Return the room of the nearest missing thing that can be fetched now, else the last room."""
    stops = []
    for bit in each(missing):
        find, way = aim.finds[bit]
        if not way.needs & missing & ~bit:
            stops.append((hops.to(find.room)[room], bit, find.room))
    return min(stops)[2] if stops else last


def _leg(
    closure: Closure, hops: Distances, start: int, stop: int, missing: Charge, done: Charge
) -> list[Exit]:
    """Return the cheapest exits from room to room with the keys at hand."""
    ahead = hops.to(stop)
    came: dict[int, tuple[int, Exit | None]] = {}
    serial = count()
    heap: list[tuple[int, int, int, int, int, Charge, Exit | None]] = [
        (ahead[start], next(serial), 0, start, start, done, None)
    ]
    while stop not in came:
        _, _, cost, room, before, paid, exit = heapq.heappop(heap)
        if room in came:
            continue
        came[room] = (before, exit)
        for way in closure.exits[room]:
            charge = affordable(way.charges, missing, paid)
            if way.to not in came and charge is not None:
                after = cost + 1 + (charge & ~paid).bit_count()
                entry = (after + ahead[way.to], next(serial), after, way.to, room)
                heapq.heappush(heap, (*entry, paid | charge, way))
    exits = []
    room, exit = came[stop]
    while exit is not None:
        exits.append(exit)
        room, exit = came[room]
    return exits[::-1]
