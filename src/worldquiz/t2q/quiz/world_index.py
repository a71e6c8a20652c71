"""A world's initial state, indexed for asking: what leads where, what lies where, what fits."""

from __future__ import annotations

from collections import defaultdict

from worldquiz.facts.fact import DOOR_AT, LEADS, MATCH, OPPOSITE, Fact
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, WorldSpec


class Atlas:
    """The initial state of one world; all lists are sorted."""

    def __init__(self, spec: WorldSpec) -> None:
        self.spec = spec
        self.kinds = spec.kinds
        self.rooms = spec.of_kind("room")
        self.holders = spec.of_kind(*HOLDERS)
        self.things = spec.of_kind(*HOLDERS, *MOVABLE)
        self.openables = spec.of_kind(*LOCKABLE)
        self.keys = spec.of_kind("key")
        self.ways: dict[str, dict[str, str]] = defaultdict(dict)
        for room, way, other in sorted(LEADS.of(spec.facts)):
            self.ways[room][way] = other
        self.place = spec.place
        self.content: dict[str, list[str]] = defaultdict(list)
        for thing, fact in self.place.items():
            self.content[fact.args[1]].append(thing)
        self._doors: dict[tuple[str, str], str] = {}
        self._ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for door, room, way in sorted(DOOR_AT.of(spec.facts)):
            self._ends[door].append((room, way))
            self._doors[room, way] = door
        self.lock_of = dict(sorted((key, lock) for key, lock in MATCH.of(spec.facts)))
        self.key_of = {lock: key for key, lock in self.lock_of.items()}
        self.cells = {room.name: (room.x, room.y) for room in spec.rooms}

    @property
    def passages(self) -> list[tuple[str, str, str]]:
        """Each passage once, from the end whose name comes first: (room, direction, other room)."""
        return [
            (room, way, other)
            for room in self.rooms
            for way, other in self.ways[room].items()
            if room < other
        ]

    def neighbours(self, room: str) -> set[str]:
        """Return the rooms that a passage joins to this one."""
        return set(self.ways[room].values())

    def ends(self, door: str) -> list[tuple[str, str]]:
        """Return the two rooms that a door joins, each with the direction of the door there."""
        return self._ends[door]

    def door(self, room: str, way: str) -> str | None:
        """Return the door of an exit, None if it has none."""
        return self._doors.get((room, way))

    def compass(self, room: str, other: str) -> str:
        """Return where a room lies as seen from another, as one of eight directions."""
        (x0, y0), (x1, y1) = self.cells[room], self.cells[other]
        north_south = "north" if y1 > y0 else "south" if y1 < y0 else ""
        east_west = "east" if x1 > x0 else "west" if x1 < x0 else ""
        return "-".join(part for part in (north_south, east_west) if part)

    def is_(self, state: str, thing: str) -> bool:
        """Tell whether ``open``, ``shut``, ``locked`` or ``unlocked`` holds of a thing."""
        return Fact(state, (thing,)) in self.spec.initial

    def back(self, way: str) -> str:
        """Return the opposite direction."""
        return OPPOSITE[way]
