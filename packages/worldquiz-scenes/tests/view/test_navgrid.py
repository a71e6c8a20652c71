"""Ways around things: every step of them can be walked, and none is much longer than it must be."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import hypot, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes import cabinet, gallery, room_of, studio
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.locomotion import Field, Ground, Pose, span

STUDIO, GALLERY = Ground(studio()), Ground(gallery())


def walk(ground: Ground, field: Field, pose: Pose) -> Pose:
    """Walk a field's moves; fail if anything is in the way."""
    for move in field.moves(pose):
        moved = ground.move(pose, move)
        assert moved.stopped_by is None, move
        pose = moved.pose
    return pose


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_every_way_can_be_walked(one: int, two: int) -> None:
    for ground in (STUDIO, GALLERY):
        grid = ground.grid
        start, goal = (grid.spot(index % len(grid.points)) for index in (one, two))
        end = walk(ground, grid.to_point(*goal), Pose(*start, 0.0))
        assert hypot(end.x - goal[0], end.y - goal[1]) < 1e-4


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_way_is_no_shorter_than_the_crow_flies_and_no_longer_than_the_grid(
    one: int, two: int
) -> None:
    grid = STUDIO.grid
    start, goal = (index % len(grid.points) for index in (one, two))
    field = grid.to_point(*grid.spot(goal))
    far = field.distance(*grid.spot(start))
    crow = hypot(*(grid.points[start] - grid.points[goal]))
    assert crow - 1e-4 <= far <= float(field.far[start]) + 1e-4
    if STUDIO.straight(grid.spot(start), grid.spot(goal)):
        assert far == pytest.approx(crow, abs=1e-4)


def test_the_way_into_the_kitchen_leads_through_its_door() -> None:
    field = STUDIO.grid.to_thing(studio().thing["cabinet-1"], 0.6)
    way = field.path(1.2, 2.0)
    crossings = [
        one[1] + (5.05 - one[0]) / (two[0] - one[0]) * (two[1] - one[1])
        for one, two in pairwise(way)
        if (one[0] - 5.05) * (two[0] - 5.05) < 0
    ]
    assert len(crossings) == 1
    assert 0.45 < crossings[0] < 1.35
    end = walk(STUDIO, field, Pose(1.2, 2.0, pi))
    assert span(studio().thing["cabinet-1"], np.array([[end.x, end.y]]))[0] <= 0.6


def test_what_cannot_be_reached_is_said() -> None:
    closed = replace(studio(), doors=())
    with pytest.raises(SceneError, match=r"no reachable spot is within 0.6 m of 'cabinet-1'"):
        Ground(closed).grid.to_thing(closed.thing["cabinet-1"], 0.6)


def test_a_floor_without_a_free_spot_is_refused() -> None:
    full = room_of(cabinet("cabinet-1", 0.4, 0.3, "living-1"), size=(0.8, 0.6))
    with pytest.raises(SceneError, match="no spot of its floor is free"):
        _ = Ground(full).grid
