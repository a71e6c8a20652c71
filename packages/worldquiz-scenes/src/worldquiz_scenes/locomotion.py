"""Locomotion of an agent: a disc on the floor, which stops before it would touch something.

A move turns the agent, then walks it straight on. How far it gets is computed exactly, as for a
point that walks towards outlines widened by the disc's radius.

Paths around things follow a grid of spots (`StepGraph`). A step from a spot to its neighbour never
touches anything: both have `SPARE` metres more room than the agent needs, and a step is too short
for a corner to reach between them. A path (`Field`) then runs straight wherever the agent can cut a
corner, so its length is close to the shortest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import atan2, ceil, cos, degrees, dist, floor, hypot, pi, radians, sin
from typing import Any

from worldquiz_scenes.arrays import Floats, Longs, later, np
from worldquiz_scenes.cameras import corners
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.scene import Scene, Spot, Thing, slabs

sparse, csgraph = (later(f"scipy.{name}") for name in ("sparse", "sparse.csgraph"))

RADIUS = 0.2  # metres: half an agent's width
STEP = 0.03  # metres: lower things are stepped on (rugs)
HEAD = 1.7  # metres: higher things are walked under (lamps, lintels)
SKIN = 0.005  # metres left free between a stopped agent and its obstacle
GRAZE = 1e-3  # metres from a planned path to anything, so that rounding does not block it
TILT = 60.0  # most degrees that an agent can look up or down from its usual view
CELL = 0.1  # metres between the grid's spots
SPARE = 0.03  # metres of margin around a spot
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))
"""Steps from a spot to its neighbours; each also leads back."""
TRIED = 24  # nearest spots that are tried for a straight walk to them


@dataclass(frozen=True, slots=True)
class Pose:
    """Position of an agent, and its direction of view."""

    x: float
    y: float
    heading: float  # radians; 0 looks east, growing to the left
    tilt: float = 0.0  # degrees that it looks up from its usual view

    @property
    def plan(self) -> tuple[float, float, float]:
        """The pose without tilt, as views record it."""
        return (self.x, self.y, self.heading)


@dataclass(frozen=True, slots=True)
class Move:
    """Turn, then walk."""

    turn: float = 0.0  # degrees to the left
    walk: float = 0.0  # metres
    aside: float = 0.0  # degrees to the left of its view in which it walks
    tilt: float = 0.0  # degrees to look further up


@dataclass(frozen=True, slots=True)
class Moved:
    """Result of a move."""

    pose: Pose
    walked: float  # metres
    stopped_by: str | None = None  # a thing's id or "wall:ROOM"; None if nothing stopped it


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


class Ground:
    """A scene's floor: where an agent can stand, and how far it gets."""

    def __init__(self, scene: Scene, *, radius: float = RADIUS) -> None:
        self.scene, self.radius = scene, radius
        outlines: list[tuple[str, Floats]] = []  # of all that an agent may touch, up to its head
        for slab in slabs(scene):
            if slab.name.startswith("wall:") and slab.low[2] < HEAD:
                (west, south, _), (east, north, _) = slab.low, slab.high
                rim = [(west, south), (east, south), (east, north), (west, north)]
                outlines.append((slab.name, np.array(rim)))
        for thing in scene.things:
            points = corners(thing)
            if points[:, 2].max() > STEP and points[:, 2].min() < HEAD:
                outlines.append((thing.id, outline_of(points[:, :2])))
        self._names = [name for name, points in outlines for _ in points]
        counts = [len(points) for _, points in outlines]
        self._owner = np.repeat(np.arange(len(counts)), counts)
        none = np.empty((0, 2))
        self._starts = np.concatenate([none, *(points for _, points in outlines)])
        self._ends = np.concatenate([none, *(np.roll(each, -1, axis=0) for _, each in outlines)])

    def clearance(self, points: Floats) -> Floats:
        """Return the metres from points (n x 2) to the nearest obstacle; 0 inside one."""
        best = np.full(len(points), np.inf)
        for owner in np.unique(self._owner):
            starts, ends = (side[self._owner == owner] for side in (self._starts, self._ends))
            low, high = starts.min(axis=0), starts.max(axis=0)
            away = np.hypot(*np.maximum(np.maximum(low - points, points - high), 0.0).T)
            near = np.flatnonzero(away - 1e-9 < best)
            best[near] = np.minimum(best[near], distance(points[near], starts, ends))
        return best

    def room(self, x: float, y: float) -> str | None:
        """Return the room that contains a point, one of the two in a doorway, or None outside."""
        for room in self.scene.rooms:
            if room.low[0] <= x <= room.high[0] and room.low[1] <= y <= room.high[1]:
                return room.name
        for door in self.scene.doors:
            if hypot(x - door.at[0], y - door.at[1]) <= door.width / 2:
                return door.rooms[0]
        return None

    def move(self, pose: Pose, move: Move) -> Moved:
        """Return where a move ends: at its full length, or just before an obstacle."""
        heading = wrapped(pose.heading + radians(move.turn))
        way = heading + radians(move.aside)
        far, name = self.reach(pose.x, pose.y, way, move.walk)
        tilt = min(max(pose.tilt + move.tilt, -TILT), TILT)
        x, y = round(pose.x + far * cos(way), 6), round(pose.y + far * sin(way), 6)
        return Moved(Pose(x, y, heading, tilt), round(far, 6), name)

    def reach(self, x: float, y: float, way: float, far: float) -> tuple[float, str | None]:
        """Return how far a straight walk gets, in metres, and what stops it.

        Raises `ValueError` for a distance that is negative or not a finite number.
        """
        if not 0 <= far < np.inf:
            raise ValueError(f"cannot walk {far} m: use 0 or more, and `aside` 180 for backward")
        if far == 0 or not self._names:
            return far, None
        times = self._times(x, y, way, self.radius)
        first = int(np.argmin(times))
        if times[first] - SKIN >= far:
            return far, None
        return max(float(times[first]) - SKIN, 0.0), self._names[first]

    def straight(self, one: tuple[float, float], two: tuple[float, float]) -> bool:
        """Return whether an agent can walk straight between two points without grazing anything."""
        far = hypot(two[0] - one[0], two[1] - one[1])
        way = atan2(two[1] - one[1], two[0] - one[0])
        if self.reach(*one, way, far)[1] is not None:
            return False
        return not self._names or bool(self._times(*one, way, self.radius + GRAZE).min() >= far)

    def _times(self, x: float, y: float, way: float, radius: float) -> Floats:
        """Return the distance (m) at which a disc hits each edge, or the corner at its start."""
        at, along = np.array([x, y]), np.array([cos(way), sin(way)])
        return np.minimum(
            _meets_edges(at, along, self._starts, self._ends, radius),
            _meets_corners(at, along, self._starts, radius),
        )

    @cached_property
    def grid(self) -> StepGraph:
        """The spots that an agent can reach from the scene's start."""
        return StepGraph(self)


def _meets_edges(at: Floats, along: Floats, starts: Floats, ends: Floats, radius: float) -> Floats:
    """Return the distance that a disc moves until it hits each edge; infinity if it never does."""
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
    """Return the distance that a disc moves until it hits each corner, or infinity."""
    offset = at - starts
    towards = offset @ along
    inner = towards**2 - (offset**2).sum(axis=1) + radius**2
    time = -towards - np.sqrt(np.maximum(inner, 0.0))
    meets = (inner > 1e-12) & (towards < 0) & (time >= -1e-6)
    return np.where(meets, np.maximum(time, 0.0), np.inf)


def wrapped(angle: float) -> float:
    """Return an angle in -pi..pi."""
    return round((angle + pi) % (2 * pi) - pi, 9)


def span(thing: Thing, points: Floats) -> Floats:
    """Return the metres from points (n x 2) to a thing's outline on the floor; 0 inside it."""
    outline = outline_of(corners(thing)[:, :2])
    return distance(points, outline, np.roll(outline, -1, axis=0))


def distance(points: Floats, starts: Floats, ends: Floats) -> Floats:
    """Return the distance from points to one convex outline, given by its edges; 0 inside it."""
    along = ends - starts
    offset = points[:, None] - starts[None]
    share = (offset * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-18)
    nearest = offset - np.clip(share, 0, 1)[..., None] * along
    far = np.sqrt((nearest**2).sum(-1)).min(axis=1)
    left = along[:, 0] * offset[..., 1] - along[:, 1] * offset[..., 0]
    return np.where((left >= 0).all(axis=1), 0.0, far)


def outline_of(points: Floats) -> Floats:
    """Return the convex hull of points, counter-clockwise (Andrew's chain)."""
    ordered = sorted({(round(float(x), 9), round(float(y), 9)) for x, y in points})
    hull: list[tuple[float, float]] = []
    for way in (ordered, ordered[::-1]):
        start = len(hull)
        for point in way:
            while len(hull) >= start + 2:
                (x, y), (u, v), (w, z) = hull[-2], hull[-1], point
                if (u - x) * (z - y) - (v - y) * (w - x) > 1e-12:  # a turn to the left
                    break
                hull.pop()
            hull.append(point)
        hull.pop()
    return np.array(hull)


class StepGraph:
    """The spots that an agent can reach from its scene's start, and the steps between them.

    With `widest`, they are the spots of the largest connected floor, wherever the scene starts.
    Raises `SceneError` for a scene without a free spot.
    """

    def __init__(self, ground: Ground, *, widest: bool = False) -> None:
        self.ground, rooms = ground, ground.scene.rooms
        if not rooms:
            raise SceneError(f"scene {ground.scene.id!r} has no rooms to walk in: add a room")
        low = [min(room.low[axis] for room in rooms) for axis in (0, 1)]
        high = [max(room.high[axis] for room in rooms) for axis in (0, 1)]
        wide, deep = (floor((high[axis] - low[axis]) / CELL) + 1 for axis in (0, 1))
        rows, columns = np.meshgrid(np.arange(deep), np.arange(wide), indexing="ij")
        every: Floats = np.stack([low[0] + columns * CELL, low[1] + rows * CELL], axis=-1).round(6)
        clear = ground.clearance(every.reshape(-1, 2)).reshape(every.shape[:2])
        free = clear >= ground.radius + SPARE
        free[free] = [ground.room(x, y) is not None for x, y in every[free].tolist()]
        if not free.any():
            raise SceneError(
                f"scene {ground.scene.id!r}: no spot on its floor is free for an agent: remove "
                "things, or make rooms larger"
            )
        index = np.full(free.shape, -1, np.int64)
        index[free] = np.arange(int(free.sum()))
        points, links = every[free], _links(index)
        _, piece = csgraph.connected_components(_graph(points, links), directed=False)
        away = np.hypot(*(points - ground.scene.start[:2]).T)
        keep = piece == (np.bincount(piece).argmax() if widest else piece[int(np.argmin(away))])
        fresh = np.cumsum(keep) - 1
        self.points: Floats = points[keep]  # n x 2
        self.links: Longs = fresh[links[keep[links].all(axis=1)]]  # m x 2

    @cached_property
    def _graph(self) -> Any:
        return _graph(self.points, self.links)

    def nearest(self, x: float, y: float) -> int:
        """Return the nearest spot that is a straight walk away; if none is, the nearest of all."""
        far = np.hypot(self.points[:, 0] - x, self.points[:, 1] - y)
        order = np.argsort(far, kind="stable")[:TRIED].tolist()
        seen = (at for at in order if self.ground.straight((x, y), self.spot(at)))
        return int(next(seen, order[0]))

    def spot(self, index: int) -> Spot:
        """Return the coordinates of a spot."""
        x, y = self.points[index].tolist()
        return (x, y)

    def towards(self, goals: Sequence[int]) -> Field:
        """Return the paths from every spot to the nearest of these spots."""
        far, following, _ = csgraph.dijkstra(
            self._graph, directed=False, indices=sorted(goals), min_only=True,
            return_predecessors=True,
        )  # fmt: skip
        return Field(self, far, following)

    def to_point(self, x: float, y: float) -> Field:
        """Return the paths to a point's nearest spot."""
        return self.towards([self.nearest(x, y)])

    def near(self, thing: Thing, within: float) -> list[int]:
        """Return the spots at most `within` metres from a thing's outline."""
        spots: list[int] = np.flatnonzero(span(thing, self.points) <= within).tolist()
        return spots

    def to_thing(self, thing: Thing, within: float) -> Field:
        """Return the paths to spots at most `within` metres from a thing's outline.

        Raises `SceneError` if no such spot can be reached.
        """
        near = self.near(thing, within)
        if not near:
            raise SceneError(
                f"scene {self.ground.scene.id!r}: no reachable spot is within {within} m of "
                f"{thing.id!r}: allow a greater distance, or move the things in the way"
            )
        return replace(self.towards(near), goal=(thing, within))


@dataclass(frozen=True)
class Field:
    """The paths from every spot of a grid to a goal."""

    grid: StepGraph
    far: Floats  # metres along the grid
    following: Any  # the next spot on the path; negative at the goal
    goal: tuple[Thing, float] | None = None  # a thing, and the metres within which it is reached

    def path(self, x: float, y: float) -> list[Spot]:
        """Return the corners of a short path from a point to the goal, with both ends.

        The path leaves out corners that the agent can cut.
        """
        at, points = self.grid.nearest(x, y), [(x, y)]
        while at >= 0:
            points.append(self.grid.spot(at))
            at = int(self.following[at])
        way, at = points[:1], 0
        while at < len(points) - 1:
            ahead = len(points) - 1
            while ahead > at + 1 and not self.grid.ground.straight(points[at], points[ahead]):
                ahead -= 1
            way.append(points[ahead])
            at = ahead
        return way

    def distance(self, x: float, y: float) -> float:
        """Return the length of `path` in metres; 0 where the goal is already near enough."""
        if self.goal and span(self.goal[0], np.array([[x, y]]))[0] <= self.goal[1]:
            return 0.0
        return round(sum(dist(one, two) for one, two in pairwise(self.path(x, y))), 6)

    def moves(self, pose: Pose, longest: float = 2.0) -> list[Move]:
        """Return turns and walks that lead an agent to the goal, each walk `longest` m at most."""
        moves, heading = [], pose.heading
        way = self.path(pose.x, pose.y)
        for one, two in pairwise(way):
            far = dist(one, two)
            if far > 1e-6:
                ahead = atan2(two[1] - one[1], two[0] - one[0])
                turn, heading = degrees(wrapped(ahead - heading)), ahead
                count = ceil(far / longest - 1e-9)
                moves += [Move(0.0 if piece else turn, far / count) for piece in range(count)]
        return moves


def _links(index: Longs) -> Longs:
    """Return the pairs of spots that are one step apart."""
    deep, wide = index.shape
    found = []
    for dx, dy in STEPS:
        rows = slice(max(0, -dy), deep - max(0, dy))
        beyond = slice(max(0, dy), deep - max(0, -dy))
        one, two = index[rows, : wide - dx], index[beyond, dx:]
        both = (one >= 0) & (two >= 0)
        found.append(np.stack([one[both], two[both]], axis=1))
    return np.concatenate(found)


def _graph(points: Floats, links: Longs) -> Any:
    far = np.linalg.norm(points[links[:, 0]] - points[links[:, 1]], axis=1)
    return sparse.csr_matrix((far, (links[:, 0], links[:, 1])), shape=(len(points),) * 2)
