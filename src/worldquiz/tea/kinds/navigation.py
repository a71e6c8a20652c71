"""Navigation: go to an object, by its label, from where a view was taken.

The object is the scene's only one of its label, and not within reach at the start. Of each moment a
few targets are drawn, so that a scene's many objects do not make navigation most of the tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import hypot

from worldquiz import rng
from worldquiz.tea.kinds.kinds import (
    AGENT,
    LABEL,
    OBJECT,
    PICTURE,
    VIEW,
    Found,
    TaskKind,
    ViewMoment,
    labelled,
    task_type,
)
from worldquiz.tea.taskgraph import Goal, TaskEdge
from worldquiz_scenes.geometry import bounds
from worldquiz_scenes.scene import Thing

WITHIN = 1.0
"""Metres from the agent's middle to the object's box, on the floor, that count as being there."""
AWAY = 1.5
"""Metres that the object must be away at the start."""
TARGETS = 8
"""Targets of one moment."""


def away(thing: Thing, x: float, y: float) -> float:
    """Return how far a point of the floor is from a thing's upright box, in metres."""
    (x0, y0, _), (x1, y1, _) = bounds(thing)
    return hypot(max(x0 - x, 0.0, x - x1), max(y0 - y, 0.0, y - y1))


def _find(moment: ViewMoment) -> Iterator[Found]:
    look = moment.ego
    x, y, _ = look.view.agent
    labels = Counter(thing.label for thing in look.scene.things)
    there = [
        thing
        for thing in look.scene.things
        if thing.has_label and labels[thing.label] == 1 and away(thing, x, y) > AWAY
    ]
    drawn = rng.child(0, "navigation", look.view.id).sample(there, min(TARGETS, len(there)))
    for thing in drawn:
        yield Found(
            look,
            {OBJECT.name: thing.id, AGENT.name: AGENT.name},
            labelled(thing),
            Goal(thing.id, WITHIN),
        )


NAVIGATION = TaskKind(
    task_type(
        "navigation",
        {VIEW, AGENT, OBJECT},
        {TaskEdge(AGENT.name, "has", VIEW.name)},
        {(VIEW, PICTURE), (OBJECT, LABEL)},
        set(),
        done=frozenset({TaskEdge(AGENT.name, "at", OBJECT.name)}),
    ),
    "Go to {object}.",
    _find,
)
