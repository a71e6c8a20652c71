"""Walking: exact stops, the paper's moves and EB-Navigation's."""

from __future__ import annotations

from math import cos, inf, nan, pi, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes import gallery, studio
from worldquiz_scenes.locomotion import (
    RADIUS,
    SKIN,
    Ground,
    Move,
    Pose,
)

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


@pytest.mark.parametrize("walk", [-0.1, nan, inf])
def test_a_distance_that_is_none_is_refused(walk: float) -> None:
    with pytest.raises(ValueError, match="cannot walk"):
        STUDIO.move(START, Move(walk=walk))


SPOTS = st.tuples(st.floats(0.25, 4.75), st.floats(0.25, 3.75))
WALKS = st.tuples(SPOTS, st.floats(-pi, pi), st.floats(0, 4))


@pytest.mark.slow
@settings(max_examples=300)
@given(WALKS)
def test_nobody_ends_within_anything(walk: tuple[tuple[float, float], float, float]) -> None:
    (x, y), way, far = walk
    if GALLERY.free(x, y):
        moved = GALLERY.move(Pose(x, y, way), Move(walk=far))
        assert GALLERY.free(moved.pose.x, moved.pose.y)
        assert moved.walked <= far + 1e-6


@settings(max_examples=100)
@given(WALKS)
def test_an_exact_walk_agrees_with_one_in_small_steps(
    walk: tuple[tuple[float, float], float, float],
) -> None:
    (x, y), way, far = walk
    steps = np.arange(0, far, 0.002)
    points = np.stack([x + steps * cos(way), y + steps * sin(way)], axis=1)
    if not GALLERY.free(x, y) or not len(points):
        return
    touching = np.flatnonzero(GALLERY.clearance(points) < RADIUS)
    reached = GALLERY.reach(x, y, way, far)[0]
    if len(touching):
        # a rim that is only grazed stops the small steps late or never
        assert reached <= steps[touching[0]] + 1e-6
        if GALLERY.clearance(points[touching]).min() < RADIUS - 1e-3:
            assert reached >= steps[touching[0]] - SKIN - 0.05
    else:
        assert reached >= far - SKIN - 0.11
