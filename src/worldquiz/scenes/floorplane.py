"""Values on a scene's floor, seen from above: poses, moves, and the outlines of things.

`locomotion` moves agents among them, `navgrid` finds ways around them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Protocol

from worldquiz.scenes.arrays import Floats, Indices, np
from worldquiz.scenes.cameras import corners
from worldquiz.scenes.scene import Scene, Thing

Spot = tuple[float, float]
HAIR = 1e-9
"""Metres that rounding may add to a distance."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where an agent stands and looks."""

    x: float
    y: float
    heading: float  # radians; 0 looks east, growing to the left
    tilt: float = 0.0  # degrees that it looks up from its usual view

    @property
    def plan(self) -> tuple[float, float, float]:
        """The pose as views record it."""
        return (self.x, self.y, self.heading)


@dataclass(frozen=True, slots=True)
class Move:
    """Turn, then walk."""

    turn: float = 0.0  # degrees to the left
    walk: float = 0.0  # metres
    aside: float = 0.0  # degrees to the left of where it looks that it walks
    tilt: float = 0.0  # degrees to look further up


@dataclass(frozen=True, slots=True)
class Moved:
    """What came of a move."""

    pose: Pose
    walked: float  # metres
    stopped_by: str | None = None  # a thing's id or "wall:ROOM"; none if it came as far as it meant


DISCRETE: dict[str, Move] = {
    "move forward": Move(walk=0.25),
    "move backward": Move(walk=0.25, aside=180),
    "move left": Move(walk=0.25, aside=90),
    "move right": Move(walk=0.25, aside=-90),
    "turn left": Move(turn=90),
    "turn right": Move(turn=-90),
    "look up": Move(tilt=30),
    "look down": Move(tilt=-30),
}
"""The actions of EB-Navigation."""


class Floor(Protocol):
    """The part of a floor's geometry that ways are found by (`locomotion.Ground` has all of it)."""

    scene: Scene
    radius: float  # metres: half an agent's width

    def clearance(self, points: Floats) -> Floats:
        """Return how far points (n x 2) are from anything in the way, in metres."""

    def straight(self, one: Spot, two: Spot) -> bool:
        """Tell whether an agent can walk straight from one point to another."""


def wrapped(angle: float) -> float:
    """Return an angle in -pi..pi."""
    return round((angle + pi) % (2 * pi) - pi, 9)


def span(thing: Thing, points: Floats) -> Floats:
    """Return how far points (n x 2) are from a thing's outline on the floor; 0 within it."""
    outline = outline_of(corners(thing)[:, :2])
    return distance(points, outline, np.roll(outline, -1, axis=0))


def beside(thing: Thing, points: Floats, within: float) -> Indices:
    """Return which points (n x 2) are at most so many metres from a thing's outline, or in it."""
    maybe = np.flatnonzero(from_box(points, corners(thing)[:, :2]) <= within)
    result: Indices = maybe[span(thing, points[maybe]) <= within]
    return result


def from_box(points: Floats, corners: Floats) -> Floats:
    """Return how far points (n x 2) are, at least, from what lies between corners."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    away = np.maximum(np.maximum(low - points, points - high), 0.0)
    result: Floats = np.hypot(away[:, 0], away[:, 1]) - HAIR
    return result


def distance(points: Floats, starts: Floats, ends: Floats) -> Floats:
    """Return the distance of points to one convex outline (its edges); 0 within it."""
    along = ends - starts
    offset = points[:, None] - starts[None]
    share = (offset * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-18)
    nearest = offset - np.clip(share, 0, 1)[..., None] * along
    far = np.sqrt((nearest**2).sum(-1)).min(axis=1)
    left = along[:, 0] * offset[..., 1] - along[:, 1] * offset[..., 0]
    result: Floats = np.where((left >= 0).all(axis=1), 0.0, far)
    return result


def outline_of(points: Floats) -> Floats:
    """Return the convex hull of points, counter-clockwise (Andrew's chain)."""
    ordered = sorted({(round(float(x), 9), round(float(y), 9)) for x, y in points})
    hull: list[tuple[float, float]] = []
    for way in (ordered, ordered[::-1]):
        start = len(hull)
        for point in way:
            while len(hull) >= start + 2 and _left(hull[-2], hull[-1], point) <= 1e-12:
                hull.pop()
            hull.append(point)
        hull.pop()
    return np.array(hull)


def _left(one: tuple[float, float], two: tuple[float, float], three: tuple[float, float]) -> float:
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])
