from __future__ import annotations

from dataclasses import replace

import pytest

from scenes import walkable
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.rooms import DOOR, JAMB, LEAST, WALL, FlatPlan, plan
from worldquiz_scenes.scene import Door, Room

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
