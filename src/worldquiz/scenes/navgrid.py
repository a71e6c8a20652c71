"""Shortest ways around things: a grid of spots with room to spare, and paths between them.

A step from a spot to its neighbour never touches anything: both have `SPARE` metres more room than
the agent needs, and the longest step is too short to come nearer to a corner between them. A way is
then pulled straight wherever the agent can cut a corner, so its length is near the true shortest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, ceil, degrees, floor, hypot
from typing import Any

from worldquiz.errors import WorldError
from worldquiz.extras import later
from worldquiz.scenes.arrays import Floats, Longs, Mask, np
from worldquiz.scenes.floorplane import Floor, Move, Pose, Spot, beside, wrapped
from worldquiz.scenes.scene import Thing

sparse, csgraph = (later(f"scipy.{name}", extra="scene") for name in ("sparse", "sparse.csgraph"))

CELL = 0.1
"""Metres between the grid's spots."""
SPARE = 0.03
"""Metres of room to spare around a spot."""
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))
"""From a spot to its neighbours, and back."""
TRIED = 24
"""Nearest spots that are tried for one to which a straight walk leads."""


class Grid:
    """The spots that an agent can reach from where its scene starts it, and the steps between.

    Raises `WorldError` for a scene without a free spot.
    """

    def __init__(self, ground: Floor) -> None:
        self.ground = ground
        every = _every(ground)
        clear = ground.clearance(every.reshape(-1, 2)).reshape(every.shape[:2])
        free = clear >= ground.radius + SPARE
        if not free.any():
            raise WorldError(
                f"scene {ground.scene.id!r}: no spot of its floor is free for an agent: it is too "
                "full, or its rooms are too small"
            )
        index = np.full(free.shape, -1, np.int64)
        index[free] = np.arange(int(free.sum()))
        points, links = every[free], _links(index)
        keep = _reached(points, links, ground.scene.start[:2])
        fresh = np.cumsum(keep) - 1
        self.points: Floats = points[keep]  # n x 2
        self.links: Longs = fresh[links[keep[links].all(axis=1)]]  # m x 2

    @cached_property
    def _graph(self) -> Any:
        return _graph(self.points, self.links)

    def nearest(self, x: float, y: float) -> int:
        """Return the nearest spot to which one can walk straight from a point, else the nearest."""
        far = np.hypot(self.points[:, 0] - x, self.points[:, 1] - y)
        order = np.argsort(far, kind="stable")[:TRIED].tolist()
        seen = (at for at in order if self.ground.straight((x, y), self.spot(at)))
        return int(next(seen, order[0]))

    def spot(self, index: int) -> Spot:
        """Return where a spot is."""
        x, y = self.points[index].tolist()
        return (x, y)

    def towards(self, goals: Sequence[int]) -> Field:
        """Return the ways from every spot to the nearest of these spots."""
        far, following, _ = csgraph.dijkstra(
            self._graph, directed=False, indices=sorted(goals), min_only=True,
            return_predecessors=True,
        )  # fmt: skip
        return Field(self, far, following)

    def to_point(self, x: float, y: float) -> Field:
        """Return the ways to a point's nearest spot."""
        return self.towards([self.nearest(x, y)])

    def near(self, thing: Thing, within: float) -> list[int]:
        """Return the spots from which a thing's outline is at most so many metres away."""
        spots: list[int] = beside(thing, self.points, within).tolist()
        return spots

    def to_thing(self, thing: Thing, within: float) -> Field:
        """Return the ways to where a thing's outline is at most so many metres away.

        Raises `WorldError` where no such spot can be reached.
        """
        near = self.near(thing, within)
        if not near:
            raise WorldError(
                f"scene {self.ground.scene.id!r}: no reachable spot is within {within} m of "
                f"{thing.id!r}: allow a greater distance, or move the things in the way"
            )
        return self.towards(near)


@dataclass(frozen=True)
class Field:
    """From every spot of a grid, the way to a goal."""

    grid: Grid
    far: Floats  # metres along the grid
    following: Any  # the next spot on the way; negative at the goal

    def path(self, x: float, y: float) -> list[Spot]:
        """Return the corners of a short way from a point to the goal, both ends among them."""
        at = self.grid.nearest(x, y)
        points = [(x, y)]
        while at >= 0:
            points.append(self.grid.spot(at))
            at = int(self.following[at])
        return _pulled(points, self.grid.ground)

    def distance(self, x: float, y: float) -> float:
        """Return how many metres long that way is."""
        way = self.path(x, y)
        legs = pairwise(way)
        return round(sum(hypot(two[0] - one[0], two[1] - one[1]) for one, two in legs), 6)

    def moves(self, pose: Pose, longest: float = 2.0) -> list[Move]:
        """Return the turns and walks that lead an agent to the goal, no walk longer than so."""
        moves, heading = [], pose.heading
        way = self.path(pose.x, pose.y)
        for one, two in pairwise(way):
            far = hypot(two[0] - one[0], two[1] - one[1])
            if far > 1e-6:
                ahead = atan2(two[1] - one[1], two[0] - one[0])
                turn, heading = degrees(wrapped(ahead - heading)), ahead
                count = ceil(far / longest - 1e-9)
                moves += [Move(0.0 if piece else turn, far / count) for piece in range(count)]
        return moves


def _every(ground: Floor) -> Floats:
    """Return all spots of the box around a scene's rooms: rows x columns x 2."""
    rooms = ground.scene.rooms
    if not rooms:
        raise WorldError(f"scene {ground.scene.id!r} has no rooms to walk in")
    low = [min(room.low[axis] for room in rooms) for axis in (0, 1)]
    high = [max(room.high[axis] for room in rooms) for axis in (0, 1)]
    wide, deep = (floor((high[axis] - low[axis]) / CELL) + 1 for axis in (0, 1))
    rows, columns = np.meshgrid(np.arange(deep), np.arange(wide), indexing="ij")
    every = np.stack([low[0] + columns * CELL, low[1] + rows * CELL], axis=-1).astype(np.float64)
    return np.round(every, 6)


def _links(index: Longs) -> Longs:
    """Return the pairs of spots that one step joins."""
    deep, wide = index.shape
    found = []
    for dx, dy in STEPS:
        rows = slice(max(0, -dy), deep - max(0, dy))
        beyond = slice(max(0, dy), deep - max(0, -dy))
        one, two = index[rows, : wide - dx], index[beyond, dx:]
        both = (one >= 0) & (two >= 0)
        found.append(np.stack([one[both], two[both]], axis=1))
    return np.concatenate(found)


def _reached(points: Floats, links: Longs, start: Spot) -> Mask:
    """Tell which spots hang together with the one nearest to the start."""
    _, piece = csgraph.connected_components(_graph(points, links), directed=False)
    far = np.hypot(points[:, 0] - start[0], points[:, 1] - start[1])
    result: Mask = piece == piece[int(np.argmin(far))]
    return result


def _graph(points: Floats, links: Longs) -> Any:
    far = np.linalg.norm(points[links[:, 0]] - points[links[:, 1]], axis=1)
    return sparse.csr_matrix((far, (links[:, 0], links[:, 1])), shape=(len(points),) * 2)


def _pulled(points: list[Spot], ground: Floor) -> list[Spot]:
    """Return a way with every corner left out that can be cut."""
    way, at = points[:1], 0
    while at < len(points) - 1:
        ahead = len(points) - 1
        while ahead > at + 1 and not ground.straight(points[at], points[ahead]):
            ahead -= 1
        way.append(points[ahead])
        at = ahead
    return way
