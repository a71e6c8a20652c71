"""Twins: other worlds in which the same commands would have shown the same.

A twin keeps what was shown and differs in all else, as far as the laws let it: exits that nobody
walked lead elsewhere, things that nobody saw lie elsewhere, locks that nobody tried are otherwise.
`replayed` proves that it is one: the game of the twin gives the same texts to the same commands.
What holds in a full world is found here by plain loops that share nothing with the package.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from games import play
from tiny_worlds import BACK
from worldquiz.facts.episode import Episode, Observation
from worldquiz.facts.fact import Fact
from worldquiz.t2q import Game, Room, Task, WorldSpec
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.config import Budget


class End(NamedTuple):
    """One side of a passage."""

    room: str
    way: str


class Twin:
    """A world in the making: its passages, and all facts that are no passages."""

    def __init__(self, spec: WorldSpec, shown: Collection[Fact]) -> None:
        self.spec, self.shown = spec, frozenset(shown)
        self.doors = {End(room, way): door for door, room, way in f.DOOR_AT.of(self.shown)}
        self.ends = [End(*each) for each in sorted(f.EXIT.of(self.shown))]
        self.visited = {room for room, _ in (*self.ends, *f.NO_EXIT.of(self.shown))}
        self.new: list[str] = []
        self.ways: dict[End, End] = {}
        for room, way, other in f.LEADS.of(self.shown):
            self.join(End(room, way), End(other, BACK[way]))
        for end in self.ends:  # a door that was seen from both rooms
            door = self.doors.get(end)
            twins = [e for e in self.ends if door and self.doors.get(e) == door and e != end]
            if twins and end not in self.ways:
                self.join(end, twins[0])

    @property
    def loose(self) -> list[End]:
        """The exits of which nobody knows where they lead."""
        return [end for end in self.ends if end not in self.ways]

    @property
    def unseen(self) -> list[str]:
        """The rooms that were never entered."""
        return [room.name for room in self.spec.rooms if room.name not in self.visited]

    def room(self) -> str:
        """Return a room that is not in the true world."""
        self.new.append(f"cedar wing 77{len(self.new)} vault")
        return self.new[-1]

    def free(self, end: End) -> bool:
        """Tell whether a passage may end here."""
        known = end.room in self.visited
        return end not in self.ways and (end in self.ends if known else True)

    def fits(self, one: End, other: End) -> bool:
        """Tell whether a passage may join two ends, by its door as well."""
        ends = one.room != other.room and one.way == BACK[other.way]
        both = one.room in self.visited and other.room in self.visited
        doors = self.doors.get(one) is None and self.doors.get(other) is None
        return ends and self.free(one) and self.free(other) and (doors or not both)

    def join(self, one: End, other: End) -> None:
        self.ways[one], self.ways[other] = other, one
        door = self.doors.get(one) or self.doors.get(other)
        if door:
            self.doors[one] = self.doors[other] = door

    def closed(self) -> None:
        """Let each loose exit lead to a room of its own that leads nowhere else."""
        for end in self.loose:
            self.join(end, End(self.room(), BACK[end.way]))

    def opened(self) -> str:
        """Let all loose exits and all rooms that nobody entered be joined; return a room there."""
        spine = [self.room()]
        for end in (*self.loose, *(End(room, "") for room in self.unseen)):
            at = end.room
            if end.way:
                self.join(end, End(at := self.room(), BACK[end.way]))
            way = next(w for w in ("south", "north", "east") if self.free(End(at, w)))
            last = self.room()
            self.join(End(spine[-1], "east"), End(last, "west"))
            if way == "east":
                turn = self.room()
                self.join(End(at, "east"), End(turn, "west"))
                at, way = turn, "south"
            self.join(End(at, way), End(last, BACK[way]))
            spine.append(last)
        return spine[0]

    def drawn(self, draw: random.Random) -> str:
        """Join loose exits by chance, to each other, to rooms nobody entered and to new ones.

        Returns a room that is joined to nothing.
        """
        rooms = [*self.visited, *self.unseen, self.room(), self.room()]
        for end in draw.sample(self.loose, len(self.loose)):
            others = [End(room, BACK[end.way]) for room in rooms]
            others = [each for each in others if self.fits(end, each)]
            if end in self.loose and others:
                self.join(end, draw.choice(others))
        self.closed()
        return self.room()

    def keys(self, draw: random.Random) -> dict[str, str]:
        """Let keys that nobody turned fit what was locked and has no key, by chance."""
        known = {key: lock for key, lock in f.MATCH.of(self.shown)}
        placed = {fact.args[0] for fact in self.shown if fact.predicate in f.PLACE}
        loose = [key for key in self.spec.of_kind("key") if key in placed and key not in known]
        fits = dict[str, str]()
        for (lock,) in draw.sample(locked := sorted(f.LOCKED.of(self.shown)), len(locked)):
            may = [key for key in loose if f.NO_MATCH(key, lock) not in self.shown
                   and key not in fits]  # fmt: skip
            if may and lock not in known.values():
                fits[draw.choice(may)] = lock
        return fits

    def world(self, spot: str, *, kind: bool, fits: Mapping[str, str] | None = None) -> WorldSpec:
        """Return the twin: what nobody saw lies in a spot; unseen locks are `kind`, or locked.

        To a kind twin belong keys for all that is locked and has none, in that spot.
        """
        spec, shown = self.spec, self.shown
        facts = {f.PLAYER_AT(spec.start)} | {
            fact for fact in spec.facts if fact.predicate == "kind"
        }
        facts |= {f.KIND(room, "room") for room in self.new}
        facts |= {f.LEADS(*one, other.room) for one, other in self.ways.items()}
        facts |= {f.DOOR_AT(door, *end) for end, door in self.doors.items() if end in self.ways}
        nowhere, hung = self.room(), set(self.doors.values())
        unseen = [door for door in spec.of_kind("door") if door not in hung]
        facts |= {f.KIND(nowhere, "room"), *(f.DOOR_AT(door, nowhere, "north") for door in unseen)}
        placed = {fact.args[0]: fact for fact in shown if fact.predicate in f.PLACE}
        for thing in spec.place:
            holder = spec.kinds[thing] in ("container", "supporter")
            facts.add(placed.get(thing) or self._at(thing, nowhere if holder else spot))
        fits = {key: lock for key, lock in f.MATCH.of(shown)} | dict(fits or {})
        for number, thing in enumerate(spec.of_kind("door", "container")):
            shut = f.SHUT(thing) in shown or (f.OPEN(thing) not in shown and not kind)
            told = {f.LOCKED(thing), f.UNLOCKED(thing)} & shown
            locked = told == {f.LOCKED(thing)} or (not told and not kind and shut)
            facts.add((f.SHUT if shut else f.OPEN)(thing))
            facts.add((f.LOCKED if locked else f.UNLOCKED)(thing))
            if locked and kind and thing not in fits.values():
                key = f"jade latchkey 77{number}"
                facts |= {f.KIND(key, "key"), self._at(key, spot), f.MATCH(key, thing)}
        facts |= {f.MATCH(*pair) for pair in fits.items()}
        rooms = (*spec.rooms, *(Room(name, 99, n) for n, name in enumerate(self.new)))
        return replace(spec, rooms=rooms, facts=tuple(sorted(facts)))

    def _at(self, thing: str, spot: str) -> Fact:
        kinds = {**self.spec.kinds, **dict.fromkeys(self.new, "room")}
        return {"room": f.AT, "container": f.IN, "supporter": f.ON}[kinds[spot]](thing, spot)


class _Replay:
    """Gives the commands of an episode again."""

    def __init__(self, episodes: Iterable[Episode]) -> None:
        self._left = iter([[step.action for step in each.steps[1:]] for each in episodes])
        self._now: Iterator[str | None] = iter(())

    async def begin(self, observation: Observation) -> None:
        self._now = iter(next(self._left))

    async def act(self, observation: Observation) -> str | None:
        return next(self._now, None)

    async def end(self, observation: Observation) -> None:
        pass


def replayed(spec: WorldSpec, tasks: Sequence[Task], episodes: Sequence[Episode]) -> bool:
    """Tell whether the same commands show the same in another world."""
    agent, some = _Replay(episodes), tasks[: len(episodes)]
    again = play(Game(spec), agent, some, seed=0, name="replay", budget=Budget(10_000))
    return [each.transcript for each in again] == [each.transcript for each in episodes]


# --- What holds in a full world -----------------------------------------------------------------


def reached(spec: WorldSpec, start: str, shut: Collection[str] = ()) -> dict[str, int]:
    """Return how many passages lead to each room, none through these doors."""
    found, queue = {start: 0}, [start]
    for room in queue:
        for way, other in spec.ways.get(room, {}).items():
            if other not in found and spec.doors.get((room, way)) not in shut:
                found[other] = found[room] + 1
                queue.append(other)
    return found


def had(spec: WorldSpec, without: str) -> set[str]:
    """Return all that can be taken from the first room while one lock stays locked."""
    locked = {thing for (thing,) in f.LOCKED.of(spec.facts)}
    things = set[str]()
    while True:
        stuck = {t for t in locked if t == without or spec.key_of.get(t) not in things}
        spots = {*reached(spec, spec.start, stuck)}
        holders = {h for h in spec.of_kind("container", "supporter") if spec.room_of(h) in spots}
        spots |= holders - stuck
        now = {t for t, fact in spec.place.items() if fact.args[1] in spots}
        if now == things:
            return things
        things = now
