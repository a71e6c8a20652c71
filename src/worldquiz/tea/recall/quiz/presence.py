"""Which of two things is somewhere in the flat? The other is nowhere in it.

Settled by a clear view of the one. It is asked of pairs, since a walk soon shows that something is
there and hardly ever that it is not: for a plain yes or no, always yes would be right. No label is
named twice, so no question gives away another's answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.question import Type
from worldquiz.facts.requirement import AnyOf, all_of
from worldquiz.tea.recall.quiz.apartment import Apartment
from worldquiz.tea.recall.quiz.kinds import Found, Kind, place
from worldquiz.tea.recall.quiz.shown import clear, glanced, glimpsed
from worldquiz.tea.recall.quiz.words import HOUSEHOLD


def _find(flat: Apartment) -> Iterator[Found]:
    groups: dict[bool, list[str]] = {True: [], False: []}
    for label in HOUSEHOLD:
        groups[label in flat.by_label].append(label)
    there, absent = (
        flat.draw("presence", str(here)).sample(group, len(group)) for here, group in groups.items()
    )
    whole = all_of(*(glanced(room.name) for room in flat.scene.rooms))
    for label, other in zip(there, absent, strict=False):
        things = [thing.id for thing in flat.by_label[label]]
        first, second = sorted((label, other))
        yield Found(
            f"Which is somewhere in the flat: something that one would call "
            f'"{first}", or something that one would call "{second}"?',
            label,
            AnyOf(tuple(map(clear, things))),
            AnyOf((*map(glimpsed, things), whole)),
            (label, other),
            (first, second),
        )


PRESENCE = Kind("presence", Type.LOCATION, _find, own_sheet=True, spread=place)
