"""A world as something that can be changed, frozen again by `Sketch.spec`."""

from __future__ import annotations

from dataclasses import dataclass, field

from worldquiz.facts.fact import (
    AT,
    DOOR_AT,
    IN,
    KIND,
    LEADS,
    LOCKED,
    MATCH,
    ON,
    OPEN,
    OPPOSITE,
    PLACE,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
)
from worldquiz.t2q.world.spec import LOCKABLE, Room, WorldSpec

STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

Exit = tuple[str, str]
Cell = tuple[int, int]


@dataclass(slots=True)
class Sketch:
    """A world that can be changed."""

    kinds: dict[str, str]
    place: dict[str, str]
    ways: dict[Exit, str] = field(default_factory=dict)  # both ways listed
    doors: dict[Exit, str] = field(default_factory=dict)  # both ends listed
    open: set[str] = field(default_factory=set)
    locked: set[str] = field(default_factory=set)
    fits: dict[str, str] = field(default_factory=dict)  # lock -> key

    @classmethod
    def of(cls, spec: WorldSpec) -> Sketch:
        """Return a world as a sketch."""
        place = {fact.args[0]: fact.args[1] for fact in spec.facts if fact.predicate in PLACE}
        return cls(
            dict(spec.kinds),
            place,
            {(room, way): other for room, way, other in LEADS.of(spec.facts)},
            {(room, way): door for door, room, way in DOOR_AT.of(spec.facts)},
            {thing for (thing,) in OPEN.of(spec.facts)},
            {thing for (thing,) in LOCKED.of(spec.facts)},
            {lock: key for key, lock in MATCH.of(spec.facts)},
        )

    def of_kind(self, *kinds: str) -> list[str]:
        """Return the entities of these kinds."""
        return [name for name, kind in self.kinds.items() if kind in kinds]

    def join(self, room: str, way: str, other: str, door: str | None = None) -> None:
        """Open a passage, with a door or none."""
        for end in ((room, way), (other, OPPOSITE[way])):
            if door is not None:
                self.doors[end] = door
        self.ways[room, way], self.ways[other, OPPOSITE[way]] = other, room

    def part(self, room: str, way: str) -> str | None:
        """Close a passage and return the door that it had."""
        back = (self.ways.pop((room, way)), OPPOSITE[way])
        del self.ways[back]
        self.doors.pop(back, None)
        return self.doors.pop((room, way), None)

    def call(self, names: dict[str, str]) -> None:
        """Give rooms other names on the map; what is in them stays with the old names."""
        self.ways = {
            (names.get(room, room), way): names.get(there, there)
            for (room, way), there in self.ways.items()
        }
        self.doors = {(names.get(r, r), way): door for (r, way), door in self.doors.items()}

    def cells(self, start: Room) -> dict[str, Cell] | None:
        """Return each reached room's cell, None where passages do not lie on a grid."""
        cells = {start.name: (start.x, start.y)}
        queue = [start.name]
        for room in queue:
            for way, (east, north) in STEP.items():
                other = self.ways.get((room, way))
                if other is None:
                    continue
                cell = (cells[room][0] + east, cells[room][1] + north)
                if cells.setdefault(other, cell) != cell:
                    return None
                if other not in queue:
                    queue.append(other)
        return cells if len(set(cells.values())) == len(self.of_kind("room")) else None

    def spec(self, model: WorldSpec, *, bent: bool) -> WorldSpec | None:
        """Return the world, None where its passages bend and must not."""
        start = next(room for room in model.rooms if room.name == model.start)
        cells = self.cells(start)
        if cells is None:
            if not bent:
                return None
            cells = {room.name: (room.x, room.y) for room in model.rooms}
        order = [room.name for room in model.rooms]
        order += [room for room in self.of_kind("room") if room not in order]
        far = (1000, 1000)
        rooms = tuple(Room(name, *cells.get(name, far)) for name in order)
        facts = tuple(sorted(self._facts(model.start)))
        return WorldSpec(
            model.id, model.level, model.seed, model.start, rooms, facts, model.places_told
        )

    def _facts(self, start: str) -> set[Fact]:
        where = {"room": AT, "supporter": ON, "container": IN}
        facts = {KIND(name, kind) for name, kind in self.kinds.items()} | {PLAYER_AT(start)}
        facts |= {where[self.kinds[spot]](thing, spot) for thing, spot in self.place.items()}
        facts |= {LEADS(room, way, other) for (room, way), other in self.ways.items()}
        facts |= {DOOR_AT(door, room, way) for (room, way), door in self.doors.items()}
        facts |= {MATCH(key, lock) for lock, key in self.fits.items()}
        for thing in self.of_kind(*LOCKABLE):
            facts.add((OPEN if thing in self.open else SHUT)(thing))
            facts.add((LOCKED if thing in self.locked else UNLOCKED)(thing))
        return facts
