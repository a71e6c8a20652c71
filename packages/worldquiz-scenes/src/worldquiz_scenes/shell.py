"""Slabs around a scene's rooms: walls with doorways cut out of them, floors, ceilings.

Each room has slabs of its own around it, in its own colours. Where two rooms lie some way apart,
their walls share the space between them; where they touch, each wall is a film on its own side of
the line. So a wall never hides what stands at it, and no slab belongs to two rooms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worldquiz_scenes.scene import Door, Paint, Room, Scene, Vec

OUTSIDE = 0.1
"""Metres that a wall is thick where no room lies behind it."""
FILM = 0.002
"""Metres of wall inside a room where its neighbour begins at once."""
SLAB = 0.1
"""Metres that floors and ceilings are thick."""
NEAR = 0.5
"""Metres between two rooms that count as the wall that they share."""


@dataclass(frozen=True, slots=True)
class Slab:
    """A box of a room."""

    name: str  # "wall:kitchen-1"
    room: str
    low: Vec
    high: Vec
    paint: Paint


@dataclass(frozen=True, slots=True)
class WallSide:
    """A room's wall: it runs along one axis, at one place on the other."""

    across: int  # the axis that it stands across: 0 or 1
    at: float  # where the room ends
    outward: int  # -1 or 1
    start: float
    end: float


def slabs(scene: Scene) -> Iterator[Slab]:
    """Yield every slab of every room, in the scene's order."""
    for room in scene.rooms:
        walls = [(side, _space(side, room, scene)) for side in sides(room)]
        low, high = _reach(walls)
        yield Slab(f"floor:{room.name}", room.name, (*low, -SLAB), (*high, 0.0), room.floor)
        top = scene.height
        yield Slab(
            f"ceiling:{room.name}", room.name, (*low, top), (*high, top + SLAB), CEILING_PAINT
        )
        for side, space in walls:
            yield from _wall(room, side, space, (low, high), scene)


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
    return sorted(
        (
            door.at[1 - side.across] - door.width / 2,
            door.at[1 - side.across] + door.width / 2,
            door.height,
        )
        for door in scene.doors
        if _through(door, side, room)
    )


def _through(door: Door, side: WallSide, room: Room) -> bool:
    along = "y" if side.across == 0 else "x"
    opposite = (room.low if side.outward > 0 else room.high)[side.across]
    far = abs(door.at[side.across] - side.at)
    return (
        room.name in door.rooms
        and door.along == along
        and far <= NEAR
        and far < abs(door.at[side.across] - opposite)  # a room may be narrower than that
        and side.start <= door.at[1 - side.across] <= side.end
    )


def _space(side: WallSide, room: Room, scene: Scene) -> float:
    """Return how far outward a wall may reach: half the way to the nearest room behind it."""
    gaps = [OUTSIDE * 2]
    for other in scene.rooms:
        behind = (other.low if side.outward > 0 else other.high)[side.across]
        gap = (behind - side.at) * side.outward
        low, high = other.low[1 - side.across], other.high[1 - side.across]
        if (
            other.name != room.name
            and -1e-6 <= gap <= NEAR
            and low < side.end
            and high > side.start
        ):
            gaps.append(max(gap, 0.0))
    return min(gaps) / 2


def _reach(walls: list[tuple[WallSide, float]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners of a room with its walls."""
    ends = [side.at + side.outward * space for side, space in walls]
    return (ends[0], ends[2]), (ends[1], ends[3])


def _wall(
    room: Room,
    side: WallSide,
    space: float,
    reach: tuple[tuple[float, float], tuple[float, float]],
    scene: Scene,
) -> Iterator[Slab]:
    inner = side.at - side.outward * (FILM if space < FILM else 0.0)
    outer = side.at + side.outward * space
    depth = (min(inner, outer), max(inner, outer))
    along = 1 - side.across
    place = max(reach[0][along], side.start - OUTSIDE)
    end = min(reach[1][along], side.end + OUTSIDE)
    pieces = []
    for start, stop, height in openings(side, room, scene):
        pieces.append((place, start, 0.0))
        pieces.append((max(start, place), stop, height))
        place = max(place, stop)
    pieces.append((place, end, 0.0))
    for start, stop, foot in pieces:
        if stop - start > 1e-6 and scene.height - foot > 1e-6:
            low, high = [0.0, 0.0], [0.0, 0.0]
            low[side.across], high[side.across] = depth
            low[along], high[along] = start, stop
            yield Slab(
                f"wall:{room.name}",
                room.name,
                (low[0], low[1], foot),
                (high[0], high[1], scene.height),
                room.wall,
            )
