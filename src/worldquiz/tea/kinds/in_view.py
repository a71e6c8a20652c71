"""In-view check: a camera that watches shows a person; can that person see an object?

The picture is the watching camera's. The answer comes from the person's own camera at the same
time, and is asked only where a reader who thinks of a person's eyes comes to the same one. A
person's field is wider than a camera's, so between the two nothing is asked:

    yes   that camera shows the object clearly, its middle at most `AHEAD` degrees off its axis
    no    it shows nothing of it, not even in a mirror, and either the whole object is farther than
          `FIELD` degrees from where the person looks, or all of it lies within that camera's
          picture, so that something hides it

Mirrors at a person's side may show what their camera does not, so where there is one, nobody is
asked what the person does not see. An object whose label the person may also see elsewhere is not
asked about. Yes and no are asked equally often of each picture, so that no guess is better than
another.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import acos, cos, degrees, hypot, radians, sin, tan

from worldquiz import rng
from worldquiz.tea.kinds.kinds import (
    AGENT,
    LABEL,
    OBJECT,
    PICTURE,
    VIEW,
    Found,
    Look,
    TaskKind,
    ViewMoment,
    labelled,
    shows,
    task_type,
)
from worldquiz.tea.kinds.perception import lone
from worldquiz.tea.taskgraph import Word
from worldquiz_scenes.geometry import corners, dot, in_frame, rotated
from worldquiz_scenes.scene import Thing, Vec
from worldquiz_scenes.view import BODY, Show, shown

AHEAD = 30.0
"""Degrees from the camera's axis to an object's middle, at most, for a yes."""
FIELD = 100.0
"""Degrees from where a person looks beyond which nobody sees anything."""
YES, NO = "yes", "no"


def _find(moment: ViewMoment) -> Iterator[Found]:
    for look in moment.watching:
        if shown(look.view, BODY) is not Show.CLEAR:
            continue
        answers = [(thing, seen(moment.ego, thing)) for thing, _ in lone(look)]
        groups = {each: [thing for thing, told in answers if told == each] for each in (YES, NO)}
        size = min(map(len, groups.values()))
        for answer, things in groups.items():
            for thing in rng.child(0, "in-view", look.view.id, answer).sample(things, size):
                bind = {OBJECT.name: thing.id, AGENT.name: BODY}
                yield Found(look, bind, labelled(thing), Word(answer))


def seen(own: Look, thing: Thing) -> str | None:
    """Return whether the person whose view this is sees a thing, None where that is not plain."""
    twins = [each for each in own.scene.things if each.label == thing.label and each is not thing]
    if not all(_unseen(own, each) or _elsewhere(own, each) for each in twins):
        return None
    if shown(own.view, thing.id) is Show.CLEAR:
        axis, way = own.view.camera.forward, _way(own, thing.position)
        return YES if _angle(axis, way) <= AHEAD else None
    if not _unseen(own, thing) or any(_aside(own, mirror) for mirror in own.scene.mirrors):
        return None
    return NO


def _unseen(own: Look, thing: Thing) -> bool:
    """Tell whether a person surely sees nothing of a thing, but for mirrors at their side."""
    return _hidden(own, thing) and (_beyond(own, thing) or _framed(own, thing))


def _elsewhere(own: Look, thing: Thing) -> bool:
    """Tell whether a thing is in another room, and the person's camera shows nothing of it."""
    return _hidden(own, thing) and thing.room != own.view.room


def _aside(own: Look, mirror: Thing) -> bool:
    """Tell whether a person may look into a mirror that is not wholly in their camera's picture."""
    facing = dot(_way(own, mirror.position), rotated(mirror.rotation, (0.0, 1.0, 0.0))) > 0
    near = mirror.room == own.view.room or mirror.id in own.view.seen
    return facing and near and not _beyond(own, mirror) and not _framed(own, mirror)


def _hidden(own: Look, thing: Thing) -> bool:
    """Tell whether a view shows nothing of a thing, not in a mirror either."""
    mirrored = any(each.thing == thing.id for each in own.view.reflections)
    return shown(own.view, thing.id) is Show.HIDDEN and not mirrored


def _beyond(own: Look, thing: Thing) -> bool:
    """Tell whether all of a thing is outside of a person's field."""
    heading = own.view.agent[2]
    ahead = (cos(heading), sin(heading), 0.0)
    return all(_angle(ahead, _way(own, corner)) > FIELD for corner in corners(thing))


def _framed(own: Look, thing: Thing) -> bool:
    """Tell whether all of a thing lies within the picture of the person's camera."""
    camera = own.view.camera
    high = tan(radians(camera.fovy) / 2)
    wide = high * camera.width / camera.height
    points = (in_frame(camera, corner) for corner in corners(thing))
    return all(z > 0 and abs(x) < wide * z and abs(y) < high * z for x, y, z in points)


def _way(own: Look, point: Vec) -> Vec:
    """Return the way from a person's eyes to a point."""
    at = own.view.camera.at
    return (point[0] - at[0], point[1] - at[1], point[2] - at[2])


def _angle(one: Vec, two: Vec) -> float:
    """Return the angle between two directions, in degrees; the first is a unit vector."""
    return degrees(acos(max(-1.0, min(1.0, dot(one, two) / max(hypot(*two), 1e-9)))))


IN_VIEW = TaskKind(
    task_type(
        "in-view",
        {VIEW, AGENT, OBJECT},
        shows(AGENT, OBJECT),
        {(VIEW, PICTURE), (OBJECT, LABEL)},
        {((AGENT, OBJECT), "sees")},
    ),
    "The picture shows a person in teal with a black visor. Can this person see {object} from "
    "where they stand, looking ahead? Answer with yes or no.",
    _find,
)
