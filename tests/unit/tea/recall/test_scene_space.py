"""What a camera sees of a flat: past walls and things, and through doorways."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from recalls import EAST, NORTH, WEST, around, flat, look, screen
from scenes import studio
from worldquiz.tea.recall.quiz.space import Space, shares
from worldquiz_scenes.cameras import ego


def sees(space: Space, x: float, y: float, heading: float, *point: float) -> bool:
    return bool(space.seen(ego(x, y, heading), np.array([point]))[0])


def test_a_point_must_be_in_the_picture_and_before_the_camera() -> None:
    space = Space(flat())
    assert sees(space, 1, 2, EAST, 3, 2, 1)
    assert not sees(space, 1, 2, WEST, 3, 2, 1)
    assert not sees(space, 1, 2, NORTH, 3, 2, 1)
    assert not sees(space, 1, 2, EAST, 3, 2, 4)


def test_walls_hide_and_doorways_do_not() -> None:
    space = Space(flat())
    assert sees(space, 2, 2, EAST, 6, 2, 1)
    assert sees(space, 1, 2, EAST, 13, 2, 1)  # through all three doorways
    assert not sees(space, 2, 2, EAST, 6, 3.5, 1)
    assert not sees(space, 3.5, 1, EAST, 4.5, 1, 1)


def test_things_hide_what_is_behind_them() -> None:
    space = Space(flat(screen(3.0)))
    assert sees(space, 1, 2, EAST, 2.5, 2, 1)
    assert not sees(space, 1, 2, EAST, 3.5, 2, 1)
    assert sees(space, 3.4, 2, EAST, 3.9, 2, 1.2)


def test_a_turned_thing_hides_where_it_is() -> None:
    space = Space(studio())
    assert not sees(space, 2.8, 0.8, NORTH, 2.8, 2.9, 0.1)  # behind the table's top
    assert sees(space, 4.9, 2.0, WEST, 1.0, 2.0, 1.5)


def test_no_point_lies_in_a_thing() -> None:
    scene = flat(screen(3.0))
    points = Space(scene).rooms["kitchen-1"]
    assert len(points) > 100
    assert not ((abs(points[:, 0] - 3.0) < 0.05) & (abs(points[:, 1] - 2) < 2)).any()
    low, high = scene.room["kitchen-1"].low, scene.room["kitchen-1"].high
    assert (points[:, :2] > low).all()
    assert (points[:, :2] < high).all()


def test_shares_grow_to_the_whole_room_and_no_farther() -> None:
    space = Space(flat())
    views = [*around(0, 1.0, 2.0), *around(10, 3.5, 3.5), *around(20, 3.5, 0.5)]
    found = [each["kitchen-1"] for each in shares(space, [view.camera for view in views])]
    assert found == sorted(found)
    assert 0.1 < found[0] < 0.6
    assert 0.9 < found[-1] <= 1.0
    last = list(shares(space, [view.camera for view in views]))[-1]
    assert last["bathroom-1"] < 0.3


def test_straight_ways_leave_no_floor() -> None:
    space = Space(flat())
    assert space.straight((1, 2), (13, 2))
    assert not space.straight((1, 1), (6, 1))
    assert not space.straight((1, 1), (6, 3.5))


@pytest.mark.parametrize("turn", [0.0, pi / 2, pi])
def test_the_same_camera_sees_the_same_twice(turn: float) -> None:
    space, view = Space(flat()), look(1, 2.0, 2.0, turn)
    points = space.rooms["kitchen-1"]
    assert (space.seen(view.camera, points) == space.seen(view.camera, points)).all()
