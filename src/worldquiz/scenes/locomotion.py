"""How an agent walks: as a disc on the floor, which stops where it would touch something.

A move turns the agent and walks it straight on. How far it comes is exact: the disc meets a thing's
outline where a point would meet that outline grown by the disc's radius. Ways around things come
from a grid of spots with room to spare, so that a step from spot to spot never touches anything.
"""

from __future__ import annotations

from functools import cached_property
from math import atan2, cos, hypot, radians, sin

from worldquiz.scenes.arrays import Floats, Longs, np
from worldquiz.scenes.cameras import corners
from worldquiz.scenes.floorplane import (
    DISCRETE,
    Move,
    Moved,
    Pose,
    distance,
    from_box,
    outline_of,
    span,
    wrapped,
)
from worldquiz.scenes.navgrid import Grid
from worldquiz.scenes.scene import Scene
from worldquiz.scenes.shell import slabs

__all__ = ["DISCRETE", "Ground", "Move", "Moved", "Pose", "span", "wrapped"]

RADIUS = 0.2
"""Metres: half an agent's width."""
STEP = 0.03
"""Metres: what ends lower is stepped on (rugs)."""
HEAD = 1.7
"""Metres: what begins higher is walked under (lamps, lintels)."""
SKIN = 0.005
"""Metres that stay free between an agent that was stopped and what stopped it."""
GRAZE = 1e-3
"""Metres that a planned way keeps from everything, so that rounding stops nobody."""
TILT = 60.0
"""Degrees that an agent can look up or down from its usual view."""


class Ground:
    """A scene's floor: where an agent can stand, and how far it gets."""

    def __init__(self, scene: Scene, *, radius: float = RADIUS) -> None:
        self.scene, self.radius = scene, radius
        outlines = [*_walls(scene), *_things(scene)]
        self._names = [name for name, points in outlines for _ in points]
        self._starts, self._ends, self._owner = _edges([points for _, points in outlines])

    def clearance(self, points: Floats) -> Floats:
        """Return how far points (n x 2) are from anything in the way, in metres; 0 within it."""
        best = np.full(len(points), np.inf)
        for owner in np.unique(self._owner):
            starts, ends = (side[self._owner == owner] for side in (self._starts, self._ends))
            nearer = np.flatnonzero(from_box(points, starts) < best)
            best[nearer] = np.minimum(best[nearer], distance(points[nearer], starts, ends))
        return best

    def free(self, x: float, y: float) -> bool:
        """Tell whether an agent can stand there."""
        inside = self.room(x, y) is not None
        return inside and bool(self.clearance(np.array([[x, y]]))[0] >= self.radius - 1e-9)

    def room(self, x: float, y: float) -> str | None:
        """Return the room that a point lies in, or one of a doorway's two; none outside."""
        for room in self.scene.rooms:
            if room.low[0] <= x <= room.high[0] and room.low[1] <= y <= room.high[1]:
                return room.name
        for door in self.scene.doors:
            if hypot(x - door.at[0], y - door.at[1]) <= door.width / 2:
                return door.rooms[0]
        return None

    def move(self, pose: Pose, move: Move) -> Moved:
        """Return where a move ends: as far as it meant to go, or just before what is in the way."""
        heading = wrapped(pose.heading + radians(move.turn))
        way = heading + radians(move.aside)
        far, name = self.reach(pose.x, pose.y, way, move.walk)
        tilt = min(max(pose.tilt + move.tilt, -TILT), TILT)
        x, y = round(pose.x + far * cos(way), 6), round(pose.y + far * sin(way), 6)
        return Moved(Pose(x, y, heading, tilt), round(far, 6), name)

    def reach(self, x: float, y: float, way: float, far: float) -> tuple[float, str | None]:
        """Return how far a straight walk gets, in metres, and what stops it.

        Raises `ValueError` for a distance that is negative or no number.
        """
        if not 0 <= far < np.inf:
            raise ValueError(f"cannot walk {far} m: give 0 or more (`aside` 180 walks backward)")
        if far == 0 or not self._names:
            return far, None
        times = self._times(x, y, way, self.radius)
        first = int(np.argmin(times))
        if times[first] - SKIN >= far:
            return far, None
        return max(float(times[first]) - SKIN, 0.0), self._names[first]

    def straight(self, one: tuple[float, float], two: tuple[float, float]) -> bool:
        """Tell whether an agent can walk straight from one point to another, grazing nothing."""
        far = hypot(two[0] - one[0], two[1] - one[1])
        way = atan2(two[1] - one[1], two[0] - one[0])
        if self.reach(*one, way, far)[1] is not None:
            return False
        return not self._names or bool(self._times(*one, way, self.radius + GRAZE).min() >= far)

    def _times(self, x: float, y: float, way: float, radius: float) -> Floats:
        """Return after how many metres a disc meets each edge with its corner."""
        at, along = np.array([x, y]), np.array([cos(way), sin(way)])
        return np.minimum(
            _meets_edges(at, along, self._starts, self._ends, radius),
            _meets_corners(at, along, self._starts, radius),
        )

    @cached_property
    def grid(self) -> Grid:
        """The spots that an agent can reach from where it starts."""
        return Grid(self)


def _walls(scene: Scene) -> list[tuple[str, Floats]]:
    found = []
    for slab in slabs(scene):
        if slab.name.startswith("wall:") and slab.low[2] < HEAD:
            (west, south, _), (east, north, _) = slab.low, slab.high
            rim = [(west, south), (east, south), (east, north), (west, north)]
            found.append((slab.name, np.array(rim)))
    return found


def _things(scene: Scene) -> list[tuple[str, Floats]]:
    found = []
    for thing in scene.things:
        points = corners(thing)
        if points[:, 2].max() > STEP and points[:, 2].min() < HEAD:
            found.append((thing.id, outline_of(points[:, :2])))
    return found


def _edges(outlines: list[Floats]) -> tuple[Floats, Floats, Longs]:
    if not outlines:
        return np.empty((0, 2)), np.empty((0, 2)), np.empty(0, np.int64)
    owner = np.concatenate([np.full(len(each), at) for at, each in enumerate(outlines)])
    ends = np.concatenate([np.roll(each, -1, axis=0) for each in outlines])
    return np.concatenate(outlines), ends, owner


def _meets_edges(at: Floats, along: Floats, starts: Floats, ends: Floats, radius: float) -> Floats:
    """Return when a disc's middle comes upon each edge, moved outward by its radius."""
    edge = ends - starts
    length = np.maximum(np.hypot(edge[:, 0], edge[:, 1]), 1e-12)
    outward = np.stack([edge[:, 1], -edge[:, 0]], axis=1) / length[:, None]
    speed = -(outward @ along)
    comes = speed > 1e-12
    gap = ((at - starts) * outward).sum(axis=1) - radius
    time = gap / np.where(comes, speed, 1.0)
    place = ((at + time[:, None] * along - starts) * edge).sum(axis=1) / length**2
    meets = comes & (time >= -1e-6) & (place >= 0) & (place <= 1)
    return np.where(meets, np.maximum(time, 0.0), np.inf)


def _meets_corners(at: Floats, along: Floats, starts: Floats, radius: float) -> Floats:
    """Return when a disc's rim comes upon each corner."""
    offset = at - starts
    towards = offset @ along
    inner = towards**2 - (offset**2).sum(axis=1) + radius**2
    time = -towards - np.sqrt(np.maximum(inner, 0.0))
    meets = (inner > 1e-12) & (towards < 0) & (time >= -1e-6)
    return np.where(meets, np.maximum(time, 0.0), np.inf)
