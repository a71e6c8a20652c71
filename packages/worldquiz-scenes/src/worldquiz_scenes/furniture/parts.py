"""Simple shapes of which models are made. The floor is at z = 0, and a model's front faces -y.

Functions take full lengths, with x and y at a shape's middle and z at its bottom. `model` moves the
shapes so that the origin is in the middle of the box around them, and rounds to micrometres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from worldquiz_scenes.geometry import added, matrix, rounded
from worldquiz_scenes.scene import UPRIGHT, Paint, Part, Quat, Shape, Spot, Vec


@dataclass(frozen=True, slots=True)
class Top:
    """A free area of a model on which small things may stand, in the model's frame."""

    low: Spot
    high: Spot
    z: float  # where things stand
    clear: float  # free height above it, metres
    kind: str = "top"  # "top", "shelf" or "seat"


@dataclass(frozen=True, slots=True)
class Glazed:
    """Reflecting glass on a model's front: half its width and half its height."""

    wide: float
    high: float


Made = Iterator[Part | Top | Glazed | Paint]
"""Items that a maker yields. A paint is the thing's main one, by default that of its first part."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a thing, not yet placed."""

    parts: tuple[Part, ...]
    half: Vec
    paint: Paint
    tops: tuple[Top, ...] = ()
    mirror: Spot | None = None


def box(
    x: float,
    y: float,
    z: float,
    width: float,
    depth: float,
    height: float,
    paint: Paint,
    turn: Quat = UPRIGHT,
) -> Part:
    """Return a box whose bottom is at height z."""
    return Part(Shape.BOX, (x, y, z + height / 2), (width / 2, depth / 2, height / 2), paint, turn)


def can(x: float, y: float, z: float, radius: float, height: float, paint: Paint) -> Part:
    """Return an upright cylinder whose bottom is at height z."""
    return Part(Shape.CYLINDER, (x, y, z + height / 2), (radius, height / 2, 0.0), paint)


def disc(x: float, y: float, z: float, radius: float, depth: float, paint: Paint) -> Part:
    """Return a cylinder that faces the front, with its middle at height z."""
    return Part(Shape.CYLINDER, (x, y, z), (radius, depth / 2, 0.0), paint, tilt(90))


def ball(x: float, y: float, z: float, radius: float, paint: Paint) -> Part:
    """Return a sphere whose lowest point is at height z."""
    return Part(Shape.SPHERE, (x, y, z + radius), (radius, 0.0, 0.0), paint)


def egg(
    x: float,
    y: float,
    z: float,
    width: float,
    depth: float,
    height: float,
    paint: Paint,
    turn: Quat = UPRIGHT,
) -> Part:
    """Return an ellipsoid whose lowest point, before it is turned, is at height z."""
    return replace(box(x, y, z, width, depth, height, paint, turn), shape=Shape.ELLIPSOID)


def rod(start: Vec, end: Vec, radius: float, paint: Paint) -> Part:
    """Return a cylinder between two points."""
    length = math.dist(start, end)
    x, y, z = ((b - a) / length for a, b in zip(start, end, strict=True))
    scale = 1 / math.sqrt(2 * max(1 + z, 1e-12))
    # the shortest rotation that brings z onto the direction
    turn = ((1 + z) * scale, -y * scale, x * scale, 0.0) if z > 1e-9 - 1 else (0.0, 1.0, 0.0, 0.0)
    a, b, c = ((a + b) / 2 for a, b in zip(start, end, strict=True))
    return Part(Shape.CYLINDER, (a, b, c), (radius, length / 2, 0.0), paint, turn)


def pipe(radius: float, paint: Paint, *points: Vec) -> list[Part]:
    """Return capsules (rods with round ends) from point to point."""
    rods = [rod(one, two, radius, paint) for one, two in pairwise(points)]
    return [replace(each, shape=Shape.CAPSULE) for each in rods]


def both(*parts: Part) -> list[Part]:
    """Return the parts of a model's right half, after mirror images of them for the left half."""
    left = []
    for part in parts:
        (x, y, z), (w, i, j, k) = part.at, part.turn
        left.append(replace(part, at=(-x, y, z), turn=(w, i, -j, -k)))
    return [*left, *parts]


def lathe(
    x: float, y: float, z: float, profile: Sequence[Spot], paint: Paint, slices: int = 6
) -> list[Part]:
    """Return a round body of stacked cylinders, from (height above z, radius) points."""
    steps: list[Part] = []
    for (low, first), (high, last) in pairwise(profile):
        count = 1 if abs(first - last) < 1e-9 else slices
        rise = (high - low) / count
        for index in range(count):
            radius = first + (last - first) * (index + 0.5) / count
            steps.append(can(x, y, z + low + index * rise, radius, rise, paint))
    return steps


def legs(
    width: float, depth: float, height: float, thick: float, paint: Paint, *, inset: float = 0.0
) -> list[Part]:
    """Return four square legs at the corners of a rectangle around the origin."""
    x, y = width / 2 - thick / 2 - inset, depth / 2 - thick / 2 - inset
    return [box(i * x, j * y, 0, thick, thick, height, paint) for i in (-1, 1) for j in (-1, 1)]


def tilt(degrees: float) -> Quat:
    """Return a rotation about x; a positive angle leans the top to the front."""
    half = math.radians(degrees) / 2
    return (math.cos(half), math.sin(half), 0.0, 0.0)


def lean(degrees: float) -> Quat:
    """Return a rotation about y; a positive angle leans the top to the right."""
    half = math.radians(degrees) / 2
    return (math.cos(half), 0.0, math.sin(half), 0.0)


def turn(degrees: float) -> Quat:
    """Return a rotation about z, counter-clockwise from above."""
    half = math.radians(degrees) / 2
    return (math.cos(half), 0.0, 0.0, math.sin(half))


def free(
    width: float,
    depth: float,
    z: float,
    side: float = 0.03,
    *,
    front: float | None = None,
    back: float | None = None,
    clear: float = 1.0,
    kind: str = "top",
) -> Top:
    """Return the free area of a board centred on the origin, inside margins (metres)."""
    x, front, back = width / 2 - side, side if front is None else front, back or side
    return Top((-x, front - depth / 2), (x, depth / 2 - back), z, clear, kind)


def model(made: Made) -> Model:
    """Return a model with the parts that a maker yields; its origin is the middle of its box."""
    found = list(made)
    parts = [each for each in found if isinstance(each, Part)]
    tops = [each for each in found if isinstance(each, Top)]
    paint = next((each for each in found if isinstance(each, Paint)), parts[0].paint)
    mirror = next(((each.wide, each.high) for each in found if isinstance(each, Glazed)), None)
    low, high = bounds(parts)
    x, y, z = (-(a + b) / 2 for a, b in zip(low, high, strict=True))

    def moved(spot: Spot) -> Spot:
        return (round(spot[0] + x, 6), round(spot[1] + y, 6))

    placed = []
    for part in parts:
        a, b, c, d = (round(value, 6) + 0.0 for value in part.turn)
        at = rounded(added(part.at, (x, y, z)))
        placed.append(replace(part, at=at, size=rounded(part.size), turn=(a, b, c, d)))
    return Model(
        tuple(placed), rounded((b - a) / 2 for a, b in zip(low, high, strict=True)), paint,
        tuple(replace(top, low=moved(top.low), high=moved(top.high), z=round(top.z + z, 6))
              for top in tops), mirror,
    )  # fmt: skip


def bounds(parts: Iterable[Part]) -> tuple[Vec, Vec]:
    """Return the corners of the box around parts, exact for every primitive."""
    reaches = [(part.at, _reach(part)) for part in parts]
    low = tuple(min(at[k] - reach[k] for at, reach in reaches) for k in range(3))
    high = tuple(max(at[k] + reach[k] for at, reach in reaches) for k in range(3))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _reach(part: Part) -> list[float]:
    """Return how far a part reaches from its middle along each axis."""
    rows = matrix(part.turn)
    one, two, three = part.size
    match part.shape:
        case Shape.SPHERE:
            return [one] * 3
        case Shape.ELLIPSOID:
            return [math.hypot(row[0] * one, row[1] * two, row[2] * three) for row in rows]
        case Shape.CYLINDER:
            return [one * math.sqrt(max(0.0, 1 - row[2] ** 2)) + two * abs(row[2]) for row in rows]
        case Shape.CAPSULE:
            return [one + two * abs(row[2]) for row in rows]
        case _:
            return [abs(row[0]) * one + abs(row[1]) * two + abs(row[2]) * three for row in rows]
