"""Premise: in which direction an exit lies; half of the questions wrongly suppose that it exists.

Knowing that there is no such exit is not the same as not knowing the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from worldquiz.t2q.compass import DIRECTIONS
from worldquiz.t2q.question import NO_EXIT, Question
from worldquiz.t2q.quiz.connectivity import joined, swaps
from worldquiz.t2q.quiz.family import INFER, Draft, Family, Group, Wording
from worldquiz.t2q.quiz.sheet import Guess
from worldquiz.t2q.reader.graph import Graph


def rule(draft: Draft) -> Iterator[Group]:
    """Ask about each door, in its rooms and in as many others, or about pairs of four rooms.

    A world gets questions of only one sort, since one sort would give away answers of the other.
    The first room is left out, since its exits are shown before the first command.
    """
    rooms = draft.shuffled(sorted(draft.spec.ways.keys() - {draft.spec.start}))
    doors = [_door(draft, door, rooms) for door in draft.shuffled(draft.spec.of_kind("door"))]
    one, other = draft.shuffled((doors, list(_rooms(draft, rooms))))
    yield from one or other


def _door(draft: Draft, door: str, rooms: Sequence[str]) -> Group:
    ways = dict(draft.spec.ends(door))
    ends = [room for room in rooms if room in ways]
    others = draft.shuffled(room for room in rooms if room not in ways)
    return [
        draft.ask("what", DOOR_WAY, ways.get(room, NO_EXIT), room=room, door=door)
        for room in (*ends, *others[: len(ends)])
    ]


def _rooms(draft: Draft, rooms: Sequence[str]) -> Iterator[Group]:
    pairs, asked = [p for p in combinations(rooms, 2) if joined(draft.spec, *p)], set[str]()
    for swap in swaps(draft, pairs):
        if asked.isdisjoint(chain(*swap)):
            asked.update(chain(*swap))
            yield [_way(draft, *draft.shuffled(pair)) for pair in swap]


def _way(draft: Draft, room: str, other: str) -> Question:
    ways = tuple(way for way, there in draft.spec.ways[room].items() if there == other)
    return draft.ask("what", ROOM_WAY, ways or NO_EXIT, room=room, other=other)


def _read_door(graph: Graph, room: str, door: str) -> str | None:
    exits, ends = graph.exits.get(room), graph.ends(door)
    if exits is None:
        return NO_EXIT if len(ends) == 2 else None
    return next((way for way in exits if exits[way] == door), NO_EXIT)


def _read_way(graph: Graph, room: str, other: str) -> str | None:
    way = next((way for way in DIRECTIONS if graph.behind(room, way) == other), None)
    return way or (NO_EXIT if graph.adjacent(room, other) is False else None)


DOOR_WAY = Wording(
    "door_way",
    "In which direction does one leave the {room} through the {door}? Answer north, east, south or "
    f'west, or "{NO_EXIT}" if no such door is there.',
    _read_door,
    lambda sheet, room, door: Guess(NO_EXIT, 0.5),
)
ROOM_WAY = Wording(
    "room_way",
    "In which direction does one leave the {room} to come straight to the {other}, with or without "
    f'a door between? Answer north, east, south or west, or "{NO_EXIT}" if nothing joins them.',
    _read_way,
    lambda sheet, room, other: Guess(NO_EXIT, 0.5),
)
FAMILY = Family("premise", rule, (DOOR_WAY, ROOM_WAY), preset=INFER, alone=True)
