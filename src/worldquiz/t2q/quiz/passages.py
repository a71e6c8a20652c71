"""Passages: which rooms they join, and where a room lies from another.

No question names an exit, for an exit that one question names tells another where rooms lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from worldquiz import rng
from worldquiz.facts.requirement import Reachable, any_of
from worldquiz.t2q.quiz.answerability import apart, chosen, passage
from worldquiz.t2q.quiz.question_builder import CHOICES, Sheet
from worldquiz.t2q.world.spec import WorldSpec

NEXT = (
    "Name a room that a passage joins directly to the {room}.",
    "Which room is one passage away from the {room}? If there are several, name one.",
)
NEXT_WHICH = (
    "Which of these rooms does a passage join directly to the {room}?",
    "From the {room}, which of these rooms is one passage away?",
)
JOINED = (
    "Does a passage lead straight from the {room} to the {other}?",
    "Are the {room} and the {other} joined by a direct passage?",
)
JOINED_NOT = (
    "Is it true that no passage leads straight from the {room} to the {other}?",
    "Are the {room} and the {other} without a direct passage between them?",
)
_GRID = "Take every passage to be one step straight in its direction. "
LIES = (
    _GRID + "In which direction does the {other} lie from the {room}?",
    _GRID + "As seen from the {room}, where is the {other}?",
)
LIES_TO = (_GRID + "Does the {other} lie to the {compass} of the {room}?",)
LIES_NOT_TO = (_GRID + "Does the {other} lie in a direction other than {compass} from the {room}?",)
Pair = tuple[str, str]


class _Swap(NamedTuple):
    """Two pairs of rooms that are joined, and the same rooms paired so that neither pair is.

    Each of the four rooms stands in one true claim and in one false claim, so how often a room is
    named says nothing about which are true.
    """

    true: tuple[Pair, Pair]
    false: tuple[Pair, Pair]

    @property
    def rooms(self) -> set[str]:
        """The rooms that the claims name; passages that meet make no swap of four."""
        return {room for pair in self.true for room in pair}

    @property
    def pairs(self) -> set[frozenset[str]]:
        """The pairs of rooms that the claims name."""
        return set(map(frozenset, (*self.true, *self.false)))


class _Passages(NamedTuple):
    """What is asked of which rooms; no pair of rooms is named twice."""

    four: tuple[Pair, ...]  # which of the four second rooms is next to the first? four or none
    joined: list[_Swap]  # are these rooms joined?
    openly: list[str]  # which room is next to this one? of rooms that stand in none of the above

    @property
    def named(self) -> set[frozenset[str]]:
        """The pairs of rooms that a question names."""
        offered = {frozenset((one, other)) for one, _ in self.four for _, other in self.four}
        return offered.union(*(swap.pairs for swap in self.joined))


def _passages(spec: WorldSpec) -> _Passages:
    """Choose four passages, and swaps until half of the rooms stand in one; the rest is open."""
    draw = rng.child(spec.seed, "quiz", "pairs")
    passages = [draw.choice(((p.room, p.other), (p.other, p.room))) for p in spec.passages]
    draw.shuffle(passages)
    found = _Passages(_four(spec, passages), [], [])
    taken, rooms = found.named, set[str]()
    for swap in _swaps(spec, passages):
        room_left = swap.rooms <= rooms or 2 * len(rooms) < len(spec.rooms)
        if room_left and taken.isdisjoint(swap.pairs):
            found.joined.append(swap)
            taken |= swap.pairs
            rooms |= swap.rooms
    rooms.update(room for room, _ in found.four)
    found.openly.extend(room for room in spec.of_kind("room") if room not in rooms)
    return found


def _four(spec: WorldSpec, passages: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the first four passages whose eight rooms no other passage joins, end to end."""
    for four in combinations(passages, CHOICES):
        for ends in product(*(((one, two), (two, one)) for one, two in four)):
            joined = [(a, b) for a, _ in ends for _, b in ends if _next(spec, a, b)]
            if len({room for pair in ends for room in pair}) == 2 * CHOICES == 2 * len(joined):
                return ends
    return ()


def _swaps(spec: WorldSpec, passages: Sequence[Pair]) -> Iterator[_Swap]:
    """Yield the swaps of any two passages."""
    for (one, two), (a, b) in combinations(passages, 2):
        for three, four in ((a, b), (b, a)):
            swap = _Swap(((one, two), (four, three)), ((one, four), (two, three)))
            if len(swap.rooms) == 4 and not any(_next(spec, *pair) for pair in swap.false):
                yield swap


def _next(spec: WorldSpec, room: str, other: str) -> bool:
    return other in spec.ways[room].values()


def _way(spec: WorldSpec, room: str, other: str) -> str:
    return next(way for way, there in spec.ways[room].items() if there == other)


def ask_connectivity(sheet: Sheet) -> None:
    """Ask which room is next to a room, and of pairs of rooms whether a passage joins them.

    Half of the pairs are not joined.
    """
    spec = sheet.spec
    asked = _passages(spec)
    rooms = [other for _, other in asked.four]
    for room, other in asked.four:
        _which_next(sheet, room, other, rooms)
    for room in asked.openly:
        known = any_of(*(passage(spec, room, way) for way in spec.ways[room]))
        sheet.where(tuple(spec.ways[room].values()), NEXT, known, room=room)
    for swap in asked.joined:
        for room, other in swap.true:
            known = passage(spec, room, _way(spec, room, other))
            sheet.yes_no(True, JOINED, JOINED_NOT, known, room=room, other=other)
        for room, other in swap.false:
            sheet.yes_no(
                False, JOINED, JOINED_NOT, apart(spec, room, other), room=room, other=other
            )


def _which_next(sheet: Sheet, room: str, right: str, rooms: Sequence[str]) -> None:
    spec = sheet.spec
    known = passage(spec, room, _way(spec, room, right))
    others = (apart(spec, room, other) for other in rooms if other != right)
    sheet.which(right, rooms, NEXT_WHICH, chosen(known, *others), room=room)


def ask_direction(sheet: Sheet) -> None:
    """Ask in which directions rooms lie from each other, of twice as many pairs as passages.

    It is asked openly of pairs that other questions name, and of those that close a circle.
    """
    spec = sheet.spec
    named = _passages(spec).named
    pairs = sheet.shuffled(combinations(sheet.shuffled(spec.of_kind("room")), 2))
    tree = _tree(pair for pair in pairs if frozenset(pair) not in named)
    lie = {pair: _compass(spec, *pair) for pair in tree}
    for format, pair, compass in sheet.dealt(lie, "what"):
        _lies(sheet, pair, lie[pair], format, compass)
    others = [pair for pair in pairs if pair not in lie]
    for pair in others[: 2 * len(spec.passages) - len(lie)]:
        _lies(sheet, pair, _compass(spec, *pair), "what")


def _tree(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs that close no circle with those before them.

    Where one room lies from a second and this from a third tells where the first lies from the
    third.
    """
    tree: list[Pair] = []
    linked: dict[str, set[str]] = {}
    for one, other in pairs:
        here, there = linked.get(one, {one}), linked.get(other, {other})
        if one not in there:
            tree.append((one, other))
            linked.update(dict.fromkeys(here | there, here | there))
    return tree


def _lies(sheet: Sheet, pair: Pair, right: str, format: str, named: Sequence[str] = ()) -> None:
    """Ask in which direction one room lies from another."""
    room, other = pair
    settled, names = Reachable(room, other), {"room": room, "other": other}
    match format:
        case "yes" | "no":
            truth, names["compass"] = format == "yes", named[0]
            sheet.yes_no(truth, LIES_TO, LIES_NOT_TO, settled, **names)
        case "which":
            sheet.which(right, named, LIES, settled, **names)
        case _:
            sheet.what((right,), LIES, settled, **names)


def _compass(spec: WorldSpec, room: str, other: str) -> str:
    """Return where the other room lies as seen from a room, as one of eight directions."""
    cells = {each.name: (each.x, each.y) for each in spec.rooms}
    (x0, y0), (x1, y1) = cells[room], cells[other]
    north_south = "north" if y1 > y0 else "south" if y1 < y0 else ""
    east_west = "east" if x1 > x0 else "west" if x1 < x0 else ""
    return "-".join(part for part in (north_south, east_west) if part)
