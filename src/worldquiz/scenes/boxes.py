"""Boxes that may be turned: do two of them meet, and how deep?

Two boxes are apart if some axis separates them: one of their faces' or a product of two edges
(Gottschalk's separating axes, 15 in all). Where none does, the least overlap along an axis says how
far one must move to be free of the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from worldquiz.scenes.furniture.parts import matrix
from worldquiz.scenes.scene import Quat, Thing, Vec


@dataclass(frozen=True, slots=True)
class Solid:
    """A box in the world."""

    centre: Vec
    half: Vec
    axes: tuple[Vec, Vec, Vec]  # unit vectors, its own x, y and z in the world

    @property
    def radius(self) -> float:
        """Of the ball around it."""
        return math.hypot(*self.half)

    @property
    def reach(self) -> Vec:
        """Half lengths of the upright box around it, along the world's axes."""
        x, y, z = (
            sum(half * abs(axis[k]) for half, axis in zip(self.half, self.axes, strict=True))
            for k in range(3)
        )
        return (x, y, z)


class Extent(NamedTuple):
    """From where to where a box reaches along the world's axes."""

    low: Vec
    high: Vec


def solid(centre: Vec, half: Vec, rotation: Quat) -> Solid:
    """Return a box with its axes."""
    rows = matrix(rotation)
    one, two, three = ((rows[0][k], rows[1][k], rows[2][k]) for k in range(3))
    return Solid(centre, half, (one, two, three))


def of(thing: Thing) -> Solid:
    """Return a thing's box."""
    return solid(thing.position, thing.half, thing.rotation)


def slab(low: Vec, high: Vec) -> Solid:
    """Return an upright box between two corners."""
    x, y, z = (((a + b) / 2, (b - a) / 2) for a, b in zip(low, high, strict=True))
    return Solid(
        (x[0], y[0], z[0]), (x[1], y[1], z[1]), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    )


def extent(box: Solid) -> Extent:
    """Return the upright box around a box."""
    reach = box.reach
    x, y, z = ((at - r, at + r) for at, r in zip(box.centre, reach, strict=True))
    return Extent((x[0], y[0], z[0]), (x[1], y[1], z[1]))


def depth(one: Solid, two: Solid) -> float:
    """Return how deep two boxes are in each other, metres; 0 or less where they are apart."""
    between = tuple(b - a for a, b in zip(one.centre, two.centre, strict=True))
    if math.hypot(*between) > one.radius + two.radius:
        return -1.0
    least = math.inf
    for axis in (*one.axes, *two.axes):
        least = min(least, _along(axis, one, two, between))
        if least <= 0:
            return least
    for a in one.axes:
        for b in two.axes:
            x, y, z = _cross(a, b)
            length = math.sqrt(x * x + y * y + z * z)
            if length > 1e-6:
                least = min(least, _along((x / length, y / length, z / length), one, two, between))
                if least <= 0:
                    return least
    return least


def _cross(a: Vec, b: Vec) -> Vec:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _along(axis: Vec, one: Solid, two: Solid, between: tuple[float, ...]) -> float:
    """Return how far two boxes overlap along a unit vector."""
    x, y, z = axis
    reach = 0.0
    for box in (one, two):
        for half, own in zip(box.half, box.axes, strict=True):
            reach += half * abs(x * own[0] + y * own[1] + z * own[2])
    return reach - abs(x * between[0] + y * between[1] + z * between[2])
