"""A kind of task as a user of TEA writes it, where other processes find it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from worldquiz.tea import (
    LABEL,
    OBJECT,
    OTHER,
    PICTURE,
    VIEW,
    Choice,
    Found,
    TaskKind,
    ViewMoment,
    labelled,
    shows,
    task_type,
)

WHICH = ("first", "second")


def larger(moment: ViewMoment) -> Iterator[Found]:
    """Yield which of two things in a view takes more of the picture."""
    look = moment.ego
    alone = [(thing, seen) for thing, seen in look.clear if look.alone(thing)]
    for (thing, one), (other, two) in combinations(alone, 2):
        if not 0.5 < one.pixels / two.pixels < 2:
            bind = {OBJECT.name: thing.id, OTHER.name: other.id}
            given = {**labelled(thing), **labelled(other, OTHER)}
            yield Found(look, bind, given, Choice(WHICH[one.pixels < two.pixels], WHICH))


LARGER = TaskKind(
    task_type(
        "larger",
        {VIEW, OBJECT, OTHER},
        shows(OBJECT, OTHER),
        {(VIEW, PICTURE), (OBJECT, LABEL), (OTHER, LABEL)},
        {((OBJECT, OTHER), "larger")},
    ),
    "Which takes more of the picture: {object} or {other}? Answer with first or second.",
    larger,
)
