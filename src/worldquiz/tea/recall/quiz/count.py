"""How many things of a label does a room hold? Settled once nearly all of the room was seen.

Noughts are asked of labels that other rooms hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.question import Type
from worldquiz.facts.requirement import all_of
from worldquiz.tea.recall.quiz.apartment import Apartment
from worldquiz.tea.recall.quiz.kinds import Found, Kind
from worldquiz.tea.recall.quiz.shown import clear, glanced, recognised, surveyed

MOST = 4
NUMBERS = (*(str(number) for number in range(MOST)), f"{MOST} or more")


def _find(flat: Apartment) -> Iterator[Found]:
    for room in flat.rooms:
        for label, things in flat.by_label.items():
            here = [thing for thing in things if thing.room == room.name]
            if len(things) == 1 or any(thing.mirror for thing in things):
                continue
            known = (clear(thing.id) for thing in here)
            yield Found(
                f'How many things that one would call "{label}" does the {room.kind} hold?',
                NUMBERS[min(len(here), MOST)],
                all_of(surveyed(room.name), recognised(room.name), *known),
                glanced(room.name),
                (room.name, label),
                NUMBERS,
            )


def _few(found: Found) -> str:
    """Return the group that a question is drawn from.

    Noughts are what a walk settles first. They share a group with ones, or nought would be most of
    what can be answered.
    """
    return "1" if found.answer == "0" else str(found.answer)


COUNT = Kind("count", Type.LOCATION, _find, own_sheet=True, spread=_few)
