"""Draw a world from a seed and parameters: map, doors, furniture, things, then locks.

Rooms are added on a grid, near the start or far from it (`Knobs.compact`); extra passages make
loops. Furniture and things are spread evenly, the emptiest place first.

Locks come last (`inject`) and keep every part of the world reachable (section 2.1). First the locks
are chosen. Then the region that the player can reach without a key grows lock by lock: a lock at
its edge is drawn, the lock's key is placed inside the region, and the region grows by what the lock
hid. So each key is reachable before its lock, and the world is solvable by construction. The
planner confirms this, since it plans how to get each thing for some task.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from worldquiz import rng as streams
from worldquiz.errors import KnobError
from worldquiz.facts.fact import Fact
from worldquiz.t2q.compass import OPPOSITE, STEP, distances
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.config import KEY_WORDS, NOUNS, THING_WORDS, WINGS, Knobs
from worldquiz.t2q.world.spec import HOLDERS, LIES, LOCKABLE, MOVABLE, Passage, Room, WorldSpec

SNUGNESS = 20
"""How strongly new rooms prefer cells beside several rooms, as loops need, per share of loops."""
LEAST_THINGS = 1
"""Least number of portable things other than keys, if need be instead of supporters."""
CROWDING, FLOOR, JITTER = 0.3, 1.5, 0.5
"""Weights against putting a thing in a spot: other things in the room, a bare floor, chance."""


class Namer:
    """Source of the names of one world, each used once."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._stock = {"room": self._rooms(NOUNS["room"])}
        for kind in ("container", "supporter", "object", "food", "door"):
            self._stock[kind] = self._things(THING_WORDS, NOUNS[kind])
        self._stock["key"] = self._things(KEY_WORDS, NOUNS["key"])
        self._used: set[str] = set()

    def take(self, kind: str) -> str:
        """Return a new name for an entity of this kind."""
        name = next(name for name in self._stock[kind] if name not in self._used)
        self._used.add(name)
        return name

    def lookalike(self, name: str) -> str | None:
        """Return a new name with the noun of another, None if every such name is taken."""
        noun = name.rpartition(" ")[2]
        names = [f"{word} {noun}" for word in self._rng.sample(THING_WORDS, len(THING_WORDS))]
        free = next((other for other in names if other not in self._used), None)
        if free is not None:
            self._used.add(free)
        return free

    def _rooms(self, names: tuple[str, ...]) -> Iterator[str]:
        yield from self._rng.sample(names, len(names))
        number = 1
        while True:
            for wing in WINGS:
                for name in names:
                    yield f"{wing} {name}" if number == 1 else f"{wing} wing {number} {name}"
            number += 1

    def _things(self, words: tuple[str, ...], nouns: tuple[str, ...]) -> Iterator[str]:
        pairs = [f"{word} {noun}" for word in words for noun in nouns]
        yield from self._rng.sample(pairs, len(pairs))
        number = 2
        while True:
            yield from (f"{pair} {number}" for pair in pairs)
            number += 1


Cell = tuple[int, int]


def beside(cell: Cell, direction: str) -> Cell:
    """Return the neighbouring cell."""
    return (cell[0] + STEP[direction][0], cell[1] + STEP[direction][1])


class WorldDraft:
    """Rooms, passages, things and their states, in the order they were made."""

    def __init__(self, namer: Namer) -> None:
        self.namer = namer
        self.cells: dict[Cell, str] = {}
        self.passages: list[Passage] = []
        self.kinds: dict[str, str] = {}
        self.place: dict[str, str] = {}  # thing -> room or holder
        self.open: set[str] = set()
        self.keys: dict[str, str] = {}  # locked thing -> its key
        self.content: dict[str, list[str]] = {}
        self._ways: dict[str, list[int]] = {}  # room -> numbers of its passages

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms; the start is the first."""
        return tuple(self.cells.values())

    def add(self, kind: str, *, name: str | None = None) -> str:
        """Make an entity and return its name."""
        name = name or self.namer.take(kind)
        self.kinds[name] = kind
        self.content[name] = []
        return name

    def connect(self, cell: Cell, direction: str) -> None:
        """Open a passage between two neighbouring rooms."""
        room, other = self.cells[cell], self.cells[beside(cell, direction)]
        for end in (room, other):
            self._ways.setdefault(end, []).append(len(self.passages))
        self.passages.append(Passage(room, direction, other, None))

    def ways(self, room: str) -> list[tuple[str, str | None]]:
        """Return the rooms that passages join to this one, each with the door between."""
        passages = [self.passages[number] for number in self._ways.get(room, ())]
        return [(p.other if p.room == room else p.room, p.door) for p in passages]

    def put(self, thing: str, spot: str) -> None:
        """Place a thing in a room or on or in a holder."""
        self.place[thing] = spot
        self.content[spot].append(thing)

    def of_kind(self, *kinds: str) -> list[str]:
        """Return the entities of these kinds, in the order made."""
        return [name for name, kind in self.kinds.items() if kind in kinds]

    def room_of(self, thing: str) -> str:
        """Return the room in which a thing is, directly or in a holder."""
        while self.kinds[thing] != "room":
            thing = self.place[thing]
        return thing

    def facts(self) -> set[Fact]:
        """Return the facts about all that was made."""
        facts = {f.KIND(name, kind) for name, kind in self.kinds.items()}
        facts.add(f.PLAYER_AT(self.rooms[0]))
        facts.update(LIES[self.kinds[spot]](thing, spot) for thing, spot in self.place.items())
        for room, direction, other, door in self.passages:
            facts.add(f.LEADS(room, direction, other))
            facts.add(f.LEADS(other, OPPOSITE[direction], room))
            if door is not None:
                facts.add(f.DOOR_AT(door, room, direction))
                facts.add(f.DOOR_AT(door, other, OPPOSITE[direction]))
        for thing in self.of_kind(*LOCKABLE):
            facts.add((f.OPEN if thing in self.open else f.SHUT)(thing))
            facts.add((f.LOCKED if thing in self.keys else f.UNLOCKED)(thing))
        facts.update(f.MATCH(key, lock) for lock, key in self.keys.items())
        return facts


def generate(knobs: Knobs, seed: int, *, id: str, level: str = "custom") -> WorldSpec:
    """Return the world of a seed, every part of which can be reached.

    Raises `KnobError` where no world can meet the parameters.
    """
    draft = WorldDraft(Namer(streams.child(seed, "names")))
    sizes = streams.child(seed, "sizes")
    rooms, objects = sizes.randint(*knobs.rooms), sizes.randint(*knobs.objects)
    grow(draft, rooms, knobs, streams.child(seed, "map"))
    every = len(draft.passages)
    hung = streams.child(seed, "doors").sample(range(every), round(knobs.doors * every))
    for number in sorted(hung):
        draft.passages[number] = draft.passages[number]._replace(door=draft.add("door"))
    furnish(draft, "container", round(knobs.containers * objects), seed)
    lockable = len(draft.of_kind("door", "container"))
    locks, spare = round(knobs.lock_fraction * lockable), sizes.randint(*knobs.distractor_keys)
    left = objects - lockable - locks - spare
    if left < LEAST_THINGS:
        raise KnobError(
            f"objects={objects} is too few for {lockable} doors and containers, {locks + spare} "
            f"keys and one portable thing: use at least {objects + LEAST_THINGS - left}"
        )
    supporters = min(round(knobs.supporters * objects), left - LEAST_THINGS)
    furnish(draft, "supporter", supporters, seed)
    strew(draft, knobs, left - supporters, streams.child(seed, "things"))
    inject(draft, locks, knobs, streams.child(seed, "locks"))
    spares = streams.child(seed, "spare")
    for _ in range(spare):
        draft.put(draft.add("key"), free_spot(draft, spares))
    places = tuple(Room(name, x, y) for (x, y), name in draft.cells.items())
    facts = tuple(sorted(draft.facts()))
    return WorldSpec(id, level, seed, draft.rooms[0], places, facts, knobs.places_told)


def grow(draft: WorldDraft, rooms: int, knobs: Knobs, rng: random.Random) -> None:
    """Add rooms one by one, each beside an existing room, then passages that make loops."""
    draft.cells[0, 0] = draft.add("room")
    snug = 1 + SNUGNESS * knobs.loops
    moves = {(0, 0): 0}  # from the start, along passages
    rim = [((0, 0), direction) for direction in STEP]
    while len(draft.cells) < rooms:
        free = [beside(*edge) for edge in rim]
        crowds = [sum(beside(new, way) in draft.cells for way in STEP) - 1 for new in free]
        weights = [
            (1 + moves[cell]) ** -knobs.compact * snug**crowd
            for (cell, _), crowd in zip(rim, crowds, strict=True)
        ]
        cell, direction = rng.choices(rim, weights)[0]
        new = beside(cell, direction)
        draft.cells[new] = draft.add("room")
        draft.connect(cell, direction)
        moves[new] = moves[cell] + 1
        rim.extend((new, onward) for onward in STEP)
        rim = [edge for edge in rim if beside(*edge) not in draft.cells]
    walls = [
        (cell, direction)
        for cell, room in draft.cells.items()
        for direction in ("north", "east")
        if (other := draft.cells.get(beside(cell, direction)))
        and all(neighbour != other for neighbour, _ in draft.ways(room))
    ]
    loops = min(round(knobs.loops * rooms), len(walls))
    for cell, direction in rng.sample(walls, loops):
        draft.connect(cell, direction)


def furnish(draft: WorldDraft, kind: str, count: int, seed: int) -> None:
    """Place furniture of a kind in rooms, the emptiest first, dead ends before other rooms."""
    rng = streams.child(seed, kind)
    for _ in range(count):
        load = {
            room: len(draft.content[room]) + 0.5 * (len(draft.ways(room)) > 1)
            for room in draft.rooms
        }
        least = min(load.values())
        room = rng.choice([room for room in draft.rooms if load[room] == least])
        draft.put(draft.add(kind), room)


def strew(draft: WorldDraft, knobs: Knobs, count: int, rng: random.Random) -> None:
    """Put food and other portable things on supporters, in containers or, at need, on floors."""
    food = round(knobs.food * count)
    twins = round(knobs.distractor_objects * count)
    kinds = ["food"] * food + ["object"] * (count - food)
    for number, kind in enumerate(kinds):
        spot = free_spot(draft, rng)
        models = draft.of_kind(kind) if number >= count - twins else []
        twin = draft.namer.lookalike(models[-1]) if models else None
        draft.put(draft.add(kind, name=twin), spot)


def free_spot(draft: WorldDraft, rng: random.Random) -> str:
    """Return a rather empty spot in a rather empty room, seldom a floor."""
    portables = {
        spot: sum(draft.kinds[thing] in MOVABLE for thing in draft.content[spot])
        for spot in draft.of_kind("room", *HOLDERS)
    }
    full = {
        room: sum(1 + len(draft.content[thing]) for thing in draft.content[room])
        for room in draft.rooms
    }
    cost = {
        spot: count
        + CROWDING * full[draft.room_of(spot)]
        + FLOOR * (draft.kinds[spot] == "room")
        + JITTER * rng.random()
        for spot, count in portables.items()
    }
    return min(cost, key=lambda spot: (cost[spot], spot))


def inject(draft: WorldDraft, count: int, knobs: Knobs, rng: random.Random) -> None:
    """Lock `count` doors and containers, place their keys, and open some of the unlocked ones.

    A door that has a way around it starts closed.
    """
    lockable, every = draft.of_kind("door", "container"), len(draft.rooms)
    # rooms that each door cuts off from the start when it alone is locked, plus one
    hidden = {
        door: 1 + every - len(within_reach(draft, {door}).rooms) for door in draft.of_kind("door")
    }
    fewest = {} if knobs.deep_locks else hidden  # what hides little is likelier locked
    rank = {thing: rng.random() ** fewest.get(thing, 1) for thing in lockable}
    locked = set(sorted(lockable, key=lambda thing: (-rank[thing], thing))[:count])
    loose = [thing for thing in lockable if thing not in locked]
    bridges = [thing for thing in loose if hidden.get(thing, 2) > 1]
    draft.open.update(rng.sample(bridges, min(len(bridges), round(knobs.ajar * len(loose)))))
    steps = [(room, other) for room in draft.rooms for other, _ in draft.ways(room)]
    moves = distances(steps, draft.rooms[0])
    while locked:
        region = within_reach(draft, locked)
        lock, key = rng.choice(sorted(region.rim)), draft.add("key")
        cost = {}
        for spot in sorted(region.spots):  # a closed lid, a bare floor or other things cost more
            kind = draft.kinds[spot]
            shut = kind == "container" and spot not in draft.open
            bother = 2 if kind == "room" else 2 * shut + len(draft.content[spot])
            cost[spot] = moves[draft.room_of(spot)] + bother + 2 * rng.random()
        draft.put(key, min(cost, key=lambda spot: (cost[spot], spot)))
        draft.keys[lock] = key
        locked.remove(lock)


class Region(NamedTuple):
    """Region that the player reaches without a key: rooms, spots for things, locks at its edge."""

    rooms: set[str]
    spots: set[str]
    rim: set[str]


def within_reach(draft: WorldDraft, locked: set[str]) -> Region:
    """Return the region around the start if these things are locked."""
    region = Region(set(), set(), set())
    queue = [draft.rooms[0]]
    while queue:
        room = queue.pop()
        if room in region.rooms:
            continue
        region.rooms.add(room)
        region.spots.add(room)
        for thing in draft.content[room]:
            if draft.kinds[thing] in HOLDERS:
                (region.rim if thing in locked else region.spots).add(thing)
        for other, door in draft.ways(room):
            if door in locked:
                region.rim.add(str(door))
            else:
                queue.append(other)
    return region
