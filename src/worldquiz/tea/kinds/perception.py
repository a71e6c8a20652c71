"""Tasks of perception and navigation: an object's name, position, relations and visibility.

Things that are covered, cut off or too small are not asked about. Views of all cameras are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from itertools import permutations, zip_longest
from math import acos, asin, atan2, cos, degrees, hypot, sin

from worldquiz import rng
from worldquiz.tea.kinds.kinds import (
    AGENT,
    BOX2D,
    BOX3D,
    DEPTH,
    LABEL,
    OBJECT,
    OTHER,
    PICTURE,
    VIEW,
    Box2,
    Box3,
    Crop,
    Found,
    Given,
    Goal,
    Look,
    Metres,
    TaskEdge,
    TaskKind,
    Told,
    Truth,
    ViewMoment,
    Word,
    key,
    labelled,
    shows,
    task_type,
)
from worldquiz_scenes import sight
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.geometry import away, box3, corners, dot, framed, rotated, unframed, upright
from worldquiz_scenes.scene import Scene, Thing, Vec
from worldquiz_scenes.view import BODY, HIDDEN_SHARE, Box, Camera, Show, Sighting, shown

FILLS = 0.35
"""Least share of a box that its object must fill, so that the box denotes it alone."""
WHOLE = 0.8
"""Share of an object that must be seen, so that the middle of the seen part is the object's."""
GAP, PLAIN = 0.15, 2.0
"""Least gap in metres between two boxes for a direction; its least ratio to the next gap."""
EACH = 2
"""Pairs per view and relation; without a limit, most answers would be *left* and *right*."""
RELATIONS = (
    "on", "under", "left of", "right of", "above", "below", "in front of", "behind",
)  # fmt: skip
_AXES = (("left of", "right of"), ("above", "below"), ("in front of", "behind"))
EDGE = 10.0
"""Degrees from the sides of a picture within which people cannot judge what it shows."""
ASIDE = 0.3
"""Metres to the left and right of a person's eyes from which a thing must also be hidden, since a
reader of a picture may misjudge the person's position by this much."""
AHEAD = 30.0
"""Most degrees from the camera's axis to an object's middle for a yes."""
FIELD = 100.0
"""Degrees from a person's line of sight beyond which nothing can be seen."""
YES, NO = "yes", "no"
WITHIN, AWAY = 1.0, 1.5
"""Metres from the agent's middle to the object's box, on the floor: at the goal; at the start."""
TARGETS = 8
"""Navigation targets per moment."""
_SHOWN = {VIEW, OBJECT}, shows(OBJECT)
_LABELLED: set[Told] = {(VIEW, PICTURE), (OBJECT, LABEL)}


def boxed(look: Look) -> Iterator[tuple[Thing, Sighting]]:
    """Yield each thing in a view that a box drawn around it in the picture identifies."""
    for thing, sighting in look.clear:
        fills = sighting.pixels >= FILLS * _area(sighting.box)
        if fills and not any(_rivals(sighting, other) for other in look.view.sightings):
            yield thing, sighting


def _rivals(one: Sighting, other: Sighting) -> bool:
    """Return whether `other` could fill as much of the box of `one` as `one` itself does."""
    if other.pixels < one.pixels or other.thing == one.thing:
        return False
    (x0, y0, x1, y1), (u0, v0, u1, v1) = one.box, other.box
    common = (max(x0, u0), max(y0, v0), min(x1, u1), min(y1, v1))
    return min(_area(common), _area(one.box) - one.pixels) >= one.pixels


def _area(box: Box) -> int:
    x0, y0, x1, y1 = box
    return max(x1 - x0, 0) * max(y1 - y0, 0)


def lone(look: Look) -> Iterator[tuple[Thing, Sighting]]:
    """Yield the clear things whose label is unique in a view."""
    return ((thing, sighting) for thing, sighting in look.clear if look.alone(thing))


@partial(
    TaskKind,
    task_type("classification", *_SHOWN, {(OBJECT, PICTURE)}, {(OBJECT, LABEL)}),
    "What is {object}? Answer with its name.",
)
def classification(moment: ViewMoment) -> Iterator[Found]:
    """Yield tasks that ask for the label of a thing, given its picture cut out of a view."""
    for look in moment.looks:
        for thing, sighting in boxed(look):
            if thing.has_label:
                crop = Crop(look.view.id, sighting.box)
                yield _of(look, thing, {key(OBJECT, PICTURE): crop}, Word(thing.label))


@partial(
    TaskKind,
    task_type("depth", *_SHOWN, {(VIEW, PICTURE), (OBJECT, BOX2D)}, {(OBJECT, DEPTH)}),
    "How far ahead of the camera is {object}, in metres?",
)
def depth(moment: ViewMoment) -> Iterator[Found]:
    """Yield tasks that ask how far ahead a mostly visible thing is, given its box."""
    for look in moment.looks:
        for thing, sighting in boxed(look):
            if sighting.visible >= WHOLE:
                box, depth = Box2(sighting.box), Metres(round(sighting.depth, 3))
                yield _of(look, thing, {key(OBJECT, BOX2D): box}, depth)


@partial(
    TaskKind,
    task_type("localization", *_SHOWN, _LABELLED, {(OBJECT, BOX2D)}),
    "Where is {object}? Answer with its box [x0, y0, x1, y1] in pixels.",
)
def localization(moment: ViewMoment) -> Iterator[Found]:
    """Yield tasks that ask for a thing's box in a view, given a label that is unique there."""
    for look in moment.looks:
        for thing, sighting in lone(look):
            yield _of(look, thing, labelled(thing), Box2(sighting.box))


@partial(
    TaskKind,
    task_type("localization-3d", *_SHOWN, _LABELLED, {(OBJECT, BOX3D)}),
    "Where is {object} in space? Answer with the middle and the lengths of its box, in metres, "
    "along the camera's axes: right, down, ahead.",
)
def localization_3d(moment: ViewMoment) -> Iterator[Found]:
    """Yield tasks that ask for the 3D box of a whole thing, given a label unique in the view."""
    for look in moment.looks:
        for thing, sighting in lone(look):
            if sighting.visible >= WHOLE and not sighting.cut:
                (x, y, z), (wide, high, deep) = box3(look.view.camera, thing)
                centre = round(x, 3), round(y, 3), round(z, 3)
                size = round(wide, 3), round(high, 3), round(deep, 3)
                yield _of(look, thing, labelled(thing), Box3(centre, size))


def _of(look: Look, thing: Thing, given: Mapping[str, Given], truth: Truth) -> Found:
    return Found(look, {OBJECT.name: thing.id}, given, truth)


def relation(scene: Scene, camera: Camera, thing: Thing, other: Thing) -> str | None:
    """Return the relation of `thing` to `other` as a camera sees them, None if ambiguous."""
    if thing.support == other.id:
        return "on"
    if other.support == thing.id:
        return "under"
    if other.id in scene.under(thing.id) or thing.id in scene.under(other.id):
        return None
    said = _direction(camera, thing, other)
    return said if said == _direction(upright(camera), thing, other) else None


def _direction(camera: Camera, thing: Thing, other: Thing) -> str | None:
    """Return the direction in which `thing` lies from `other`, None if it is ambiguous."""
    middle, size = box3(camera, thing)
    middle2, size2 = box3(camera, other)
    ways = [one - two for one, two in zip(middle, middle2, strict=True)]
    reach = [(one + two) / 2 for one, two in zip(size, size2, strict=True)]
    gaps = [abs(way) - far for way, far in zip(ways, reach, strict=True)]
    order = sorted(range(3), key=lambda axis: (-gaps[axis], axis))
    widest, next_ = gaps[order[0]], gaps[order[1]]
    if widest < GAP or widest < PLAIN * next_:
        return None
    return _AXES[order[0]][ways[order[0]] > 0]


@partial(
    TaskKind,
    task_type(
        "relation",
        {VIEW, OBJECT, OTHER},
        shows(OBJECT, OTHER),
        {*_LABELLED, (OTHER, LABEL)},
        {((OBJECT, OTHER), "relation")},
    ),
    "As you see them, how does {object} stand to {other}? Answer with one of: "
    f"{', '.join(RELATIONS)}.",
)
def relations(moment: ViewMoment) -> Iterator[Found]:
    """Yield tasks that ask for the relation of two things, a few random pairs for each answer.

    *On* and *under* mean that one thing stands on the other. Otherwise the relation follows the
    camera's axis along which the two boxes are farthest apart, if this gap is far greater than the
    others. A camera that looks down sees a far thing above a near one of the same height. So the
    boxes are compared again along the axes of the same camera looking level, and the pair is asked
    only if both comparisons agree.
    """
    for look in moment.looks:
        found = []
        for (thing, _), (other, _) in permutations(lone(look), 2):
            answer = relation(look.scene, look.view.camera, thing, other)
            if answer is not None:
                bind = {OBJECT.name: thing.id, OTHER.name: other.id}
                given = {**labelled(thing), **labelled(other, OTHER)}
                found.append(Found(look, bind, given, Word(answer)))
        drawn: Counter[Truth] = Counter()
        for each in rng.child(0, "relations", look.view.id).sample(found, len(found)):
            drawn[each.truth] += 1
            if drawn[each.truth] <= EACH:
                yield each


@partial(
    TaskKind,
    task_type(
        "in-view",
        {VIEW, AGENT, OBJECT},
        shows(AGENT, OBJECT),
        _LABELLED,
        {((AGENT, OBJECT), "pictured")},
    ),
    "The picture shows a person in teal with a black visor, who looks where the pink arrow before "
    "their feet points. A camera at their eyes takes a picture of what is before them. Does that "
    "camera's picture show {object}? Answer with yes or no.",
)
def in_view(moment: ViewMoment) -> Iterator[Found]:
    """Yield tasks about things that a person's camera shows, and as many that it does not show.

    The task's picture shows the person and the object from another camera. The answer comes from
    the picture of the person's own camera at the same time:

        yes   it shows the object clearly, with its middle at least `EDGE` degrees from its border
        no    it shows no part of the object, even in mirrors. Either the object is *hidden*: its
              middle would be as far inside the border, but something is in front of it, also seen
              from `ASIDE` to the left and right. Or all of it is at least `EDGE` degrees outside
              the border: *beside* the picture, or *behind* the person

    Hidden things are used first, then things beside and behind in turn, as most are behind. An
    object is not asked about if the person's picture shows another object with the same label.
    """
    yield from _even(moment, pictured, "camera")


class Case(StrEnum):
    """Position of a thing relative to a person's camera."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    BESIDE = "beside"
    BEHIND = "behind"


def pictured(own: Look, thing: Thing) -> Case | None:
    """Return a thing's position relative to the person's camera (`in_view`), None if ambiguous."""
    twins = (each for each in own.scene.things if each.label == thing.label and each is not thing)
    if not all(_hidden(own, twin) for twin in twins):
        return None
    camera = own.view.camera
    if shown(own.view, thing.id) is Show.CLEAR:
        return Case.SHOWN if framed(camera, [thing.position], -EDGE) else None
    if thing.id in own.view.seen or not _hidden(own, thing):
        return None
    if framed(camera, [thing.position], -EDGE):
        return Case.HIDDEN if _covered(own, thing) else None
    if not unframed(camera, corners(thing), EDGE):
        return None
    return Case.BEHIND if _beyond(own, thing) else Case.BESIDE


def _covered(own: Look, thing: Thing) -> bool:
    """Return whether a hidden thing is also hidden from `ASIDE` to the person's left and right."""
    camera, eyes = own.view.camera, own.eyes
    if eyes is None:
        return True
    least, index = HIDDEN_SHARE * camera.width * camera.height, eyes.built.ids.index(thing.id)
    seen = (
        sight.look(eyes, each, self_seen=False, colours=False, mirrors=False).instances == index
        for each in beside(camera, thing)
    )
    return all(each.sum() < least for each in seen)


def beside(camera: Camera, thing: Thing) -> tuple[Camera, Camera]:
    """Return two cameras, `ASIDE` to the left and right, that see a thing at the same angle."""
    x, y, _ = camera.at
    ahead = atan2(thing.position[1] - y, thing.position[0] - x)
    heading, pitch = atan2(camera.forward[1], camera.forward[0]), degrees(asin(camera.forward[2]))

    def at(aside: float) -> Camera:
        here = x - aside * sin(ahead), y + aside * cos(ahead)
        turn = atan2(thing.position[1] - here[1], thing.position[0] - here[0]) - ahead
        size = camera.width, camera.height
        return ego(*here, heading + turn, size=size, pitch=pitch, fovy=camera.fovy)

    return at(ASIDE), at(-ASIDE)


def _even(
    moment: ViewMoment, case: Callable[[Look, Thing], Case | None], name: str
) -> Iterator[Found]:
    """Yield equally many tasks with the answers yes and no from each view, judged by `case`."""
    for look in moment.watching:
        if shown(look.view, BODY) is not Show.CLEAR:
            continue
        groups: dict[Case | None, list[Thing]] = {each: [] for each in (None, *Case)}
        some = [thing for thing, _ in lone(look)]
        for thing in rng.child(0, name, look.view.id).sample(some, len(some)):
            groups[case(moment.ego, thing)].append(thing)
        turns = zip_longest(groups[Case.BESIDE], groups[Case.BEHIND])
        absent = [*groups[Case.HIDDEN], *(each for turn in turns for each in turn if each)]
        for pair in zip(groups[Case.SHOWN], absent, strict=False):
            for thing, answer in zip(pair, (YES, NO), strict=True):
                bind = {OBJECT.name: thing.id, AGENT.name: BODY}
                yield Found(look, bind, labelled(thing), Word(answer))


@partial(
    TaskKind,
    task_type(
        "person-view",
        {VIEW, AGENT, OBJECT},
        shows(AGENT, OBJECT),
        _LABELLED,
        {((AGENT, OBJECT), "sees")},
    ),
    "The picture shows a person in teal with a black visor. Can this person see {object} from "
    "where they stand, looking ahead? Answer with yes or no.",
)
def person_view(moment: ViewMoment) -> Iterator[Found]:
    """Yield tasks about things that a person sees, and as many that the person does not see.

    The answer comes from a camera at the person's eyes, but must also be right for real eyes. A
    person's field of view is wider than the camera's, so objects in between are not asked about:

        yes   the camera shows the object clearly, its middle at most `AHEAD` degrees from the
              middle of the picture
        no    the camera shows no part of the object, even in a mirror. Either all of it is more
              than `FIELD` degrees from where the person looks, or all of it would be in the picture
              but something hides it, also from `ASIDE` to the left and right

    A mirror at the person's side may show things that the camera does not. If there is one, unseen
    things are not asked about. Nor are objects if the person may see another with the same label.
    """
    yield from _even(moment, seen, "person")


def seen(own: Look, thing: Thing) -> Case | None:
    """Return a thing's position relative to the person (`person_view`), None if ambiguous."""
    for twin in own.scene.things:
        if twin.label == thing.label and twin is not thing:
            elsewhere = _hidden(own, twin) and twin.room != own.view.room
            if not (elsewhere or _unseen(own, twin)):
                return None
    if shown(own.view, thing.id) is Show.CLEAR:
        ahead = _off(own, own.view.camera.forward, thing.position) <= AHEAD
        return Case.SHOWN if ahead else None
    if not _unseen(own, thing) or any(_aside(own, mirror) for mirror in own.scene.mirrors):
        return None
    if _beyond(own, thing):
        return Case.BEHIND
    return Case.HIDDEN if _covered(own, thing) else None


def _unseen(own: Look, thing: Thing) -> bool:
    """Return whether a person surely sees no part of a thing, except in mirrors at their side."""
    return _hidden(own, thing) and (_beyond(own, thing) or framed(own.view.camera, corners(thing)))


def _aside(own: Look, mirror: Thing) -> bool:
    """Return whether a person may look into a mirror that is not wholly in their picture."""
    facing = _off(own, rotated(mirror.rotation, (0.0, 1.0, 0.0)), mirror.position) < 90
    near = mirror.room == own.view.room or mirror.id in own.view.seen
    return (
        facing
        and near
        and not _beyond(own, mirror)
        and not framed(own.view.camera, corners(mirror))
    )


def _hidden(own: Look, thing: Thing) -> bool:
    """Return whether a view shows no part of a thing, not even in a mirror."""
    mirrored = any(each.thing == thing.id for each in own.view.reflections)
    return shown(own.view, thing.id) is Show.HIDDEN and not mirrored


def _beyond(own: Look, thing: Thing) -> bool:
    """Return whether all of a thing is outside a person's field of view."""
    heading = own.view.agent[2]
    ahead = (cos(heading), sin(heading), 0.0)
    return all(_off(own, ahead, corner) > FIELD for corner in corners(thing))


def _off(own: Look, axis: Vec, point: Vec) -> float:
    """Return the angle in degrees, at a person's eyes, between a point and a unit vector."""
    x, y, z = (there - here for there, here in zip(point, own.view.camera.at, strict=True))
    return degrees(acos(max(-1.0, min(1.0, dot(axis, (x, y, z)) / max(hypot(x, y, z), 1e-9)))))


def targets(scene: Scene, x: float, y: float) -> list[Thing]:
    """Return the things with a label unique in the scene that are out of reach from a point."""
    labels = Counter(thing.label for thing in scene.things if thing.has_label)
    single = (thing for thing in scene.things if labels[thing.label] == 1)
    return [thing for thing in single if away(thing, x, y) > AWAY]


@partial(
    TaskKind,
    task_type(
        "navigation",
        {VIEW, AGENT, OBJECT},
        {TaskEdge(AGENT.name, "has", VIEW.name)},
        _LABELLED,
        set(),
        done=frozenset({TaskEdge(AGENT.name, "at", OBJECT.name)}),
    ),
    "Go to {object}.",
)
def navigation(moment: ViewMoment) -> Iterator[Found]:
    """Yield walks to an object whose label is unique in the scene, out of reach at the start.

    At most `TARGETS` objects are chosen per moment, or most tasks would be navigation in scenes
    with many objects.
    """
    look = moment.ego
    there = targets(look.scene, *look.view.agent[:2])
    for thing in rng.child(0, "navigation", look.view.id).sample(there, min(TARGETS, len(there))):
        bind = {OBJECT.name: thing.id, AGENT.name: AGENT.name}
        yield Found(look, bind, labelled(thing), Goal(thing.id, WITHIN))
