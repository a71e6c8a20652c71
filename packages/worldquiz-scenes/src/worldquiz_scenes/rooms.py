"""An apartment's rooms: one rectangle, split until there are enough rooms, joined by doorways.

Plans are sampled until every room is large enough and doorways reach all rooms. Walls are `WALL`
thick and lie between the rooms' rectangles. Doorways form a tree over all rooms; further doorways
through shared walls add loops.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations

from worldquiz_scenes.config import ANY, Knobs
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.paints import STYLES, Style, paint, pale, patterned
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import Door, Pattern, Room, Spot

WALL = 0.1  # thickness of inner walls in metres
LEAST = 2.3  # fewest metres along a room's shorter side
DOOR = 0.9  # width of a doorway in metres
JAMB = 0.12  # metres of wall left beside a doorway
HEIGHT = 2.6
ATTEMPTS = 500
TILES = (("grey", "light grey"), ("beige", "ivory"), ("light brown", "beige"))

Walls = dict[tuple[int, int], tuple[str, float, float, float]]
"""For two rooms that share a wall: the axis along the wall, its position, its start and end."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of floor."""

    low: Spot
    high: Spot

    @property
    def size(self) -> Spot:
        """Its lengths along x and y."""
        return (self.high[0] - self.low[0], self.high[1] - self.low[1])


@dataclass(frozen=True, slots=True)
class FlatPlan:
    """An apartment without things."""

    style: str
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]


def plan(knobs: Knobs, seed: int) -> FlatPlan:
    """Return an apartment's rooms and doorways. Raises `SceneError` if none is found."""
    rng = child(seed, "plan")
    style = rng.choice(sorted(STYLES)) if knobs.style == ANY else knobs.style
    count, loops = rng.randint(*knobs.rooms), rng.randint(*knobs.loops)
    for attempt in range(ATTEMPTS):
        rng = child(seed, "plan", attempt)
        square = count * rng.uniform(12.5, 16.0) if count > 1 else rng.uniform(14.0, 18.0)
        ratio = rng.uniform(1.0, 1.4)
        whole = Area((0.0, 0.0), (_round((square * ratio) ** 0.5), _round((square / ratio) ** 0.5)))
        areas = sorted(_split(rng, whole, count), key=lambda area: (area.low, area.high))
        if min(side for area in areas for side in area.size) < LEAST - 1e-9:
            continue
        pairs = _pairs(areas)
        rooms = _rooms(rng, areas, _kinds(rng, areas, pairs), STYLES[style])
        doors = _doors(rng, rooms, pairs, loops)
        if len(doors) >= count - 1:
            return FlatPlan(style, rooms, doors)
    raise SceneError(f"seed {seed}: no plan of {count} rooms in {ATTEMPTS} tries: use another seed")


def _split(rng: random.Random, area: Area, count: int) -> list[Area]:
    """Return an area split into `count` rooms, by cuts across its longer side."""
    if count == 1:
        return [area]
    first = count // 2
    axis = 0 if area.size[0] >= area.size[1] else 1
    long = area.size[axis] - WALL
    share = first / count * rng.uniform(0.85, 1.15)
    cut = _round(area.low[axis] + min(max(long * share, LEAST), long - LEAST))
    one_high, two_low = list(area.high), list(area.low)
    one_high[axis], two_low[axis] = cut, _round(cut + WALL)
    one = Area(area.low, (one_high[0], one_high[1]))
    two = Area((two_low[0], two_low[1]), area.high)
    return _split(rng, one, first) + _split(rng, two, count - first)


def _pairs(areas: list[Area]) -> Walls:
    """Return the pairs of rooms that share a wall long enough for a doorway, and where it is."""
    shared = {}
    for (one, first), (two, second) in combinations(enumerate(areas), 2):
        for axis in (0, 1):
            a, b = first, second
            if abs(b.low[axis] - a.high[axis] - WALL) > 1e-6:
                a, b = b, a
            start = max(a.low[1 - axis], b.low[1 - axis])
            end = min(a.high[1 - axis], b.high[1 - axis])
            beside = abs(b.low[axis] - a.high[axis] - WALL) <= 1e-6
            if beside and end - start >= DOOR + 2 * JAMB:
                shared[one, two] = ("yx"[axis], _round(a.high[axis] + WALL / 2), start, end)
    return shared


_ALONE = ("living room", "bedroom", "kitchen", "study")
_FIRST, _NEXT, _LAST = ("kitchen", "bedroom", "bathroom"), ("study", "hall"), ("bedroom", "study")
_MORE = ("bedroom", "study", "bathroom", "living room", "kitchen")  # beyond eight


def _kinds(rng: random.Random, areas: list[Area], pairs: Walls) -> list[str]:
    """Return each room's kind: a hall has most neighbours, a living room most floor of the rest."""
    count = len(areas)
    if count == 1:
        return [rng.choice(_ALONE)]
    others = [kind for group in (_FIRST, _NEXT, _LAST) for kind in rng.sample(group, len(group))]
    while len(others) < count - 1:
        others += rng.sample(_MORE, len(_MORE))
    wanted = ["living room", *others[: count - 1]]
    neighbours = [sum(room in pair for pair in pairs) for room in range(count)]
    squares = [area.size[0] * area.size[1] for area in areas]
    free, kinds = list(range(count)), [""] * count
    if "hall" in wanted:
        hall = max(free, key=lambda room: (neighbours[room], -squares[room], -room))
        kinds[hall] = "hall"
        free.remove(hall)
    by_size = sorted(free, key=lambda room: (-squares[room], room))
    rank = {"living room": 0, "bedroom": 1, "kitchen": 2, "study": 3, "bathroom": 4}
    rest = sorted((kind for kind in wanted if kind != "hall"), key=lambda kind: rank[kind])
    for room, kind in zip(by_size, rest, strict=True):
        kinds[room] = kind
    return kinds


def _rooms(
    rng: random.Random, areas: list[Area], kinds: list[str], style: Style
) -> tuple[Room, ...]:
    counts: dict[str, int] = {}
    rooms = []
    for area, kind in zip(areas, kinds, strict=True):
        counts[kind] = counts.get(kind, 0) + 1
        name = f"{kind.replace(' ', '-')}-{counts[kind]}"
        wall = pale(paint(rng.choice(style.walls), "paper"))
        if kind in ("kitchen", "bathroom"):
            floor = patterned(*rng.choice(TILES), "ceramic", Pattern.CHECKS)
        else:
            colour = rng.choice(style.floors)
            floor = paint(colour, "wood" if "brown" in colour else "stone")
        rooms.append(Room(name, kind, area.low, area.high, floor, wall))
    return tuple(rooms)


def _doors(
    rng: random.Random, rooms: tuple[Room, ...], pairs: Walls, loops: int
) -> tuple[Door, ...]:
    """Return doorways: a tree over all rooms, best through halls and living rooms, then loops."""
    hub = {"hall": 0, "living room": 1}
    order = sorted(pairs)
    rng.shuffle(order)
    order.sort(key=lambda pair: min(hub.get(rooms[room].kind, 2) for room in pair))
    group, chosen, spare = list(range(len(rooms))), [], []
    for one, two in order:
        if group[one] != group[two]:
            chosen.append((one, two))
            old, new = group[two], group[one]
            group = [new if each == old else each for each in group]
        else:
            spare.append((one, two))
    chosen += spare[:loops]
    doors = []
    for one, two in sorted(chosen):  # near an end of the shared wall, which leaves wall to furnish
        along, line, start, end = pairs[one, two]
        low, high = start + JAMB + DOOR / 2, end - JAMB - DOOR / 2
        near = min(0.5, high - low)
        where = low + rng.uniform(0, near) if rng.random() < 0.5 else high - rng.uniform(0, near)
        at = (_round(where), line) if along == "x" else (line, _round(where))
        doors.append(Door((rooms[one].name, rooms[two].name), at, DOOR, along))
    return tuple(doors)


def _round(value: float) -> float:
    return round(value, 3)
