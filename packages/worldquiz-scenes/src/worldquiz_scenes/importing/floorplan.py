"""Rectangular rooms and doorways from outlines of floor, walls and openings.

All corners give a grid of lines; a cell of it is floor or not, walled or not. Floor that hangs
together is cut into rectangles, the largest first: a rectangle is a room, and where two of one
piece touch, or nothing stands between two of different pieces, the whole gap is a doorway. Floors
with slanted edges are filled from inside by steps of `STEP`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from worldquiz_scenes.arrays import Floats, Longs, Mask, later, np
from worldquiz_scenes.importing.pieces import Outline, Upright
from worldquiz_scenes.scene import Door

shapely, ndimage = (later(name) for name in ("shapely", "scipy.ndimage"))

STEP = 0.25
"""Metres of the steps that a slanted edge is filled by."""
SAME = 0.001
"""Metres within which two lines are one."""
NARROWEST, SMALLEST = 0.4, 0.3
"""Metres of a rectangle's shorter side, and its square metres, at least."""
MOST = 16
"""Rectangles that one piece of floor is cut into, at most."""
GAP = 0.5
"""Metres between two rooms that a doorway may bridge."""
OPEN = 0.5
"""Metres that a doorway is wide, at least."""
PASSABLE = 1.7
"""Metres: a wall that ends lower than this is no wall of a room."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of floor."""

    low: tuple[float, float]
    high: tuple[float, float]
    piece: int  # floor that hangs together has one number
    outline: int  # of which outline it is; -1 where walls alone tell

    def holds(self, x: float, y: float, slack: float = 1e-6) -> bool:
        """Tell whether a point lies in it."""
        return (
            self.low[0] - slack <= x <= self.high[0] + slack
            and self.low[1] - slack <= y <= self.high[1] + slack
        )

    @property
    def square(self) -> float:
        """Square metres."""
        return (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])


def slant(outlines: Sequence[Outline], walls: Sequence[Upright]) -> float:
    """Return by how much (radians, within 45 degrees) most walls are turned from the axes."""
    every = [wall.points for wall in walls] or [each.points for each in outlines]
    edges = [np.roll(points, -1, axis=0) - points for points in every]
    if not edges:
        return 0.0
    along = np.concatenate(edges)
    # four-fold: a direction and its quarter turns count as one
    spun = np.hypot(along[:, 0], along[:, 1]) * np.exp(4j * np.arctan2(along[:, 1], along[:, 0]))
    angle = float(np.angle(spun.sum())) / 4
    return 0.0 if abs(angle) < math.radians(0.3) else angle


class PlanGrid:
    """The cells between all lines of a plan."""

    def __init__(self, outlines: Sequence[Outline], walls: Sequence[Upright]) -> None:
        self.outlines = outlines
        self.walls = [wall for wall in walls if wall.height >= PASSABLE]
        every = [each.points for each in outlines] + [wall.points for wall in self.walls]
        self.lines = [_lines(every, axis) for axis in (0, 1)]
        middles = [(line[1:] + line[:-1]) / 2 for line in self.lines]
        x, y = np.meshgrid(*middles, indexing="ij")
        self.shape = x.shape
        self._middles = np.stack([x.ravel(), y.ravel()], axis=1)
        lows = np.meshgrid(*(line[:-1] for line in self.lines), indexing="ij")
        highs = np.meshgrid(*(line[1:] for line in self.lines), indexing="ij")
        self._cells = shapely.box(*(each.ravel() for each in (*lows, *highs)))
        self.walled = self._walled()
        self.owner = self._owner()

    def _walled(self) -> Mask:
        """Tell which cells stand in a wall, or are touched by one that is slanted."""
        found = np.zeros(len(self._middles), bool)
        for wall in self.walls:
            shape = polygon(wall.points)
            if slanted(wall.points):
                rim = shapely.LinearRing(wall.points)
                found |= shapely.intersects(rim, self._cells) & ~shapely.touches(rim, self._cells)
            found |= inside(shape, self._middles)
        return found.reshape(self.shape)

    def _owner(self) -> Longs:
        """Return the outline that each cell belongs to; -1 for none, or where walls stand."""
        owner = np.full(len(self._middles), -1 if self.outlines else 0, np.int64)
        for number, outline in enumerate(self.outlines):
            shape = polygon(outline.points)
            mine = inside(shape, self._middles)
            if slanted(outline.points):
                mine &= shapely.covers(shape.buffer(SAME), self._cells)
            owner[mine & (owner < 0)] = number
        grid = owner.reshape(self.shape)
        grid[self.walled] = -1
        return grid

    def rects(self) -> list[Rect]:
        """Return the rectangles of all pieces of floor, piece by piece."""
        found: list[Rect] = []
        piece = 0
        for number in range(max(1, len(self.outlines))):
            labels, count = ndimage.label(self.owner == number)
            for each in range(1, int(count) + 1):
                mask = labels == each
                inner = mask[1:-1, 1:-1].sum() == mask.sum()
                if not self.outlines and not inner:
                    continue  # the space around all walls
                some = list(self._cut(mask, piece, number if self.outlines else -1))
                found += some
                piece += bool(some)
        return found

    def _cut(self, mask: Mask, piece: int, outline: int) -> Iterator[Rect]:
        free = mask.copy()
        for _ in range(MOST):
            best = _largest(free, self.lines)
            if best is None:
                return
            i0, i1, j0, j1 = best
            x, y = self.lines
            low = (round(float(x[i0]), 4), round(float(y[j0]), 4))
            high = (round(float(x[i1]), 4), round(float(y[j1]), 4))
            free[i0:i1, j0:j1] = False
            yield Rect(low, high, piece, outline)

    def clear(self, axis: int, span: tuple[float, float], place: float) -> bool:
        """Tell whether no wall stands anywhere from `span[0]` to `span[1]` along an axis."""
        lines, other = self.lines[axis], self.lines[1 - axis]
        middles = (lines[1:] + lines[:-1]) / 2
        cells = np.flatnonzero((middles > span[0] - 1e-6) & (middles < span[1] + 1e-6))
        at = int(np.clip(np.searchsorted(other, place) - 1, 0, len(other) - 2))
        strip = self.walled[cells, at] if axis == 0 else self.walled[at, cells]
        return not strip.any()


def passages(
    grid: PlanGrid, rects: Sequence[Rect], names: Sequence[str], height: float
) -> list[Door]:
    """Return doorways wherever nothing stands between two rectangles that face each other."""
    found = []
    for (one, a), (two, b) in combinations(enumerate(rects), 2):
        for axis in (0, 1):
            facing = face(a, b, axis)
            if facing is None:
                continue
            span, start, end = facing
            for low, high in _clear(grid, axis, span, start, end):
                if high - low >= OPEN:
                    found.append(doorway((names[one], names[two]), axis, span, low, high, height))
    return found


def _clear(
    grid: PlanGrid, axis: int, span: tuple[float, float], start: float, end: float
) -> Iterator[tuple[float, float]]:
    """Yield from where to where two rectangles see each other, along the other axis."""
    lines = grid.lines[1 - axis]
    stops = [start, *(float(line) for line in lines if start < line < end), end]
    begin: float | None = None
    for low, high in pairwise(stops):
        if grid.clear(axis, span, (low + high) / 2):
            begin = low if begin is None else begin
        elif begin is not None:
            yield begin, low
            begin = None
    if begin is not None:
        yield begin, end


def face(a: Rect, b: Rect, axis: int) -> tuple[tuple[float, float], float, float] | None:
    """Return the gap between two rectangles along an axis, and from where to where they face."""
    if b.low[axis] < a.low[axis]:
        a, b = b, a
    gap = b.low[axis] - a.high[axis]
    other = 1 - axis
    start, end = max(a.low[other], b.low[other]), min(a.high[other], b.high[other])
    if not -1e-6 <= gap <= GAP or end - start < OPEN:
        return None
    return (a.high[axis], b.low[axis]), start, end


def doorway(
    rooms: tuple[str, str], axis: int, span: tuple[float, float], low: float, high: float,
    height: float,
) -> Door:  # fmt: skip
    """Return a doorway across a gap along an axis, from `low` to `high` on the other."""
    middle, line = round((low + high) / 2, 4), round(sum(span) / 2, 4)
    at = (line, middle) if axis == 0 else (middle, line)
    return Door(rooms, at, round(high - low, 4), "y" if axis == 0 else "x", round(height, 4))


def polygon(points: Floats) -> Any:
    """Return an outline as a shapely polygon; one that crosses itself is taken apart first."""
    shape = shapely.make_valid(shapely.Polygon(points))
    shapely.prepare(shape)
    return shape


def inside(shape: Any, points: Floats) -> Mask:
    """Tell which points (n x 2) lie in a shape."""
    found: Mask = shapely.contains_xy(shape, points[:, 0], points[:, 1])
    return found


def slanted(points: Floats) -> bool:
    """Tell whether an edge longer than a step runs along neither axis."""
    along = np.abs(np.roll(points, -1, axis=0) - points)
    return bool((along.min(axis=1) > max(SAME, 0.02)).any())


def _lines(outlines: Sequence[Floats], axis: int) -> Floats:
    """Return the coordinates of all corners, those nearer than `SAME` taken together."""
    values = [float(value) for points in outlines for value in points[:, axis]]
    for points in outlines:
        if slanted(points):
            low, high = float(points[:, axis].min()), float(points[:, axis].max())
            values += np.linspace(low, high, max(2, round((high - low) / STEP) + 1)).tolist()
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > SAME:
            kept.append(value)
    return np.array(kept if len(kept) > 1 else [0.0, 1.0])


def _largest(free: Mask, lines: Sequence[Floats]) -> tuple[int, int, int, int] | None:
    """Return the largest rectangle of free cells, none where all are too small."""
    best: tuple[float, tuple[int, int, int, int]] | None = None
    x, y = lines
    depths, least = np.diff(y), SMALLEST - 1e-9
    for i0 in np.flatnonzero(free.any(axis=1)).tolist():
        column = np.ones(free.shape[1], bool)
        for i1 in range(i0, free.shape[0]):
            column &= free[i1]
            most, wide = float(column @ depths), float(x[i1 + 1] - x[i0])  # no run is deeper
            if not most or float(x[-1] - x[i0]) * most <= least:
                break
            if wide < NARROWEST or wide * most <= least:
                continue
            edges = np.flatnonzero(np.diff(np.r_[0, column.astype(np.int8), 0]))
            for j0, j1 in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                deep = float(y[j1] - y[j0])
                area = wide * deep
                if (
                    deep >= NARROWEST
                    and area >= SMALLEST
                    and (best is None or area > best[0] + 1e-9)
                ):
                    best = (area, (i0, i1 + 1, j0, j1))
                    least = area
    return best[1] if best else None
