"""Perception: what an object is, where it is, and how far away.

*Classification* is given a picture of the object, cut out of a view; *localization* a label that is
the only one of its sort in the view; *depth estimation* a box in the view. Things that are covered,
cut off or too small are not asked about. All cameras' views serve.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from worldquiz.scenes.geometry import box3
from worldquiz.scenes.scene import Thing
from worldquiz.scenes.view import Box, Sighting
from worldquiz.tea.kinds.kinds import (
    BOX2D,
    BOX3D,
    DEPTH,
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
from worldquiz.tea.kinds.observations import Look, Moment
from worldquiz.tea.taskgraph import Box2, Box3, Crop, Edge, Given, Metres, Truth, Word

FILLS = 0.35
"""Share of its box that an object must fill, so that the box means it and nothing else."""
WHOLE = 0.8
"""Share of an object that must be seen for the middle of what is seen to be the object's."""

_VERTICES, _EDGES = {VIEW, OBJECT}, {Edge(VIEW.name, SHOWS, OBJECT.name)}


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


def _classification(moment: Moment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in boxed(look):
            crop = Crop(look.view.id, sighting.box)
            yield _of(look, thing, {key(OBJECT, PICTURE): crop}, Word(thing.label))


def _depth(moment: Moment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in boxed(look):
            if sighting.visible >= WHOLE:
                box, depth = Box2(sighting.box), Metres(round(sighting.depth, 3))
                yield _of(look, thing, {key(OBJECT, BOX2D): box}, depth)


def _localization(moment: Moment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in lone(look):
            yield _labelled(look, thing, Box2(sighting.box))


def _localization_3d(moment: Moment) -> Iterator[Found]:
    for look in moment.looks:
        for thing, sighting in lone(look):
            if sighting.visible >= WHOLE and not sighting.cut:
                centre, size = box3(look.view.camera, thing)
                yield _labelled(look, thing, Box3(_rounded(centre), _rounded(size)))


def _labelled(look: Look, thing: Thing, truth: Truth) -> Found:
    return _of(look, thing, {key(OBJECT, LABEL): Word(thing.label)}, truth)


def _of(look: Look, thing: Thing, given: Mapping[str, Given], truth: Truth) -> Found:
    return Found(look, {OBJECT.name: thing.id}, given, truth)


def _rounded(value: tuple[float, float, float]) -> tuple[float, float, float]:
    return round(value[0], 3), round(value[1], 3), round(value[2], 3)


CLASSIFICATION = Kind(
    task_type("classification", _VERTICES, _EDGES, {(OBJECT, PICTURE)}, {(OBJECT, LABEL)}),
    "What is {object}? Answer with its name.",
    _classification,
)
DEPTH_ESTIMATION = Kind(
    task_type("depth", _VERTICES, _EDGES, {(VIEW, PICTURE), (OBJECT, BOX2D)}, {(OBJECT, DEPTH)}),
    "How far ahead of the camera is {object}, in metres?",
    _depth,
)
LOCALIZATION = Kind(
    task_type(
        "localization", _VERTICES, _EDGES, {(VIEW, PICTURE), (OBJECT, LABEL)}, {(OBJECT, BOX2D)}
    ),
    "Where is {object}? Answer with its box [x0, y0, x1, y1] in pixels.",
    _localization,
)
LOCALIZATION_3D = Kind(
    task_type(
        "localization-3d", _VERTICES, _EDGES,
        {(VIEW, PICTURE), (OBJECT, LABEL)}, {(OBJECT, BOX3D)},
    ),
    "Where is {object} in space? Answer with the middle and the lengths of its box, in metres, "
    "along the camera's axes: right, down, ahead.",
    _localization_3d,
)  # fmt: skip
