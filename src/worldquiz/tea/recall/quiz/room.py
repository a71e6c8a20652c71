"""In which room is a thing? Settled by a clear view of it, once its room can be told.

Things whose room anybody guesses are not asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.question import Type
from worldquiz.facts.requirement import AnyOf, all_of
from worldquiz.tea.recall.quiz.apartment import Apartment
from worldquiz.tea.recall.quiz.kinds import Found, Kind
from worldquiz.tea.recall.quiz.shown import clear, glimpsed, recognised, surveyed
from worldquiz.tea.recall.quiz.words import AT_HOME


def _find(flat: Apartment) -> Iterator[Found]:
    if len(flat.kinds) < 2:
        return
    for thing in flat.lone:
        room = flat.scene.room[thing.room]
        if room.name not in flat.plain or thing.label in AT_HOME:
            continue
        others = [surveyed(each.name) for each in flat.scene.rooms if each.kind != room.kind]
        yield Found(
            f"In which room is the {thing.label}?",
            room.kind,
            all_of(clear(thing.id), recognised(room.name)),
            AnyOf((glimpsed(thing.id), all_of(*others))),
            (thing.id,),
            flat.choices(room.kind, flat.kinds, "room", thing.id),
        )


ROOM = Kind("room", Type.LOCATION, _find)
