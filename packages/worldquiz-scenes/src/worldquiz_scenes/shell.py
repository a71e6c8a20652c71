"""Slabs around a scene's rooms: walls with doorways cut out of them, floors, ceilings.

Each room has slabs of its own around it, in its own colours. Where two rooms lie some way apart,
their walls share the space between them; where they touch, each wall is a film on its own side of
the line. So a wall never hides what stands at it, and no slab belongs to two rooms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worldquiz_scenes.scene import Paint, Room, Scene, Vec

OUTSIDE = 0.1  # metres that a wall is thick where no room lies behind it
FILM = 0.002  # metres of wall inside a room where its neighbour begins at once
SLAB = 0.1  # metres that floors and ceilings are thick
NEAR = 0.5  # metres between two rooms that count as the wall that they share


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
            and far < abs(door.at[side.across] - opposite)  # a room may be narrower than that
            and side.start <= place <= side.end
        ):
            found.append((place - door.width / 2, place + door.width / 2, door.height))
    return sorted(found)


def _space(side: WallSide, room: Room, scene: Scene) -> float:
    """Return how far outward a wall may reach: half the way to the nearest room behind it."""
    gaps = [OUTSIDE * 2]
    for other in scene.rooms:
        behind = (other.low if side.outward > 0 else other.high)[side.across]
        gap = (behind - side.at) * side.outward
        low, high = other.low[1 - side.across], other.high[1 - side.across]
        beside = low < side.end and high > side.start
        if other.name != room.name and beside and -1e-6 <= gap <= NEAR:
            gaps.append(max(gap, 0.0))
    return min(gaps) / 2
