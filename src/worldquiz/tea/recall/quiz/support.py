"""What does a thing stand on? Settled by one view that shows both clearly.

Things whose place anybody guesses are not asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.question import Type
from worldquiz.tea.recall.quiz.apartment import Apartment
from worldquiz.tea.recall.quiz.kinds import Found, Kind
from worldquiz.tea.recall.quiz.shown import glimpsed, together
from worldquiz.tea.recall.quiz.words import BELONGING


def _find(flat: Apartment) -> Iterator[Found]:
    things = flat.scene.thing
    bear = {things[each.support].label for each in flat.scene.things if each.support in things}
    for thing in flat.lone:
        if thing.support not in things or thing.label in BELONGING:
            continue
        right = things[thing.support].label
        wrong = bear - {thing.label}
        if len(wrong) < 2:
            continue
        yield Found(
            f"What does the {thing.label} stand, lie or lean on?",
            right,
            together(thing.id, thing.support),
            glimpsed(thing.id),
            (thing.id, thing.support),
            flat.choices(right, wrong, "support", thing.id),
        )


SUPPORT = Kind("support", Type.LOCATION, _find)
