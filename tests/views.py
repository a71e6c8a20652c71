"""Small scenes and views by hand, for tests of what is made of them. Nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping

from worldquiz_scenes.scene import (
    UPRIGHT,
    Door,
    Paint,
    Part,
    Pattern,
    Room,
    Scene,
    Shape,
    Thing,
    Vec,
)
from worldquiz_scenes.view import EGO, Camera, Reflection, Sighting, View

OAK = Paint("brown", (0.5, 0.35, 0.2), "wood")
RED = Paint("red", (0.8, 0.1, 0.1), "ceramic")
STRIPED = Paint("blue", (0.1, 0.1, 0.8), "fabric", Pattern.STRIPES, (1.0, 1.0, 1.0))


def thing(
    id: str,
    at: Vec = (0.0, 2.0, 0.5),
    half: Vec = (0.1, 0.1, 0.1),
    *,
    support: str = "floor",
    room: str = "kitchen-1",
    paint: Paint = OAK,
    mirror: tuple[float, float] | None = None,
) -> Thing:
    """Return a box whose label is its id without the number behind it."""
    label = id.rsplit("-", 1)[0].replace("-", " ")
    part = Part(Shape.BOX, (0.0, 0.0, 0.0), half, paint)
    return Thing(id, label, "test", room, at, UPRIGHT, half, (part,), paint, support, mirror)


def scene(*things: Thing) -> Scene:
    """Return a flat of two rooms with some things in it."""
    white = Paint("white", (0.9, 0.9, 0.9), "stone")
    rooms = (
        Room("hall-1", "hall", (4.0, 0.0), (7.0, 5.0), OAK, white),
        Room("kitchen-1", "kitchen", (-4.0, 0.0), (4.0, 5.0), OAK, white),
    )
    doors = (Door(("hall-1", "kitchen-1"), (4.0, 2.5), 0.9, "y"),)
    ordered = tuple(sorted(things, key=lambda each: each.id))
    return Scene("flat-0", 7, "plain", 2.5, rooms, doors, ordered, (0.0, 0.5, 1.57))


def sighting(
    id: str,
    pixels: int = 2000,
    *,
    visible: float = 1.0,
    box: tuple[int, int, int, int] = (100, 100, 150, 150),
    depth: float = 1.5,
) -> Sighting:
    """Return a thing as a view shows it: clear, if nothing else is said."""
    return Sighting(id, pixels, visible, box, depth, cut=False)


def view(
    *seen: Sighting,
    time: float = 0.0,
    camera: str = EGO,
    reflections: tuple[Reflection, ...] = (),
    agent: tuple[float, float, float] = (0.0, 0.0, 1.57),
) -> View:
    """Return a view from the south end of the kitchen to the north."""
    lens = Camera(camera, (0.0, 0.0, 1.5), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 60.0, 640, 480)
    ordered = tuple(sorted(seen, key=lambda each: each.thing))
    files: Mapping[str, str] = {}
    return View(
        f"{int(time):04}-{camera}", time, "flat-0", "kitchen-1", lens, agent, ordered,
        reflections, dict(files),
    )  # fmt: skip
