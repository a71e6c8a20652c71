"""Meshes met by rays: triangles in a tree of boxes, each tried by Moeller and Trumbore's test.

Triangles are put in the order of a curve that fills their box (Morton's), a few to a leaf; the tree
over the leaves is complete, so a node's children are known by its number. "Fast, minimum storage
ray/triangle intersection", Journal of Graphics Tools 2(1), 1997.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import MissingExtra, RecordError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEAF = 4
"""Triangles of a leaf."""
BITS = 10
"""Of each coordinate along the curve."""


@dataclass(frozen=True, eq=False)
class Triangles:
    """A mesh in its part's frame, ready to be met."""

    corner: Floats  # m x 3: of each triangle, one corner
    one: Floats  # m x 3: the edge from there
    two: Floats  # m x 3: the other edge from there
    low: Floats  # of each node of the tree, the root first
    high: Floats
    leaves: int  # nodes from this number on are leaves

    def meet(self, starts: Floats, rays: Floats, least: float) -> Floats:
        """Return where rays (n x 3, from one point or from n) first meet it; else infinity."""
        import numpy as np

        found = np.full(len(rays), np.inf)
        begin = np.ascontiguousarray(np.broadcast_to(starts, rays.shape))
        _kernel()(
            begin, np.ascontiguousarray(rays), self.corner, self.one, self.two, self.low,
            self.high, self.leaves, least, found,
        )  # fmt: skip
        return found


def load(path: Path, size: Any) -> Triangles:
    """Return a mesh's file as triangles, its box stretched to some half lengths.

    Raises `RecordError` for a file that is missing or broken.
    """
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as file:
            points, faces = np.array(file["vertices"], float), np.array(file["faces"], int)
    except (OSError, KeyError, ValueError, EOFError) as error:
        raise RecordError(f"{path}: is no mesh: {error}") from error
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low) / 2
    points = (points - low - half) * np.array(size, float) / np.maximum(half, 1e-9)
    return tree(points[faces])


def tree(corners: Floats) -> Triangles:
    """Return triangles (m x 3 x 3) with their tree."""
    import numpy as np

    corners = corners[np.argsort(_along(corners.mean(axis=1)), kind="stable")]
    count = 1
    while count * LEAF < len(corners):
        count *= 2
    low = np.full((2 * count - 1, 3), np.inf)
    high = np.full((2 * count - 1, 3), -np.inf)
    owner = count - 1 + np.arange(len(corners)) // LEAF
    np.minimum.at(low, owner, corners.min(axis=1))
    np.maximum.at(high, owner, corners.max(axis=1))
    for node in range(count - 2, -1, -1):
        low[node] = np.minimum(low[2 * node + 1], low[2 * node + 2])
        high[node] = np.maximum(high[2 * node + 1], high[2 * node + 2])
    first = corners[:, 0]
    return Triangles(
        np.ascontiguousarray(first), np.ascontiguousarray(corners[:, 1] - first),
        np.ascontiguousarray(corners[:, 2] - first), low, high, count - 1,
    )  # fmt: skip


def _along(points: Floats) -> NDArray[np.int64]:
    """Return each point's place along Morton's curve through the box around all."""
    import numpy as np

    low, high = points.min(axis=0), points.max(axis=0)
    cells = ((points - low) / np.maximum(high - low, 1e-12) * (2**BITS - 1)).astype(np.int64)
    place = np.zeros(len(points), np.int64)
    for bit in range(BITS):
        for axis in range(3):
            place |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return place


@cache
def _kernel() -> Any:
    """Return the loop over rays, compiled."""
    try:
        import numba
    except ImportError as error:
        raise MissingExtra("numba", "scene") from error
    compiled = numba.njit(nogil=True)
    return compiled(_loop(compiled(_enters()), compiled(_crosses())))


def _enters() -> Any:
    def enters(at: Any, way: Any, low: Any, high: Any, far: float) -> bool:
        begin, end = 0.0, far
        for k in range(3):
            if abs(way[k]) < 1e-300:
                if at[k] < low[k] - 1e-9 or at[k] > high[k] + 1e-9:
                    return False
            else:
                one = (low[k] - 1e-9 - at[k]) / way[k]
                two = (high[k] + 1e-9 - at[k]) / way[k]
                begin, end = max(begin, min(one, two)), min(end, max(one, two))
        return begin <= end

    return enters


def _crosses() -> Any:
    def crosses(at: Any, way: Any, corner: Any, one: Any, two: Any) -> Any:
        px = way[1] * two[2] - way[2] * two[1]
        py = way[2] * two[0] - way[0] * two[2]
        pz = way[0] * two[1] - way[1] * two[0]
        det = one[0] * px + one[1] * py + one[2] * pz
        if abs(det) < 1e-30:
            return -1.0
        sx, sy, sz = at[0] - corner[0], at[1] - corner[1], at[2] - corner[2]
        u = (sx * px + sy * py + sz * pz) / det
        qx = sy * one[2] - sz * one[1]
        qy = sz * one[0] - sx * one[2]
        qz = sx * one[1] - sy * one[0]
        v = (way[0] * qx + way[1] * qy + way[2] * qz) / det
        if u < -1e-9 or v < -1e-9 or u + v > 1 + 1e-9:
            return -1.0
        return (two[0] * qx + two[1] * qy + two[2] * qz) / det

    return crosses


def _loop(enters: Any, crosses: Any) -> Any:
    def loop(
        starts: Any, rays: Any, corner: Any, one: Any, two: Any, low: Any, high: Any,
        leaves: int, least: float, found: Any,
    ) -> None:  # fmt: skip
        todo = [0] * 64
        for ray in range(len(rays)):
            best, left = found[ray], 1
            todo[0] = 0
            while left:
                left -= 1
                node = todo[left]
                if not enters(starts[ray], rays[ray], low[node], high[node], best):
                    continue
                if node < leaves:
                    todo[left], todo[left + 1] = 2 * node + 1, 2 * node + 2
                    left += 2
                    continue
                first = (node - leaves) * LEAF
                for at in range(first, min(first + LEAF, len(corner))):
                    when = crosses(starts[ray], rays[ray], corner[at], one[at], two[at])
                    if least < when < best:
                        best = when
            found[ray] = best

    return loop
