from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz_scenes.cameras import ego
from worldquiz_scenes.geometry import depth, solid, upright
from worldquiz_scenes.place import rotation
from worldquiz_scenes.scene import UPRIGHT

UNIT = (0.5, 0.5, 0.5)


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


@given(st.floats(-3.1, 3.1), st.floats(-1.4, 1.4))
def test_an_upright_camera_looks_the_same_way_and_level(heading: float, pitch: float) -> None:
    bent = ego(1.0, 2.0, heading, pitch=math.degrees(pitch))
    straight = upright(bent)
    assert straight.at == bent.at
    assert straight.forward == pytest.approx((math.cos(heading), math.sin(heading), 0.0), abs=1e-9)
    assert straight.up == (0.0, 0.0, 1.0)


def test_a_camera_that_looks_straight_down_has_no_upright_one() -> None:
    down = replace(ego(0.0, 0.0, 0.0), forward=(0.0, 0.0, -1.0), up=(1.0, 0.0, 0.0))
    assert upright(down) == down
