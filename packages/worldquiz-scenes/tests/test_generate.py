from __future__ import annotations

from dataclasses import replace

import pytest

from worldquiz_scenes.config import Knobs
from worldquiz_scenes.generate import generate, suite
from worldquiz_scenes.locomotion import Ground
from worldquiz_scenes.scene import Scene


def test_the_walker_of_the_simulator_reaches_every_room(flat: Scene) -> None:
    """Its grid is another one than that which the generator repairs by."""
    pytest.importorskip("scipy")
    ground = Ground(flat)
    assert ground.free(*flat.start[:2])
    there = {ground.room(x, y) for x, y in ground.grid.points.tolist()}
    assert there == {room.name for room in flat.rooms}


def test_a_preset_is_so_many_scenes_each_of_its_own() -> None:
    first, second = suite("tiny", 3, scenes=2)
    assert (first.id, second.id) == ("tiny-01", "tiny-02")
    assert first.seed != second.seed
    assert first.things != second.things
    assert suite("tiny", 3, scenes=1) == [first]


def test_the_knob_most_leaves_small_objects_out() -> None:
    knobs = Knobs(rooms=(2, 2), loops=(0, 0))
    many, few = generate(knobs, 5), generate(replace(knobs, most=25), 5)
    assert len(few.things) < len(many.things)
    assert {thing.label for thing in few.things} <= {thing.label for thing in many.things}


def test_no_small_objects_where_none_are_asked_for() -> None:
    scene = generate(Knobs(rooms=(1, 1), small=(0, 0), furniture=0.0), 2)
    borne = {thing.label for thing in scene.things if thing.support in scene.thing}
    assert borne <= {"tv", "coffee table"}
