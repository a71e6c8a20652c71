from __future__ import annotations

import math

import pytest

from worldquiz.scenes.geometry import depth, extent, slab, solid
from worldquiz.scenes.place import rotation
from worldquiz.scenes.scene import UPRIGHT

UNIT = (0.5, 0.5, 0.5)


def test_boxes_side_by_side_are_apart_by_what_lies_between() -> None:
    one, two = solid((0, 0, 0), UNIT, UPRIGHT), solid((1.25, 0, 0), UNIT, UPRIGHT)
    assert depth(one, two) == pytest.approx(-0.25)


def test_boxes_in_each_other_are_as_deep_as_the_shortest_way_out() -> None:
    one, two = solid((0, 0, 0), UNIT, UPRIGHT), solid((0.9, 0.3, 0), UNIT, UPRIGHT)
    assert depth(one, two) == pytest.approx(0.1)
    assert depth(two, one) == pytest.approx(0.1)


def test_a_turned_box_reaches_with_its_corner() -> None:
    one, two = solid((0, 0, 0), UNIT, UPRIGHT), solid((1.15, 0, 0), UNIT, rotation(45))
    assert depth(one, two) == pytest.approx(0.5 + math.sqrt(0.5) - 1.15, abs=1e-5)
    assert depth(one, solid((1.15, 0, 0), UNIT, UPRIGHT)) < 0


def test_edges_that_cross_are_told_apart() -> None:
    """No face separates these two; a product of their edges does."""
    long, cos, sin = (1.0, 0.1, 0.1), math.cos(math.pi / 8), math.sin(math.pi / 8)
    quarter = math.sqrt(0.5)
    one = solid((0, 0, 0), long, (cos, sin, 0.0, 0.0))
    across = (quarter * cos, quarter * sin, quarter * sin, quarter * cos)
    assert depth(one, solid((0, 0, 0.35), long, across)) < 0
    assert depth(one, solid((0, 0, 0.2), long, across)) > 0


def test_the_extent_of_a_turned_box_holds_its_corners() -> None:
    low, high = extent(solid((1, 2, 3), (1, 0.5, 0.25), rotation(90)))
    assert low == pytest.approx((0.5, 1, 2.75), abs=1e-5)
    assert high == pytest.approx((1.5, 3, 3.25), abs=1e-5)


def test_a_slab_lies_between_its_corners() -> None:
    assert extent(slab((0, 1, 2), (3, 4, 5))) == ((0, 1, 2), (3, 4, 5))
