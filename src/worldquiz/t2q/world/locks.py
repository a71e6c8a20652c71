"""Lock injection: a refinement that keeps every part of a world reachable (section 2.1).

First the locks are chosen. Then, from the region that the player reaches without any key, one lock
at a time is taken from the region's rim, its key laid where the region already reaches, and the
region grown by what the lock hid. Each key is therefore reachable before its lock: the world is
solvable by construction, and `solvable` proves it of any finished world.
"""

from __future__ import annotations

import random

from worldquiz.errors import WorldError
from worldquiz.facts.fact import DOOR_AT, LEADS, LOCKED, MATCH, PLACE
from worldquiz.t2q.world.draft import Draft
from worldquiz.t2q.world.spec import WorldSpec

OPEN_SHARE = 0.55
"""Share of the unlocked doors and containers that stand open at the start."""


def inject(draft: Draft, count: int, rng: random.Random) -> None:
    """Lock `count` doors and containers, lay their keys, and open some of the rest.

    A door that can be gone around starts shut: no shortest walk would ever need it open.
    """
    lockable = draft.of_kind("door", "container")
    locked = _choose(draft, lockable, count, rng)
    hidden = _hidden(draft)
    loose = [thing for thing in lockable if thing not in locked]
    bridges = [thing for thing in loose if hidden.get(thing, 2) > 1]
    draft.open.update(rng.sample(bridges, min(len(bridges), round(OPEN_SHARE * len(loose)))))
    region, moves = Region(draft, locked), draft.moves()
    while region.waiting:
        lock = rng.choice(sorted(region.rim))
        key = draft.add("key")
        draft.put(key, _hide(draft, region, moves, rng))
        draft.keys[lock] = key
        region.unlock(lock)


def _choose(draft: Draft, lockable: list[str], count: int, rng: random.Random) -> set[str]:
    """Return the things to lock, those likelier that hide little behind them."""
    hidden = _hidden(draft)
    rank = {thing: rng.random() ** hidden.get(thing, 1) for thing in lockable}
    return set(sorted(lockable, key=lambda thing: (-rank[thing], thing))[:count])


def _hidden(draft: Draft) -> dict[str, int]:
    """Return how many rooms each door cuts off from the start when it alone is locked, plus one."""
    doors = draft.of_kind("door")
    return {door: 1 + len(draft.rooms) - len(Region(draft, {door}).rooms) for door in doors}


class Region:
    """What the player reaches: rooms, spots to lay things in them, and the locks at the rim."""

    def __init__(self, draft: Draft, locked: set[str]) -> None:
        self._draft = draft
        self.waiting = set(locked)
        self.rooms: set[str] = set()
        self.spots: set[str] = set()
        self.rim: set[str] = set()
        self._behind: dict[str, list[str]] = {}  # locked door at the rim -> rooms behind it
        self._enter(draft.rooms[0])

    def unlock(self, lock: str) -> None:
        """Grow by what a lock of the rim hid."""
        self.waiting.remove(lock)
        self.rim.remove(lock)
        if self._draft.kinds[lock] == "container":
            self.spots.add(lock)
        for room in self._behind.pop(lock, []):
            self._enter(room)

    def _enter(self, start: str) -> None:
        queue = [start] if start not in self.rooms else []
        while queue:
            room = queue.pop()
            if room in self.rooms:
                continue
            self.rooms.add(room)
            self.spots.add(room)
            for thing in self._draft.content(room):
                if self._draft.kinds[thing] in ("container", "supporter"):
                    (self.rim if thing in self.waiting else self.spots).add(thing)
            for other, door in self._draft.ways(room):
                if door in self.waiting:
                    self.rim.add(str(door))
                    self._behind.setdefault(str(door), []).append(other)
                else:
                    queue.append(other)


def _hide(draft: Draft, region: Region, moves: dict[str, int], rng: random.Random) -> str:
    """Return a spot for a key within reach: near the start, seen at once, among the emptiest."""
    cost = {
        spot: moves[draft.room_of(spot)] + _bother(draft, spot) + 2 * rng.random()
        for spot in sorted(region.spots)
    }
    return min(cost, key=lambda spot: (cost[spot], spot))


def _bother(draft: Draft, spot: str) -> int:
    """Return what speaks against a spot for a key: a lid over it, a bare floor, company."""
    if draft.kinds[spot] == "room":
        return 2
    shut = draft.kinds[spot] == "container" and spot not in draft.open
    return 2 * shut + len(draft.content(spot))


def solvable(spec: WorldSpec) -> bool:
    """Prove that every room is reached and every lock opens, by forward closure over the facts."""
    facts = spec.initial
    locked = {thing for (thing,) in LOCKED.of(facts)}
    keys = {lock: key for key, lock in MATCH.of(facts)}
    doors = {(room, way): door for door, room, way in DOOR_AT.of(facts)}
    place = {fact.args[0]: fact.args[1] for fact in facts if fact.predicate in PLACE}
    reached, grown = {spec.start}, True
    while grown:
        size = len(reached)
        for thing, spot in place.items():
            if spot in reached and not (thing in locked and keys.get(thing) not in reached):
                reached.add(thing)
        for room, way, other in LEADS.of(facts):
            door = doors.get((room, way))
            if room in reached and not (door in locked and keys.get(str(door)) not in reached):
                reached.update({other, door or other})
        grown = len(reached) > size
    return reached.issuperset(spec.kinds)


def proven(spec: WorldSpec) -> WorldSpec:
    """Return the world if it is solvable. Raises `WorldError` otherwise."""
    if not solvable(spec):
        raise WorldError(f"world {spec.id!r} (seed {spec.seed}) has a part that no key opens")
    return spec
