"""Walking: exact stops, the moves of the paper and of EB-Navigation, ways around things."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import cos, hypot, inf, nan, pi, sin

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenes import cabinet, gallery, room_of, studio
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.locomotion import (
    RADIUS,
    SKIN,
    Field,
    Ground,
    Move,
    Pose,
    StepGraph,
    span,
)

# Moves


STUDIO, GALLERY = Ground(studio()), Ground(gallery())
START = Pose(*studio().start)


@pytest.mark.parametrize(
    ("turn", "far", "stop"),
    [
        (0, 2.2 - 1.2 - RADIUS - SKIN, "table-1"),
        (90, 4.0 - 2.0 - RADIUS - SKIN, "wall:living-1"),
        (180, 1.2 - 0.6 - RADIUS - SKIN, "ball-1"),
        (-90, 2.0 - RADIUS - SKIN, "wall:living-1"),
    ],
)
def test_a_long_walk_stops_before_what_is_in_the_way(turn: float, far: float, stop: str) -> None:
    moved = STUDIO.move(START, Move(turn=turn, walk=9.0))
    assert moved.walked == pytest.approx(far, abs=1e-5)
    assert moved.stopped_by == stop


def test_a_short_walk_goes_as_far_as_it_means_to() -> None:
    moved = STUDIO.move(START, Move(turn=30, walk=0.5))
    assert moved.stopped_by is None
    assert moved.pose.x == pytest.approx(1.2 + 0.5 * cos(pi / 6), abs=1e-6)
    assert moved.pose.y == pytest.approx(2.25, abs=1e-6)
    assert moved.pose.heading == pytest.approx(pi / 6)


def test_a_rug_is_walked_over_and_a_lintel_walked_under() -> None:
    over = STUDIO.move(Pose(2.0, 1.4, 0.0), Move(walk=1.6))
    assert (over.walked, over.stopped_by) == (1.6, None)
    under = STUDIO.move(Pose(4.5, 0.9, 0.0), Move(walk=1.2))
    assert (under.walked, under.stopped_by) == (1.2, None)


def test_a_doorway_is_as_wide_as_it_says() -> None:
    for y, through in ((0.45 + RADIUS + 0.01, True), (0.45 + RADIUS - 0.01, False)):
        moved = STUDIO.move(Pose(5.5, y, pi), Move(walk=0.4))
        assert (moved.stopped_by is None) == through


def test_the_floor_between_rooms_is_none_to_stand_on() -> None:
    """A room far away leaves more free ground outside than all rooms have within."""
    flat = studio()
    far = replace(flat.rooms[0], name="shed-1", low=(30.0, 30.0), high=(32.0, 32.0))
    ground = Ground(replace(flat, rooms=(*flat.rooms, far)))
    points = StepGraph(ground, widest=True).points
    assert {ground.room(x, y) for x, y in points.tolist()} == {"kitchen-1", "living-1"}


@pytest.mark.parametrize("walk", [-0.1, nan, inf])
def test_a_distance_that_is_none_is_refused(walk: float) -> None:
    with pytest.raises(ValueError, match="cannot walk"):
        STUDIO.move(START, Move(walk=walk))


SPOTS = st.tuples(st.floats(0.25, 4.75), st.floats(0.25, 3.75))
WALKS = st.tuples(SPOTS, st.floats(-pi, pi), st.floats(0, 4))


def free(x: float, y: float) -> bool:
    """Tell whether an agent can stand at a point of the gallery."""
    clear = GALLERY.clearance(np.array([[x, y]]))[0]
    return GALLERY.room(x, y) is not None and clear >= RADIUS - 1e-9


@pytest.mark.slow
@settings(max_examples=300)
@given(WALKS)
def test_nobody_ends_within_anything(walk: tuple[tuple[float, float], float, float]) -> None:
    (x, y), way, far = walk
    if free(x, y):
        moved = GALLERY.move(Pose(x, y, way), Move(walk=far))
        assert free(moved.pose.x, moved.pose.y)
        assert moved.walked <= far + 1e-6


@settings(max_examples=100)
@given(WALKS)
@example(((1.02, 3.5), 2.0, 1.0))  # it begins where it just touches a thing
def test_an_exact_walk_agrees_with_one_in_small_steps(
    walk: tuple[tuple[float, float], float, float],
) -> None:
    (x, y), way, far = walk
    steps = np.arange(0, far, 0.002)
    points = np.stack([x + steps * cos(way), y + steps * sin(way)], axis=1)
    if not free(x, y) or not len(points):
        return
    touching = np.flatnonzero(GALLERY.clearance(points) < RADIUS - 1e-9)
    reached = GALLERY.reach(x, y, way, far)[0]
    if len(touching):
        # a rim that is only grazed stops the small steps late or never
        assert reached <= steps[touching[0]] + 1e-6
        if GALLERY.clearance(points[touching]).min() < RADIUS - 1e-3:
            assert reached >= steps[touching[0]] - SKIN - 0.05
    else:
        assert reached >= far - SKIN - 0.11


# Ways


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
    with pytest.raises(SceneError, match="no spot on its floor is free"):
        _ = Ground(full).grid
