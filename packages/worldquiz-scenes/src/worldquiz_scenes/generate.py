"""Generates a scene from parameters and a seed: rooms, furniture, small things, then physics.

Every seed gives a scene: things that block the agent, fell or overlap are removed, so that no scene
is discarded.

The agent is a disc of radius `RADIUS`, with a margin of `SPARE`. A floor cell is free if the disc
around its middle touches no wall and no obstacle. An apartment is walkable if free cells connect
all doorways and, in every room, the free cell nearest to its middle. If they do not, the things on
one path are removed: the path that crosses the fewest things.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from worldquiz_scenes import clutter, furnish, geometry
from worldquiz_scenes.config import Knobs, checked, preset
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.physics_settling import settle
from worldquiz_scenes.place import Site
from worldquiz_scenes.rng import child_seed
from worldquiz_scenes.rooms import HEIGHT, FlatPlan, plan
from worldquiz_scenes.scene import FLOOR, Door, Room, Scene, Spot, Thing, below

DEEPEST = 0.005  # most metres of overlap of two boxes, neither of which carries the other
ROUNDS = 4  # most times that things are settled; then offending things are removed
LOOSE = frozenset({"toy", "clothing", "container"})  # categories that lie loose on the floor
RADIUS = 0.2  # metres: the agent's
SPARE = 0.1  # metres of margin, so that coarser grids find the same paths
REACH = RADIUS + SPARE
CELL = 0.05  # metres along a cell's side
LOW, HIGH = 0.03, 1.7  # metres: things between are obstacles, not rugs or high cupboards
MIDDLE = 1.5  # metres from a large room's middle within which a cell must be free
Cell = tuple[int, int]


def generate(knobs: Knobs, seed: int, id: str = "scene") -> Scene:
    """Return one apartment: equal parameters and seeds give equal scenes, except for the id.

    Raises `ParameterError` for parameters that no apartment can have.
    """
    drawn = plan(checked(knobs), seed)
    sites = _sites(drawn)
    furnish.furnish(sites, knobs, drawn.style, seed)

    def blocking(things: Sequence[Thing]) -> set[str]:
        return set(obstacles(drawn.rooms, drawn.doors, things))

    while gone := blocking([piece.thing for site in sites for piece in site.pieces]):
        for site in sites:
            site.remove(gone)
    added = [piece for site in sites for piece in clutter.fill(site, knobs, drawn.style, seed)]
    small = {piece.thing.id for piece in added}
    lots = sorted(small, key=lambda id: (child_seed(seed, "trim", id), id))
    while lots and sum(len(site.pieces) for site in sites) > knobs.most:
        gone = {lots.pop()}  # with the things on it
        for site in sites:
            site.remove(gone)
    things = _rested(sites, small)
    while gone := blocking(things):
        things = _without(things, gone)
    rooms = [room.name for room in drawn.rooms]
    return Scene(id, seed, drawn.style, HEIGHT, drawn.rooms, drawn.doors, named(things, rooms),
                 _start(drawn, things))  # fmt: skip


def suite(name: str, seed: int, scenes: int | None = None) -> list[Scene]:
    """Return the scenes of a preset, each with its own seed; `scenes` replaces their number."""
    wanted = preset(name)
    return [
        generate(wanted.knobs, child_seed(seed, "scene", number), f"{name}-{number:02d}")
        for number in range(1, (scenes or wanted.scenes) + 1)
    ]


def _sites(drawn: FlatPlan) -> list[Site]:
    low = [min(room.low[k] for room in drawn.rooms) for k in (0, 1)]
    high = [max(room.high[k] for room in drawn.rooms) for k in (0, 1)]
    sites = []
    for room in drawn.rooms:
        sides = {"west": room.low[0] - low[0], "south": room.low[1] - low[1],
                 "east": high[0] - room.high[0], "north": high[1] - room.high[1]}  # fmt: skip
        outer = frozenset(name for name, far in sides.items() if far < 1e-6)
        doors = tuple(door for door in drawn.doors if room.name in door.rooms)
        sites.append(Site(room, doors, HEIGHT, outer))
    return sites


def _rested(sites: Sequence[Site], small: set[str]) -> list[Thing]:
    """Let loose things come to rest by physics; return the things that pass all checks."""
    pieces = [piece for site in sites for piece in site.pieces]
    rooms = {site.room.name: site.room for site in sites}
    lies = {piece.thing.id for piece in pieces if STOCK[piece.kind].category in LOOSE} | small
    loose = [piece.thing for piece in pieces if piece.thing.id in lies]
    still = [piece for piece in pieces if piece.thing.id not in lies]
    fixed = [piece.thing for piece in still]
    touched = [piece.thing for piece in still if piece.tops or piece.thing.support == FLOOR]
    for attempt in range(ROUNDS):
        rest = settle(loose, touched)
        settled = list(rest.things)
        astray = {thing.id for thing in settled if not inside(thing, rooms[thing.room])}
        by_id = {thing.id: thing for thing in settled}
        circling = {id for id in by_id if below(id, by_id)[-1] in by_id}  # or stand on such things
        bad = set(rest.fallen | rest.jammed) | astray | circling
        meeting: set[str] = set()  # the later one of each pair
        for one, two in overlaps([*fixed, *settled]):
            if one not in meeting and two not in meeting:
                meeting.add(two)
        bad |= meeting
        if not bad or attempt == ROUNDS - 1:
            return _without([*fixed, *settled], bad)
        loose = _without(loose, bad)
    return fixed


def _without(things: Iterable[Thing], ids: set[str]) -> list[Thing]:
    """Return things without those in `ids`, and without everything that stands on them."""
    kept, gone = list(things), set(ids)
    while True:
        left = [thing for thing in kept if thing.id not in gone and thing.support not in gone]
        if len(left) == len(kept):
            return left
        gone |= {thing.id for thing in kept} - {thing.id for thing in left}
        kept = left


def inside(thing: Thing, room: Room, slack: float = 1e-3) -> bool:
    """Return whether a thing's box lies in a room, from wall to wall and above its floor."""
    low, high = geometry.extent_of(thing)
    return (
        all(low[k] >= room.low[k] - slack and high[k] <= room.high[k] + slack for k in (0, 1))
        and low[2] >= -DEEPEST
        and high[2] <= HEIGHT + slack
    )


def overlaps(things: Sequence[Thing]) -> list[tuple[str, str]]:
    """Return pairs of things that overlap by more than `DEEPEST`, unless one carries the other."""
    by_id = {thing.id: thing for thing in things}
    chains = {id: below(id, by_id) for id in by_id}
    solids = {thing.id: geometry.solid_of(thing) for thing in things}
    pairs = []
    for index, one in enumerate(things):
        for two in things[index + 1 :]:
            related = one.id in chains[two.id] or two.id in chains[one.id]
            if one.room != two.room or related:
                continue
            if geometry.depth(solids[one.id], solids[two.id]) > DEEPEST:
                pairs.append((one.id, two.id))
    return pairs


def named(things: Sequence[Thing], rooms: Sequence[str]) -> tuple[Thing, ...]:
    """Return things with everyday names as ids ("mug-1", "mug-2"), counted room by room."""
    counts: dict[str, int] = {}
    names = {}
    for thing in sorted(things, key=lambda thing: rooms.index(thing.room)):
        label = thing.label.replace(" ", "-")
        counts[label] = counts.get(label, 0) + 1
        names[thing.id] = f"{label}-{counts[label]}"
    renamed = (
        replace(thing, id=names[thing.id], support=names.get(thing.support, thing.support))
        for thing in things
    )
    return tuple(sorted(renamed, key=lambda thing: thing.id))


def _start(drawn: FlatPlan, things: Sequence[Thing]) -> tuple[float, float, float]:
    """Return an agent's start: near the middle of a hall, facing along the longest free line."""
    likes = {"hall": 0, "living room": 1}
    room = min(drawn.rooms, key=lambda room: (likes.get(room.kind, 2), room.name))
    grid = ground(drawn.rooms, drawn.doors, things)
    cell = goals(grid, [room], [])[0]

    def open_(heading: float) -> int:
        dx, dy = math.cos(heading), math.sin(heading)
        ahead = ((cell[0] + round(k * dx), cell[1] + round(k * dy)) for k in range(1, 201))
        return sum(1 for _ in takewhile(grid.free, ahead))

    eighth = max(range(8), key=lambda eighth: (open_(eighth * math.pi / 4), -eighth))
    return (*grid.middle(cell), round(eighth * math.pi / 4, 6))


@dataclass(frozen=True)
class Obstacles:
    """Grid cells of an apartment, except those at walls, with the things that block each."""

    origin: Spot
    cells: dict[Cell, tuple[str, ...]]

    def cell(self, spot: Spot) -> Cell:
        """Return the cell in which a spot lies."""
        x, y = ((at - low) / CELL for at, low in zip(spot, self.origin, strict=True))
        return (math.floor(x), math.floor(y))

    def middle(self, cell: Cell) -> Spot:
        """Return a cell's middle."""
        x, y = (low + (k + 0.5) * CELL for k, low in zip(cell, self.origin, strict=True))
        return (round(x, 6), round(y, 6))

    def free(self, cell: Cell) -> bool:
        """Return whether an agent can stand in the middle of a cell."""
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
    for door in doors:  # where an agent's middle may pass through
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
    """Return whether a box, seen from above, is too near to a spot for an agent to stand there.

    A box that is tilted counts as the upright box around it.
    """
    x, y = spot[0] - box.centre[0], spot[1] - box.centre[1]
    half = box.reach[:2]
    if abs(box.axes[2][2]) > 1 - 1e-9:
        (ax, ay, _), (bx, by, _), _ = box.axes
        x, y, half = x * ax + y * ay, x * bx + y * by, box.half[:2]
    return math.hypot(max(abs(x) - half[0], 0.0), max(abs(y) - half[1], 0.0)) < REACH


def goals(grid: Obstacles, rooms: Sequence[Room], doors: Sequence[Door]) -> list[Cell]:
    """Return the cells that must be connected: one for each doorway, and one for each room.

    A room's cell is the free one nearest to its middle, or if none is near, the middle itself.
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
    """Return the free cells that can be reached from a cell in steps along x or y."""
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
    """Return the things in the way to the first goal that cannot be reached, on the path with the
    fewest of them; () if all goals can be reached.
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
