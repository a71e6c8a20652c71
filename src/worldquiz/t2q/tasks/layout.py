"""A world as the planner sees it: numbered rooms, and each action that is needed once as a bit.

Opening, unlocking and taking are never undone in a shortest plan. So each is one bit, a set of them
is an integer, and ``bit_count()`` is the number of commands in it. A *charge* is the set of actions
that something demands: a locked door demands to be unlocked and opened and its key to be taken; if
that key lies in a shut chest, the chest to be opened too. Walking is all that is not in a charge: a
plan costs its moves plus the bits of its charge.

A *find* is an action that others wait for, done in one room: taking a key, say. Passing by is
enough: it can be paid for later, when it turns out to be needed, because its charge is certain. Not
so the lid of a container that several keys fit: which key opened it must be said at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from worldquiz.facts.fact import (
    AT,
    CARRIED,
    DOOR_AT,
    IN,
    KIND,
    LEADS,
    LOCKED,
    MATCH,
    ON,
    OPEN,
    PLAYER_AT,
    State,
)
from worldquiz.t2q.world.spec import LOCKABLE, MOVABLE

Charge = int
FREE: tuple[Charge, ...] = (0,)
TARGETS: tuple[Charge, Charge] = (1, 2)
"""Bits of taking what the goals are about, if that is no key. All others belong to the world."""

_READ = {
    p.name for p in (KIND, PLAYER_AT, AT, IN, ON, CARRIED, LEADS, DOOR_AT, OPEN, LOCKED, MATCH)
}


class Exit(NamedTuple):
    """One way out of a room."""

    direction: str
    to: int  # a room's number
    door: str | None
    charges: tuple[Charge, ...]  # any one lets the player pass


class Find(NamedTuple):
    """An action that others wait for, and what it demands."""

    name: str  # the thing to take, or the container to open
    bit: Charge
    room: int
    charges: tuple[Charge, ...]  # any one of these; each has the find's own bit
    at_once: bool = False  # to be paid for when done


class Terrain:
    """Unchanging facts of a world, and its state. Sorted: equal states give equal layouts."""

    def __init__(self, state: State) -> None:
        """Read a state. Raises `ValueError` if the player or a passage's way back is missing."""
        facts: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for predicate, args in sorted((f.predicate, f.args) for f in state if f.predicate in _READ):
            facts[predicate].append(args)
        self.kinds = {name: kind for name, kind in facts[KIND.name]}
        self.rooms = [name for name, kind in self.kinds.items() if kind == "room"]
        self.number = {name: index for index, name in enumerate(self.rooms)}
        self.held = frozenset(thing for (thing,) in facts[CARRIED.name])
        self.open = frozenset(thing for (thing,) in facts[OPEN.name])
        self.locked = frozenset(thing for (thing,) in facts[LOCKED.name])
        self.spot = {thing: spot for name in ("at", "in", "on") for thing, spot in facts[name]}
        self.keys: dict[str, list[str]] = defaultdict(list)  # lock -> the keys that fit it
        for key, lock in facts[MATCH.name]:
            self.keys[lock].append(key)
        self.opens: dict[str, Charge] = {}
        self.unlocks: dict[str, Charge] = {}
        self.takes: dict[str, Charge] = {}  # of keys that are not held
        self._number_actions()
        self._lids: list[str] = [name for name in self.kinds if self._has_choice(name)]
        self.finding = sum(
            (*TARGETS, *self.takes.values(), *(self.opens[lid] for lid in self._lids))
        )
        self.start = self._start(facts[PLAYER_AT.name])
        self.ends: dict[str, list[int]] = defaultdict(list)  # door -> rooms it is worked from
        self.exits: list[list[Exit]] = [[] for _ in self.rooms]
        self._hang(facts[DOOR_AT.name], facts[LEADS.name])
        self.finds = [find for name in (*self.takes, *self._lids) if (find := self.find(name))]

    def room_of(self, thing: str) -> int | None:
        """Return the room in which a thing or its holder stands, None if it stands in none."""
        spot = self.spot.get(thing, "")
        return self.number.get(spot, self.number.get(self.spot.get(spot, "")))

    def before(self, thing: str) -> list[int]:
        """Return the rooms from which a door or holder is worked."""
        room = self.room_of(thing)
        return self.ends.get(thing, []) if room is None else [room]

    def find(self, name: str, spare: Charge = TARGETS[0]) -> Find | None:
        """Return how a thing that is not held is taken or a lid opened, None if it cannot be.

        `spare` is the bit of taking it if the world has no bit for that.
        """
        room = self.room_of(name)
        if room is None:
            return None
        if name in self._lids:
            return Find(name, self.opens[name], room, self.opening(name), at_once=True)
        bit = self.takes.get(name, spare)
        charge = self._taking(name, bit, ())
        return None if charge is None else Find(name, bit, room, (charge,))

    def opening(self, thing: str) -> tuple[Charge, ...]:
        """Return what an open door or container demands, one charge for each key that fits."""
        if thing in self.open:
            return FREE
        if thing not in self.locked:
            return (self.opens[thing],)
        return self._unlocking(thing, ())

    def _start(self, found: list[tuple[str, ...]]) -> int:
        if len(found) != 1 or found[0][0] not in self.number:
            raise ValueError(f"player_at must name one room of this world, got {found}")
        return self.number[found[0][0]]

    def _number_actions(self) -> None:
        """Give each action its bit, in order of names."""
        bit = TARGETS[-1]
        for name, kind in self.kinds.items():
            if kind in LOCKABLE and name not in self.open:
                self.opens[name] = bit = bit << 1
                if name in self.locked:
                    self.unlocks[name] = bit = bit << 1
            elif kind == "key" and name not in self.held:
                self.takes[name] = bit = bit << 1

    def _has_choice(self, name: str) -> bool:
        """Tell whether a container is locked and any of several keys has yet to be fetched."""
        keys = self.keys.get(name, [])
        locked = self.kinds[name] == "container" and name in self.locked
        return locked and len(keys) > 1 and self.held.isdisjoint(keys)

    def _hang(self, doors: list[tuple[str, ...]], passages: list[tuple[str, ...]]) -> None:
        """Lay the passages and hang the doors in them."""
        hung = {(room, direction): door for door, room, direction in doors}
        for door, room, _ in doors:
            self.ends[door].append(self.number[room])
        charges = {door: self.opening(door) for door in self.ends}
        for room, direction, other in passages:
            leaf = hung.get((room, direction))
            toll = FREE if leaf is None else charges[leaf]
            self.exits[self.number[room]].append(Exit(direction, self.number[other], leaf, toll))
        ways = {(room, other) for room, _, other in passages}
        if oneway := sorted((room, other) for room, other in ways if (other, room) not in ways):
            raise ValueError(f"no way leads back from {oneway[0][1]!r} to {oneway[0][0]!r}")

    def _unlocking(self, lock: str, above: tuple[str, ...]) -> tuple[Charge, ...]:
        """Return what opening a locked thing demands, by each key.

        `above` are the containers whose keys are being looked for: a key is not inside itself.
        """
        own = self.opens[lock] | self.unlocks[lock]
        keys = (self._taking(key, self.takes.get(key, 0), above) for key in self.keys.get(lock, ()))
        return _least(own | charge for charge in keys if charge is not None)

    def _taking(self, thing: str, bit: Charge, above: tuple[str, ...]) -> Charge | None:
        """Return what a thing in hand demands, None if it cannot be had."""
        if thing in self.held:
            return 0
        holder = self.spot.get(thing, "")
        if self.kinds.get(thing) not in MOVABLE or self.room_of(thing) is None or holder in above:
            return None
        if self.kinds[holder] != "container" or holder in self.open:
            return bit
        if holder not in self.locked or holder in self._lids:
            return bit | self.opens[holder]
        charges = self._unlocking(holder, (*above, holder))
        return bit | charges[0] if charges else None


def _least(charges: Iterable[Charge]) -> tuple[Charge, ...]:
    """Return the charges that contain no other one, cheapest first."""
    kept: list[Charge] = []
    for charge in sorted(set(charges), key=lambda charge: (charge.bit_count(), charge)):
        if not any(less & charge == less for less in kept):
            kept.append(charge)
    return tuple(kept)


def shared(charges: tuple[Charge, ...]) -> Charge:
    """Return the actions that every one of the charges demands."""
    common = charges[0] if charges else 0
    for charge in charges:
        common &= charge
    return common


def united(charges: tuple[Charge, ...]) -> Charge:
    """Return the actions that any of the charges demands."""
    together = 0
    for charge in charges:
        together |= charge
    return together


def each(mask: Charge) -> list[Charge]:
    """Return the single bits of a charge, lowest first."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits


def affordable(charges: tuple[Charge, ...], missing: Charge, done: Charge) -> Charge | None:
    """Return the charge that adds least to `done` and needs nothing `missing`, None if none."""
    best = None
    for charge in charges:
        if not charge & missing and (
            best is None or (charge & ~done).bit_count() < (best & ~done).bit_count()
        ):
            best = charge
    return best
