"""A kind of task as a user of TEA writes it, where other processes find it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from worldquiz.tea.kinds import kinds as tasks_of
from worldquiz.tea.kinds.kinds import LABEL, OBJECT, OTHER, PICTURE, VIEW, labelled, shows
from worldquiz.tea.taskgraph import Choice

WHICH = ("first", "second")


def larger(moment: tasks_of.ViewMoment) -> Iterator[tasks_of.Found]:
    """Yield which of two things in a view takes more of the picture."""
    look = moment.ego
    alone = [(thing, seen) for thing, seen in look.clear if look.alone(thing)]
    for (thing, one), (other, two) in combinations(alone, 2):
        if not 0.5 < one.pixels / two.pixels < 2:
            bind = {OBJECT.name: thing.id, OTHER.name: other.id}
            given = {**labelled(thing), **labelled(other, OTHER)}
            answer = Choice(WHICH[one.pixels < two.pixels], WHICH)
            yield tasks_of.Found(look, bind, given, answer)


LARGER = tasks_of.TaskKind(
    tasks_of.task_type(
        "larger",
        {VIEW, OBJECT, OTHER},
        shows(OBJECT, OTHER),
        {(VIEW, PICTURE), (OBJECT, LABEL), (OTHER, LABEL)},
        {((OBJECT, OTHER), "larger")},
    ),
    "Which takes more of the picture: {object} or {other}? Answer with first or second.",
    larger,
)
