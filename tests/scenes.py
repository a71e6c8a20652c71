"""Small scenes made by hand: every distance in them can be checked by a reader."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from math import cos, pi, sin
from pathlib import Path

from worldquiz_scenes import generate
from worldquiz_scenes.scene import (
    FLOOR,
    UPRIGHT,
    WALL,
    Door,
    Paint,
    Part,
    Pattern,
    Quat,
    Room,
    Scene,
    Shape,
    Thing,
    Vec,
)


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process of its own that can import this module."""
    paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


OAK = Paint("brown", (0.62, 0.43, 0.26), "wood")
WHITE = Paint("white", (0.93, 0.93, 0.9), "ceramic")
RED = Paint("red", (0.8, 0.15, 0.12), "plastic")
BLUE = Paint("blue", (0.15, 0.3, 0.7), "fabric")
GREEN = Paint("green", (0.2, 0.5, 0.22), "leaf")
CREAM = Paint("cream", (0.9, 0.86, 0.76), "paper")
GREY = Paint("grey", (0.62, 0.64, 0.66), "stone")
DARK = Paint("black", (0.12, 0.12, 0.13), "metal")
DOTTED = Paint("red", (0.8, 0.15, 0.12), "fabric", Pattern.DOTS, (0.95, 0.94, 0.9))
STRIPED = Paint("blue", (0.2, 0.35, 0.7), "fabric", Pattern.STRIPES, (0.94, 0.94, 0.9))
CHECKED = Paint("green", (0.25, 0.5, 0.3), "fabric", Pattern.CHECKS, (0.94, 0.92, 0.85))


def turned(heading: float) -> Quat:
    """Return the rotation about the upright axis, in radians."""
    return (cos(heading / 2), 0.0, 0.0, sin(heading / 2))


def thing(
    id: str,
    at: Vec,
    half: Vec,
    parts: tuple[Part, ...],
    *,
    room: str = "living-1",
    support: str = FLOOR,
    rotation: Quat = UPRIGHT,
    category: str = "furniture",
    mirror: tuple[float, float] | None = None,
) -> Thing:
    """Return a thing whose label is its id without the number."""
    label = id.rsplit("-", 1)[0]
    return Thing(
        id, label, category, room, at, rotation, half, parts, parts[0].paint, support, mirror
    )


def table(id: str, x: float, y: float, room: str = "living-1", turn: float = 0.0) -> Thing:
    """Return a table of 1.2 x 0.7 m, 0.74 m high."""
    legs = tuple(
        Part(Shape.BOX, (0.55 * i, 0.3 * j, -0.02), (0.03, 0.03, 0.35), OAK)
        for i in (-1, 1)
        for j in (-1, 1)
    )
    top = Part(Shape.BOX, (0.0, 0.0, 0.35), (0.6, 0.35, 0.02), OAK)
    half = (0.6, 0.35, 0.37)
    return thing(id, (x, y, 0.37), half, (top, *legs), room=room, rotation=turned(turn))


def mug(id: str, x: float, y: float, z: float, paint: Paint = RED) -> Thing:
    """Return a mug of 8 cm, on the height z."""
    body = Part(Shape.CYLINDER, (0.0, 0.0, 0.0), (0.04, 0.05, 0.0), paint)
    ear = Part(Shape.BOX, (0.05, 0.0, 0.0), (0.01, 0.005, 0.03), paint)
    return thing(
        id,
        (x, y, z + 0.05),
        (0.06, 0.04, 0.05),
        (body, ear),
        support="table-1",
        category="tableware",
    )


def ball(id: str, x: float, y: float, radius: float = 0.15, paint: Paint = DOTTED) -> Thing:
    """Return a ball on the floor."""
    part = Part(Shape.SPHERE, (0.0, 0.0, 0.0), (radius, 0.0, 0.0), paint)
    return thing(id, (x, y, radius), (radius, radius, radius), (part,), category="toy")


def mirror(
    id: str, at: Vec, size: tuple[float, float], heading: float = 0.0, support: str = WALL
) -> Thing:
    """Return a mirror in a frame; without a turn it looks south."""
    wide, high = size
    back = Part(Shape.BOX, (0.0, 0.005, 0.0), (wide + 0.03, 0.015, high + 0.03), DARK)
    return thing(
        id,
        at,
        (wide + 0.03, 0.02, high + 0.03),
        (back,),
        support=support,
        rotation=turned(heading),
        mirror=size,
        category="decor",
    )


def sofa(id: str, x: float, y: float) -> Thing:
    """Return a striped sofa that looks south."""
    parts = (
        Part(Shape.BOX, (0.0, 0.0, -0.2), (0.85, 0.4, 0.2), STRIPED),
        Part(Shape.BOX, (0.0, 0.32, 0.15), (0.85, 0.1, 0.25), STRIPED),
        Part(Shape.CAPSULE, (-0.8, -0.05, 0.03), (0.09, 0.25, 0.0), STRIPED, LYING),
        Part(Shape.CAPSULE, (0.8, -0.05, 0.03), (0.09, 0.25, 0.0), STRIPED, LYING),
    )
    return thing(id, (x, y, 0.4), (0.89, 0.42, 0.4), parts)


LYING: Quat = (cos(pi / 4), sin(pi / 4), 0.0, 0.0)


def plant(id: str, x: float, y: float, room: str = "living-1") -> Thing:
    """Return a potted plant."""
    parts = (
        Part(Shape.CYLINDER, (0.0, 0.0, -0.4), (0.16, 0.15, 0.0), GREY),
        Part(Shape.CYLINDER, (0.0, 0.0, -0.1), (0.02, 0.2, 0.0), OAK),
        Part(Shape.ELLIPSOID, (0.0, 0.0, 0.25), (0.22, 0.22, 0.3), GREEN),
    )
    return thing(id, (x, y, 0.55), (0.22, 0.22, 0.55), parts, room=room)


def cabinet(id: str, x: float, y: float, room: str) -> Thing:
    """Return a white cabinet of 1.8 m that looks south."""
    parts = (
        Part(Shape.BOX, (0.0, 0.0, 0.0), (0.4, 0.28, 0.9), WHITE),
        Part(Shape.BOX, (0.05, -0.29, 0.0), (0.01, 0.01, 0.12), DARK),
    )
    return thing(id, (x, y, 0.9), (0.4, 0.3, 0.9), parts, room=room)


def rug(id: str, x: float, y: float) -> Thing:
    """Return a checked rug of 1.6 x 1.2 m."""
    part = Part(Shape.BOX, (0.0, 0.0, 0.0), (0.8, 0.6, 0.006), CHECKED)
    return thing(id, (x, y, 0.006), (0.8, 0.6, 0.006), (part,), category="textile")


def studio(gap: float = 0.1) -> Scene:
    """Return a living room, 5 x 4 m, and a kitchen, 3 x 4 m, with a doorway between them.

    The agent starts at (1.2, 2), looking east. The table with two mugs is before it, a mirror hangs
    on the east wall, looking west, and a ball lies behind the agent: only the mirror shows it.
    """
    rooms = (
        Room("kitchen-1", "kitchen", (5.0 + gap, 0.0), (8.0 + gap, 4.0), GREY, CREAM),
        Room("living-1", "living room", (0.0, 0.0), (5.0, 4.0), OAK, CREAM),
    )
    things = (
        ball("ball-1", 0.45, 2.0),
        ball("ball-2", 3.0, 1.0, 0.11, BLUE),
        cabinet("cabinet-1", 6.0 + gap, 3.69, "kitchen-1"),
        mirror("mirror-1", (4.98, 2.3, 1.4), (0.5, 0.6), -pi / 2),
        mug("mug-1", 2.6, 2.2, 0.74),
        mug("mug-2", 2.9, 1.9, 0.74, WHITE),
        plant("plant-1", 4.6, 0.4),
        rug("rug-1", 2.8, 2.1),
        sofa("sofa-1", 2.4, 3.55),
        table("table-1", 2.8, 2.0),
        table("table-2", 7.0 + gap, 2.0, "kitchen-1", pi / 2),
    )
    doors = (Door(("kitchen-1", "living-1"), (5.0 + gap / 2, 0.9), 0.9, "y"),)
    return Scene("studio", 0, "plain", 2.6, rooms, doors, things, (1.2, 2.0, 0.0))


def room_of(*things: Thing, size: tuple[float, float] = (5.0, 4.0)) -> Scene:
    """Return one bare room with these things in it."""
    rooms = (Room("living-1", "living room", (0.0, 0.0), size, OAK, CREAM),)
    ordered = tuple(sorted(things, key=lambda each: each.id))
    return Scene("room", 0, "plain", 2.6, rooms, (), ordered, (1.0, 2.0, 0.0))


def gallery() -> Scene:
    """Return one room with four mirrors: on a wall, across a corner, leaning back, and standing.

    Two of them see each other, and a cabinet stands across the plane of the one in the corner.
    """
    tilt = pi / 9
    leaning = replace(
        mirror("mirror-3", (1.6, 3.6, 0.6), (0.35, 0.5), support=FLOOR),
        rotation=(cos(tilt / 2), -sin(tilt / 2), 0.0, 0.0),
    )
    return room_of(
        ball("ball-1", 0.45, 2.0),
        ball("ball-2", 3.0, 1.0, 0.11, BLUE),
        ball("ball-3", 1.5, 2.6, 0.13, RED),
        cabinet("cabinet-1", 3.3, 3.65, "living-1"),
        mirror("mirror-1", (4.98, 1.9, 1.4), (0.5, 0.6), -pi / 2),
        mirror("mirror-2", (4.55, 3.55, 1.3), (0.45, 0.6), -pi / 4),
        leaning,
        mirror("mirror-4", (0.9, 1.1, 0.9), (0.3, 0.8), 2.2, FLOOR),
        mug("mug-1", 2.6, 2.2, 0.74),
        mug("mug-2", 2.9, 1.9, 0.74, WHITE),
        plant("plant-1", 4.5, 0.5),
        sofa("sofa-1", 2.6, 0.46),
        table("table-1", 2.8, 2.0),
    )


def walkable(rooms: Sequence[Room], doors: Sequence[Door], things: Sequence[Thing]) -> bool:
    """Tell whether every doorway and every room's middle can be walked to from each other."""
    grid = generate.ground(rooms, doors, things)
    wanted = generate.goals(grid, rooms, doors)
    return set(wanted) <= generate.reached(grid, wanted[0])
