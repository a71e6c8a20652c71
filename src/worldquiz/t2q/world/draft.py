"""A world under construction: the one mutable thing of this folder, frozen by `WorldDraft.spec`."""

from __future__ import annotations

from worldquiz.facts.fact import DOOR_AT, KIND, LEADS, MATCH, OPPOSITE, PLAYER_AT, Fact
from worldquiz.t2q.world.names import Namer
from worldquiz.t2q.world.spec import LIES, LOCKABLE, Passage, Room, WorldSpec, lid_and_lock

Cell = tuple[int, int]
STEP: dict[str, Cell] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


class WorldDraft:
    """Rooms, passages, things and their states, in the order they were made."""

    def __init__(self, namer: Namer) -> None:
        self._namer = namer
        self.cells: dict[Cell, str] = {}
        self.passages: list[Passage] = []
        self.kinds: dict[str, str] = {}
        self.place: dict[str, str] = {}  # thing -> room or holder
        self.open: set[str] = set()
        self.keys: dict[str, str] = {}  # locked thing -> its key
        self._content: dict[str, list[str]] = {}
        self._ways: dict[str, list[int]] = {}  # room -> numbers of its passages

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms; the start is the first."""
        return tuple(self.cells.values())

    def add(self, kind: str, *, name: str | None = None) -> str:
        """Make an entity and return its name."""
        name = name or self._namer.take(kind)
        self.kinds[name] = kind
        self._content[name] = []
        return name

    def add_room(self, cell: Cell) -> None:
        """Make a room at a free cell."""
        self.cells[cell] = self.add("room")

    def beside(self, cell: Cell, direction: str) -> Cell:
        """Return the neighbouring cell."""
        return (cell[0] + STEP[direction][0], cell[1] + STEP[direction][1])

    def connect(self, cell: Cell, direction: str) -> None:
        """Open a passage between two neighbouring rooms."""
        room, other = self.cells[cell], self.cells[self.beside(cell, direction)]
        for end in (room, other):
            self._ways.setdefault(end, []).append(len(self.passages))
        self.passages.append(Passage(room, direction, other, None))

    def ways(self, room: str) -> list[tuple[str, str | None]]:
        """Return the rooms that passages join to this one, each with the door between."""
        passages = [self.passages[number] for number in self._ways.get(room, ())]
        return [(p.other if p.room == room else p.room, p.door) for p in passages]

    def moves(self) -> dict[str, int]:
        """Return how many passages each room is from the start, doors or no doors."""
        moves = {self.rooms[0]: 0}
        queue = [self.rooms[0]]
        for room in queue:
            for other, _ in self.ways(room):
                if other not in moves:
                    moves[other] = moves[room] + 1
                    queue.append(other)
        return moves

    def put(self, thing: str, spot: str) -> None:
        """Place a thing in a room or on or in a holder."""
        self.place[thing] = spot
        self._content[spot].append(thing)

    def content(self, spot: str) -> list[str]:
        """Return what stands in a room or lies in or on a holder."""
        return self._content[spot]

    def of_kind(self, *kinds: str) -> list[str]:
        """Return the entities of these kinds, in the order made."""
        return [name for name, kind in self.kinds.items() if kind in kinds]

    def lookalike(self, kind: str) -> str | None:
        """Return a name with the noun of a thing of this kind, None if there is none."""
        models = self.of_kind(kind)
        return self._namer.lookalike(models[-1]) if models else None

    def room_of(self, thing: str) -> str:
        """Return the room in which a thing is, however deep."""
        while self.kinds[thing] != "room":
            thing = self.place[thing]
        return thing

    def spec(self, *, id: str, level: str, seed: int, places_told: bool) -> WorldSpec:
        """Return the finished world."""
        rooms = tuple(Room(name, x, y) for (x, y), name in self.cells.items())
        facts = tuple(sorted(self._facts()))
        return WorldSpec(id, level, seed, self.rooms[0], rooms, facts, places_told)

    def _facts(self) -> set[Fact]:
        facts = {KIND(name, kind) for name, kind in self.kinds.items()}
        facts.add(PLAYER_AT(self.rooms[0]))
        facts.update(LIES[self.kinds[spot]](thing, spot) for thing, spot in self.place.items())
        for room, direction, other, door in self.passages:
            facts.add(LEADS(room, direction, other))
            facts.add(LEADS(other, OPPOSITE[direction], room))
            if door is not None:
                facts.add(DOOR_AT(door, room, direction))
                facts.add(DOOR_AT(door, other, OPPOSITE[direction]))
        for thing in self.of_kind(*LOCKABLE):
            facts.update(lid_and_lock(thing, open=thing in self.open, locked=thing in self.keys))
        facts.update(MATCH(key, lock) for lock, key in self.keys.items())
        return facts
