"""Finding poses in one room: rules propose poses, and the first that fits is used.

A pose fits if the thing's box lies in the room and touches no other box, leaves doorways and the
free space before other furniture clear, and has its own free space. Rules sample poses from a
seeded random stream, so equal seeds give equal furniture.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from worldquiz_scenes import geometry
from worldquiz_scenes.furniture import CREDIT, STOCK, Model, Top
from worldquiz_scenes.geometry import Solid
from worldquiz_scenes.scene import UPRIGHT, Door, Quat, Room, Spot, Thing

GAP = 0.004  # fewest metres between two boxes
BACK = 0.002  # metres between a thing's back and its wall
ASIDE = 0.3  # free metres beside a mirror, so that nothing deep hides it
DOORWAY = 0.8  # free metres before a doorway
LOOKOUT = (0.95, 1.35)
"""Metres from the walls, and height above the floor, of the free space in the south-west and
north-east corners, so that cameras there see the room."""


class Placement(NamedTuple):
    """Pose of a model: the middle of its footprint, its bottom, and the direction of its front."""

    x: float
    y: float
    z: float
    yaw: float  # degrees; 0: the front faces -y


class Wall(NamedTuple):
    """One of a room's four walls, for furniture with its back to it."""

    name: str  # "south"
    axis: int  # along which it runs
    at: float
    inward: int  # 1 or -1, on the other axis
    yaw: float  # of a thing that faces into the room


@dataclass(frozen=True, slots=True)
class Piece:
    """A placed thing, with its kind, its free areas, and the space kept free before it."""

    kind: str
    thing: Thing
    tops: tuple[Top, ...]
    yaw: float
    zone: Solid | None = None

    @property
    def solid(self) -> Solid:
        """The box of the thing."""
        return geometry.solid_of(self.thing)

    def spot(self, dx: float, dy: float) -> Spot:
        """Return the point in the room that lies at an offset in the piece's own frame."""
        x, y = turned(dx, dy, self.yaw)
        return (self.thing.position[0] + x, self.thing.position[1] + y)


@dataclass
class Site:
    """A room that is being furnished."""

    room: Room
    doors: tuple[Door, ...]
    height: float
    outer: frozenset[str] = frozenset()  # walls with the open air behind them
    pieces: list[Piece] = field(default_factory=list)

    def __post_init__(self) -> None:
        (x0, y0), (x1, y1), (far, high) = self.room.low, self.room.high, LOOKOUT
        self._solids: dict[str, Solid] = {}
        self._kept_free = [
            geometry.slab((x0, y0, high), (x0 + far, y0 + far, self.height)),
            geometry.slab((x1 - far, y1 - far, high), (x1, y1, self.height)),
        ]
        for door in self.doors:
            (x, y), across, along = door.at, DOORWAY, door.width / 2 + 0.05
            dx, dy = (along, across) if door.along == "x" else (across, along)
            low, high_ = (x - dx, y - dy, 0.02), (x + dx, y + dy, door.height)
            self._kept_free.append(geometry.slab(low, high_))

    def walls(self) -> tuple[Wall, ...]:
        """Return the room's walls."""
        (x0, y0), (x1, y1) = self.room.low, self.room.high
        return (Wall("south", 0, y0, 1, 180.0), Wall("north", 0, y1, -1, 0.0),
                Wall("west", 1, x0, 1, 90.0), Wall("east", 1, x1, -1, 270.0))  # fmt: skip

    def of(self, *kinds: str) -> list[Piece]:
        """Return the pieces of some kinds, in the order added."""
        return [piece for piece in self.pieces if piece.kind in kinds]

    def add(self, piece: Piece) -> None:
        """Add a piece to the room."""
        self.pieces.append(piece)
        self._solids[piece.thing.id] = piece.solid

    def remove(self, ids: set[str]) -> None:
        """Remove pieces, with everything that stands on them."""
        gone = set(ids)
        for piece in self.pieces:
            if piece.thing.support in gone:
                gone.add(piece.thing.id)
        self.pieces = [piece for piece in self.pieces if piece.thing.id not in gone]
        for id in gone:
            self._solids.pop(id, None)

    def fits(self, box: Solid, zone: Solid | None = None, ignore: Iterable[str] = ()) -> bool:
        """Return whether a box and its free space fit; it may touch things with ids in `ignore`."""
        skip = set(ignore)
        (a, b, c), (d, e, f) = geometry.extent(box)
        (x0, y0), (x1, y1) = self.room.low, self.room.high
        if min(a - x0, b - y0, c, x1 - d, y1 - e, self.height - f) < -1e-6:
            return False
        others = [each for id, each in self._solids.items() if id not in skip]
        zones = [each.zone for each in self.pieces if each.zone and each.thing.id not in skip]
        return not (
            any(geometry.depth(box, each) > 0 for each in self._kept_free)
            or any(geometry.depth(box, each) > -GAP for each in others)
            or any(geometry.depth(box, each) > 0 for each in zones)
            or (zone and any(geometry.depth(zone, each) > 0 for each in others))
        )


def rotation(yaw: float) -> Quat:
    """Return a rotation about z by degrees, as a quaternion rounded to 1e-6."""
    half = math.radians(yaw % 360) / 2
    w, z = round(math.cos(half), 6) + 0.0, round(math.sin(half), 6) + 0.0
    return (w, 0.0, 0.0, z) if (w, z) != (1.0, 0.0) else UPRIGHT


def turned(x: float, y: float, yaw: float) -> Spot:
    """Return a vector turned about z by degrees."""
    cos, sin = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return (x * cos - y * sin, x * sin + y * cos)


def thing(id: str, kind: str, model: Model, pose: Placement, room: str, support: str) -> Thing:
    """Return a model as a thing at a pose."""
    position = (round(pose.x, 6), round(pose.y, 6), round(pose.z + model.half[2], 6))
    return Thing(id, STOCK[kind].label, STOCK[kind].category, room, position, rotation(pose.yaw),
                 model.half, model.parts, model.paint, support, model.mirror, CREDIT)  # fmt: skip


def clearance(model: Model, pose: Placement, front: float) -> Solid | None:
    """Return the space to keep free before a thing, `front` metres deep; if negative, around it."""
    if not front:
        return None
    wide, deep, high = model.half
    wide += ASIDE if model.mirror else 0.0
    if front < 0:
        reach, shift = (wide - front, deep - front), 0.0
    else:
        reach, shift = (wide, front / 2), -deep - front / 2
    dx, dy = turned(0.0, shift, pose.yaw)
    top = min(2 * high, 1.8)
    centre = (pose.x + dx, pose.y + dy, pose.z + top / 2 + 0.01)
    return geometry.solid(centre, (*reach, top / 2 - 0.01), rotation(pose.yaw))


def along_walls(
    site: Site,
    model: Model,
    rng: random.Random,
    *,
    z: float = 0.0,
    corners: bool = False,
    walls: Iterable[str] | None = None,
) -> Iterator[Placement]:
    """Propose poses with the back to a wall, some or all of them in corners."""
    wide, deep = model.half[0], model.half[1] + BACK
    names = sorted(walls if walls is not None else (wall.name for wall in site.walls()))
    choices = [wall for wall in site.walls() if wall.name in names]
    for attempt in range(90 if choices else 0):
        wall = rng.choice(choices)
        start, end = site.room.low[wall.axis] + wide + BACK, site.room.high[wall.axis] - wide - BACK
        if end < start:
            continue
        if corners or attempt % 3 == 0:
            along = rng.choice((start, end))
        else:
            along = start + round(rng.random() * (end - start) / 0.05) * 0.05
        yield _at_wall(wall, min(along, end), deep, z)


def _at_wall(wall: Wall, along: float, deep: float, z: float) -> Placement:
    across = wall.at + wall.inward * deep
    x, y = (along, across) if wall.axis == 0 else (across, along)
    return Placement(x, y, z, wall.yaw)


def beside(
    piece: Piece, model: Model, rng: random.Random, gap: float = 0.01
) -> Iterator[Placement]:
    """Propose poses to the left and right of a piece, with their backs in line."""
    dx = piece.thing.half[0] + model.half[0] + gap
    dy = piece.thing.half[1] - model.half[1]
    sides = [-1, 1]
    rng.shuffle(sides)
    for side in sides:
        yield Placement(*piece.spot(side * dx, dy), 0.0, piece.yaw)


def before(
    piece: Piece, model: Model, rng: random.Random, gap: float, yaw: float
) -> Iterator[Placement]:
    """Propose poses before a piece's front, `gap` metres away, turned by `yaw` degrees from it."""
    deep = model.half[1] if yaw % 180 == 0 else model.half[0]
    for _ in range(6):
        far = piece.thing.half[1] + gap * rng.uniform(0.9, 1.3) + deep
        shift = rng.uniform(-0.1, 0.1)
        yield Placement(*piece.spot(shift, -far), 0.0, piece.yaw + yaw)


def facing(site: Site, piece: Piece, model: Model, rng: random.Random) -> Iterator[Placement]:
    """Propose poses at the wall that a piece faces."""
    yaw = (piece.yaw + 180) % 360
    wall = next((each for each in site.walls() if each.yaw == yaw), None)
    if wall is None:
        return
    middle = piece.thing.position[wall.axis]
    low, high = site.room.low[wall.axis], site.room.high[wall.axis]
    for _ in range(20):
        along = middle + rng.uniform(-0.5, 0.5)
        along = min(max(along, low + model.half[0] + BACK), high - model.half[0] - BACK)
        yield _at_wall(wall, along, model.half[1] + BACK, 0.0)


def above(piece: Piece, model: Model, z: float) -> Iterator[Placement]:
    """Propose poses over a piece, with their backs in line."""
    for shift in (0.0, -0.15, 0.15):
        yield Placement(*piece.spot(shift, piece.thing.half[1] - model.half[1]), z, piece.yaw)


def around(piece: Piece, model: Model, rng: random.Random) -> Iterator[Placement]:
    """Propose poses for seats around a table, facing it, pulled out a little."""
    wide, deep = piece.thing.half[0], piece.thing.half[1]
    offsets = [-wide / 2, wide / 2] if wide > 0.55 else [0.0]
    sides = [(x, -1, 180.0) for x in offsets] + [(x, 1, 0.0) for x in offsets]
    places = [(x, side * deep, yaw) for x, side, yaw in sides]
    places += [(wide, 0, 270.0), (-wide, 0, 90.0)]
    rng.shuffle(places)
    for x, y, yaw in places:
        out = model.half[1] + rng.uniform(0.05, 0.16)
        away = turned(0.0, out, yaw)
        askew = rng.choice((-8, 0, 6))
        yield Placement(*piece.spot(x + away[0], y + away[1]), 0.0, piece.yaw + yaw + askew)


def in_middle(site: Site, model: Model, rng: random.Random) -> Iterator[Placement]:
    """Propose poses away from the walls."""
    for attempt in range(60):
        spread = 0.3 if attempt < 20 else 0.5
        x, y = (
            (low + high) / 2 + rng.uniform(-spread, spread) * (high - low) / 1.6
            for low, high in zip(site.room.low, site.room.high, strict=True)
        )
        yield Placement(x, y, 0.0, rng.choice((0.0, 90.0)))
