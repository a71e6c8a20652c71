"""Where an agent can get to, by flooding a grid of the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldquiz.extras import later, need
from worldquiz.tea.oracle.eye import Stage

if TYPE_CHECKING:
    import numpy as np

    from worldquiz.tea.oracle.solids import Floats
else:
    np = later("numpy", extra="scene")

CELL = 0.05
"""Metres along a cell of the grid."""
RADIUS = 0.2
"""Metres: half an agent's width."""
FEET, HEAD = 0.03, 1.7
"""Metres between which something is in an agent's way."""


class Floor:
    """The floor of a scene: which of its cells an agent can walk to from its start."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        low, high = stage.halls.low.min(axis=0), stage.halls.high.max(axis=0)
        columns = np.arange(low[0] + CELL / 2, high[0], CELL)
        rows = np.arange(low[1] + CELL / 2, high[1], CELL)
        x, y = np.meshgrid(columns, rows, indexing="ij")
        self.points: Floats = np.stack([x.ravel(), y.ravel()], axis=1)
        free = self._indoors()
        for id in stage.things:
            corners = stage.corners(id)
            if corners[:, 2].max() > FEET and corners[:, 2].min() < HEAD:
                free &= outside(self.points, corners[:, :2]) >= RADIUS
        self.piece = _pieces(free.reshape(x.shape)).ravel()

    def _indoors(self) -> Any:
        """Tell which points are far enough from all walls."""
        halls, found = self.stage.halls, np.zeros(len(self.points), bool)
        more = np.full((len(halls.low), 2), -RADIUS)
        for doorway, axis in enumerate(halls.axes, start=halls.rooms):
            more[doorway][axis] = RADIUS + CELL
        for low, high in zip(halls.low[:, :2] - more, halls.high[:, :2] + more, strict=True):
            found |= ((self.points >= low) & (self.points <= high)).all(axis=1)
        return found

    def leads(self, pose: Any, id: str, within: float) -> bool:
        """Tell whether an agent can walk from a pose to within some metres of a thing's box."""
        here = np.hypot(*(self.points - np.array(pose[:2])).T)
        here[self.piece == 0] = np.inf
        start = int(here.argmin())
        if here[start] > 4 * CELL:
            return False
        near = away(self.stage, id, self.points) <= within
        return bool((near & (self.piece == self.piece[start])).any())


def away(stage: Stage, id: str, points: Floats) -> Floats:
    """Return how far points of the floor are from the upright box around a thing."""
    corners = stage.corners(id)[:, :2]
    gap = np.maximum(np.maximum(corners.min(axis=0) - points, points - corners.max(axis=0)), 0.0)
    result: Floats = np.hypot(gap[:, 0], gap[:, 1])
    return result


def outside(points: Floats, cloud: Floats) -> Floats:
    """Return how far points are outside of the convex outline of others; 0 within it."""
    hull = need("scipy.spatial", extra="scene").ConvexHull(cloud)
    ring = cloud[hull.vertices]
    far, inside = np.full(len(points), np.inf), np.ones(len(points), bool)
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        edge, offset = end - start, points - start
        share = np.clip(offset @ edge / (edge @ edge), 0, 1)
        far = np.minimum(far, np.hypot(*(offset - share[:, None] * edge).T))
        inside &= edge[0] * offset[:, 1] - edge[1] * offset[:, 0] >= 0
    return np.where(inside, 0.0, far)


def _pieces(free: Any) -> Any:
    """Number the free cells by the connected piece that they are in; 0 is not free."""
    labels, _ = need("scipy.ndimage", extra="scene").label(free)
    return labels
