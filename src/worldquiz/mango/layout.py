"""Places on floors, each floor a grid with north up.

Places that compass moves join are laid out together. Where a few of them hang on others by a climb
or by a move of no direction, they are drawn beside those; larger groups have a floor of their own.
On a grid, first every place is put on the free cell nearest to where its move points; then places
move, one at a time, while the cost of the drawing goes down. A link costs by how far it turns from
its direction and by its length; a line through a place's cell costs most, two lines that cross half
of that. Costs are whole numbers and geometry is exact, so the same maze gives the same drawing
anywhere.

A compass move points one way, north being up; up and down lead to another floor; any other move
("in", "pray") only joins. Moves between the same two places are one link, whichever way they lead.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from heapq import heappop, heappush
from itertools import count, product
from math import isqrt
from typing import TYPE_CHECKING, Any

from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.recorder.words import spelled
from worldquiz.plugins import later

if TYPE_CHECKING:
    import numpy as np
    from numpy import int64
    from numpy.typing import NDArray

    Array = NDArray[int64]
else:
    np = later("numpy", extra="t2q")

FEW = 3
"""So many places at most are drawn beside what they hang on."""
TRIES = 150
"""Places laid out in all while looking for the best place to begin with."""
THROUGH, CROSSING, LENGTH = 60, 30, 5
TURNS = (0, 6, 14, 30, 60)  # straight, up to 22.5, 45 and 90 degrees off, and beyond
SWEEPS = 5
"""How often every place is tried at most."""

Cell = tuple[int, int]  # column and row


Vector = tuple[int, int]  # to the east and to the south

COMPASS: dict[str, Vector] = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
"""Where each direction points."""
_CLIMBS = ("climb", "go", "walk", "crawl", "swim")


class LinkKind(Enum):
    """Kind of a link, the most telling first."""

    COMPASS = 0
    VERTICAL = 1
    OTHER = 2


@dataclass(frozen=True, slots=True)
class Link:
    """All moves between two places, of which `one` comes first in the maze."""

    one: str
    other: str
    there: tuple[int, ...]  # numbers of the edges from `one` to `other`, as first told
    back: tuple[int, ...]
    kind: LinkKind
    towards: Vector | None  # where `other` lies from `one`; (0, -1) for up; None: anywhere

    @property
    def moves(self) -> tuple[int, ...]:
        """The numbers of its edges, those from `one` first."""
        return (*self.there, *self.back)

    @property
    def both_ways(self) -> bool:
        """Tell whether there is a move each way."""
        return bool(self.there and self.back)


def direction(action: str) -> str | None:
    """Return the direction of a move: a compass direction, "up", "down", or None."""
    words = spelled(action).split()
    if not words:
        return None
    if words[-1] in COMPASS or (words[-1] in ("up", "down") and len(words) == 1):
        return words[-1]
    if words[0] in _CLIMBS and len(words) > 1 and words[1] in ("up", "down"):
        return words[1]
    return None


def links(maze: Maze) -> tuple[Link, ...]:
    """Return the links of a maze; moves that lead back to where they start are none."""
    order = {place: number for number, place in enumerate(maze.places)}
    joined: dict[tuple[str, str], list[int]] = {}
    for number, edge in enumerate(maze.edges):
        if edge.source != edge.target:
            one, other = sorted((edge.source, edge.target), key=lambda each: order[each])
            joined.setdefault((one, other), []).append(number)
    return tuple(_link(maze, *ends, numbers) for ends, numbers in joined.items())


def _link(maze: Maze, one: str, other: str, numbers: Iterable[int]) -> Link:
    def first(number: int) -> tuple[int, str]:
        told = maze.edges[number].told.first
        return (10**9 if told is None else told, maze.edges[number].action)

    ranked = sorted(numbers, key=first)
    edges = [maze.edges[number] for number in ranked]
    there = tuple(number for number in ranked if maze.edges[number].source == one)
    back = tuple(number for number in ranked if maze.edges[number].source == other)
    for kind, table in (
        (LinkKind.COMPASS, COMPASS),
        (LinkKind.VERTICAL, {"up": (0, -1), "down": (0, 1)}),
    ):
        towards = _towards(edges, one, table)
        if towards:
            return Link(one, other, there, back, kind, towards)
    return Link(one, other, there, back, LinkKind.OTHER, None)


def _towards(edges: Iterable[Edge], one: str, table: dict[str, Vector]) -> Vector | None:
    """Return where the other place lies by the first move each way that a table has.

    Where the two do not undo each other the passage bends: it lies between their directions.
    """
    first: dict[bool, Vector] = {}
    for edge in edges:
        vector = table.get(direction(edge.action) or "")
        if vector:
            first.setdefault(edge.source == one, vector)
    there, back = first.get(True), first.get(False)
    if back is None or there is None:
        return there or (back and (-back[0], -back[1]))
    bent = (_sign(there[0] - back[0]), _sign(there[1] - back[1]))
    return bent if any(bent) else there


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@dataclass(frozen=True, slots=True)
class Storey:
    """Places in their cells; no cell holds two."""

    cells: Mapping[str, Cell]
    level: int | None  # floors above the first; None: no climb leads there


def floors(maze: Maze, joined: Sequence[Link]) -> list[Storey]:
    """Return a maze's floors, that where the walkthrough starts first."""
    begin = start(maze)
    groups = sorted(_groups(maze.places, joined), key=lambda group: begin not in group)
    floor_of = {place: number for number, group in enumerate(groups) for place in group}
    levels = _levels(len(groups), joined, floor_of)
    found = []
    for number, group in enumerate(groups):
        inside = [link for link in joined if floor_of[link.one] == floor_of[link.other] == number]
        found.append(Storey(_settled(group, inside), levels.get(number)))
    return found


def start(maze: Maze) -> str | None:
    """Return where the walkthrough's first move starts, None if it never moves."""
    moves = [(e.seen.forward, e.source) for e in maze.edges if e.seen.forward is not None]
    return min(moves)[1] if moves else None


def _groups(places: Sequence[str], joined: Sequence[Link]) -> list[list[str]]:
    """Divide places into floors: by compass moves, then by what few places hang on."""
    home = {place: place for place in places}
    size = dict.fromkeys(places, 1)

    def root(place: str) -> str:
        while home[place] != place:
            place = home[place]
        return place

    for link in sorted(joined, key=lambda link: (link.kind.value, not link.both_ways)):
        one, other = root(link.one), root(link.other)
        if one != other and (link.kind is LinkKind.COMPASS or min(size[one], size[other]) <= FEW):
            home[other] = one
            size[one] += size[other]
    found: dict[str, list[str]] = {}
    for place in places:
        found.setdefault(root(place), []).append(place)
    return list(found.values())


def _levels(floors: int, joined: Iterable[Link], floor_of: Mapping[str, int]) -> dict[int, int]:
    """Return how far above the first floor others are, by the climbs between them."""
    climbs: list[list[tuple[int, int]]] = [[] for _ in range(floors)]
    for link in joined:
        one, other = floor_of[link.one], floor_of[link.other]
        if one != other and link.kind is LinkKind.VERTICAL and link.towards:
            climbs[one].append((other, -link.towards[1]))
            climbs[other].append((one, link.towards[1]))
    found, queue = {0: 0}, deque([0][:floors])
    while queue:
        floor = queue.popleft()
        for other, up in climbs[floor]:
            if other not in found:
                found[other] = found[floor] + up
                queue.append(other)
    return found


def _settled(places: Sequence[str], joined: Sequence[Link]) -> dict[str, Cell]:
    """Return the best cells of those found from each of some places to begin with."""
    compass = Counter(
        place
        for link in joined
        for place in (link.one, link.other)
        if link.kind is LinkKind.COMPASS
    )
    hubs = sorted(places, key=lambda place: -compass[place])[: max(1, TRIES // len(places))]
    tries = []
    for hub in hubs:
        grid = LinkArrays(_placed(joined, hub), joined)
        grid.settle()
        tries.append((grid.cost(), grid.cells()))
    return min(tries, key=lambda found: found[0])[1]


def _placed(joined: Sequence[Link], hub: str) -> dict[str, Cell]:
    """Put places near where moves to them point, from a hub on, compass moves first."""
    around: dict[str, list[tuple[int, str, Cell]]] = defaultdict(list)
    for link in joined:
        x, y = link.towards or (0, 0)
        x += link.kind is LinkKind.VERTICAL  # straight above would read as north
        around[link.one].append((link.kind.value, link.other, (x, y)))
        around[link.other].append((link.kind.value, link.one, (-x, -y)))
    cells: dict[str, Cell] = {}
    order, waiting = count(), [(0, -1, hub, (0, 0))]
    while waiting:
        _, _, place, wanted = heappop(waiting)
        if place in cells:
            continue
        x, y = cells[place] = _free(wanted, set(cells.values()))
        for kind, other, (dx, dy) in around[place]:
            heappush(waiting, (kind, next(order), other, (x + dx, y + dy)))
    return cells


def _free(wanted: Cell, taken: Collection[Cell]) -> Cell:
    """Return the free cell that is nearest to a wanted one."""
    x, y = wanted
    reach = range(-isqrt(len(taken)), isqrt(len(taken)) + 1)  # some cell in reach is free
    steps = sorted(product(reach, reach), key=lambda step: step[0] ** 2 + step[1] ** 2)
    return next(cell for dx, dy in steps if (cell := (x + dx, y + dy)) not in taken)


class LinkArrays:
    """Places and links as arrays."""

    def __init__(self, cells: Mapping[str, Cell], joined: Sequence[Link]) -> None:
        self._names = list(cells)
        number = {place: n for n, place in enumerate(self._names)}
        self._at: Array = np.array(list(cells.values()), "int64")
        ends = [(number[link.one], number[link.other]) for link in joined]
        self._ends: Array = np.array(ends, "int64").reshape(-1, 2)
        towards = [link.towards or (0, 0) for link in joined]
        self._towards: Array = np.array(towards, "int64").reshape(-1, 2)
        self._kind: Array = np.array([link.kind.value for link in joined], "int64")
        self._of = [np.flatnonzero((self._ends == n).any(axis=1)) for n in number.values()]

    def cells(self) -> dict[str, Cell]:
        """Return every place's cell, counted from 0."""
        low = self._at.min(axis=0)
        return {
            place: (int(x), int(y))
            for place, (x, y) in zip(self._names, self._at - low, strict=True)
        }

    def settle(self) -> None:
        """Move places while that makes the drawing better."""
        for _ in range(SWEEPS):
            moved = [self.improve(n) for n in range(len(self._names))]
            if not any(moved):
                return

    def improve(self, n: int) -> bool:
        """Move one place to the best free cell near, if any is better than its own."""
        options = self._options(n)
        costs = self._costs(n, options)
        best = int(costs.argmin())  # the first of equals: its own cell comes first
        if costs[best] >= costs[0]:
            return False
        self._at[n] = options[best]
        return True

    def cost(self) -> int:
        """Return what the whole drawing costs."""
        one, other = self._at[self._ends[:, 0]], self._at[self._ends[:, 1]]
        through = _between(one[:, None], other[:, None], self._at[None])
        crossing = _cross(one[:, None], other[:, None], one[None], other[None])
        bends = self._bends(other - one, self._towards, self._kind)
        return int(bends.sum() + THROUGH * through.sum() + CROSSING * crossing.sum() // 2)

    def _options(self, n: int) -> Array:
        """Return a place's own cell and the free ones near it and near where its links point."""
        taken = {tuple(cell) for cell in self._at.tolist()}
        centres = [(*self._at[n].tolist(), 2)]
        for link in self._of[n]:
            one, other = self._ends[link].tolist()
            there = (
                self._at[one] + self._towards[link]
                if other == n
                else self._at[other] - self._towards[link]
            )
            centres.append((*there.tolist(), 1))
        near: dict[Cell, None] = {}
        for x, y, reach in centres:
            span = range(-reach, reach + 1)
            near |= dict.fromkeys((x + dx, y + dy) for dx, dy in product(span, span))
        found: Array = np.array(
            [self._at[n], *(cell for cell in near if cell not in taken)], "int64"
        )
        return found

    def _costs(self, n: int, options: Array) -> Array:
        """Return what a place's links, and lines through it, cost for each cell it might have."""
        mine = self._of[n]
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
            [kind == LinkKind.COMPASS.value, kind == LinkKind.VERTICAL.value], [turned, climbed], 0
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
