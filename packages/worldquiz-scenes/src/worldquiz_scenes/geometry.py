"""Geometry of points, rotations, boxes and cameras.

Lengths are metres. A camera's frame has x to the right, y down and z ahead.

Two turned boxes are apart if some axis separates them: the normal of a face, or the product of two
edges (Gottschalk's separating axes, 15 in all). If no axis does, the least overlap along an axis is
the distance that one box must move to be free of the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from worldquiz_scenes.scene import Quat, Shape, Thing, Vec
from worldquiz_scenes.view import Camera

SIGNS = tuple(product((-1, 1), repeat=3))  # the eight corners of a box, in half lengths


def rounded(values: Iterable[float]) -> Vec:
    """Return three numbers rounded to 1e-6 (micrometres, for lengths), none of them -0.0."""
    x, y, z = (round(float(value), 6) + 0.0 for value in values)
    return (x, y, z)


def rotated(turn: Quat, point: Vec) -> Vec:
    """Return a point turned about the origin."""
    w, *axis = turn
    x, y, z = axis
    px, py, pz = point
    tx, ty, tz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
    return (
        px + w * tx + y * tz - z * ty,
        py + w * ty + z * tx - x * tz,
        pz + w * tz + x * ty - y * tx,
    )


def matrix(turned: Quat) -> tuple[Vec, Vec, Vec]:
    """Return the rows of a rotation's matrix."""
    w, x, y, z = turned
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def corners(thing: Thing) -> tuple[Vec, ...]:
    """Return the eight corners of a thing's box, in the scene."""
    a, b, c = thing.half
    spread = (rotated(thing.rotation, (a * i, b * j, c * k)) for i, j, k in SIGNS)
    return tuple(added(thing.position, corner) for corner in spread)


def bounds(thing: Thing) -> tuple[Vec, Vec]:
    """Return the lowest and the highest corner of the upright box around a thing."""
    return spans(corners(thing))


def spans(points: tuple[Vec, ...]) -> tuple[Vec, Vec]:
    """Return the lowest and the highest corner of the upright box around points."""
    axes = list(zip(*points, strict=True))
    low, high = tuple(map(min, axes)), tuple(map(max, axes))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def away(thing: Thing, x: float, y: float) -> float:
    """Return the metres from a point on the floor to a thing's upright box."""
    (x0, y0, _), (x1, y1, _) = bounds(thing)
    return math.hypot(max(x0 - x, 0.0, x - x1), max(y0 - y, 0.0, y - y1))


def in_frame(camera: Camera, point: Vec) -> Vec:
    """Return a point of the scene in a camera's frame."""
    way = (point[0] - camera.at[0], point[1] - camera.at[1], point[2] - camera.at[2])
    right = cross(camera.forward, camera.up)
    return dot(way, right), -dot(way, camera.up), dot(way, camera.forward)


def _sides(camera: Camera, point: Vec, more: float) -> tuple[float, ...]:
    """Return a point's distances (m) beyond the sides of a view widened by `more` degrees."""
    x, y, z = in_frame(camera, point)
    high = math.atan(math.tan(math.radians(camera.fovy) / 2))
    wide = math.atan(math.tan(high) * camera.width / camera.height)
    return tuple(
        sign * along * math.cos(half + math.radians(more)) - z * math.sin(half + math.radians(more))
        for along, half in ((x, wide), (y, high))
        for sign in (-1, 1)
    )


def framed(camera: Camera, points: Iterable[Vec], more: float = 0.0) -> bool:
    """Return whether all points lie within a picture widened by `more` degrees at each side."""
    return all(max(_sides(camera, point, more)) < 0 for point in points)


def unframed(camera: Camera, points: Iterable[Vec], more: float = 0.0) -> bool:
    """Return whether all points lie over `more` degrees beyond the same side of a picture."""
    return any(
        min(side) > 0 for side in zip(*(_sides(camera, each, more) for each in points), strict=True)
    )


def upright(camera: Camera) -> Camera:
    """Return a camera at the same position with a level view in the same direction.

    A camera that looks straight up or down is not changed.
    """
    x, y, _ = camera.forward
    length = math.hypot(x, y)
    if length < 1e-9:
        return camera
    return replace(camera, forward=(x / length, y / length, 0.0), up=(0.0, 0.0, 1.0))


def box3(camera: Camera, thing: Thing) -> tuple[Vec, Vec]:
    """Return a thing's box in a camera's frame: its middle, and its full lengths along the axes."""
    low, high = spans(tuple(in_frame(camera, corner) for corner in corners(thing)))
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
    return middle, (high[0] - low[0], high[1] - low[1], high[2] - low[2])


def dot(a: Vec, b: Vec) -> float:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def added(a: Vec, b: Vec) -> Vec:
    """Return the sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def half_of(shape: Shape, size: Vec) -> Vec:
    """Return the half lengths of the box around a part, from its shape and size."""
    a, b, c = size
    match shape:
        case Shape.SPHERE:
            return (a, a, a)
        case Shape.CYLINDER:
            return (a, a, b)
        case Shape.CAPSULE:
            return (a, a, a + b)
        case _:
            return (a, b, c)


@dataclass(frozen=True, slots=True)
class Solid:
    """A box in the world."""

    centre: Vec
    half: Vec
    axes: tuple[Vec, Vec, Vec]  # unit vectors, its own x, y and z in the world

    @property
    def reach(self) -> Vec:
        """Half lengths of the upright box around the solid, along the world's axes."""
        x, y, z = (
            sum(half * abs(axis[k]) for half, axis in zip(self.half, self.axes, strict=True))
            for k in range(3)
        )
        return (x, y, z)


class Extent(NamedTuple):
    """Upright box around something, by its lowest and highest corner."""

    low: Vec
    high: Vec


def solid(centre: Vec, half: Vec, rotation: Quat) -> Solid:
    """Return a box from its centre, half lengths and rotation."""
    rows = matrix(rotation)
    one, two, three = ((rows[0][k], rows[1][k], rows[2][k]) for k in range(3))
    return Solid(centre, half, (one, two, three))


def solid_of(thing: Thing) -> Solid:
    """Return a thing's box."""
    return solid(thing.position, thing.half, thing.rotation)


def slab(low: Vec, high: Vec) -> Solid:
    """Return an upright box between two corners."""
    x, y, z = (((a + b) / 2, (b - a) / 2) for a, b in zip(low, high, strict=True))
    return Solid(
        (x[0], y[0], z[0]), (x[1], y[1], z[1]), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    )


def extent(box: Solid) -> Extent:
    """Return the upright box around a turned box."""
    reach = box.reach
    x, y, z = ((at - r, at + r) for at, r in zip(box.centre, reach, strict=True))
    return Extent((x[0], y[0], z[0]), (x[1], y[1], z[1]))


def extent_of(thing: Thing) -> Extent:
    """Return the upright box around a thing."""
    return extent(solid_of(thing))


def depth(one: Solid, two: Solid) -> float:
    """Return how deep two boxes overlap, in metres; 0 or less if they are apart."""
    between = tuple(b - a for a, b in zip(one.centre, two.centre, strict=True))
    if math.hypot(*between) > math.hypot(*one.half) + math.hypot(*two.half):
        return -1.0
    least = math.inf
    for x, y, z in _axes(one, two):
        reach = 0.0
        for box in (one, two):
            for half, own in zip(box.half, box.axes, strict=True):
                reach += half * abs(x * own[0] + y * own[1] + z * own[2])
        least = min(least, reach - abs(x * between[0] + y * between[1] + z * between[2]))
        if least <= 0:
            break
    return least


def _axes(one: Solid, two: Solid) -> Iterator[Vec]:
    """Yield the unit vectors that may separate two boxes."""
    yield from (*one.axes, *two.axes)
    for a, b in product(one.axes, two.axes):
        x, y, z = cross(a, b)
        length = math.sqrt(x * x + y * y + z * z)
        if length > 1e-6:
            yield x / length, y / length, z / length
