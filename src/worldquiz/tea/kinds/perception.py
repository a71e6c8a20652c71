"""Perception: what an object is, where it is, and how it stands to another.

*Classification* is given a picture of the object, cut out of a view; *localization* a label that is
the only one of its sort in the view; *depth estimation* a box in the view. Things that are covered,
cut off or too small are not asked about. All cameras' views serve.

*Relationship detection* asks how one object stands to another. *On* and *under* say what stands on
what. Else the two boxes are compared along the camera's axes, and along those of somebody who
stands there, looks the same way and holds the head upright: the relation is that of the axis along
which the boxes are farthest apart, if that gap is far greater than the others. A camera that looks
down sees a far thing above a near one of the same height; so only what both say is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations

from worldquiz import rng
from worldquiz.tea.kinds.kinds import (
    BOX2D,
    BOX3D,
    DEPTH,
    LABEL,
    OBJECT,
    OTHER,
    PICTURE,
    VIEW,
    Found,
    Look,
    TaskKind,
    ViewMoment,
    key,
    labelled,
    shows,
    task_type,
)
from worldquiz.tea.taskgraph import Box2, Box3, Crop, Given, Metres, Truth, Word
from worldquiz_scenes.geometry import box3, upright
from worldquiz_scenes.scene import Scene, Thing
from worldquiz_scenes.view import Box, Camera, Sighting

FILLS = 0.35
"""Share of its box that an object must fill, so that the box means it and nothing else."""
WHOLE = 0.8
"""Share of an object that must be seen for the middle of what is seen to be the object's."""

GAP = 0.15
"""Metres that two boxes must be apart for a relation of direction."""
EACH = 2
"""Pairs of one view for each relation: else *left* and *right* would be most answers."""
PLAIN = 2.0
"""How many times the next gap the greatest one must be."""
RELATIONS = (
    "on", "under", "left of", "right of", "above", "below", "in front of", "behind",
)  # fmt: skip
_AXES = (("left of", "right of"), ("above", "below"), ("in front of", "behind"))
_VERTICES, _EDGES = {VIEW, OBJECT}, shows(OBJECT)


def boxed(look: Look) -> Iterator[tuple[Thing, Sighting]]:
    """Yield the things that a box in a view's picture can stand for."""
    for thing, sighting in look.clear:
        fills = sighting.pixels >= FILLS * _area(sighting.box)
        if fills and not any(_rivals(sighting, other) for other in look.view.sightings):
            yield thing, sighting


def _rivals(one: Sighting, other: Sighting) -> bool:
    """Tell whether another thing may fill as much of a thing's box as the thing itself."""
    (x0, y0, x1, y1), (u0, v0, u1, v1) = one.box, other.box
    common = (max(x0, u0), max(y0, v0), min(x1, u1), min(y1, v1))
    most = min(other.pixels, _area(common), _area(one.box) - one.pixels)
    return other.thing != one.thing and most >= one.pixels


def _area(box: Box) -> int:
    x0, y0, x1, y1 = box
    return max(x1 - x0, 0) * max(y1 - y0, 0)


def lone(look: Look) -> Iterator[tuple[Thing, Sighting]]:
    """Yield the things that their label can stand for in a view."""
    return ((thing, sighting) for thing, sighting in look.clear if look.alone(thing))


def _classification(moment: ViewMoment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in boxed(look):
            if thing.has_label:
                crop = Crop(look.view.id, sighting.box)
                yield _of(look, thing, {key(OBJECT, PICTURE): crop}, Word(thing.label))


def _depth(moment: ViewMoment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in boxed(look):
            if sighting.visible >= WHOLE:
                box, depth = Box2(sighting.box), Metres(round(sighting.depth, 3))
                yield _of(look, thing, {key(OBJECT, BOX2D): box}, depth)


def _localization(moment: ViewMoment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in lone(look):
            yield _of(look, thing, labelled(thing), Box2(sighting.box))


def _localization_3d(moment: ViewMoment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in lone(look):
            if sighting.visible >= WHOLE and not sighting.cut:
                centre, size = box3(look.view.camera, thing)
                truth = Box3(_rounded(centre), _rounded(size))
                yield _of(look, thing, labelled(thing), truth)


def _of(look: Look, thing: Thing, given: Mapping[str, Given], truth: Truth) -> Found:
    return Found(look, {OBJECT.name: thing.id}, given, truth)


def _rounded(value: tuple[float, float, float]) -> tuple[float, float, float]:
    return round(value[0], 3), round(value[1], 3), round(value[2], 3)


def relation(scene: Scene, camera: Camera, thing: Thing, other: Thing) -> str | None:
    """Return how a thing stands to another from a camera, None where that is not plain."""
    if thing.support == other.id:
        return "on"
    if other.support == thing.id:
        return "under"
    if other.id in scene.under(thing.id) or thing.id in scene.under(other.id):
        return None
    said = _direction(camera, thing, other)
    return said if said == _direction(upright(camera), thing, other) else None


def _direction(camera: Camera, thing: Thing, other: Thing) -> str | None:
    """Return where a thing is from another along a camera's axes, None where that is not plain."""
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


def _relations(moment: ViewMoment) -> Iterator[Found]:
    """Yield a few pairs of each view for each relation, drawn by the view."""
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


CLASSIFICATION = TaskKind(
    task_type("classification", _VERTICES, _EDGES, {(OBJECT, PICTURE)}, {(OBJECT, LABEL)}),
    "What is {object}? Answer with its name.",
    _classification,
)
DEPTH_ESTIMATION = TaskKind(
    task_type("depth", _VERTICES, _EDGES, {(VIEW, PICTURE), (OBJECT, BOX2D)}, {(OBJECT, DEPTH)}),
    "How far ahead of the camera is {object}, in metres?",
    _depth,
)
LOCALIZATION = TaskKind(
    task_type(
        "localization", _VERTICES, _EDGES, {(VIEW, PICTURE), (OBJECT, LABEL)}, {(OBJECT, BOX2D)}
    ),
    "Where is {object}? Answer with its box [x0, y0, x1, y1] in pixels.",
    _localization,
)
LOCALIZATION_3D = TaskKind(
    task_type(
        "localization-3d", _VERTICES, _EDGES,
        {(VIEW, PICTURE), (OBJECT, LABEL)}, {(OBJECT, BOX3D)},
    ),
    "Where is {object} in space? Answer with the middle and the lengths of its box, in metres, "
    "along the camera's axes: right, down, ahead.",
    _localization_3d,
)  # fmt: skip
RELATION = TaskKind(
    task_type(
        "relation",
        {VIEW, OBJECT, OTHER},
        shows(OBJECT, OTHER),
        {(VIEW, PICTURE), (OBJECT, LABEL), (OTHER, LABEL)},
        {((OBJECT, OTHER), "relation")},
    ),
    "As you see them, how does {object} stand to {other}? Answer with one of: "
    + ", ".join(RELATIONS)
    + ".",
    _relations,
)
