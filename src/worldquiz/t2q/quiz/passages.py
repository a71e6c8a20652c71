"""Passages: which rooms they join, which way to leave, and where a room lies from another.

A visible exit proves only an exit; walking tells where it leads.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from worldquiz import rng
from worldquiz.facts.fact import OPPOSITE
from worldquiz.facts.requirement import Reachable
from worldquiz.t2q.quiz.answerability import apart, barred, chosen, passage
from worldquiz.t2q.quiz.question_builder import CHOICES, Sheet
from worldquiz.t2q.world.spec import Passage, WorldSpec

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


class _Claim(NamedTuple):
    """That an exit of a room leads to another room, or that a passage joins the two."""

    room: str
    way: str
    other: str


class _Swap(NamedTuple):
    """Two passages, and what is not so: the same rooms, joined with the far ends swapped.

    Each of the four rooms stands in one true claim and in one false claim, so how often a room is
    named says nothing about which are true.
    """

    true: tuple[_Claim, _Claim]
    false: tuple[_Claim, _Claim]
    parallel: (
        bool  # both passages go the same way, so the false claims name exits with an exit back
    )

    @property
    def pairs(self) -> frozenset[frozenset[str]]:
        """The pairs of rooms that the claims name."""
        return frozenset(frozenset((each.room, each.other)) for each in (*self.true, *self.false))


class _Pairs(NamedTuple):
    """What is asked of which passages; no pair of rooms is claimed twice."""

    behind: list[Passage]  # where does this exit lead? one of each room
    four: list[Passage]  # those of them that are asked among the rooms they lead to, four or none
    joined: list[_Swap]  # does a passage join these rooms?
    leads: list[_Swap]  # does this exit lead there?
    named: set[frozenset[str]]  # the pairs of rooms that these claim, or offer as choices


def _pairs(spec: WorldSpec) -> _Pairs:
    """Choose an exit of each room, and swaps: half of them for either sort of yes/no question.

    Questions about exits thus name each room once, whatever its number of exits. Swaps of parallel
    passages come first, and only these are asked about exits.
    """
    draw = rng.child(spec.seed, "quiz", "pairs")
    exits = [draw.choice(_exits(spec, room)) for room in spec.of_kind("room")]
    draw.shuffle(exits)
    four = _four(exits) if len(exits) >= 2 * CHOICES else []
    named = {frozenset((one.room, other.other)) for one in four for other in four}
    swaps = list(_swaps(spec, named, draw))
    leads = min(len(swaps) // 2, sum(swap.parallel for swap in swaps))
    return _Pairs(exits, four, swaps[leads:], swaps[:leads], named.union(*(s.pairs for s in swaps)))


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


def _swaps(spec: WorldSpec, named: set[frozenset[str]], draw: random.Random) -> Iterator[_Swap]:
    """Yield swaps that name no pair of rooms twice, and none of those named; parallel ones first.

    Which end of a passage is called its room is drawn by seed.
    """
    passages = [draw.choice(_both_ends(each)) for each in spec.passages]
    draw.shuffle(passages)
    turned = [(one, end) for one, two in combinations(passages, 2) for end in _both_ends(two)]
    taken = set(named)
    for swap in sorted((_swap(*pair) for pair in turned), key=lambda swap: not swap.parallel):
        false = all(claim.other not in spec.ways[claim.room].values() for claim in swap.false)
        rooms = {room for pair in swap.pairs for room in pair}
        if false and len(rooms) == 4 and taken.isdisjoint(swap.pairs):
            taken |= swap.pairs
            yield swap


def _swap(one: Passage, two: Passage) -> _Swap:
    """Return the claims about two passages; each is made from either of its rooms in turn."""
    ahead, back = one.direction, OPPOSITE[two.direction]
    true = (_Claim(one.room, ahead, one.other), _Claim(two.other, back, two.room))
    false = (_Claim(one.room, ahead, two.other), _Claim(one.other, OPPOSITE[ahead], two.room))
    return _Swap(true, false, one.direction == two.direction)


def _both_ends(passage: Passage) -> tuple[Passage, Passage]:
    room, way, other, door = passage
    return passage, Passage(other, OPPOSITE[way], room, door)


def ask_connectivity(sheet: Sheet) -> None:
    """Ask where an exit of each room leads, and of pairs of rooms whether a passage joins them.

    Half of the pairs are not joined.
    """
    spec = sheet.spec
    pairs = _pairs(spec)
    rooms = [each.other for each in pairs.four]
    for each in pairs.behind:
        _behind(sheet, each.room, each.direction, rooms if each in pairs.four else ())
    for swap in pairs.joined:
        for room, way, other in swap.true:
            sheet.yes_no(True, JOINED, JOINED_NOT, passage(spec, room, way), room=room, other=other)
        for room, _, other in swap.false:
            settled = apart(spec, room, other)
            sheet.yes_no(False, JOINED, JOINED_NOT, settled, room=room, other=other)


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
    for swap in pairs.leads:
        for claim in swap.true:
            _leads(sheet, True, *claim)
        for claim in swap.false:
            _leads(sheet, False, *claim)
    unnamed, named = _any_two(sheet, pairs.named)
    count = 2 * (len(spec.passages) - 2 * len(pairs.leads))
    lie = {pair: _compass(spec, *pair) for pair in unnamed[:count]}
    for format, pair, compass in sheet.dealt(lie, "what"):
        _lies(sheet, *pair, lie[pair], format, compass)
    for pair in named[: count - len(lie)]:
        _lies(sheet, *pair, _compass(spec, *pair), "what", ())


def _any_two(
    sheet: Sheet, named: set[frozenset[str]]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return each pair of rooms once, in an order drawn by seed: those not named, and those."""
    pairs = sheet.shuffled(combinations(sheet.shuffled(sheet.spec.of_kind("room")), 2))
    unnamed = [pair for pair in pairs if frozenset(pair) not in named]
    return unnamed, [pair for pair in pairs if frozenset(pair) in named]


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
