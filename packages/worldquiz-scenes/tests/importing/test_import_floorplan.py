"""Outlines become rectangles within them, apart, and joined where nothing stands between."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, contains_xy

from worldquiz_scenes.importing.floorplan import passages, polygon, rectangles, slant, solid
from worldquiz_scenes.importing.pieces import Outline, Upright

ELL: list[tuple[float, float]] = [(0, 0), (4, 0), (4, 3), (7, 3), (7, 6), (0, 6)]

HALL: list[tuple[float, float]] = [(0, 0), (6, 0), (6, 4), (0, 4)]


def outline(points: list[tuple[float, float]]) -> Outline:
    return Outline("room", np.array(points, float))


def wall(x0: float, y0: float, x1: float, y1: float, height: float = 2.5) -> Upright:
    return Upright(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float), height)


def test_a_bent_room_is_two_rectangles_with_all_between_them_open() -> None:
    rects = rectangles([outline(ELL)], solid([]))
    assert sorted(rect.square for rect in rects) == [9.0, 24.0]
    assert {rect.piece for rect in rects} == {0}
    (door,) = passages(solid([]), rects, ["a", "b"], 2.5)
    assert (door.at, door.width, door.along, door.height) == ((4.0, 4.5), 3.0, "y", 2.5)


def test_a_wall_across_a_room_makes_two_with_a_doorway_where_it_ends() -> None:
    room = outline(HALL)
    walls = solid([wall(2.9, 0, 3.0, 3.0)])
    rects = rectangles([room], walls)
    assert sorted((rect.low, rect.high) for rect in rects) == [((0, 0), (2.9, 4)), ((3, 0), (6, 4))]
    (door,) = passages(walls, rects, ["a", "b"], 2.5)
    assert (door.width, door.along) == (1.0, "y")
    assert door.at == (2.95, 3.5)


def test_walls_alone_tell_rooms() -> None:
    ring = [wall(0, 0, 6, 0.1), wall(0, 3.9, 6, 4), wall(0, 0, 0.1, 4), wall(5.9, 0, 6, 4)]
    (rect,) = rectangles([], solid(ring))
    assert (rect.low, rect.high) == ((0.1, 0.1), (5.9, 3.9))
    assert rectangles([], solid(ring[:3])) == [], "they do not close"


def test_a_plan_that_lies_askew_is_turned_back() -> None:
    angle = math.radians(30)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    tilted = Outline("room", np.array(ELL, float) @ turn.T)
    assert slant([tilted], []) == pytest.approx(angle)
    assert slant([outline(ELL)], []) == 0.0


def test_a_cell_that_a_slanted_edge_cuts_is_no_floor() -> None:
    notch: list[tuple[float, float]] = [(0, 0), (6, 0), (6, 4), (3.1, 4), (3, 1), (2.9, 4), (0, 4)]
    shape = polygon(outline(notch).points)
    rects = rectangles([outline(notch)], solid([]))
    assert sum(rect.square for rect in rects) > 0.9 * shape.area
    for rect in rects:
        (x0, y0), (x1, y1) = rect.low, rect.high
        assert shape.buffer(0.002).covers(Polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0.5, 6), st.floats(0, 2 * math.pi, exclude_max=True)),
        min_size=3, max_size=8, unique_by=lambda each: round(each[1], 1),
    )
)  # fmt: skip
def test_rectangles_lie_in_their_outline_and_apart(rays: list[tuple[float, float]]) -> None:
    points = [(r * math.cos(a), r * math.sin(a)) for r, a in sorted(rays, key=lambda ray: ray[1])]
    room = outline(points)
    rects = rectangles([room], solid([]))
    for rect in rects:
        low, high = np.array(rect.low), np.array(rect.high)
        inner = low + (high - low) * np.array(
            [[0.01, 0.02], [0.98, 0.03], [0.97, 0.99], [0.5, 0.5]]
        )
        assert contains_xy(polygon(room.points), inner).all()
    for one in rects:
        for two in rects:
            overlap = [min(one.high[k], two.high[k]) - max(one.low[k], two.low[k]) for k in (0, 1)]
            assert one is two or min(overlap) < 1e-6
