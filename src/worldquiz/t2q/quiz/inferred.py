"""Inference from a map: the fewest moves, ways around a door, and locks that must be opened.

An inferred question is answerable once its answer is the same in every world that agrees with the
facts shown and with the laws. No law says how many rooms there are, or where they lie. So an exit
that nobody walked may lead to any room with a free exit on that side, or to unseen rooms; and a
place whose content was not fully listed may hold anything. Each search is made twice: in a world
with only the known facts, and in the most favourable world. If both agree, the answer is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache

from worldquiz.facts.fact import Fact
from worldquiz.t2q.compass import DIRECTIONS, OPPOSITE
from worldquiz.t2q.quiz.sheet import kind_of
from worldquiz.t2q.reader.graph import Graph, category
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import MOVABLE

FRESH = ""
"""Stands for any number of rooms that nobody has seen."""
Passes = Callable[[str | None], bool]
"""Returns whether one can pass an exit with this door, or without a door."""


@lru_cache(256)
def map_of(shown: frozenset[Fact]) -> Graph:
    """Return the map of the facts shown. A room's exits are in it if all four sides were shown."""
    graph, told = Graph(), sorted(shown)
    for room, way, other in f.LEADS.of(told):
        graph.walk(room, way, other)
    doors = {(room, way): door for door, room, way in f.DOOR_AT.of(told)}
    open_ends, ends = {*f.EXIT.of(told)}, {*f.EXIT.of(told), *f.NO_EXIT.of(told)}
    for room in sorted({room for room, _ in ends}):
        if all((room, way) in ends for way in DIRECTIONS):
            ways = (way for way in DIRECTIONS if (room, way) in open_ends)
            graph.exits[room] = {way: doors.get((room, way)) for way in ways}
    graph.place = {fact.args[0]: fact.args[1] for fact in told if fact.predicate in f.PLACE}
    for (spot,) in f.LISTED.of(told):
        there = (thing for thing, place in graph.place.items() if place == spot)
        graph.contents[spot] = frozenset(there)
    for known, predicate, value in (
        (graph.lids, f.OPEN, True), (graph.lids, f.SHUT, False),
        (graph.locks, f.LOCKED, True), (graph.locks, f.UNLOCKED, False),
    ):  # fmt: skip
        known.update((thing, value) for (thing,) in predicate.of(told))
    graph.fits = {key: lock for key, lock in f.MATCH.of(told)}
    graph.unfit = {(key, lock) for key, lock in f.NO_MATCH.of(told)}
    return graph


# --- Ways ---------------------------------------------------------------------------------------


def fewest(
    graph: Graph, room: str, other: str, shut: str | None = None
) -> tuple[int | None, int | None]:
    """Return the least number of passages between two rooms: by known passages, and at best.

    No route uses the door `shut`. A number is None if there is no route. The second number also
    counts passages that may exist; above four it may be too low, since a long route may use one
    unknown exit twice.
    """
    rooms = {*graph.exits, *graph.ways, room, other, FRESH}

    def passes(door: str | None) -> bool:
        return door is None or door != shut

    return (
        walk(graph, room, passes, ()).get(other),
        walk(graph, room, passes, rooms).get(other),
    )


def walk(graph: Graph, start: str, passes: Passes, unknown: Collection[str]) -> Mapping[str, int]:
    """Return the fewest passages to each room; unwalked exits may lead to the `unknown` rooms."""
    far = {(start, ""): 0}  # by room, and the exit through which it was entered
    rooms = {start: 0}
    for at in (queue := [(start, "")]):
        for there in _next(graph, *at, passes, unknown):
            if there not in far:
                far[there] = far[at] + 1
                rooms.setdefault(there[0], far[there])
                queue.append(there)
    return rooms


def _next(
    graph: Graph, room: str, came: str, passes: Passes, unknown: Collection[str]
) -> Iterator[tuple[str, str]]:
    exits = graph.exits.get(room)
    for way in DIRECTIONS:
        back, there = OPPOSITE[way], graph.behind(room, way)
        if way == came or (exits is not None and not (way in exits and passes(exits[way]))):
            continue
        for other in unknown if there is None else (there,):
            if there or other == FRESH or _may_join(graph, room, way, other, passes):
                yield other, back


def _may_join(graph: Graph, room: str, way: str, other: str, passes: Passes) -> bool:
    """Return whether an exit whose destination is not known may lead to a room."""
    back, exits = OPPOSITE[way], graph.exits.get(other)
    free = graph.behind(other, back) is None and room != other
    seen = exits is None or (back in exits and passes(exits[back]))
    return free and seen and (room == FRESH or graph.leads(room, way, other) is not False)


# --- What has to be unlocked --------------------------------------------------------------------


def spared(graph: Graph, start: str, thing: str, lock: str) -> bool | None:
    """Return whether a thing can be had from `start` without unlocking `lock`, None if unknown."""
    if thing in _Hoard(graph, start, lock, {}, sure=True).things:
        return True
    return None if _may_be_had(graph, start, thing, lock, {}) else False


def _may_be_had(graph: Graph, start: str, thing: str, lock: str, fits: Mapping[str, str]) -> bool:
    """Return whether a thing may be had, trying each key that may fit each lock in the way."""
    hoard = _Hoard(graph, start, lock, fits, sure=False)
    if thing in hoard.things or (thing not in graph.place and hoard.more):
        return True
    return any(
        _may_be_had(graph, start, thing, lock, {**fits, shut: key})
        for shut in hoard.shut
        for key in hoard.things
        if category(key) == "key" and key not in fits.values() and graph.matches(key, shut) is None
    )


class _Hoard:
    """All things that can be taken, starting in a room; `fits` adds keys assumed to fit locks.

    If not `sure`, everything unknown is assumed to be as favourable as possible.
    """

    def __init__(
        self, graph: Graph, start: str, lock: str, fits: Mapping[str, str], *, sure: bool
    ) -> None:
        self.graph, self._lock, self._sure = graph, lock, sure
        self._keys = {**{shut: key for key, shut in graph.fits.items()}, **fits}
        self.things: set[str] = set()
        self.more = False  # a place that was not listed can be reached: anything may be there
        self.shut: set[str] = set()  # locks in the way that no known key opens
        loose = (  # holders and rooms known only from the things that lie there
            {*graph.place.values()} - graph.place.keys() - graph.exits.keys() - graph.ways.keys()
        )
        unknown = () if sure else {*graph.exits, *graph.ways, *loose, start, FRESH}
        before = None
        while before != (before := (len(self.things), self.more)):
            self.shut.clear()
            rooms = walk(graph, start, lambda door: door is None or self._opens(door), unknown)
            spots = {*rooms}
            spots |= {each for each, at in graph.place.items() if at in rooms and self._holds(each)}
            spots |= {each for each in loose if self.more and self._holds(each)}
            self.things |= {thing for thing, place in graph.place.items() if place in spots}
            self.more = not sure and not spots <= graph.contents.keys()

    def _opens(self, thing: str) -> bool:
        """Return whether a door or container can be opened; record it if no key is known."""
        locked = self.graph.locked(thing)
        if locked is False or (locked is None and not self._sure):
            return True
        if thing == self._lock:
            return False
        if key := self._keys.get(thing):
            return key in self.things
        self.shut.add(thing)
        return self.more

    def _holds(self, thing: str) -> bool:
        """Return whether things can be taken from a container or supporter."""
        lid = thing in self.graph.lids or thing in self.graph.locks
        if lid or thing in self.graph.contents:
            return self._opens(thing) if lid else True
        return not self._sure and kind_of(thing) not in MOVABLE
