"""Small edits of a world, drawn at random: the moves of the search for twins.

An edit touches what was not seen, as far as it can tell, and rather what the question is about.
It returns whether it did anything; whether the result is a world is checked afterwards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from sketch import STEP, Cell, Exit, Sketch
from worldquiz.facts.fact import DIRECTIONS, OPPOSITE, PLACE, State
from worldquiz.facts.question import Type
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, Room

BIAS = 0.7
"""How often an edit prefers what the question is about."""
EXTRA_ROOMS = (
    "solarium", "rotunda", "gazebo", "orangery", "belvedere", "arbour", "crypt", "belfry",
)  # fmt: skip
EXTRA = {"key": "platinum key", "object": "wooden whisk", "food": "stale quince"}
"""Names that no world has."""
REACH = 3
"""A room is carried off to a cell at most so many steps east or west, and north or south."""


class Kit:
    """What edits draw from: chance, what was seen, and what the question is about."""

    def __init__(
        self, rng: random.Random, start: Room, seen: State, focus: Sequence[str], *, larger: bool
    ) -> None:
        self.rng, self.start, self.larger = rng, start, larger
        self._focus = set(focus)
        self.listed = {fact.args[0] for fact in seen if fact.predicate == "listed"}
        self.placed = {fact.args[0] for fact in seen if fact.predicate in PLACE}
        self.lids = {fact.args[0] for fact in seen if fact.predicate in ("open", "shut")}
        self.turned = {f.args[0] for f in seen if f.predicate in ("locked", "unlocked")}
        self.fitted = {name for fact in seen if fact.predicate == "match" for name in fact.args}
        self.walked = {(f.args[0], f.args[1]) for f in seen if f.predicate == "leads"}
        self.walked |= {(f.args[2], OPPOSITE[f.args[1]]) for f in seen if f.predicate == "leads"}

    def pick(self, names: Sequence[str]) -> str | None:
        """Return a name, rather one that the question is about; None if there is none."""
        near = sorted(name for name in names if name in self._focus)
        if near and self.rng.random() < BIAS:
            return self.rng.choice(near)
        return self.rng.choice(sorted(names)) if names else None

    def exit(self, exits: Sequence[Exit]) -> Exit | None:
        """Return an exit, rather one of a room that the question is about."""
        near = sorted(e for e in exits if e[0] in self._focus)
        if near and self.rng.random() < BIAS:
            return self.rng.choice(near)
        return self.rng.choice(sorted(exits)) if exits else None

    def loose(self, sketch: Sketch, *kinds: str) -> list[str]:
        """Return the things of these kinds whose place was not seen."""
        return [name for name in sketch.of_kind(*kinds) if name not in self.placed]

    def spots(self, sketch: Sketch, thing: str) -> list[str]:
        """Return the unseen spots in which a thing may be."""
        movable = sketch.kinds[thing] in MOVABLE
        kinds = ("room", *HOLDERS) if movable else ("room",)
        return [spot for spot in sketch.of_kind(*kinds) if spot not in self.listed]

    def unwalked(self, sketch: Sketch) -> list[Exit]:
        """Return the exits that were not gone through."""
        return [exit for exit in sketch.ways if exit not in self.walked]

    def unseen_rooms(self, sketch: Sketch) -> list[str]:
        """Return the rooms that were never entered."""
        return [room for room in sketch.of_kind("room") if room not in self.listed]


def move(sketch: Sketch, kit: Kit) -> bool:
    """Put an unseen thing into another unseen spot."""
    thing = kit.pick(kit.loose(sketch, *MOVABLE, *HOLDERS))
    spot = thing and kit.pick(kit.spots(sketch, thing))
    if not thing or not spot or spot == sketch.place[thing]:
        return False
    sketch.place[thing] = spot
    return True


def swap(sketch: Sketch, kit: Kit) -> bool:
    """Change the places of two unseen things."""
    kinds = kit.rng.choice((MOVABLE, HOLDERS))
    one, other = kit.pick(kit.loose(sketch, *kinds)), kit.pick(kit.loose(sketch, *kinds))
    if not one or not other or one == other:
        return False
    sketch.place[one], sketch.place[other] = sketch.place[other], sketch.place[one]
    return True


def open_or_shut(sketch: Sketch, kit: Kit) -> bool:
    """Turn a lid that was not seen."""
    thing = kit.pick([t for t in sketch.of_kind(*LOCKABLE) if t not in kit.lids])
    if not thing or thing in sketch.locked:
        return False
    sketch.open ^= {thing}
    return True


def lock(sketch: Sketch, kit: Kit) -> bool:
    """Lock something of which it was not seen, with a key that may have fitted elsewhere."""
    free = [t for t in sketch.of_kind(*LOCKABLE) if t not in kit.turned | sketch.locked]
    thing, key = kit.pick(free), kit.pick(sketch.of_kind("key"))
    if not thing or not key:
        return False
    _refit(sketch, kit, thing, key)
    sketch.locked.add(thing)
    sketch.open.discard(thing)
    return True


def unlock(sketch: Sketch, kit: Kit) -> bool:
    """Unlock something of which it was not seen; its key then fits nothing."""
    thing = kit.pick([t for t in sorted(sketch.locked) if t not in kit.turned])
    if not thing:
        return False
    _unlock(sketch, thing)
    return True


def unlock_all(sketch: Sketch, kit: Kit) -> bool:
    """Unlock all of which it was not seen: whatever else was edited, more can be reached."""
    for thing in sorted(sketch.locked - kit.turned):
        _unlock(sketch, thing)
    return True


def _unlock(sketch: Sketch, thing: str) -> None:
    """Unlock a thing: a key fits only what was locked."""
    sketch.locked.discard(thing)
    sketch.fits.pop(thing, None)


def fit(sketch: Sketch, kit: Kit) -> bool:
    """Let a key fit another lock; two keys change their locks."""
    key = kit.pick([key for key in sketch.of_kind("key") if key not in kit.fitted])
    thing = kit.pick([t for t in sorted(sketch.locked) if t not in kit.fitted])
    if not key or not thing or sketch.fits.get(thing) == key:
        return False
    _refit(sketch, kit, thing, key)
    return True


def _refit(sketch: Sketch, kit: Kit, thing: str, key: str) -> None:
    """Make a key fit a lock: the lock that it fitted gets the key that fitted here, if any."""
    old = next((lock for lock, fitting in sketch.fits.items() if fitting == key), None)
    spare = sketch.fits.pop(thing, None)
    if old is not None and old != thing:
        del sketch.fits[old]
        if spare is not None:
            sketch.fits[old] = spare
        elif old not in kit.turned:
            sketch.locked.discard(old)
    sketch.fits[thing] = key


def spread_keys(sketch: Sketch, kit: Kit) -> bool:
    """Lay every unseen key somewhere else: one lot may be within reach."""
    for key in kit.loose(sketch, "key"):
        spots = kit.spots(sketch, key)
        if spots:
            sketch.place[key] = kit.rng.choice(spots)
    return True


def rename(sketch: Sketch, kit: Kit) -> bool:
    """Change two unseen rooms' names, what is in them left where it was or taken along."""
    rooms = kit.unseen_rooms(sketch)
    one, other = kit.pick(rooms), kit.pick(rooms)
    if not one or not other or one == other:
        return False
    names = {one: other, other: one}
    sketch.call(names)
    if kit.rng.random() < 0.5:
        sketch.place = {thing: names.get(spot, spot) for thing, spot in sketch.place.items()}
    return True


def cross(sketch: Sketch, kit: Kit) -> bool:
    """Let two passages of one direction change their far ends."""
    first = kit.exit(kit.unwalked(sketch))
    if first is None:
        return False
    way = first[1]
    second = kit.exit([e for e in kit.unwalked(sketch) if e[1] == way and e != first])
    if second is None or sketch.ways[first] == second[0] or sketch.ways[second] == first[0]:
        return False
    far, farther = sketch.ways[first], sketch.ways[second]
    door, other_door = sketch.part(*first), sketch.part(*second)
    if kit.rng.random() < 0.5:
        door, other_door = other_door, door
    sketch.join(*first, farther, door)
    sketch.join(*second, far, other_door)
    return True


def add_passage(sketch: Sketch, kit: Kit) -> bool:
    """Join two unseen rooms."""
    rooms = kit.unseen_rooms(sketch)
    room, other = kit.pick(rooms), kit.pick(rooms)
    way = kit.rng.choice(DIRECTIONS)
    taken = (room, way) in sketch.ways or (other, OPPOSITE[way]) in sketch.ways
    if not room or not other or room == other or taken:
        return False
    sketch.join(room, way, other)
    return True


def drop_passage(sketch: Sketch, kit: Kit) -> bool:
    """Close a bare passage between two unseen rooms."""
    rooms = set(kit.unseen_rooms(sketch))
    bare = [e for e, o in sketch.ways.items() if e[0] in rooms and o in rooms]
    exit = kit.exit([e for e in bare if e not in sketch.doors])
    if exit is None:
        return False
    sketch.part(*exit)
    return True


def hang(sketch: Sketch, kit: Kit) -> bool:
    """Take an unseen room that has one passage and hang it elsewhere among the unseen."""
    rooms = set(kit.unseen_rooms(sketch))
    ends = [e for e, o in sketch.ways.items() if o in rooms and e[0] in rooms]
    leaf = kit.exit([(sketch.ways[e], OPPOSITE[e[1]]) for e in ends if _is_leaf(sketch, e)])
    room, way = kit.pick(sorted(rooms)), kit.rng.choice(DIRECTIONS)
    if leaf is None or not room or room == leaf[0] or (room, way) in sketch.ways:
        return False
    sketch.join(room, way, leaf[0], sketch.part(*leaf))
    return True


def _is_leaf(sketch: Sketch, exit: Exit) -> bool:
    return sum(room == sketch.ways[exit] for room, _ in sketch.ways) == 1


def move_door(sketch: Sketch, kit: Kit) -> bool:
    """Hang a door in another passage, or change two doors."""
    unwalked = kit.unwalked(sketch)
    first = kit.exit([e for e in unwalked if e in sketch.doors])
    second = kit.exit(unwalked)
    if first is None or second is None or first == second:
        return False
    far, farther = sketch.ways[first], sketch.ways[second]
    if (far, OPPOSITE[first[1]]) == second:
        return False
    door, other_door = sketch.part(*first), sketch.part(*second)
    sketch.join(*first, far, other_door)
    sketch.join(*second, farther, door)
    return True


def insert_room(sketch: Sketch, kit: Kit) -> bool:
    """Put a new room into a passage that was not walked, straight or round a corner."""
    exit = kit.exit(kit.unwalked(sketch))
    room = _new_room(sketch)
    if not kit.larger or exit is None or room is None:
        return False
    far, way = sketch.ways[exit], exit[1]
    onward = kit.rng.choice([way, *DIRECTIONS])
    if onward == OPPOSITE[way] or (onward != way and (far, OPPOSITE[onward]) in sketch.ways):
        return False
    door = sketch.part(*exit)
    sketch.kinds[room] = "room"
    near = kit.rng.random() < 0.5
    sketch.join(*exit, room, door if near else None)
    sketch.join(room, onward, far, None if near else door)
    return True


def _new_room(sketch: Sketch) -> str | None:
    return next((room for room in EXTRA_ROOMS if room not in sketch.kinds), None)


def carry_off(sketch: Sketch, kit: Kit) -> bool:
    """Let a new room take an unseen one's place, and hang that elsewhere behind more new rooms."""
    cells = sketch.cells(kit.start) if kit.larger else None
    room, new = kit.pick(kit.unseen_rooms(sketch)), _new_room(sketch)
    if not room or not new or cells is None:
        return False
    x, y = cells[kit.pick(sorted(cells)) or room]
    goal = (x + kit.rng.randint(-REACH, REACH), y + kit.rng.randint(-REACH, REACH))
    sketch.kinds[new] = "room"
    sketch.call({room: new})
    cells[new] = cells.pop(room)
    bases = {cells[base]: base for base in kit.unseen_rooms(sketch) if base in cells}
    way = _free_way(bases, set(cells.values()), goal)
    if not way:
        return False
    here = bases[way[0][0]]
    for _, step in way[:-1]:
        between = _new_room(sketch)
        if between is None:
            return False
        sketch.kinds[between] = "room"
        sketch.join(here, step, between)
        here = between
    sketch.join(here, way[-1][1], room)
    return True


def _free_way(
    bases: dict[Cell, str], taken: set[Cell], goal: Cell
) -> list[tuple[Cell, str]] | None:
    """Return the shortest way over free cells from a base to a goal, each step with its cell."""
    if goal in taken:
        return None
    came: dict[Cell, tuple[Cell, str] | None] = dict.fromkeys(sorted(bases))
    queue = list(came)
    for cell in queue:
        for way, (east, north) in STEP.items():
            new = (cell[0] + east, cell[1] + north)
            near = abs(new[0] - goal[0]) + abs(new[1] - goal[1]) <= 4 * REACH
            if new not in taken and new not in came and near:
                came[new] = (cell, way)
                queue.append(new)
    steps: list[tuple[Cell, str]] = []
    step = came.get(goal)
    while step is not None:
        steps.insert(0, step)
        step = came[step[0]]
    return steps or None


def add_thing(sketch: Sketch, kit: Kit) -> bool:
    """Lay something new into an unseen spot, perhaps of a new room; a key may fit something."""
    kind = kit.rng.choice(sorted(EXTRA))
    if not kit.larger or EXTRA[kind] in sketch.kinds:
        return False
    if kit.rng.random() < 0.5:
        insert_room(sketch, kit)
    lock = None
    if kind == "key" and kit.rng.random() < 0.5:
        lock = kit.pick([t for t in sorted(sketch.locked) if t not in kit.fitted])
    spots = [s for s in sketch.of_kind("room", *HOLDERS) if s not in kit.listed and s != lock]
    if not spots:
        return False
    sketch.kinds[EXTRA[kind]] = kind
    sketch.place[EXTRA[kind]] = kit.rng.choice(sorted(spots))
    if lock:
        _refit(sketch, kit, lock, EXTRA[kind])
    return True


def put_apart(sketch: Sketch, kit: Kit) -> bool:
    """Put an unseen thing into a new room that no passage leads to: no law says there is none."""
    thing, room = kit.pick(kit.loose(sketch, *MOVABLE, *HOLDERS)), _new_room(sketch)
    if not kit.larger or not thing or not room:
        return False
    sketch.kinds[room] = "room"
    sketch.place[thing] = room
    return True


Edit = Callable[[Sketch, Kit], bool]
_MAP: tuple[Edit, ...] = (
    rename, cross, add_passage, drop_passage, hang, move_door, insert_room, carry_off,
)  # fmt: skip
_LOCKS: tuple[Edit, ...] = (lock, unlock, unlock_all, fit, spread_keys, insert_room, add_thing)
EDITS: dict[Type, tuple[Edit, ...]] = {
    Type.LOCATION: (move, swap, add_thing, put_apart, *_MAP, *_LOCKS, move, swap),
    Type.CONNECTIVITY: (*_MAP, move, unlock_all),
    Type.DIRECTION: (*_MAP, move, unlock_all),
    Type.MATCH: (*_LOCKS, fit, fit, add_thing, move, swap),
    Type.PROPERTY: (*_LOCKS, open_or_shut, open_or_shut, lock, unlock, move, swap),
}
"""Which edits are drawn from for each type of question; what is named twice is likelier."""
