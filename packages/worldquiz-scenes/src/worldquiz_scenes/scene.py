"""A scene as a value: rooms, doors, and the things in them, each with its pose and looks.

Units are metres and radians; x grows to the east, y to the north, z up from the floor. A thing's
own frame has its origin in the middle of its box, and its front faces -y. A scene holds the final
pose of everything, so building it again needs no physics: equal scenes give equal pictures.

Floors, ceilings and walls are boxes (`slabs`), of which each room has its own, in its own colours.
If there is a gap between two rooms, the wall of each fills half of it; if the rooms touch, each has
a very thin wall on its own side of the line. So a wall never hides a thing that stands against it,
and no slab belongs to two rooms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

Vec = tuple[float, float, float]
Quat = tuple[float, float, float, float]  # a rotation: w, x, y, z
Spot = tuple[float, float]  # a point on the floor, or two lengths along it

UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)
FLOOR, WALL, CEILING = "floor", "wall", "ceiling"  # support things that stand on no other thing
UNKNOWN = "unknown"  # the category of things without a label for tasks


class Shape(StrEnum):
    """Shape of a part, and the lengths (metres) that `Part.size` holds for it."""

    BOX = "box"  # half lengths
    CYLINDER = "cylinder"  # radius, half height, 0
    SPHERE = "sphere"  # radius, 0, 0
    ELLIPSOID = "ellipsoid"  # half axes
    CAPSULE = "capsule"  # radius, half height of the straight part, 0
    MESH = "mesh"  # half lengths of its box


class Pattern(StrEnum):
    """Pattern on a surface."""

    PLAIN = "plain"
    STRIPES = "stripes"
    CHECKS = "checks"
    DOTS = "dots"


@dataclass(frozen=True, slots=True)
class Paint:
    """Colour, material and pattern of a surface."""

    colour: str  # its name: "dark red"
    rgb: Vec  # each 0..1
    material: str  # wood metal fabric ceramic plastic glass paper leaf stone light; sky of panes
    pattern: Pattern = Pattern.PLAIN
    rgb2: Vec | None = None  # second colour of a pattern


@dataclass(frozen=True, slots=True)
class Part:
    """One simple shape of a thing, in the thing's frame."""

    shape: Shape
    at: Vec
    size: Vec
    paint: Paint
    turn: Quat = UPRIGHT
    mesh: str | None = None  # a file among the scene's meshes


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that stands, lies or hangs in a scene."""

    id: str  # "mug-3"
    label: str  # its everyday name: "mug"
    category: str  # kind of thing: "tableware"
    room: str
    position: Vec  # middle of its box
    rotation: Quat
    half: Vec  # half lengths of its box, along its own axes
    parts: tuple[Part, ...]
    paint: Paint  # of its largest part
    support: str  # the id of the thing that it stands on, or FLOOR, WALL, CEILING
    mirror: Spot | None = None  # half width and height of a reflecting front
    credit: str = ""  # maker and licence of its model

    @property
    def has_label(self) -> bool:
        """Return whether the label is a known one, so that tasks may use it."""
        return self.category != UNKNOWN


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle of floor with walls around it, or a part of a room that is not a rectangle."""

    name: str  # "kitchen-1"
    kind: str  # "kitchen"
    low: Spot  # its south-west corner
    high: Spot  # its north-east corner
    floor: Paint
    wall: Paint

    @property
    def whole(self) -> str:
        """The name of the whole room: "hall-1" for the part "hall-1-b"."""
        name, _, part = self.name.rpartition("-")
        return name if part.isalpha() and len(part) == 1 else self.name


@dataclass(frozen=True, slots=True)
class Door:
    """An open doorway between two rooms, in the wall that they share."""

    rooms: tuple[str, str]
    at: Spot  # its middle
    width: float
    along: str  # the axis of its wall: "x" or "y"
    height: float = 2.05


@dataclass(frozen=True)
class Scene:
    """One apartment, completely specified."""

    id: str
    seed: int
    style: str
    height: float  # of the rooms
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    things: tuple[Thing, ...]  # by id
    start: tuple[float, float, float]  # where an agent begins: x, y, heading (0 looks east)

    @cached_property
    def thing(self) -> dict[str, Thing]:
        """Each thing by its id."""
        return {thing.id: thing for thing in self.things}

    @cached_property
    def room(self) -> dict[str, Room]:
        """Each room by its name."""
        return {room.name: room for room in self.rooms}

    @cached_property
    def mirrors(self) -> tuple[Thing, ...]:
        """The things that reflect."""
        return tuple(thing for thing in self.things if thing.mirror)

    def under(self, id: str) -> tuple[str, ...]:
        """Return a thing's supports, from the one it touches down to floor, wall or ceiling."""
        return below(id, self.thing)


def below(id: str, things: Mapping[str, Thing]) -> tuple[str, ...]:
    """Return a thing's supports, from the one it touches down to the floor, a wall or ceiling.

    The last support is a thing only if things carry each other in a circle.
    """
    chain: list[str] = []
    while id in things and things[id].support not in chain:
        id = things[id].support
        chain.append(id)
    return tuple(chain)


OUTSIDE = 0.1  # thickness in metres of a wall without a room behind it
FILM = 0.002  # metres of wall inside a room if its neighbour touches it
SLAB = 0.1  # thickness of floors and ceilings in metres
NEAR = 0.5  # most metres between two rooms that share a wall


@dataclass(frozen=True, slots=True)
class Slab:
    """A box of a room's floor, ceiling or wall."""

    name: str  # "wall:kitchen-1"
    room: str
    low: Vec
    high: Vec
    paint: Paint


@dataclass(frozen=True, slots=True)
class WallSide:
    """One wall of a room, seen from above: a line from `start` to `end`."""

    across: int  # the axis that it stands across: 0 or 1
    at: float  # where the room ends
    outward: int  # -1 or 1
    start: float
    end: float


def slabs(scene: Scene) -> Iterator[Slab]:
    """Yield every slab of every room, in the scene's order."""
    for room in scene.rooms:
        walls = [(side, _space(side, room, scene)) for side in sides(room)]
        ends = [side.at + side.outward * space for side, space in walls]
        low, high, top = (ends[0], ends[2]), (ends[1], ends[3]), scene.height
        yield Slab(f"floor:{room.name}", room.name, (*low, -SLAB), (*high, 0.0), room.floor)
        yield Slab(
            f"ceiling:{room.name}", room.name, (*low, top), (*high, top + SLAB), CEILING_PAINT
        )
        for side, space in walls:
            inner = side.at - side.outward * (FILM if space < FILM else 0.0)
            depth = sorted((inner, side.at + side.outward * space))
            along = 1 - side.across
            place = max(low[along], side.start - OUTSIDE)
            pieces = []
            for start, stop, height in openings(side, room, scene):
                pieces += [(place, start, 0.0), (max(start, place), stop, height)]
                place = max(place, stop)
            pieces.append((place, min(high[along], side.end + OUTSIDE), 0.0))
            for start, stop, foot in pieces:
                if stop - start > 1e-6 and top - foot > 1e-6:
                    corners = [[0.0, 0.0, foot], [0.0, 0.0, top]]
                    for corner, across, at in zip(corners, depth, (start, stop), strict=True):
                        corner[side.across], corner[along] = across, at
                    (a, b, c), (d, e, f) = corners
                    yield Slab(f"wall:{room.name}", room.name, (a, b, c), (d, e, f), room.wall)


CEILING_PAINT = Paint("white", (0.95, 0.95, 0.93), "paper")


def sides(room: Room) -> tuple[WallSide, ...]:
    """Return a room's walls: west, east, south, north."""
    return tuple(
        WallSide(across, edge[across], outward, room.low[1 - across], room.high[1 - across])
        for across in (0, 1)
        for edge, outward in ((room.low, -1), (room.high, 1))
    )


def openings(side: WallSide, room: Room, scene: Scene) -> list[tuple[float, float, float]]:
    """Return the doorways in a wall: from, to and height, in metres, in order."""
    opposite = (room.low if side.outward > 0 else room.high)[side.across]
    found = []
    for door in scene.doors:
        far, place = abs(door.at[side.across] - side.at), door.at[1 - side.across]
        if (
            room.name in door.rooms
            and door.along == "yx"[side.across]
            and far <= NEAR
            and far < abs(door.at[side.across] - opposite)  # a room may be narrower than NEAR
            and side.start <= place <= side.end
        ):
            found.append((place - door.width / 2, place + door.width / 2, door.height))
    return sorted(found)


def _space(side: WallSide, room: Room, scene: Scene) -> float:
    """Return how far outward a wall may reach: halfway to the nearest room behind it."""
    gaps = [OUTSIDE * 2]
    for other in scene.rooms:
        behind = (other.low if side.outward > 0 else other.high)[side.across]
        gap = (behind - side.at) * side.outward
        low, high = other.low[1 - side.across], other.high[1 - side.across]
        beside = low < side.end and high > side.start
        if other.name != room.name and beside and -1e-6 <= gap <= NEAR:
            gaps.append(max(gap, 0.0))
    return min(gaps) / 2
