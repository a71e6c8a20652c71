"""Lines between boxes: each leaves its box where its move points to, and runs under none.

A line is a cubic curve, or straight where that shows both directions. Where no curve finds its way
between the boxes there is no line; such moves are told within their boxes instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from worldquiz.mango.report.links import COMPASS, Vector

Point = tuple[float, float]

CLEAR = 4
"""Pixels that a line keeps from a box which is not its own."""
_PIECES = 24
"""In so many pieces a curve is checked."""
_FARTHEST = 1100
"""Pixels that a line may span; beyond, nobody follows it with the eye."""


@dataclass(frozen=True, slots=True)
class Box:
    """A place's rectangle."""

    x: float  # centre
    y: float  # centre
    width: float
    height: float

    def port(self, side: Vector) -> Point:
        """Return the middle of a side, or a corner."""
        return self.x + side[0] * self.width / 2, self.y + side[1] * self.height / 2

    def facing(self, other: Box) -> Vector:
        """Return the side or corner that is next to another box."""
        dx, dy = other.x - self.x, other.y - self.y
        across = abs(dx) > (self.width + other.width) / 4
        return (_sign(dx) if across else 0, _sign(dy) if abs(dy) > self.height / 2 else 0)

    def holds(self, point: Point, clear: float = 0.0) -> bool:
        """Return whether a point is inside, or nearer than some pixels."""
        return (
            abs(point[0] - self.x) < self.width / 2 + clear
            and abs(point[1] - self.y) < self.height / 2 + clear
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """A cubic curve by its four points."""

    start: Point
    first: Point
    second: Point
    end: Point

    def at(self, share: float) -> Point:
        """Return the point at a share of its course."""
        rest = 1 - share
        a, b, c, d = rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = self.start, self.first, self.second, self.end
        return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3

    def turned(self) -> Curve:
        """Return it from its end to its start."""
        return Curve(self.end, self.second, self.first, self.start)

    def halves(self) -> tuple[Curve, Curve]:
        """Return it cut in the middle; the second half runs back from the end."""
        ab, bc, cd = (
            _middle(self.start, self.first), _middle(self.first, self.second),
            _middle(self.second, self.end),
        )  # fmt: skip
        abc, bcd = _middle(ab, bc), _middle(bc, cd)
        middle = _middle(abc, bcd)
        return Curve(self.start, ab, abc, middle), Curve(self.end, cd, bcd, middle)

    def points(self) -> list[Point]:
        """Return points along it, both ends with them."""
        return [self.at(n / _PIECES) for n in range(_PIECES + 1)]


def wire(
    one: Box, other: Box, sides: tuple[Vector | None, Vector | None], others: Sequence[Box]
) -> Curve | None:
    """Return a line from a box to another one that no box is in the way of, None if none is found.

    Sides are those that it should leave and reach; None: the nearest.
    """
    if hypot(other.x - one.x, other.y - one.y) > _FARTHEST:
        return None
    for curve in _curves(one, other, sides):
        if _short(curve) and _free(curve, one, other, others):
            return curve
    return None


def _curves(one: Box, other: Box, sides: tuple[Vector | None, Vector | None]) -> Iterator[Curve]:
    """Yield curves that would do, the simplest first."""
    leave, reach = sides
    start, end = one.port(leave or one.facing(other)), other.port(reach or other.facing(one))
    if _suits(start, end, leave) and _suits(end, start, reach):
        yield Curve(start, start, end, end)
    away = hypot(end[0] - start[0], end[1] - start[1])
    if leave or reach:
        for pull in (0.4 * away, 26.0, 0.7 * away, 60.0, 1.1 * away, 130.0):
            yield Curve(start, _pulled(start, leave, pull), _pulled(end, reach, pull), end)
        return
    for bend in (0.18, -0.18, 0.4, -0.4, 0.7, -0.7):
        yield _bow(start, end, bend)


def _short(curve: Curve) -> bool:
    """Return whether a curve is not much longer than the straight way."""
    points = curve.points()
    course = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
    straight = hypot(curve.end[0] - curve.start[0], curve.end[1] - curve.start[1])
    return course <= max(1.9 * straight, 200)


def _bow(start: Point, end: Point, bend: float) -> Curve:
    """Return a bow, its middle off the straight line by a share of the way."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    off = (-dy * bend, dx * bend)
    first = (start[0] + dx / 3 + off[0], start[1] + dy / 3 + off[1])
    second = (start[0] + 2 * dx / 3 + off[0], start[1] + 2 * dy / 3 + off[1])
    return Curve(start, first, second, end)


def _suits(start: Point, end: Point, side: Vector | None) -> bool:
    """Return whether a straight line leaves a side well enough."""
    if side is None:
        return True
    dx, dy = end[0] - start[0], end[1] - start[1]
    along, off = dx * side[0] + dy * side[1], abs(dx * side[1] - dy * side[0])
    return along > 0 and off <= (1.2 if side[0] and side[1] else 0.6) * along


def _pulled(point: Point, side: Vector | None, pull: float) -> Point:
    if side is None:
        return point
    scale = pull / hypot(*side)
    return point[0] + side[0] * scale, point[1] + side[1] * scale


def _free(curve: Curve, one: Box, other: Box, boxes: Sequence[Box]) -> bool:
    """Return whether a curve runs under no box; at its ends it may touch its own."""
    points = curve.points()
    low = [min(point[axis] for point in points) for axis in (0, 1)]
    high = [max(point[axis] for point in points) for axis in (0, 1)]
    for box in boxes:
        clear = -1.0 if box is one or box is other else CLEAR
        reach_x, reach_y = box.width / 2 + clear, box.height / 2 + clear
        if box.x + reach_x < low[0] or box.x - reach_x > high[0]:
            continue
        if box.y + reach_y < low[1] or box.y - reach_y > high[1]:
            continue
        if any(box.holds(point, clear) for point in points):
            return False
    return True


def side_of(name: str | None) -> Vector | None:
    """Return the side of a box that a direction points to; None for up, down and no direction."""
    return COMPASS.get(name or "")


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
