"""Occlusion culling: geometry that nearer boxes hide completely need not be drawn.

Round shapes cost by far the most to draw, walls and furniture's boxes hardly anything. So boxes are
drawn first; a round shape whose whole place in the picture lies behind them can own no pixel, and
neither can a box that owns none among boxes. What is left out never shows: the picture is the same
to the last pixel.
"""

from __future__ import annotations

from math import ceil

from worldquiz.scenes import gl
from worldquiz.scenes.arrays import Depths, Floats, Indices, Ints, Mask, np
from worldquiz.scenes.build import NEAR, Built
from worldquiz.scenes.cameras import focal, into
from worldquiz.scenes.view import Box, Camera

MANY = 120
"""Round shapes from which on it is worth while to draw boxes first."""
CELL = 8
"""Pixels of the squares that depths are summed up in."""
HAIR = 1e-3
"""Metres, and share of a depth, by which a shape must lie behind what hides it."""


def round_ones(built: Built, shown: Mask) -> Mask:
    """Return which of the shown geometry is not a box."""
    result: Mask = shown & (built.model.geom_type != gl.engine().mjtGeom.mjGEOM_BOX.value)
    return result


def uncovered(
    built: Built,
    camera: Camera,
    window: Box,
    shown: Mask,
    boxes: tuple[Ints, Depths],
) -> Mask:
    """Return which geometry may own a pixel of a window, given the owners and depths of boxes."""
    owners, depth = boxes
    kept = np.zeros(len(shown), bool)
    kept[np.unique(owners[owners >= 0])] = True
    round_ = np.flatnonzero(round_ones(built, shown))
    kept[round_] = _before(built, camera, window, round_, _farthest(depth))
    return kept


def _farthest(depth: Depths) -> Floats:
    """Return the greatest depth of each square of a picture; infinity where nothing is."""
    high, wide = depth.shape
    rows, columns = ceil(high / CELL), ceil(wide / CELL)
    padded = np.zeros((rows * CELL, columns * CELL))
    padded[:high, :wide] = np.where(depth > 0, depth, np.inf)
    result: Floats = padded.reshape(rows, CELL, columns, CELL).max(axis=(1, 3))
    return result


def _before(built: Built, camera: Camera, window: Box, which: Indices, far: Floats) -> Mask:
    """Tell which balls are in front of the boxes at one of their pixels at least."""
    points = into(camera, built.data.geom_xpos[which])
    radius = built.model.geom_rbound[which]
    nearest = points[:, 2] - radius
    places = _places(camera, window, points, radius, far)
    result = np.array(nearest <= 2 * NEAR, bool)
    limit = nearest * (1 - HAIR) - HAIR
    for at in np.flatnonzero(~result):
        x0, y0, x1, y1 = places[at]
        result[at] = (far[y0 : y1 + 1, x0 : x1 + 1] >= limit[at]).any()
    return result


def _places(
    camera: Camera, window: Box, points: Floats, radius: Floats, far: Floats
) -> list[list[int]]:
    """Return the squares, first and last, that balls may touch: columns and rows of `far`.

    A ball's place is that of the upright box around it in the camera's frame.
    """
    ahead = np.maximum(points[:, 2] - radius, 2 * NEAR)
    behind = np.maximum(points[:, 2] + radius, ahead)
    middle = np.array([camera.width / 2 - window[0], camera.height / 2 - window[1]])
    ends = []
    for side, reach in ((-1, np.minimum), (1, np.maximum)):
        edge = (points[:, :2] + side * radius[:, None]) * focal(camera)
        spot = reach(edge / ahead[:, None], edge / behind[:, None]) + middle + side
        ends.append(np.clip(spot // CELL, 0, np.array(far.shape[::-1]) - 1))
    squares: list[list[int]] = np.concatenate(ends, axis=1).astype(int).tolist()
    return squares
