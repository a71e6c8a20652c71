"""Passages: which rooms they join, which way to leave, and where a room lies from another.

A visible exit proves only an exit; walking tells where it leads.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, islice, permutations
from typing import NamedTuple

from worldquiz import rng
from worldquiz.facts.fact import OPPOSITE
from worldquiz.facts.requirement import Reachable
from worldquiz.t2q.quiz.answerability import apart, barred, chosen, passage
from worldquiz.t2q.quiz.question_builder import CHOICES, Sheet
from worldquiz.t2q.world.spec import Passage, WorldSpec

ANEW = 20
"""How many pairs are drawn for each that is wanted."""

JOINED = (
    "Does a passage lead straight from the {room} to the {other}?",
    "Are the {room} and the {other} joined by a direct passage?",
)
JOINED_NOT = (
    "Is it true that no passage leads straight from the {room} to the {other}?",
    "Are the {room} and the {other} without a direct passage between them?",
)
BEHIND = (
    "Which room do you enter when you leave the {room} to the {way}?",
    "Where does the {way} exit of the {room} lead?",
)

BEHIND_WHICH = (
    "Which of these rooms do you enter when you leave the {room} to the {way}?",
    "To which of these rooms does the {way} exit of the {room} lead?",
)
LEADS_TO = (
    "Does the {way} exit of the {room} lead to the {other}?",
    "Do you come to the {other} when you go {way} from the {room}?",
)
LEADS_ELSEWHERE = (
    "Does the {way} exit of the {room} lead to a room other than the {other}?",
    "Do you come to a room other than the {other} when you go {way} from the {room}?",
)
_GRID = "Take every passage to be one step straight in its direction. "
LIES = (
    _GRID + "In which direction does the {other} lie from the {room}?",
    _GRID + "As seen from the {room}, where is the {other}?",
)
LIES_TO = (_GRID + "Does the {other} lie to the {compass} of the {room}?",)
LIES_NOT_TO = (_GRID + "Does the {other} lie in a direction other than {compass} from the {room}?",)


class _Pairs(NamedTuple):
    """What is asked of which passages; no pair of rooms stands twice."""

    behind: list[Passage]  # where does this exit lead? one of each room
    four: list[Passage]  # those of them that are asked among the rooms they lead to, four or none
    joined: list[Passage]  # does a passage join these rooms?
    not_joined: list[tuple[str, str]]
    leads: list[Passage]  # does this exit lead there?
    leads_not: list[tuple[str, str]]


def _pairs(spec: WorldSpec) -> _Pairs:
    """Choose an exit of each room, and as many pairs of rooms that no passage joins as joined ones.

    Questions about exits thus name each room once, whatever its number of exits.
    """
    draw = rng.child(spec.seed, "quiz", "pairs")
    exits = [draw.choice(_exits(spec, room)) for room in spec.of_kind("room")]
    draw.shuffle(exits)
    four = _four(exits) if len(exits) >= 2 * CHOICES else []
    named = {frozenset((one.room, other.other)) for one in four for other in four}
    passages = [draw.choice(_both_ends(each)) for each in spec.passages]
    draw.shuffle(passages)
    joined = [each for each in passages if frozenset((each.room, each.other)) not in named]
    apart = _apart(spec, len(joined), named, draw)
    joined = joined[: len(apart)]
    return _Pairs(exits, four, joined[::2], apart[::2], joined[1::2], apart[1::2])


def _exits(spec: WorldSpec, room: str) -> list[Passage]:
    return [
        Passage(room, way, other, spec.doors.get((room, way)))
        for way, other in spec.ways[room].items()
    ]


def _four(passages: Sequence[Passage]) -> list[Passage]:
    """Return the first four passages that lead to four rooms other than those they leave."""
    for four in combinations(passages, CHOICES):
        rooms = {each.room for each in four}
        others = {each.other for each in four}
        if len(others) == CHOICES and rooms.isdisjoint(others):
            return list(four)
    return []


def _both_ends(passage: Passage) -> tuple[Passage, Passage]:
    room, way, other, door = passage
    return passage, Passage(other, OPPOSITE[way], room, door)


def _apart(
    spec: WorldSpec, count: int, named: set[frozenset[str]], draw: random.Random
) -> list[tuple[str, str]]:
    """Return pairs of rooms that no passage joins, the ends of passages paired anew.

    So a room with many passages stands in as many false pairs as in true ones. Where that gives too
    few, any pairs make up the number; none that is named elsewhere.
    """
    ends = [room for room, ways in spec.ways.items() for _ in ways]
    anew = [draw.sample(ends, 2) for _ in range(ANEW * count)]
    rest = list(combinations(spec.of_kind("room"), 2))
    draw.shuffle(rest)
    found: dict[frozenset[str], tuple[str, str]] = {}
    for room, other in (*anew, *rest):
        pair = frozenset((room, other))
        apart = room != other and other not in spec.ways[room].values()
        if apart and pair not in named and len(found) < count:
            found.setdefault(pair, (room, other))
    return list(found.values())


def ask_connectivity(sheet: Sheet) -> None:
    """Ask where an exit of each room leads, and of pairs of rooms whether a passage joins them.

    Half of the pairs are not joined.
    """
    spec = sheet.spec
    pairs = _pairs(spec)
    rooms = [each.other for each in pairs.four]
    for each in pairs.behind:
        _behind(sheet, each.room, each.direction, rooms if each in pairs.four else ())
    for room, way, other, _ in pairs.joined:
        sheet.yes_no(True, JOINED, JOINED_NOT, passage(spec, room, way), room=room, other=other)
    for room, other in pairs.not_joined:
        sheet.yes_no(False, JOINED, JOINED_NOT, apart(spec, room, other), room=room, other=other)


def _behind(sheet: Sheet, room: str, way: str, among: Sequence[str] = ()) -> None:
    """Ask where an exit leads, openly or among four rooms."""
    spec = sheet.spec
    other, settled = spec.ways[room][way], passage(spec, room, way)
    if among:
        settled = chosen(
            settled, *(barred(spec, room, way, each) for each in among if each != other)
        )
        sheet.which(other, among, BEHIND_WHICH, settled, room=room, way=way)
    else:
        sheet.where((other,), BEHIND, settled, room=room, way=way)


def ask_direction(sheet: Sheet) -> None:
    """Ask whether exits lead to rooms, and in which directions rooms lie from each other."""
    spec = sheet.spec
    pairs = _pairs(spec)
    for room, way, other, _ in pairs.leads:
        _leads(sheet, True, room, way, other)
    for room, other in pairs.leads_not:
        _leads(sheet, False, room, _likely_exit(sheet, room, other), other)
    rooms = {pair: _compass(spec, *pair) for pair in permutations(spec.of_kind("room"), 2)}
    for format, pair, named in islice(sheet.dealt(rooms, "what"), len(spec.passages)):
        _lies(sheet, *pair, rooms[pair], format, named)


def _lies(sheet: Sheet, room: str, far: str, right: str, format: str, named: Sequence[str]) -> None:
    """Ask in which direction one room lies from another."""
    settled, names = Reachable(room, far), {"room": room, "other": far}
    match format:
        case "yes" | "no":
            truth, names["compass"] = format == "yes", named[0]
            sheet.yes_no(truth, LIES_TO, LIES_NOT_TO, settled, **names)
        case "which":
            sheet.which(right, named, LIES, settled, **names)
        case _:
            sheet.what((right,), LIES, settled, **names)


def _likely_exit(sheet: Sheet, room: str, other: str) -> str:
    """Return an exit of a room that could lead to the other one: which has an exit back."""
    ways = sheet.shuffled(sheet.spec.ways[room])
    back = [way for way in ways if OPPOSITE[way] in sheet.spec.ways[other]]
    return (back or ways)[0]


def _leads(sheet: Sheet, truth: bool, room: str, way: str, other: str) -> None:
    spec = sheet.spec
    settled = passage(spec, room, way) if truth else barred(spec, room, way, other)
    sheet.yes_no(truth, LEADS_TO, LEADS_ELSEWHERE, settled, room=room, way=way, other=other)


def _compass(spec: WorldSpec, room: str, other: str) -> str:
    """Return where the other room lies as seen from a room, as one of eight directions."""
    cells = {each.name: (each.x, each.y) for each in spec.rooms}
    (x0, y0), (x1, y1) = cells[room], cells[other]
    north_south = "north" if y1 > y0 else "south" if y1 < y0 else ""
    east_west = "east" if x1 > x0 else "west" if x1 < x0 else ""
    return "-".join(part for part in (north_south, east_west) if part)
