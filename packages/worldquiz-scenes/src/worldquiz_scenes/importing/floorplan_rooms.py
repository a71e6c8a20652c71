"""Turns a draft's floor plan into rooms and doorways; windows and closed doors hang on walls."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from worldquiz_scenes.arrays import Floats, np
from worldquiz_scenes.importing import floorplan, names
from worldquiz_scenes.importing.floorplan import GAP, OPEN, PlanGrid, Rect
from worldquiz_scenes.importing.limits import refused
from worldquiz_scenes.importing.pieces import (
    Draft,
    Element,
    Named,
    Opening,
    about_z,
    painted,
)
from worldquiz_scenes.scene import WALL, Door, Paint, Room, Vec

LOWEST, HEIGHT, HIGHEST = 2.1, 2.6, 8.0
"""Metres that rooms are high: at least, where nothing tells, at most."""
WIDEST = 50.0
"""Metres of a scene: cameras see little further."""
LEAF = 0.04
"""Half of the metres that a window or closed door stands out from its wall."""
KINDS = {
    "living": "living room", "lounge": "living room", "salon": "living room", "sitting":
    "living room", "kitchen": "kitchen", "bedroom": "bedroom", "bath": "bathroom", "bathroom":
    "bathroom", "toilet": "bathroom", "wc": "bathroom", "shower": "bathroom", "hall": "hall",
    "hallway": "hall", "corridor": "hall", "entry": "hall", "entrance": "hall", "study": "study",
    "office": "study", "dining": "dining room", "garage": "garage", "storage": "storage",
    "balcony": "balcony", "terrace": "terrace", "nursery": "bedroom", "children": "bedroom",
}  # fmt: skip
"""Words of a room's name, and the kind of room that they mean."""
PALE: Vec = (0.92, 0.9, 0.86)


@dataclass(frozen=True)
class House:
    """A plan as rooms."""

    rects: tuple[Rect, ...]
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    height: float
    start: tuple[float, float, float] | None
    notes: tuple[str, ...]

    def room(self, x: float, y: float) -> Room | None:
        """Return the room that a point lies in, or the next one within half a metre."""
        best: tuple[float, int] | None = None
        for number, room in enumerate(self.rooms):
            out = [
                max(low - at, at - high, 0.0)
                for at, low, high in zip((x, y), room.low, room.high, strict=True)
            ]
            far = math.hypot(*out)
            if far <= GAP and (best is None or (far, number) < best):
                best = (far, number)
        return None if best is None else self.rooms[best[1]]


def house(draft: Draft, file: Path) -> tuple[House, list[Named]]:
    """Return a draft's rooms, and its items where they are then, those in walls among them.

    Afterwards walls run along the axes, and walls and floor begin at 0, 0. Raises `FileError`
    where no room is large enough to stand in, or the scene is too wide.
    """
    draft = _upright(draft)
    grid = PlanGrid(draft.floors, draft.walls)
    rects = grid.rects()
    notes: list[str] = []
    if not rects and not draft.floors and draft.walls:
        notes.append("its walls enclose no room: one room lies around them all")
        points = np.concatenate([wall.points for wall in draft.walls])
        (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        rects = [Rect((x0, y0), (x1, y1), 0, -1)]
    _check(rects, draft, file)
    height = _height(draft)
    kinds, called = _names(rects, draft)
    doors = floorplan.passages(grid, rects, called, height)
    shown = []
    for opening in draft.doors:
        door = _door(opening, rects, called, height) if opening.passable else None
        if door is not None:
            doors += [] if any(_same(door, each) for each in doors) else [door]
        elif opening.item is not None and (item := _on_wall(opening, rects)) is not None:
            shown.append(item)
    rooms = tuple(
        Room(name, kind, rect.low, rect.high, _floor(rect, draft), _wall(rect, draft))
        for rect, name, kind in zip(rects, called, kinds, strict=True)
    )
    notes += _split(rects, draft)
    found = House(tuple(rects), rooms, tuple(doors), height, draft.start, tuple(notes))
    return found, [*draft.items, *shown]


def _split(rects: Sequence[Rect], draft: Draft) -> list[str]:
    """Say how much of the floor is not in the rooms."""
    whole = sum(floorplan.polygon(outline.points).area for outline in draft.floors)
    kept = sum(rect.square for rect in rects)
    if whole and kept < 0.97 * whole:
        return [f"{1 - kept / whole:.0%} of its floor is walls, or too narrow for a room"]
    return []


def _check(rects: Sequence[Rect], draft: Draft, file: Path) -> None:
    if not rects:
        what = "no floor that is large enough to stand on" if draft.floors else "no room"
        way = "draw a room, or check its unit (--unit) and which axis is up (--up)"
        raise refused(file, "", f"has {what}", way)
    wide = max(max(r.high[k] for r in rects) - min(r.low[k] for r in rects) for k in (0, 1))
    if wide > WIDEST:
        raise refused(
            file, "", f"is {wide:,.0f} m wide; the limit is {WIDEST:.0f} m",
            "give its unit, e.g. --unit cm, or cut out one flat",
        )  # fmt: skip


def _upright(draft: Draft) -> Draft:
    """Return a draft turned so that most walls run along the axes, with all of it beyond 0, 0."""
    angle = -floorplan.slant(draft.floors, draft.walls)
    turn = about_z(angle)
    flat = turn[:2, :2]
    points = [*(each.points for each in draft.floors), *(each.points for each in draft.walls)]
    outlines = [each @ flat.T for each in points]
    if not outlines:
        return draft
    shift = -np.concatenate(outlines).min(axis=0)
    lift = np.array([*shift, 0.0])

    def moved(points: Floats) -> Floats:
        result: Floats = np.round(points @ flat.T + shift, 5)
        return result

    doors = tuple(
        replace(
            each, at=each.at @ flat.T + shift, along=each.along @ flat.T,
            item=None if each.item is None else each.item.moved(turn, lift),
        )
        for each in draft.doors
    )  # fmt: skip
    start = None
    if draft.start is not None:
        x, y = (np.array(draft.start[:2]) @ flat.T + shift).tolist()
        start = (x, y, draft.start[2] + angle)
    return replace(
        draft,
        items=[item.moved(turn, lift) for item in draft.items],
        floors=tuple(replace(each, points=moved(each.points)) for each in draft.floors),
        walls=tuple(replace(each, points=moved(each.points)) for each in draft.walls),
        doors=doors,
        start=start,
    )


def _height(draft: Draft) -> float:
    """Return how high the rooms are: as the file says, but above what stands in them."""
    tops = [float(item.high[2]) for item in draft.items if item.low[2] < LOWEST]
    told = draft.height if draft.height is not None else max([HEIGHT, *(t + 0.02 for t in tops)])
    return round(min(max(told, LOWEST), HIGHEST), 4)


def _names(rects: Sequence[Rect], draft: Draft) -> tuple[list[str], list[str]]:
    """Return each rectangle's kind and name; the parts of one room are lettered."""
    counts: Counter[str] = Counter()
    pieces: dict[int, tuple[str, str, int]] = {}
    kinds, called = [], []
    for rect in rects:
        if rect.piece not in pieces:
            said = draft.floors[rect.outline].name if rect.outline >= 0 else ""
            kind = _kind(said)
            counts[kind] += 1
            pieces[rect.piece] = (kind, f"{kind.replace(' ', '-')}-{counts[kind]}", 0)
        kind, name, part = pieces[rect.piece]
        pieces[rect.piece] = (kind, name, part + 1)
        kinds.append(kind)
        called.append(name if part == 0 else f"{name}-{chr(ord('a') + part)}")
    return kinds, called


def _kind(said: str) -> str:
    parts = names.words(said)
    for word in parts:
        if word in KINDS:
            return KINDS[word]
    return " ".join(parts)[:30].strip() or "room"


def _floor(rect: Rect, draft: Draft) -> Paint:
    if rect.outline < 0:
        return painted((0.62, 0.47, 0.33), "wood")
    outline = draft.floors[rect.outline]
    return painted(outline.rgb, outline.material)


def _wall(rect: Rect, draft: Draft) -> Paint:
    """Return the paint that most walls beside a room have."""
    found: Counter[Vec] = Counter()
    for wall in draft.walls:
        low, high = wall.points.min(axis=0), wall.points.max(axis=0)
        gap = np.maximum(np.maximum(np.array(rect.low) - high, low - np.array(rect.high)), 0)
        if gap.max() <= 0.3:
            found[wall.rgb] += 1
    rgb = min(found, key=lambda each: (-found[each], each)) if found else PALE
    return painted(rgb, "paper")


def _door(
    opening: Opening, rects: Sequence[Rect], called: Sequence[str], height: float
) -> Door | None:
    """Return the doorway that an opening is, none where it does not join two rectangles."""
    axis = _across(opening)
    if axis is None:
        return None
    sides = [_beside(opening, rects, axis, sign) for sign in (-1, 1)]
    if sides[0] is None or sides[1] is None or sides[0] == sides[1]:
        return None
    facing = floorplan.face(rects[sides[0]], rects[sides[1]], axis)
    if facing is None:
        return None
    span, start, end = facing
    middle = float(opening.at[1 - axis])
    low = max(start, middle - opening.width / 2)
    high = min(end, middle + opening.width / 2)
    if high - low < OPEN:
        return None
    rooms = (called[sides[0]], called[sides[1]])
    tall = min(max(opening.height, 1.8), height)
    return floorplan.doorway(rooms, axis, span, low, high, tall)


def _across(opening: Opening) -> int | None:
    """Return the axis that an opening leads along, none where it lies askew."""
    x, y = (abs(float(each)) for each in opening.along)
    if min(x, y) > 0.2:
        return None
    return 1 if x > y else 0


def _beside(opening: Opening, rects: Sequence[Rect], axis: int, sign: int) -> int | None:
    """Return the first rectangle on one side of an opening."""
    for step in range(0, 13):
        x, y = (float(each) for each in opening.at)
        far = sign * step * 0.05
        x, y = (x + far, y) if axis == 0 else (x, y + far)
        for number, rect in enumerate(rects):
            inner = rect.low[axis] + 0.01 < (x, y)[axis] < rect.high[axis] - 0.01
            if inner and rect.holds(x, y) and _outer(opening, rect, axis, sign):
                return number
    return None


def _outer(opening: Opening, rect: Rect, axis: int, sign: int) -> bool:
    """Tell whether a rectangle lies on one side of an opening, not around it."""
    near = rect.low[axis] if sign > 0 else rect.high[axis]
    return (near - float(opening.at[axis])) * sign > -GAP / 2


def _same(one: Door, two: Door) -> bool:
    """Tell whether two doorways overlap."""
    if set(one.rooms) != set(two.rooms) or one.along != two.along:
        return False
    k = 0 if one.along == "x" else 1
    return abs(one.at[k] - two.at[k]) < (one.width + two.width) / 2


def _on_wall(opening: Opening, rects: Sequence[Rect]) -> Named | None:
    """Return what fills an opening, flat on the wall of the room beside it; none outside."""
    axis, item = _across(opening), opening.item
    if axis is None or item is None:
        return None
    for sign in (1, -1):
        number = _beside(opening, rects, axis, sign)
        if number is None:
            continue
        rect = rects[number]
        wall = rect.low[axis] if sign > 0 else rect.high[axis]
        low, high = float(item.low[axis]), float(item.high[axis])
        squeeze = min(1.0, 2 * LEAF / max(high - low, 1e-6))
        flat = np.eye(3)
        flat[axis, axis] = squeeze
        lift = np.zeros(3)
        depth = (high - low) * squeeze
        lift[axis] = wall + sign * depth / 2 - squeeze * (low + high) / 2
        pieces = tuple(piece.moved(flat, lift) for piece in item.pieces)
        return replace(item, pieces=pieces, axes=np.eye(3), role=Element.THING, support=WALL)
    return None
