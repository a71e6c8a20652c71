"""Into which room does a doorway lead straight from another?

Settled by a view of the doorway, or by walking through it, once both rooms can be told. It is asked
with rooms that have no such doorway beside the right one: whether two rooms are joined, asked for a
plain yes or no, is mostly yes where a walk can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from worldquiz.facts.question import Type
from worldquiz.facts.requirement import all_of
from worldquiz.tea.recall.quiz.apartment import Apartment
from worldquiz.tea.recall.quiz.kinds import Found, Kind
from worldquiz.tea.recall.quiz.shown import joined, peeked, recognised


def _find(flat: Apartment) -> Iterator[Found]:
    for room, other in permutations(flat.rooms, 2):
        near = flat.neighbours(room.name)
        wrong = [each.kind for each in flat.rooms if each.name not in (room.name, *near)]
        if other.name not in near or len(wrong) < 2:
            continue
        told = (recognised(room.name), recognised(other.name))
        yield Found(
            f"Into which of these rooms does a doorway lead straight from the {room.kind}?",
            other.kind,
            all_of(joined(room.name, other.name), *told),
            peeked(room.name, other.name),
            (room.name, other.name),
            flat.choices(other.kind, wrong, "doorway", room.name, other.name),
        )


DOORWAY = Kind("doorway", Type.CONNECTIVITY, _find)
