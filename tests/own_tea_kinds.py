"""Kinds of task and of question as a user of TEA writes them, where other processes find them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from worldquiz.facts.question import Type
from worldquiz.facts.requirement import all_of
from worldquiz.tea.kinds import kinds as tasks_of
from worldquiz.tea.kinds.kinds import LABEL, OBJECT, OTHER, PICTURE, VIEW, labelled, shows
from worldquiz.tea.recall.quiz import kinds as questions_of
from worldquiz.tea.recall.quiz.kinds import Apartment
from worldquiz.tea.recall.quiz.shown import clear, glimpsed
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


def higher(flat: Apartment) -> Iterator[questions_of.FoundQuestion]:
    """Yield whether a thing is higher up than another."""
    for thing, other in permutations(flat.lone[:8], 2):
        height = thing.position[2] - other.position[2]
        if abs(height) > 0.5:
            yield questions_of.FoundQuestion(
                f"Is the {thing.label} higher up than the {other.label}?",
                height > 0,
                all_of(clear(thing.id), clear(other.id)),
                all_of(glimpsed(thing.id), glimpsed(other.id)),
                (thing.id, other.id),
            )


HIGHER = questions_of.QuestionKind("higher", Type.LOCATION, higher)
