"""Tiny text worlds, all of them: what could be true, and what playing shows of it.

This is a second definition of a world and of the six laws: a world is a map, the states of locks,
and a spot for each thing. The laws hold by construction. Each fact that the game reveals speaks of
one of these parts, so the worlds in which somebody could have seen the same are all combinations of
the parts in which he could.

Nobody in a world knows how much there is of it. So the worlds that are possible may hold more than
true ones do: a void, which is any number of rooms, a key, a lock, and a thing of each kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games import FREE
from worldquiz.facts.fact import Fact
from worldquiz.t2q import Game, Room, WorldSpec
from worldquiz.t2q.world import predicates as facts

ROOMS, VOID = ("attic", "barn", "cellar"), "void"
BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}
STEP = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
DOOR, BOX, TABLE, HIDDEN_LOCK = "gate", "box", "table", "vault"
LOCKS = (DOOR, BOX, HIDDEN_LOCK)
LATENT = {"key": "relic", "food": "crumb", "object": "speck", "container": "casket",
          "supporter": "plinth"}  # fmt: skip
"""Things that no true world holds, by kind."""
NOWHERE = "nowhere"

_Mask = NDArray[np.bool_]
End = tuple[str, str]  # a room and a direction
Map = Mapping[End, tuple[str, str | None]]  # end -> the room behind it, the door in it


class LockStates(NamedTuple):
    """What was open, closed or locked, and which keys fit; a key fits only what was locked."""

    state: Mapping[str, str]
    fits: Mapping[str, str]  # key -> lock


@dataclass(frozen=True)
class TinyWorld:
    """One world; what nobody has seen of it may be otherwise."""

    map: Map
    locks: LockStates
    spot: Mapping[str, str]
    kinds: Mapping[str, str]  # of things and holders

    def has(self, part: str) -> object:
        """Return a part: "map", "locks", or the spot of a thing."""
        return {"map": self.map, "locks": self.locks}.get(part) or self.spot[part]


# All worlds.


@cache
def maps() -> tuple[Map, ...]:
    """Return every map of the rooms and the void: passages lead back, and have a door or none."""
    joins = [
        tuple(zip(ones, others, strict=True))
        for size in range(len(ROOMS) + 2)
        for ones in combinations((*ROOMS, VOID), size)
        for others in permutations((*ROOMS, VOID), size)
        if all(one != other for one, other in zip(ones, others, strict=True))
    ]
    found = []
    for easts, norths in product(joins, joins):
        passages = [(one, "east", other) for one, other in easts]
        passages += [(one, "north", other) for one, other in norths]
        for hung in (None, *passages):
            ends: dict[End, tuple[str, str | None]] = {}
            for one, way, other in passages:
                door = DOOR if (one, way, other) == hung else None
                ends[one, way], ends[other, BACK[way]] = (other, door), (one, door)
            found.append(ends)
    return tuple(found)


@cache
def lock_states(keys: tuple[str, ...]) -> tuple[LockStates, ...]:
    """Return every state of the locks, and every way in which keys fit what is locked."""
    found = []
    for states in product(("open", "closed", "locked"), repeat=len(LOCKS)):
        state = dict(zip(LOCKS, states, strict=True))
        locked = [lock for lock in LOCKS if state[lock] == "locked"]
        for size in range(len(locked) + 1):
            for few in combinations((*keys, LATENT["key"]), size):
                found += [
                    LockStates(state, dict(zip(few, locks, strict=True)))
                    for locks in permutations(locked, size)
                ]
    return tuple(found)


def spots(kind: str) -> tuple[str, ...]:
    """Return where a thing of a kind can be: holders stand in rooms."""
    rooms = (*ROOMS, VOID)
    return rooms if kind in ("container", "supporter") else (*rooms, BOX, TABLE)


@cache
def true_maps() -> tuple[Map, ...]:
    """Return the maps of true worlds: on a grid, all rooms joined, the void not."""
    return tuple(
        each
        for each in maps()
        if not any(room == VOID for room, _ in each)
        and (cells := offsets(each, ROOMS[0]))
        and len(set(cells.values())) == len(ROOMS)
    )


def drawn(draw: random.Random) -> TinyWorld:
    """Return a world with one to four keys and as many other things."""
    count = draw.randint(1, 4)
    kinds = {BOX: "container", TABLE: "supporter"}
    kinds |= {f"key{n}": "key" for n in range(count)}
    kinds |= {f"thing{n}": draw.choice(("food", "object")) for n in range(count)}
    keys = tuple(name for name, kind in kinds.items() if kind == "key")
    true_locks = [
        each
        for each in lock_states(keys)
        if each.state[HIDDEN_LOCK] == "open" and LATENT["key"] not in each.fits
        and all(lock in each.fits.values() for lock, how in each.state.items() if how == "locked")
    ]  # fmt: skip
    spot = {
        thing: draw.choice([s for s in spots(kind) if s != VOID]) for thing, kind in kinds.items()
    }
    return TinyWorld(draw.choice(true_maps()), draw.choice(true_locks), spot, kinds)


def spec(world: TinyWorld, seed: int) -> WorldSpec:
    """Return a world as the package knows it."""
    hung = any(door for _, door in world.map.values())
    kinds = {**dict.fromkeys(ROOMS, "room"), **world.kinds, **({DOOR: "door"} if hung else {})}
    found = {facts.PLAYER_AT(ROOMS[0])} | {facts.KIND(*each) for each in kinds.items()}
    for (room, way), (other, door) in world.map.items():
        found |= {facts.LEADS(room, way, other)}
        found |= {facts.DOOR_AT(door, room, way)} if door else set()
    found |= {placed(world, thing) for thing in world.kinds}
    locks = [lock for lock in LOCKS if lock in kinds]
    for lock in locks:
        state = world.locks.state[lock]
        found |= {(facts.OPEN if state == "open" else facts.SHUT)(lock)}
        found |= {(facts.LOCKED if state == "locked" else facts.UNLOCKED)(lock)}
    found |= {facts.MATCH(*pair) for pair in world.locks.fits.items() if pair[1] in locks}
    straight = offsets(world.map, ROOMS[0]) or {}
    cells = tuple(Room(room, x, y) for room, (x, y) in straight.items())
    return WorldSpec("tiny", "easy", seed, ROOMS[0], cells, tuple(sorted(found)))


def offsets(map: Map, start: str) -> dict[str, tuple[int, int]] | None:
    """Return where rooms lie from one of them, None where passages are not straight.

    The void is any number of rooms: what lies behind it, lies anywhere.
    """
    found, queue = {start: (0, 0)}, [start]
    for room in queue:
        for way, (east, north) in STEP.items():
            other = map.get((room, way), (VOID,))[0]
            cell = found[room][0] + east, found[room][1] + north
            if other != VOID and found.setdefault(other, cell) != cell:
                return None
            queue += [other] if other not in (VOID, *queue) else []
    return found


# What playing shows.


def placed(world: TinyWorld, thing: str) -> Fact:
    spot = world.spot[thing]
    return {BOX: facts.IN, TABLE: facts.ON}.get(spot, facts.AT)(thing, spot)


def plays(spec: WorldSpec, draw: random.Random, turns: int) -> set[Fact]:
    """Play by chance; return what was shown of the start. Half of the commands are steps."""
    game = Game(spec)
    found = set(game.reset(FREE).revealed)
    for _ in range(turns):
        walks = [each for each in game.admissible if each.startswith("go ")]
        others = [e for e in game.admissible if e.split()[0] in ("open", "unlock", "take")]
        some = walks if walks and (draw.random() < 0.5 or not others) else others
        found |= set(game.step(draw.choice(some)).revealed) if some else set()
    return found & spec.initial


def tells(world: TinyWorld, fact: Fact) -> Iterator[tuple[str, tuple[str, ...], Hashable]]:
    """Yield what a fact tells of the parts: part, question, answer.

    An exit is shown with its door, and a list of what is in a place with all that is not there.
    """
    match fact.predicate, fact.args:
        case ("exit" | "no_exit", (*end,)) | ("door_at", (_, *end)):
            yield _told(world, "map", "end", *end)
        case "leads", (room, way, _):
            yield _told(world, "map", "behind", room, way)
        case "listed", (spot,):
            yield from (_told(world, thing, "is at", spot) for thing in world.spot)
            yield from ((thing, ("is at", spot), False) for thing in LATENT.values())
            if spot in ROOMS:
                yield _told(world, "map", "doors", spot)
        case "at" | "in" | "on", (thing, spot):
            yield _told(world, thing, "is at", spot)
        case "open" | "shut", (lock,):
            yield _told(world, "locks", "open", lock)
        case "locked" | "unlocked", (lock,):
            yield _told(world, "locks", "locked", lock)
        case "match" | "no_match", (key, lock):
            yield _told(world, "locks", "fits", key, lock)


# What a part says, and which parts could be as they are seen.


def doors_in(map: Map, room: str) -> set[str]:
    return {door for (at, _), (_, door) in map.items() if at == room and door}


_SAYS: dict[str, Callable[..., Hashable]] = {
    "end": lambda map, room, way: map[room, way][1:] if (room, way) in map else None,
    "behind": lambda map, room, way: map.get((room, way), (None,))[0],
    "doors": lambda map, room: frozenset(doors_in(map, room)),
    "is at": lambda spot, asked: spot == asked,
    "open": lambda locks, lock: locks.state[lock] == "open",
    "locked": lambda locks, lock: locks.state[lock] == "locked",
    "fits": lambda locks, key, lock: locks.fits.get(key) == lock,
}


def _told(world: TinyWorld, part: str, *asked: str) -> tuple[str, tuple[str, ...], Hashable]:
    return part, asked, says(world.has(part), asked)


def says(part: object, asked: tuple[str, ...]) -> Hashable:
    return _SAYS[asked[0]](part, *asked[1:])


def universe(part: str, kinds: Mapping[str, str]) -> Sequence[object]:
    """Return all that a part could be."""
    if part == "map":
        return maps()
    if part == "locks":
        return lock_states(tuple(name for name, kind in kinds.items() if kind == "key"))
    if part in kinds:
        return spots(kinds[part])
    (kind,) = (kind for kind, name in LATENT.items() if name == part)
    return (NOWHERE, *spots(kind))


@cache
def _masks(part: str, keys: tuple[str, ...], asked: tuple[str, ...]) -> dict[Hashable, _Mask]:
    """Return which maps or states of the locks give each answer to a question."""
    said = [says(each, asked) for each in (maps() if part == "map" else lock_states(keys))]
    numbers = {answer: number for number, answer in enumerate(set(said))}
    column = np.array([numbers[answer] for answer in said])
    return {answer: column == number for answer, number in numbers.items()}


class Possible:
    """The worlds in which somebody could have seen the same as in the true one."""

    def __init__(self, world: TinyWorld, seen: Iterable[Fact]) -> None:
        self.kinds = world.kinds
        self._tells = {tell for fact in seen for tell in tells(world, fact)}
        self._found: dict[str, list[object]] = {}

    def parts(self, part: str, spot: str | None = None) -> Collection[object]:
        """Return all that a part can still be, or whether it can be or not be a spot."""
        if part not in self._found:
            self._found[part] = list(self._left(part))
        found = self._found[part]
        return found if spot is None else {each == spot for each in found}

    def _left(self, part: str) -> Iterator[object]:
        every = universe(part, self.kinds)
        tells = [(asked, said) for of, asked, said in self._tells if of == part]
        if part not in ("map", "locks"):
            yield from (e for e in every if all(says(e, asked) == said for asked, said in tells))
            return
        keys = tuple(name for name, kind in self.kinds.items() if kind == "key")
        left = np.ones(len(every), dtype=bool)
        for asked, said in tells:
            left &= _masks(part, keys, asked)[said]
        yield from (every[number] for number in np.flatnonzero(left).tolist())
