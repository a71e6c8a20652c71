"""Connectivity: whether a passage joins two rooms, and which rooms are neighbours.

Questions come in fours: true for A to B and for C to D, false for A to D and for C to B. So the
number of questions that name a room gives nothing away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, permutations

from worldquiz.facts.requirement import All, AnyOf, Requirement, Seen, any_of
from worldquiz.t2q.compass import DIRECTIONS, OPPOSITE
from worldquiz.t2q.question import MIX, Question
from worldquiz.t2q.quiz.family import CHOICES, Draft, Family, Group, Wording
from worldquiz.t2q.quiz.sheet import FEW, Guess, Sheet
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import WorldSpec


def rule(draft: Draft) -> Iterator[Group]:
    """Ask whether rooms are joined, four pairs at a time, and in between for rooms' neighbours.

    A world that is too small for groups of four gets questions about all pairs, one by one.
    """
    spec = draft.spec
    rooms, pairs = draft.shuffled(spec.ways), draft.shuffled(combinations(sorted(spec.ways), 2))
    asked, neighbours = set[str](), ([_neighbour(draft, room)] for room in rooms)
    for swap in swaps(draft, [p for p in pairs if joined(spec, *p) and spec.start not in p]):
        if asked.isdisjoint(chain(*swap)):
            asked.update(chain(*swap))
            yield [_joined(draft, *draft.shuffled(pair)) for pair in swap]
            yield from islice(neighbours, CHOICES)
    yield from neighbours
    if len(spec.rooms) <= FEW:
        yield from ([_joined(draft, *pair)] for pair in pairs)


def joined(spec: WorldSpec, room: str, other: str) -> bool:
    """Return whether a passage joins two rooms."""
    return other in spec.ways[room].values()


def swaps(draft: Draft, passages: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield four pairs of four rooms at a time; the first two pairs are joined, the others not.

    Callers use each room once at most, and leave out the first room, whose exits are shown. Worlds
    of five rooms or fewer get no groups, since the pairs left out would give something away. The
    exchange of rooms is drawn by seed, since alphabetical order would show which pairs are joined.
    """
    spec = draft.spec
    if len(spec.rooms) <= FEW:
        return
    for (a, b), pair in combinations(passages, 2):
        for c, d in draft.shuffled((pair, pair[::-1])):
            if len({a, b, c, d}) == 4 and not joined(spec, a, d) and not joined(spec, c, b):
                yield (a, b), (c, d), (a, d), (c, b)


def _joined(draft: Draft, room: str, other: str) -> Question:
    spec = draft.spec
    way = next((way for way, there in spec.ways[room].items() if there == other), None)
    known = passage(spec, room, way) if way else apart(spec, room, other)
    return draft.ask("yes_no", JOINED, bool(way), requires=known, room=room, other=other)


def _neighbour(draft: Draft, room: str) -> Question:
    ways = draft.spec.ways[room]
    known = any_of(*(passage(draft.spec, room, way) for way in ways))
    return draft.ask("where", NEIGHBOUR, tuple(ways.values()), requires=known, room=room)


def passage(spec: WorldSpec, room: str, way: str) -> Requirement:
    """Return the evidence required to know where an exit leads.

    Its passage was walked in either direction (law 2), or its door was seen in both rooms (law 3).
    """
    other, back = spec.ways[room][way], OPPOSITE[way]
    door = spec.doors.get((room, way))
    if door is None:
        return walked(room, way, other)
    both_ends = All((Seen(f.DOOR_AT(door, room, way)), Seen(f.DOOR_AT(door, other, back))))
    return any_of(walked(room, way, other), both_ends)


def walked(room: str, way: str, other: str) -> Requirement:
    """Return the requirement that a passage was walked, in either direction (law 2)."""
    return any_of(Seen(f.LEADS(room, way, other)), Seen(f.LEADS(other, OPPOSITE[way], room)))


def barred(spec: WorldSpec, room: str, way: str, other: str) -> Requirement:
    """Return the evidence required to know that an exit does not lead straight to another room.

    One of these suffices: there is no such exit, or it leads elsewhere; the other room has no exit
    back, or it leads elsewhere (law 2); the two exits do not have the same door (law 3).
    """
    back = OPPOSITE[way]
    ways = [*_elsewhere(spec, room, way), *_elsewhere(spec, other, back)]
    both = way in spec.ways[room] and back in spec.ways[other]
    if both and spec.doors.get((room, way)) != spec.doors.get((other, back)):
        ways.append(All((Seen(f.EXIT(room, way)), Seen(f.EXIT(other, back)))))
    return AnyOf(tuple(ways))


def _elsewhere(spec: WorldSpec, room: str, way: str) -> tuple[Requirement, ...]:
    if way in spec.ways[room]:
        return (passage(spec, room, way),)
    return (Seen(f.NO_EXIT(room, way)),)


def apart(spec: WorldSpec, room: str, other: str) -> Requirement:
    """Return the evidence required to know that no passage joins two rooms in any direction."""
    return All(tuple(barred(spec, room, way, other) for way in DIRECTIONS))


def _read_neighbour(graph: Graph, room: str) -> str | None:
    """Return the neighbour that was learned first, so that later turns never change the answer.

    Walked passages come first; rooms behind doors are learned later, unless turns are missing.
    """
    ways = (*graph.ways.get(room, {}), *DIRECTIONS)  # walked ways first, in the order learned
    behind = (graph.behind(room, way) for way in ways)
    return next((other for other in behind if other is not None), None)


def _guess_joined(sheet: Sheet, room: str, other: str) -> float:
    return 0.5 if sheet.dealt else _likely(sheet, room, other)


def _likely(sheet: Sheet, room: str, other: str) -> float:
    """Return the probability that a passage joins two rooms, judging by the sheet."""
    rooms, ways = len(sheet.far), len(sheet.ways)
    if sheet.start in (room, other):
        near = min(0.85 * ways, len(sheet.paired) / 2)  # one of two joined rooms is near the start
        if {room, other} & sheet.paired.keys():
            return near / len(sheet.paired)
        return min(1.0, (ways - near) / max(1, rooms - len(sheet.paired)))
    turns = any(OPPOSITE[a] != b for a, b in permutations(sheet.ways, 2))
    ring = 0.8 if turns and ways < rooms < FEW else 0
    return min(1.0, (rooms - ways + ring) / max(1, rooms * (rooms - 1) / 2))


def _guess_neighbour(sheet: Sheet, room: str) -> Guess | None:
    others = [each for each in (*sheet.far, sheet.start) if each not in (room, "")]
    if not others:
        return None
    likely = {each: _likely(sheet, room, each) for each in others}
    likely |= dict.fromkeys(sheet.paired.get(room, ()), 0.5)
    if room == sheet.start:  # most things are to be dropped near it
        much = Counter(spot for spot, _ in sheet.dropped.values() if spot in sheet.paired)
        likely |= {each: min(1, likely[each] + 0.2 * (n - 1)) for each, n in much.items() if n > 1}
        likely |= {each: 0.95 if late else 0.9 for each, late in sheet.near.items()}
    elif room in sheet.near:
        likely[sheet.start] = 0.95 if sheet.near[room] else 0.9
    best = max(others, key=likely.__getitem__)
    return Guess(best, likely[best])


JOINED = Wording(
    "joined",
    "Does a passage, with or without a door, lead straight from the {room} to the {other}?",
    Graph.adjacent,
    _guess_joined,
)
NEIGHBOUR = Wording(
    "neighbour",
    "Name a room that a passage joins directly to the {room}, with or without a door between.",
    _read_neighbour,
    _guess_neighbour,
)
FAMILY = Family("connectivity", rule, (JOINED, NEIGHBOUR), share=MIX["connectivity"])
