"""Detour: whether one could still get from one room to another if a door could not be passed.

Questions come in fours, about two rooms on each side of a door. Each room is in one pair that the
door separates and in one that it does not, so the number of questions about it shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from worldquiz.t2q.quiz.family import INFER, Draft, Family, Group, Wording
from worldquiz.t2q.quiz.inferred import fewest, map_of, walk
from worldquiz.t2q.reader.graph import Graph


def rule(draft: Draft) -> Iterator[Group]:
    """Ask about each door that is the only way to two rooms or more, taking turns among doors."""
    doors = [list(_rings(draft, door)) for door in draft.shuffled(draft.spec.of_kind("door"))]
    for turn in zip_longest(*doors):
        yield from filter(None, turn)


def _rings(draft: Draft, door: str) -> Iterator[Group]:
    graph, ends = map_of(draft.spec.initial), draft.spec.ends(door)
    near = walk(graph, ends[0][0], lambda hung: hung != door, ()).keys()
    if ends[1][0] in near:
        return
    sides = [draft.shuffled(sorted(side)) for side in (near, draft.spec.ways.keys() - near)]
    for a, b, c, d in zip(*(side[n::2] for side in sides for n in (0, 1)), strict=False):
        pairs = ((a, b, True), (c, d, True), (a, c, False), (b, d, False))
        yield [
            draft.ask("yes_no", PASSABLE, answer, door=door, room=room, other=other)
            for *two, answer in pairs
            for room, other in [draft.shuffled(two)]
        ]


def _read(graph: Graph, door: str, room: str, other: str) -> bool | None:
    known, possible = fewest(graph, room, other, door)
    return True if known is not None else None if possible is not None else False


PASSABLE = Wording(
    "passable",
    "Suppose that nobody could pass the {door}, but everybody all other doors. Could one still get "
    "from the {room} to the {other}?",
    _read,
    lambda sheet, door, room, other: 0.5,
)
FAMILY = Family("detour", rule, (PASSABLE,), preset=INFER, alone=True)
