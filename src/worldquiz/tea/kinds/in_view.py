"""Object in-view check: a camera that watches shows the agent; can the agent see an object?

The picture is the watching camera's, the answer is the agent's own view at the same time. An object
counts as seen if that view shows it clearly, as not seen if neither it nor its mirrors show it;
in between nothing is asked. Yes and no are asked equally often of each picture, so that no guess is
better than another.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz import rng
from worldquiz.scenes.scene import Thing
from worldquiz.scenes.view import BODY
from worldquiz.tea.kinds.kinds import (
    AGENT,
    LABEL,
    OBJECT,
    PICTURE,
    SHOWS,
    VIEW,
    Found,
    Kind,
    key,
    task_type,
)
from worldquiz.tea.kinds.observations import Look, Moment, Show, shown
from worldquiz.tea.kinds.perception import lone
from worldquiz.tea.taskgraph import Edge, Word

YES, NO = "yes", "no"


def _find(moment: Moment) -> Iterator[Found]:
    for look in moment.watching:
        if shown(look.view, BODY) is Show.CLEAR:
            yield from _checked(look, moment.ego)


def _checked(look: Look, own: Look) -> Iterator[Found]:
    answers = [(thing, _seen(own, thing)) for thing, _ in lone(look)]
    groups = {each: [thing for thing, seen in answers if seen == each] for each in (YES, NO)}
    size = min(map(len, groups.values()))
    for answer, things in groups.items():
        for thing in rng.child(0, "in-view", look.view.id, answer).sample(things, size):
            given = {key(OBJECT, LABEL): Word(thing.label)}
            yield Found(look, {OBJECT.name: thing.id, AGENT.name: BODY}, given, Word(answer))


def _seen(own: Look, thing: Thing) -> str | None:
    show = shown(own.view, thing.id)
    if show is Show.CLEAR:
        return YES
    mirrored = any(each.thing == thing.id for each in own.view.reflections)
    return NO if show is Show.HIDDEN and not mirrored else None


IN_VIEW = Kind(
    task_type(
        "in-view",
        {VIEW, AGENT, OBJECT},
        {Edge(VIEW.name, SHOWS, AGENT.name), Edge(VIEW.name, SHOWS, OBJECT.name)},
        {(VIEW, PICTURE), (OBJECT, LABEL)},
        {((AGENT, OBJECT), "sees")},
    ),
    "The picture shows a person in teal with a black visor. Can this person see {object} from "
    "where they stand, looking ahead? Answer with yes or no.",
    _find,
)
