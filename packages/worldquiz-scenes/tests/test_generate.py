"""From parameters and a seed to an apartment: its rooms, its doorways, ways through it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from scenes import walkable
from worldquiz_scenes.config import PRESETS, Knobs, checked, preset, turned
from worldquiz_scenes.errors import ParameterError
from worldquiz_scenes.generate import generate, obstacles, suite
from worldquiz_scenes.locomotion import Ground
from worldquiz_scenes.place import rotation
from worldquiz_scenes.rooms import DOOR, JAMB, LEAST, WALL, FlatPlan, plan
from worldquiz_scenes.scene import FLOOR, Door, Paint, Part, Room, Scene, Shape, Thing

# Parameters


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_can_be_met(name: str) -> None:
    assert checked(preset(name).knobs) == PRESETS[name].knobs


def test_an_unknown_preset_is_named_with_the_nearest() -> None:
    with pytest.raises(ParameterError, match="no preset 'papper'; did you mean 'paper'"):
        preset("papper")


def test_settings_are_read_by_the_kind_of_their_knob() -> None:
    knobs = turned(
        Knobs(),
        {"rooms": "2..4", "loops": "1", "furniture": "0.5", "most": "30", "style": "classic"},
    )
    assert knobs == Knobs(rooms=(2, 4), loops=(1, 1), furniture=0.5, most=30, style="classic")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"rooms": "0..2"}, r"parameter rooms: 0..2 is not LOW..HIGH within 1..24"),
        ({"rooms": "3..25"}, r"parameter rooms: 3..25 is not LOW..HIGH within 1..24"),
        ({"rooms": "5..3"}, r"parameter rooms: 5..3 is not LOW..HIGH"),
        ({"rooms": "many"}, r"parameter rooms: 'many' is not LOW..HIGH"),
        ({"furniture": "1.2"}, r"parameter furniture: 1.2 is not a share"),
        ({"furniture": "nan"}, r"parameter furniture: nan is not a share"),
        ({"furniture": "lots"}, r"parameter furniture: 'lots' is not a number"),
        ({"most": "0"}, r"parameter most: 0 is below 1"),
        ({"most": "2.5"}, r"parameter most: '2.5' is not a whole number"),
        ({"mirrors": "-1..2"}, r"parameter mirrors: -1..2 is not LOW..HIGH"),
        ({"style": "modren"}, r"no style 'modren'; did you mean 'modern'"),
        ({"room": "3"}, r"no parameter 'room'; did you mean 'rooms'"),
    ],
)
def test_what_no_flat_can_meet_is_refused(setting: dict[str, str], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        turned(Knobs(), setting)


# Rooms and doorways


COUNTS = (*range(1, 9), 13, 24)


def drawn(count: int, seed: int, loops: int = 0) -> FlatPlan:
    return plan(replace(Knobs(), rooms=(count, count), loops=(loops, loops)), seed)


@pytest.mark.parametrize("count", COUNTS)
def test_rooms_are_as_many_as_asked_and_large_enough(count: int) -> None:
    for seed in range(12):
        rooms = drawn(count, seed).rooms
        assert len(rooms) == count
        assert len({room.name for room in rooms}) == count
        for room in rooms:
            sides = [high - low for low, high in zip(room.low, room.high, strict=True)]
            assert min(sides) >= LEAST - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("count", COUNTS)
def test_an_empty_flat_is_walkable(count: int) -> None:
    for seed in range(4):
        one = drawn(count, seed)
        assert walkable(one.rooms, one.doors, ())


def test_a_doorway_lies_in_the_wall_that_its_rooms_share() -> None:
    for seed in range(20):
        one = drawn(6, seed, loops=2)
        rooms = {room.name: room for room in one.rooms}
        for door in one.doors:
            assert all(_in_wall(door, rooms[name]) for name in door.rooms)


def _in_wall(door: Door, room: Room) -> bool:
    across, along = (1, 0) if door.along == "x" else (0, 1)
    at_wall = min(abs(door.at[across] - room.low[across]), abs(door.at[across] - room.high[across]))
    low, high = door.at[along] - DOOR / 2 - JAMB, door.at[along] + DOOR / 2 + JAMB
    inside = room.low[along] - 1e-3 <= low and high <= room.high[along] + 1e-3
    return abs(at_wall - WALL / 2) < 1e-6 and inside


def test_doorways_are_a_tree_and_loops_come_on_top() -> None:
    tree, more = drawn(7, 5), drawn(7, 5, loops=2)
    assert len(tree.doors) == 6
    assert len(more.doors) == 8
    assert set(tree.doors) < set(more.doors) or len(more.doors) > len(tree.doors)
    assert len({frozenset(door.rooms) for door in more.doors}) == 8


# Ways


GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")
WEST = Room("west", "study", (0.0, 0.0), (3.0, 3.0), GREY, GREY)
EAST = Room("east", "study", (3.1, 0.0), (6.1, 3.0), GREY, GREY)
OPENING = Door(("west", "east"), (3.05, 1.5), 0.9, "y")


def block(id: str, x: float, y: float, half: tuple[float, float, float], z: float = 0.0,
          yaw: float = 0.0) -> Thing:  # fmt: skip
    part = Part(Shape.BOX, (0, 0, 0), half, GREY)
    return Thing(id, "box", "container", "west", (x, y, z + half[2]), rotation(yaw), half, (part,),
                 GREY, FLOOR)  # fmt: skip


def ways(*things: Thing) -> bool:
    return walkable((WEST, EAST), (OPENING,), things)


def test_a_wall_of_boxes_is_named_and_only_what_must_go() -> None:
    fence = block("fence", 2.0, 1.5, (0.1, 1.5, 0.5))
    stool = block("stool", 0.5, 0.5, (0.2, 0.2, 0.2))
    assert not ways(fence, stool)
    assert obstacles((WEST, EAST), (OPENING,), (fence, stool)) == ("fence",)


def test_of_two_ways_the_one_with_fewer_things_is_cleared() -> None:
    north = [block(f"north-{k}", 2.0, 2.3 + 0.3 * k, (0.3, 0.15, 0.5)) for k in range(3)]
    south = block("south", 2.0, 0.95, (0.2, 1.1, 0.5))
    assert obstacles((WEST, EAST), (OPENING,), (*north, south)) == ("south",)


def test_rugs_and_high_cupboards_are_not_in_the_way() -> None:
    assert ways(block("rug", 2.0, 1.5, (0.5, 1.5, 0.006)))
    assert ways(block("cupboard", 2.0, 1.5, (0.1, 1.5, 0.3), z=1.75))


def test_a_narrow_gap_is_no_way() -> None:
    """The agent and its spare room are 0.6 m wide."""
    gap = {
        wide: block("wall", 2.0, 1.5 - wide / 2, (0.1, 1.5 - wide / 2, 0.5)) for wide in (0.5, 0.7)
    }
    assert not ways(gap[0.5])
    assert ways(gap[0.7])


def test_a_turned_thing_is_as_wide_as_it_looks_from_there() -> None:
    plank = (1.45, 0.05, 0.5)
    assert ways(block("plank", 1.5, 0.6, plank))
    assert not ways(block("plank", 2.2, 1.5, plank, yaw=90.0))


# Apartments


def test_the_walker_of_the_simulator_reaches_every_room(flat: Scene) -> None:
    """Its grid is another one than that which the generator repairs by."""
    pytest.importorskip("scipy")
    ground = Ground(flat)
    assert ground.clearance(np.array([flat.start[:2]]))[0] >= ground.radius
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


def test_things_stand_in_rows_unless_nothing_is_to_repeat() -> None:
    """Books stand in rows anyhow."""

    def rows(repeat: float) -> int:
        scene = generate(Knobs(rooms=(2, 2), repeat=repeat), 5)
        alike = Counter((each.support, each.label) for each in scene.things if each.label != "book")
        return sum(count > 2 and support in scene.thing for (support, _), count in alike.items())

    assert rows(0.0) < rows(0.5)
