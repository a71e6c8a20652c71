"""Direction: in which of the eight directions one room lies from another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

from worldquiz.facts.requirement import Reachable
from worldquiz.t2q.compass import COMPASS, OPPOSITE
from worldquiz.t2q.question import MIX
from worldquiz.t2q.quiz.family import Draft, Family, Group, Wording
from worldquiz.t2q.quiz.sheet import Guess, Sheet
from worldquiz.t2q.reader.graph import Graph

UNEVEN = 0.414
"""Tangent of 22.5 degrees: below it, a diagonal is not the nearest of the eight directions."""


def rule(draft: Draft) -> Iterator[Group]:
    """Ask in which direction one room lies from another; pairs with the first room come last.

    A pair is asked about only if the direction is clear: exactly north, east, south or west, or
    nearer to a diagonal than to these.
    """
    start = draft.spec.start
    pairs = draft.shuffled(combinations(draft.shuffled(draft.spec.rooms), 2))
    pairs.sort(key=lambda pair: start in (pair[0].name, pair[1].name))
    for room, other in pairs:
        east, north = other.x - room.x, other.y - room.y
        near, far = sorted((abs(east), abs(north)))
        if near == 0 or near / far > UNEVEN:
            parts = ("", "north", "south")[_sign(north)], ("", "east", "west")[_sign(east)]
            way, known = "-".join(filter(None, parts)), Reachable(room.name, other.name)
            names = {"room": room.name, "other": other.name}
            yield [draft.ask("what", LIES, way, requires=known, **names)]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _read(graph: Graph, other: str, room: str) -> str | None:
    offset = graph.offset(room, other)
    if offset is None:
        return None
    east, north = offset
    parts = (
        "north" if north > 0 else "south" if north else "",
        "east" if east > 0 else "west" if east else "",
    )
    return "-".join(filter(None, parts))


def _guess(sheet: Sheet, other: str, room: str) -> Guess:
    """Return a guess from the exits of the first room."""
    rooms, ways = len(sheet.far), sheet.ways
    if sheet.start in (room, other) and ways:
        return Guess(ways[0] if room == sheet.start else OPPOSITE[ways[0]], 1 / rooms)
    turns = Counter(
        "-".join(way for way in ("north", "south", "east", "west") if way in (OPPOSITE[a], b))
        for a, b in permutations(ways, 2)
    )
    turns.update(dict.fromkeys(COMPASS, 0))
    if not +turns and ways:  # behind the one exit, as likely to this side as to that
        return Guess(COMPASS[(COMPASS.index(ways[0]) + 2) % 8], max(1 / 8, 0.7 / rooms))
    way = max(COMPASS, key=lambda way: (turns[way], "-" in way))
    return Guess(way, max(1 / 8, turns[way] / max(1, rooms * (rooms - 1))))


LIES = Wording(
    "lies",
    "Take every passage to be one step straight in its direction. In which of the eight "
    "directions (north, north-east, east and so on) does the {other} lie from the {room}?",
    _read,
    _guess,
)
FAMILY = Family("direction", rule, (LIES,), share=MIX["direction"])
