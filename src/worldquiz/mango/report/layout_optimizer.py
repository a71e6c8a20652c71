"""Making a drawing on a grid better: places move, one at a time, while its cost goes down.

Costs are whole numbers and geometry is exact, so the same maze gives the same drawing anywhere. A
link costs by how far it turns from its direction and by its length; a line through a place's box
costs most, two lines that cross a little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.errors import MissingExtra
from worldquiz.mango.report.links import Kind, Link

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    Array = NDArray[int64]

Cell = tuple[int, int]

THROUGH, CROSSING, LENGTH = 60, 8, 5
TURNS = (0, 6, 14, 30, 60)  # straight, up to 22.5, 45 and 90 degrees off, and beyond
SWEEPS = 8
"""How often every place is tried at most."""
MOST_SHIFTED = 120
"""Up to so many places, whole branches are moved as well, and places farther."""


def settle(cells: Mapping[str, Cell], joined: Sequence[Link]) -> tuple[int, dict[str, Cell]]:
    """Return better cells, counted from 0, none taken twice, and before them what they cost."""
    if len(cells) < 2:
        return 0, dict.fromkeys(cells, (0, 0))
    table = Table(cells, joined)
    awake = set(range(len(cells)))
    table.squeeze()
    for _ in range(SWEEPS):
        moved = [n for n in sorted(awake) if table.improve(n)]
        shifted = table.shift()
        if not moved and not shifted:
            break
        awake = set(range(len(cells))) if shifted else table.around(moved)
    table.squeeze()
    return table.cost(), table.cells()


class Table:
    """Places and links as arrays."""

    def __init__(self, cells: Mapping[str, Cell], joined: Sequence[Link]) -> None:
        np = self._np = _numpy()
        self._names = list(cells)
        number = {place: n for n, place in enumerate(self._names)}
        self._at: Array = np.array(list(cells.values()), "int64")
        ends = [(number[link.one], number[link.other]) for link in joined]
        self._ends: Array = np.array(ends, "int64").reshape(-1, 2)
        towards = [link.towards or (0, 0) for link in joined]
        self._towards: Array = np.array(towards, "int64").reshape(-1, 2)
        self._kind: Array = np.array([link.kind.value for link in joined], "int64")
        self._of = [np.flatnonzero((self._ends == n).any(axis=1)) for n in number.values()]
        self._parts = self._hanging() if len(cells) <= MOST_SHIFTED else []

    def cells(self) -> dict[str, Cell]:
        """Return every place's cell, counted from 0."""
        low = self._at.min(axis=0)
        return {
            place: (int(x), int(y))
            for place, (x, y) in zip(self._names, self._at - low, strict=True)
        }

    def improve(self, n: int) -> bool:
        """Move one place to the best free cell near, if any is better than its own."""
        options = self._options(n)
        costs = self._costs(n, options)
        best = int(costs.argmin())  # the first of equals: its own cell comes first
        if costs[best] >= costs[0]:
            return False
        self._at[n] = options[best]
        return True

    def around(self, places: Iterable[int]) -> set[int]:
        """Return some places and those that they are linked to."""
        some = list(places)
        return {int(n) for place in some for n in self._ends[self._of[place]].ravel()} | set(some)

    def shift(self) -> bool:
        """Move all that hangs on a link at once, where that makes the drawing better."""
        cost, moved = self.cost(), False
        for link, part in self._parts:
            one, other = self._at[self._ends[link]]
            for reach in (1, 2, 3):
                before = self._at.copy()
                self._at[part] += one + reach * self._towards[link] - other
                if (self._at != before).any() and self._apart():
                    found = self.cost()
                    if found < cost:
                        cost, moved = found, True
                        break
                self._at = before
        return moved

    def _apart(self) -> bool:
        return len({tuple(cell) for cell in self._at.tolist()}) == len(self._at)

    def _hanging(self) -> list[tuple[int, list[int]]]:
        """Return each link with a direction that nothing goes round, and all beyond it."""
        found = []
        for link, (one, other) in enumerate(self._ends.tolist()):
            part, queue = {other}, [other]
            while queue:
                for next_ in self._of[queue.pop()]:
                    for n in self._ends[next_].tolist() if next_ != link else ():
                        if n not in part:
                            part.add(n)
                            queue.append(n)
            if one not in part and self._towards[link].any():
                found.append((link, sorted(part)))
        return found

    def squeeze(self) -> None:
        """Close rows and columns that the drawing does without."""
        cost = self.cost()
        for axis in (0, 1):
            line = int(self._at[:, axis].min()) + 1
            while line <= int(self._at[:, axis].max()):
                found = self._close(axis, line, cost)
                cost, line = (cost, line + 1) if found is None else (found, line)

    def _close(self, axis: int, line: int, cost: int) -> int | None:
        """Move all from a line on one back and return the cost, None where it would be higher."""
        before = self._at.copy()
        self._at[self._at[:, axis] >= line, axis] -= 1
        if self._apart():
            found = self.cost()
            if found <= cost:
                return found
        self._at = before
        return None

    def cost(self) -> int:
        """Return what the whole drawing costs."""
        one, other = self._at[self._ends[:, 0]], self._at[self._ends[:, 1]]
        through = _between(one[:, None], other[:, None], self._at[None])
        crossing = _cross(one[:, None], other[:, None], one[None], other[None])
        bends = self._bends(other - one, self._towards, self._kind)
        return int(bends.sum() + THROUGH * through.sum() + CROSSING * crossing.sum() // 2)

    def _options(self, n: int) -> Array:
        """Return a place's own cell and the free ones near it and near where its links point."""
        np = self._np
        own = tuple(self._at[n].tolist())
        taken = {tuple(cell) for cell in self._at.tolist()}
        centres = [(own, 2 if len(self._at) <= MOST_SHIFTED else 1)]
        for link in self._of[n]:
            one, other = self._ends[link].tolist()
            sign = 1 if other == n else -1
            there = self._at[one if other == n else other] + sign * self._towards[link]
            centres.append((tuple(there.tolist()), 1))
        near: dict[Cell, None] = {own: None}
        for (x, y), reach in centres:
            span = range(-reach, reach + 1)
            near |= dict.fromkeys((x + dx, y + dy) for dx in span for dy in span)
        found: Array = np.array([own, *(cell for cell in near if cell not in taken)], "int64")
        return found

    def _costs(self, n: int, options: Array) -> Array:
        """Return what a place's links, and lines through it, cost for each cell it might have."""
        np, mine = self._np, self._of[n]
        far = self._ends[mine].sum(axis=1) - n
        sign = np.where(self._ends[mine, 0] == n, 1, -1)[:, None]
        there = self._at[far]
        vectors = (there[None] - options[:, None]) * sign
        bends = self._bends(vectors, self._towards[mine], self._kind[mine]).sum(axis=1)
        others = np.delete(np.arange(len(self._at)), n)
        through = _between(
            options[:, None, None], there[None, :, None], self._at[others][None, None]
        )
        rest = np.setdiff1d(np.arange(len(self._ends)), mine)
        one, other = self._at[self._ends[rest, 0]], self._at[self._ends[rest, 1]]
        under = _between(one[None], other[None], options[:, None])
        crossing = _cross(
            options[:, None, None], there[None, :, None], one[None, None], other[None, None]
        )
        total: Array = (
            bends + THROUGH * (through.sum(axis=(1, 2)) + under.sum(axis=1))
            + CROSSING * crossing.sum(axis=(1, 2))
        )  # fmt: skip
        return total

    def _bends(self, vectors: Array, towards: Array, kind: Array) -> Array:
        """Return what links cost by their direction and length; the last axis is (east, south)."""
        np = self._np
        along = (vectors * towards).sum(axis=-1)
        off = abs(vectors[..., 0] * towards[..., 1] - vectors[..., 1] * towards[..., 0])
        turned = np.select(
            [
                (along > 0) & (off == 0),
                (along > 0) & (5 * off <= 2 * along),
                (along > 0) & (off <= along),
                along > 0,
            ],
            TURNS[:-1],
            TURNS[-1],
        )
        climbed = np.select([along > 0, along == 0], [4 * (off == 0), 10], 20)
        cost = np.select(
            [kind == Kind.COMPASS.value, kind == Kind.VERTICAL.value], [turned, climbed], 0
        )
        length = abs(vectors).max(axis=-1) - 1
        found: Array = cost + LENGTH * length + abs(vectors).min(axis=-1)
        return found


def _between(one: Array, other: Array, points: Array) -> Any:
    """Return whether points lie on or near the inner part of segments."""
    span, reach = other - one, points - one
    length = (span * span).sum(axis=-1)
    along = (span * reach).sum(axis=-1)
    off = span[..., 0] * reach[..., 1] - span[..., 1] * reach[..., 0]
    return (along > 0) & (along < length) & (5 * off * off < length)


def _cross(one: Array, other: Array, third: Array, fourth: Array) -> Any:
    """Return whether segments cross; touching is no crossing."""

    def side(a: Array, b: Array, c: Array) -> Any:
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
            c[..., 0] - a[..., 0]
        )

    first = side(one, other, third) * side(one, other, fourth)
    second = side(third, fourth, one) * side(third, fourth, other)
    return (first < 0) & (second < 0)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise MissingExtra("numpy", "report") from error
    return numpy
