"""Physics, with the real engine."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from worldquiz_scenes import place
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.physics_settling import settle
from worldquiz_scenes.place import Placement
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import FLOOR, Paint, Part, Shape, Thing

pytest.importorskip("mujoco")
GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")


def thing(kind: str, x: float, y: float, z: float, support: str, id: str | None = None) -> Thing:
    model = STOCK[kind].make(Draw(child(4, kind), STYLES["modern"]))
    return place.thing(id or kind, kind, model, Placement(x, y, z, 0.0), "room", support)


def shelf(z: float) -> Thing:
    part = Part(Shape.BOX, (0, 0, 0), (0.5, 0.5, 0.02), GREY)
    return Thing("shelf", "wall shelf", "storage", "room", (0, 0, z), (1.0, 0.0, 0.0, 0.0),
                 (0.5, 0.5, 0.02), (part,), GREY, "wall")  # fmt: skip


def test_a_mug_put_on_a_shelf_stays_there() -> None:
    mug = thing("mug", 0, 0, 1.022, "shelf")
    rest = settle([mug], [shelf(1.0)])
    (settled,) = rest.things
    assert settled.support == "shelf"
    assert settled.rotation == mug.rotation
    assert settled.position[2] == pytest.approx(1.02 + mug.half[2], abs=1e-3)
    assert math.dist(settled.position[:2], mug.position[:2]) < 2e-3
    assert not rest.fallen


def test_what_hangs_over_the_edge_falls_and_says_so() -> None:
    rest = settle([thing("apple", 0.52, 0, 1.022, "shelf")], [shelf(1.0)])
    assert rest.fallen == {"apple"}
    assert rest.things[0].support == FLOOR


def test_a_pile_is_carried_by_what_it_touches() -> None:
    low, high = thing("book", 0, 0, 1.022, "shelf", "low"), thing("mug", 0, 0, 1.1, "shelf", "high")
    low = replace(low, position=(0.0, 0.0, 1.022 + low.half[2]))
    rest = settle([low, high], [shelf(1.0)])
    assert [each.support for each in rest.things] == ["shelf", "low"]


def test_what_is_jammed_between_two_boards_is_told() -> None:
    ball, mug = thing("ball", 0, 0, 1.02, "shelf"), thing("mug", 0.3, 0, 1.022, "shelf")
    low, high = shelf(1.0), replace(shelf(1.01 + 2 * ball.half[2]), id="lid")
    rest = settle([ball, mug], [low, high])
    assert rest.jammed == {"ball"}


def test_a_leaning_thing_keeps_the_turn_that_physics_gave_it() -> None:
    tipped = replace(thing("book", 0, 0, 0.3, FLOOR), rotation=(0.965926, 0.258819, 0.0, 0.0))
    (settled,) = settle([tipped], []).things
    assert settled.rotation != tipped.rotation
    assert math.hypot(*settled.rotation) == pytest.approx(1, abs=1e-5)
    assert settled.position[2] == pytest.approx(settled.half[2], abs=2e-3)
