"""Walkability of an apartment: a grid of free cells, and things to remove so that all is reachable.

The agent is a disc of radius `RADIUS`, with `SPARE` around it. A cell is free if that disc around
its middle touches no wall and nothing that stands in the way. An apartment is walkable if one
region of free cells holds every doorway and, in every room, the free cell next to its middle. Where
it is not, the cheapest way through (each thing on it costs more than any detour) names the things
to take away.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from worldquiz_scenes import geometry
from worldquiz_scenes.scene import Door, Room, Spot, Thing

RADIUS = 0.2  # metres: the agent's
SPARE = 0.1  # metres of room to spare, so that coarser grids find the same ways
REACH = RADIUS + SPARE
CELL = 0.05  # metres along a cell's side
LOW, HIGH = 0.03, 1.7  # metres between which a thing is in the way: rugs and high cupboards are not
MIDDLE = 1.5  # metres from a room's middle within which a cell must be free, if it is as large
Cell = tuple[int, int]


@dataclass(frozen=True)
class Obstacles:
    """An apartment's cells: for each one free of walls, the things that are in the way there."""

    origin: Spot
    cells: dict[Cell, tuple[str, ...]]

    def cell(self, spot: Spot) -> Cell:
        """Return the cell that a spot lies in."""
        x, y = ((at - low) / CELL for at, low in zip(spot, self.origin, strict=True))
        return (math.floor(x), math.floor(y))

    def middle(self, cell: Cell) -> Spot:
        """Return a cell's middle."""
        x, y = (low + (k + 0.5) * CELL for k, low in zip(cell, self.origin, strict=True))
        return (round(x, 6), round(y, 6))

    def free(self, cell: Cell) -> bool:
        """Tell whether an agent can stand there."""
        return self.cells.get(cell, ("wall",)) == ()

    def within(self, x0: float, y0: float, x1: float, y1: float) -> Iterator[Cell]:
        """Yield the cells whose middle lies in a rectangle."""
        spans = []
        for low, high, origin in ((x0, x1, self.origin[0]), (y0, y1, self.origin[1])):
            first = math.ceil((low - origin) / CELL - 0.5 - 1e-9)
            spans.append(range(first, math.floor((high - origin) / CELL - 0.5 + 1e-9) + 1))
        for x in spans[0]:
            for y in spans[1]:
                yield (x, y)


def ground(rooms: Sequence[Room], doors: Sequence[Door], things: Sequence[Thing]) -> Obstacles:
    """Return the cells of an apartment with the things that block each."""
    origin = (min(room.low[0] for room in rooms), min(room.low[1] for room in rooms))
    empty = Obstacles(origin, {})
    blocked: dict[Cell, list[str]] = {}
    for room in rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        inner = empty.within(x0 + REACH, y0 + REACH, x1 - REACH, y1 - REACH)
        blocked.update({cell: [] for cell in inner})
    for door in doors:  # where an agent's middle may be on its way through
        (x, y), across, along = door.at, REACH + 0.1, door.width / 2 - REACH
        dx, dy = (along, across) if door.along == "x" else (across, along)
        blocked.update({cell: [] for cell in empty.within(x - dx, y - dy, x + dx, y + dy)})
    for thing in sorted(things, key=lambda thing: thing.id):
        box = geometry.solid_of(thing)
        low, high = geometry.extent(box)
        if low[2] < HIGH and high[2] > LOW:
            around = (low[0] - REACH, low[1] - REACH, high[0] + REACH, high[1] + REACH)
            for cell in empty.within(*around):
                if cell in blocked and _near(empty.middle(cell), box):
                    blocked[cell].append(thing.id)
    return Obstacles(origin, {cell: tuple(ids) for cell, ids in blocked.items()})


def _near(spot: Spot, box: geometry.Solid) -> bool:
    """Tell whether a box, seen from above, is too near to a spot for an agent.

    A box that is turned about z only is taken as it is, any other with the upright box around it.
    """
    x, y = spot[0] - box.centre[0], spot[1] - box.centre[1]
    half = box.reach[:2]
    if abs(box.axes[2][2]) > 1 - 1e-9:
        (ax, ay, _), (bx, by, _), _ = box.axes
        x, y, half = x * ax + y * ay, x * bx + y * by, box.half[:2]
    return math.hypot(max(abs(x) - half[0], 0.0), max(abs(y) - half[1], 0.0)) < REACH


def goals(grid: Obstacles, rooms: Sequence[Room], doors: Sequence[Door]) -> list[Cell]:
    """Return the cells that must be connected: doorways, and each room's free cell by its middle.

    A room without a free cell near its middle gives the middle itself, which is then to be freed.
    """
    found = [grid.cell(door.at) for door in doors]
    for room in rooms:
        sides = list(zip(room.low, room.high, strict=True))
        x, y = ((low + high) / 2 for low, high in sides)
        reach = min(MIDDLE, *((high - low) / 2 for low, high in sides))
        near = (
            (math.dist(grid.middle(cell), (x, y)), cell)
            for cell in grid.within(x - reach, y - reach, x + reach, y + reach)
            if grid.free(cell)
        )
        found.append(min(near, default=(0.0, grid.cell((x, y))))[1])
    return found


def reached(grid: Obstacles, start: Cell) -> set[Cell]:
    """Return the free cells that can be walked to from a cell, four ways at each step."""
    found, edge = {start}, [start]
    while edge:
        for cell in _around(edge.pop()):
            if cell not in found and grid.free(cell):
                found.add(cell)
                edge.append(cell)
    return found if grid.free(start) else set()


def obstacles(
    rooms: Sequence[Room], doors: Sequence[Door], things: Sequence[Thing]
) -> tuple[str, ...]:
    """Return things in the way of the first goal that cannot be reached; none where all can.

    They are those on the way that meets fewest of them.
    """
    grid = ground(rooms, doors, things)
    start, *wanted = goals(grid, rooms, doors)
    there = reached(grid, start)
    goal = next((cell for cell in (start, *wanted) if cell not in there), None)
    if goal is None:
        return ()
    queue: list[tuple[float, Cell, Cell]] = [(0.0, start, start)]
    before: dict[Cell, Cell] = {}
    while queue and goal not in before:
        cost, cell, source = heapq.heappop(queue)
        if cell not in before:
            before[cell] = source
            for other in _around(cell):
                if other in grid.cells and other not in before:
                    heapq.heappush(queue, (cost + 1 + 1000 * len(grid.cells[other]), other, cell))
    met: set[str] = set()
    cell = goal
    while cell in before:
        met.update(grid.cells[cell])
        if cell == start:
            break
        cell = before[cell]
    return tuple(sorted(met))


def _around(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    x, y = cell
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)
