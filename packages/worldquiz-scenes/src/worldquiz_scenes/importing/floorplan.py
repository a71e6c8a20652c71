"""Rooms and doorways of an imported scene, from outlines of its floor, walls and openings.

The floor between walls is cut into rectangles along lines through its corners, the largest first.
Each rectangle is a room. Wherever no wall separates two rectangles that face each other, the whole
gap between them is a doorway. Floors with slanted edges are filled with rectangles on a grid of
`STEP` metres. Windows and closed doors hang on walls.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import Floats, Mask, later, np
from worldquiz_scenes.files import refused
from worldquiz_scenes.importing import names
from worldquiz_scenes.importing.pieces import (
    Draft,
    Element,
    Named,
    Opening,
    Outline,
    Upright,
    about_z,
    painted,
)
from worldquiz_scenes.scene import WALL, Door, Paint, Room, Vec

shapely = later("shapely")

STEP = 0.25  # metres of the steps along a slanted edge
SLIVER = 1e-6  # square metres of wall that do not close a gap
SAME = 0.001  # metres within which two lines are one
NARROWEST, SMALLEST = 0.4, 0.3  # fewest metres and square metres of a rectangle
MOST = 16  # most rectangles from one piece of floor
GAP, OPEN = 0.5, 0.5  # most metres that a doorway bridges; its least width
PASSABLE = 1.7  # metres: a lower wall is not a wall of a room
LOWEST, HEIGHT, HIGHEST = 2.1, 2.6, 8.0  # height of a room: least, default, most
WIDEST = 50.0  # most metres of a scene: cameras see little further
BESIDE = 0.6  # most metres from an opening to a room that it joins
TOUCHING = 0.02  # most metres from a room to its own walls
LEAF = 0.04  # half the metres by which a window or closed door stands out from its wall
JAMB = 0.05  # most metres from a drawn door's side to its wall
KINDS = {
    "living": "living room", "lounge": "living room", "salon": "living room", "sitting":
    "living room", "kitchen": "kitchen", "bedroom": "bedroom", "bath": "bathroom", "bathroom":
    "bathroom", "toilet": "bathroom", "wc": "bathroom", "shower": "bathroom", "hall": "hall",
    "hallway": "hall", "corridor": "hall", "entry": "hall", "entrance": "hall", "study": "study",
    "office": "study", "dining": "dining room", "garage": "garage", "storage": "storage",
    "balcony": "balcony", "terrace": "terrace", "nursery": "bedroom", "children": "bedroom",
}  # fmt: skip
"""Words in names of rooms, with the kind of room that they mean."""
PALE: Vec = (0.92, 0.9, 0.86)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of floor."""

    low: tuple[float, float]
    high: tuple[float, float]
    piece: int  # the number of a connected piece of floor
    outline: int  # index of its outline; -1 if it comes from walls alone

    @property
    def square(self) -> float:
        """The area in square metres."""
        return (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])


@dataclass(frozen=True)
class House:
    """A plan as rooms."""

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    height: float
    start: tuple[float, float, float] | None
    notes: tuple[str, ...]

    def room(self, x: float, y: float) -> Room | None:
        """Return the room that holds a point, or the nearest room within `GAP`."""

        def far(room: Room) -> float:
            (x0, y0), (x1, y1) = room.low, room.high
            return math.hypot(max(x0 - x, x - x1, 0.0), max(y0 - y, y - y1, 0.0))

        near = min(self.rooms, key=far)
        return near if far(near) <= GAP else None


def house(draft: Draft, file: Path) -> tuple[House, list[Named]]:
    """Return a draft's rooms and its items, among them its windows and closed doors.

    All are turned so that most walls run along the axes, and moved to begin at 0, 0. Raises
    `FileError` if no room is large enough to stand in, or if the scene is too wide.
    """
    draft = _upright(draft)
    walls = solid(draft.walls).union(leaves(draft.doors))
    rects = rectangles(draft.floors, walls)
    if not rects:
        what = "no floor that is large enough to stand on" if draft.floors else "no room"
        way = "draw a room, or check its unit (--unit) and which axis is up (--up)"
        raise refused(file, "", f"has {what}", way)
    wide = max(max(r.high[k] for r in rects) - min(r.low[k] for r in rects) for k in (0, 1))
    if wide > WIDEST:
        raise refused(
            file, "", f"is {wide:,.0f} m wide; the limit is {WIDEST:.0f} m",
            "state its unit, e.g. --unit cm, or cut out one apartment",
        )  # fmt: skip
    tops = [float(item.high[2]) + 0.02 for item in draft.items if item.low[2] < LOWEST]
    told = draft.height if draft.height is not None else max([HEIGHT, *tops])
    height = round(min(max(told, LOWEST), HIGHEST), 4)
    called = _names(rects, draft)
    doors = list(passages(walls, rects, [name for _, name in called], height))
    shown = []
    for opening in draft.doors:
        door = _door(opening, rects, called, height) if opening.passable else None
        if door is not None:
            k = "xy".index(door.along)
            if not any(
                set(door.rooms) == set(each.rooms)
                and door.along == each.along
                and abs(door.at[k] - each.at[k]) < (door.width + each.width) / 2
                for each in doors
            ):
                doors.append(door)
        elif (item := _on_wall(opening, rects)) is not None:
            shown.append(item)
    rooms = tuple(
        Room(name, kind, rect.low, rect.high, *_paints(rect, draft))
        for rect, (kind, name) in zip(rects, called, strict=True)
    )
    whole = sum(polygon(outline.points).area for outline in draft.floors)
    kept = sum(rect.square for rect in rects)
    lost = f"{1 - kept / (whole or kept):.0%} of its floor is walls, or too narrow for a room"
    notes = (lost,) if kept < 0.97 * whole else ()
    return House(rooms, tuple(doors), height, draft.start, notes), [*draft.items, *shown]


def slant(outlines: Sequence[Outline], walls: Sequence[Upright]) -> float:
    """Return the angle between most walls and the axes, in radians, from -pi/4 to pi/4."""
    every = [wall.points for wall in walls] or [each.points for each in outlines]
    if not every:
        return 0.0
    along = np.concatenate([np.roll(points, -1, axis=0) - points for points in every])
    # four-fold: a direction and its quarter turns count as one
    spun = np.hypot(along[:, 0], along[:, 1]) * np.exp(4j * np.arctan2(along[:, 1], along[:, 0]))
    angle = float(np.angle(spun.sum())) / 4
    return 0.0 if abs(angle) < math.radians(0.3) else angle


def solid(walls: Sequence[Upright]) -> Any:
    """Return the area that walls fill, seen from above; low walls do not count."""
    return shapely.union_all([polygon(each.points) for each in walls if each.height >= PASSABLE])


def leaves(openings: Sequence[Opening]) -> Any:
    """Return the area that doors fill, seen from above; they separate rooms as walls do."""
    shapes = []
    for each in openings:
        half = each.along * (each.width / 2 + JAMB)
        if each.passable:
            line = shapely.LineString([each.at - half, each.at + half])
            shapes.append(line.buffer(LEAF, cap_style="flat"))
    return shapely.union_all(shapes)


def rectangles(outlines: Sequence[Outline], walls: Any) -> list[Rect]:
    """Return the rectangles of all floor between walls, piece by piece.

    Without outlines, the floor is the area that walls enclose.
    """
    taken = walls
    areas: list[Any] = []
    for outline in outlines:
        areas.append(polygon(outline.points).difference(taken))
        taken = taken.union(polygon(outline.points))
    if not outlines:
        rings = [ring for part in shapely.get_parts(walls) for ring in part.interiors]
        areas = [shapely.union_all([shapely.Polygon(ring) for ring in rings]).difference(walls)]
    found: list[Rect] = []
    for number, area in enumerate(areas):
        for shape in shapely.get_parts(area):
            first, piece = len(found), found[-1].piece + 1 if found else 0
            x, y = (_lines(shape, axis) for axis in (0, 1))
            low = np.stack(np.meshgrid(x[:-1], y[:-1], indexing="ij"), axis=-1).reshape(-1, 2)
            high = np.stack(np.meshgrid(x[1:], y[1:], indexing="ij"), axis=-1).reshape(-1, 2)
            covered = shapely.covers(shape.buffer(SAME), shapely.box(*low.T, *high.T))
            free = covered.reshape(len(x) - 1, len(y) - 1)
            while len(found) < first + MOST and (best := _largest(free, (x, y))):
                i0, i1, j0, j1 = best
                free[i0:i1, j0:j1] = False
                corner = (round(float(x[i0]), 4), round(float(y[j0]), 4))
                other = (round(float(x[i1]), 4), round(float(y[j1]), 4))
                found.append(Rect(corner, other, piece, number if outlines else -1))
    return found


def _lines(shape: Any, axis: int) -> Floats:
    """Return the coordinates of a shape's corners on an axis; those within `SAME` count as one.

    A shape with slanted edges has further coordinates, in steps of `STEP`.
    """
    points = shapely.get_coordinates(shape)
    values: list[float] = points[:, axis].tolist()
    if (np.abs(np.diff(points, axis=0)).min(axis=1) > 0.02).any():
        low, high = min(values), max(values)
        values += np.linspace(low, high, max(2, round((high - low) / STEP) + 1)).tolist()
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > SAME:
            kept.append(value)
    return np.array(kept)


def passages(
    walls: Any, rects: Sequence[Rect], called: Sequence[str], height: float
) -> Iterator[Door]:
    """Yield a doorway wherever no wall stands between two rectangles that face each other."""
    for (one, a), (two, b) in combinations(enumerate(rects), 2):
        for axis in (0, 1):
            facing = _face(a, b, axis)
            if facing is None:
                continue
            span, place, end = facing
            strip = shapely.box(span[0], place, span[1], end)
            strip = strip if axis == 0 else shapely.box(place, span[0], end, span[1])
            shut = [part.bounds for part in shapely.get_parts(strip.intersection(walls))
                    if part.area > SLIVER]  # fmt: skip
            for low, high in [
                *sorted((each[1 - axis], each[3 - axis]) for each in shut),
                (end,) * 2,
            ]:
                if low - place >= OPEN:
                    yield _doorway((called[one], called[two]), axis, span, place, low, height)
                place = max(place, high)


def _largest(free: Mask, lines: Sequence[Floats]) -> tuple[int, int, int, int] | None:
    """Return the largest rectangle of free cells, None if all are too small."""
    best: tuple[int, int, int, int] | None = None
    x, y = lines
    depths, least = np.diff(y), SMALLEST - 2e-9
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
            for j0, j1 in edges.reshape(-1, 2).tolist():
                deep = float(y[j1] - y[j0])
                if deep >= NARROWEST and wide * deep > least + 1e-9:
                    best, least = (i0, i1 + 1, j0, j1), wide * deep
    return best


def _face(a: Rect, b: Rect, axis: int) -> tuple[tuple[float, float], float, float] | None:
    """Return the gap between two rectangles along an axis, and the range that they share across."""
    if b.low[axis] < a.low[axis]:
        a, b = b, a
    gap = b.low[axis] - a.high[axis]
    other = 1 - axis
    start, end = max(a.low[other], b.low[other]), min(a.high[other], b.high[other])
    if not -1e-6 <= gap <= GAP or end - start < OPEN:
        return None
    return (a.high[axis], b.low[axis]), start, end


def _doorway(
    rooms: tuple[str, str], axis: int, span: tuple[float, float], low: float, high: float,
    height: float,
) -> Door:  # fmt: skip
    """Return a doorway in the gap `span` along `axis`, from `low` to `high` on the other axis."""
    middle, line = round((low + high) / 2, 4), round(sum(span) / 2, 4)
    at = (line, middle) if axis == 0 else (middle, line)
    return Door(rooms, at, round(high - low, 4), "y" if axis == 0 else "x", round(height, 4))


def polygon(points: Floats) -> Any:
    """Return an outline as a shapely polygon; a self-crossing outline is taken apart first."""
    return shapely.make_valid(shapely.Polygon(points))


def _upright(draft: Draft) -> Draft:
    """Return a draft turned so that most walls run along the axes, and moved to begin at 0, 0."""
    angle = -slant(draft.floors, draft.walls)
    turn = about_z(angle)
    flat = turn[:2, :2]
    every = [each.points for each in draft.floors] + [each.points for each in draft.walls]
    outlines = [points @ flat.T for points in every]
    if not outlines:
        return draft
    shift = -np.concatenate(outlines).min(axis=0)
    lift = np.array([*shift, 0.0])

    def moved(points: Floats) -> Floats:
        result: Floats = np.round(points @ flat.T + shift, 5)
        return result

    start = None
    if draft.start is not None:
        x, y = (np.array(draft.start[:2]) @ flat.T + shift).tolist()
        start = (x, y, draft.start[2] + angle)
    return replace(
        draft,
        items=[item.moved(turn, lift) for item in draft.items],
        floors=tuple(replace(each, points=moved(each.points)) for each in draft.floors),
        walls=tuple(replace(each, points=moved(each.points)) for each in draft.walls),
        doors=tuple(
            replace(each, at=each.at @ flat.T + shift, along=flat @ each.along,
                    item=each.item and each.item.moved(turn, lift))
            for each in draft.doors
        ),
        start=start,
    )  # fmt: skip


def _names(rects: Sequence[Rect], draft: Draft) -> list[tuple[str, str]]:
    """Return the kind and name of each rectangle's room; further parts of a room get letters."""
    counts: Counter[str] = Counter()
    parts: Counter[int] = Counter()
    pieces: dict[int, tuple[str, str]] = {}
    called = []
    for rect in rects:
        if rect.piece not in pieces:
            said = names.words(draft.floors[rect.outline].name) if rect.outline >= 0 else []
            known = next((KINDS[word] for word in said if word in KINDS), None)
            kind = known or " ".join(said)[:30].strip() or "room"
            counts[kind] += 1
            pieces[rect.piece] = (kind, f"{kind.replace(' ', '-')}-{counts[kind]}")
        kind, name = pieces[rect.piece]
        part = parts[rect.piece]
        parts[rect.piece] += 1
        called.append((kind, f"{name}-{chr(ord('a') + part)}" if part else name))
    return called


def _paints(rect: Rect, draft: Draft) -> tuple[Paint, Paint]:
    """Return the paint of a room's floor, and the most frequent paint of its walls.

    Walls that touch the room take precedence: behind them may be walls of the next room.
    """
    outline = draft.floors[rect.outline] if rect.outline >= 0 else Outline("", np.empty((0, 2)))
    gaps = []
    for wall in draft.walls:
        low, high = wall.points.min(axis=0), wall.points.max(axis=0)
        gap = np.maximum(np.array(rect.low) - high, low - np.array(rect.high)).max()
        gaps.append((float(gap), wall.rgb))
    near = [each for each in gaps if each[0] <= TOUCHING] or [
        each for each in gaps if each[0] <= 0.3
    ]
    found = Counter(rgb for _, rgb in near)
    rgb = min(found, key=lambda each: (-found[each], each)) if found else PALE
    return painted(outline.rgb, outline.material), painted(rgb, "paper")


def _across(opening: Opening) -> int | None:
    """Return the axis across the wall of an opening (0 or 1), None if the wall is slanted."""
    x, y = (abs(float(each)) for each in opening.along)
    if min(x, y) > 0.2:
        return None
    return 1 if x > y else 0


def _beside(opening: Opening, rects: Sequence[Rect], axis: int, sign: int) -> int | None:
    """Return the nearest rectangle on one side of an opening, None if there is none nearby."""
    at, along = float(opening.at[axis]), float(opening.at[1 - axis])
    near = []
    for number, rect in enumerate(rects):
        far = ((rect.low[axis] if sign > 0 else rect.high[axis]) - at) * sign
        if (
            -GAP / 2 < far < BESIDE
            and rect.low[1 - axis] - 1e-6 <= along <= rect.high[1 - axis] + 1e-6
        ):
            near.append((max(far, 0.0), number))
    return min(near)[1] if near else None


def _door(
    opening: Opening, rects: Sequence[Rect], called: Sequence[tuple[str, str]], height: float
) -> Door | None:
    """Return an opening as a doorway, None if it does not join two rectangles."""
    axis = _across(opening)
    if axis is None:
        return None
    one, two = (_beside(opening, rects, axis, sign) for sign in (-1, 1))
    facing = None if one is None or two is None else _face(rects[one], rects[two], axis)
    if one is None or two is None or one == two or facing is None:
        return None
    span, start, end = facing
    middle = float(opening.at[1 - axis])
    low, high = max(start, middle - opening.width / 2), min(end, middle + opening.width / 2)
    if high - low < OPEN:
        return None
    tall = min(max(opening.height, 1.8), height)
    return _doorway((called[one][1], called[two][1]), axis, span, low, high, tall)


def _on_wall(opening: Opening, rects: Sequence[Rect]) -> Named | None:
    """Return an opening's item, flat on the wall of a room beside it; None if no room is near."""
    axis, item = _across(opening), opening.item
    if axis is None or item is None:
        return None
    for sign in (1, -1):
        number = _beside(opening, rects, axis, sign)
        if number is None:
            continue
        wall = (rects[number].low if sign > 0 else rects[number].high)[axis]
        low, high = float(item.low[axis]), float(item.high[axis])
        squeeze = min(1.0, 2 * LEAF / max(high - low, 1e-6))
        flat, lift = np.eye(3), np.zeros(3)
        flat[axis, axis] = squeeze
        lift[axis] = wall + sign * (high - low) * squeeze / 2 - squeeze * (low + high) / 2
        pieces = tuple(piece.moved(flat, lift) for piece in item.pieces)
        return replace(item, pieces=pieces, axes=np.eye(3), role=Element.THING, support=WALL)
    return None
