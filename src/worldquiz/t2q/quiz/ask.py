"""A world's quiz: its facts turned into questions by fixed rules (section 2.3).

The rules are the same at every level. A small world is asked all that they give; of a large world's
questions `LIMIT` are drawn. Questions of all types stand in one order drawn by seed.
docs/reference/question-rules.md lists the rules and says what a reader of the sheet can gain.

Here stand the rules on passages: which rooms they join, and where a room lies from another. No
question names an exit, for an exit that one question names tells another where rooms lie. Those on
things are in `things`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

from worldquiz import rng
from worldquiz.facts.question import Question, Type, What, Where
from worldquiz.facts.requirement import Reachable, any_of
from worldquiz.t2q import wordings as forms
from worldquiz.t2q.quiz import things
from worldquiz.t2q.quiz.answerability import apart, chosen, passage
from worldquiz.t2q.quiz.things import CHOICES, Sheet
from worldquiz.t2q.world.spec import Task, WorldSpec

LIMIT = 96
"""How many questions a world is asked at most: the paper's hard worlds have 94.7 (Table 1)."""


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
    """Rooms of the questions on connectivity; no pair of rooms is named twice."""

    four: tuple[Pair, ...]  # which of the four second rooms is next to the first? four or none
    joined: list[_Swap]  # are these rooms joined?
    openly: list[str]  # which room is next to this one? of rooms that none of the above names

    @property
    def named(self) -> set[frozenset[str]]:
        """The pairs of rooms that a question names."""
        offered = {frozenset((one, other)) for one, _ in self.four for _, other in self.four}
        return offered.union(*(swap.pairs for swap in self.joined))


def _passages(spec: WorldSpec) -> _Passages:
    """Choose four passages, and swaps until half of the rooms stand in one; the rest is open.

    No room stands in both: from the side of the four that it is on, an answerer could tell whether
    the pairs of a swap are joined, for no passage joins one side to the other.
    """
    draw = rng.child(spec.seed, "quiz", "pairs")
    passages = [draw.choice(((p.room, p.other), (p.other, p.room))) for p in spec.passages]
    draw.shuffle(passages)
    found = _Passages(_four(spec, passages), [], [])
    taken, rooms = set[frozenset[str]](), set[str]()
    offered = {room for pair in found.four for room in pair}
    for swap in _swaps(spec, passages):
        room_left = swap.rooms <= rooms or 2 * len(rooms) < len(spec.rooms)
        if room_left and swap.rooms.isdisjoint(offered) and taken.isdisjoint(swap.pairs):
            found.joined.append(swap)
            taken |= swap.pairs
            rooms |= swap.rooms
    rooms |= offered
    found.openly.extend(room for room in spec.of_kind("room") if room not in rooms)
    return found


def _four(spec: WorldSpec, passages: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the first four passages whose eight rooms no other passage joins, end to end."""
    for four in combinations(passages, CHOICES):
        if len({room for pair in four for room in pair}) < 2 * CHOICES:
            continue
        for ends in product(*(((one, two), (two, one)) for one, two in four)):
            if sum(_next(spec, a, b) for a, _ in ends for _, b in ends) == CHOICES:
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
    for room, right in asked.four:
        known = passage(spec, room, _way(spec, room, right))
        others = (apart(spec, room, other) for other in rooms if other != right)
        sheet.which(right, rooms, forms.NEXT_WHICH, chosen(known, *others), room=room)
    for room in asked.openly:
        known = any_of(*(passage(spec, room, way) for way in spec.ways[room]))
        sheet.openly(Where, tuple(spec.ways[room].values()), forms.NEXT, known, room=room)
    for swap in asked.joined:
        for truth, pairs in ((True, swap.true), (False, swap.false)):
            for pair in pairs:
                room, other = sheet.shuffled(pair)  # whichever is named first
                way = _way(spec, room, other) if truth else ""
                known = passage(spec, room, way) if truth else apart(spec, room, other)
                sheet.yes_no(truth, forms.JOINED, known, room=room, other=other)


def ask_direction(sheet: Sheet) -> None:
    """Ask in which directions rooms lie from each other, of twice as many pairs as passages.

    It is always asked openly: directions that questions name add up, and tell of other questions.
    The first room is left out, for its exits are known from the start; pairs that other questions
    name come last.
    """
    spec = sheet.spec
    named = _passages(spec).named
    rooms = [room for room in spec.of_kind("room") if room != spec.start]
    pairs = sheet.shuffled(combinations(sheet.shuffled(rooms), 2))
    pairs.sort(key=lambda pair: frozenset(pair) in named)
    cells = {each.name: (each.x, each.y) for each in spec.rooms}
    for room, other in pairs[: 2 * len(spec.passages)]:
        (x0, y0), (x1, y1) = cells[room], cells[other]
        north_south = "north" if y1 > y0 else "south" if y1 < y0 else ""
        east_west = "east" if x1 > x0 else "west" if x1 < x0 else ""
        right = "-".join(part for part in (north_south, east_west) if part)
        sheet.openly(What, (right,), forms.LIES, Reachable(room, other), room=room, other=other)


_RULES = {
    Type.LOCATION: things.ask_location,
    Type.CONNECTIVITY: ask_connectivity,
    Type.DIRECTION: ask_direction,
    Type.MATCH: things.ask_match,
    Type.PROPERTY: things.ask_property,
}


def ask(spec: WorldSpec, tasks: Sequence[Task] = ()) -> tuple[Question, ...]:
    """Return the questions about a world's initial state; equal worlds, equal questions.

    Where the tasks are given, no question is asked whose answer their texts make likelier.
    """
    sheet = Sheet(spec, tasks)
    for type, rule in _RULES.items():
        sheet.turn(type)
        rule(sheet)
    order = rng.child(spec.seed, "quiz", "order")
    drawn = order.sample(sheet.questions, min(LIMIT, len(sheet.questions)))
    return tuple(replace(each, id=f"{each.type}-{n:03}") for n, each in enumerate(drawn, start=1))
