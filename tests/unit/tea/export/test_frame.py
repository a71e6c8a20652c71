"""Habitat's frame: what is converted there and back is what it was."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import axes_back, heading_back, point_back
from worldquiz.scenes.scene import Vec
from worldquiz.scenes.view import Camera
from worldquiz.tea.export.habitat import Turn, point, rotation, turn

METRES = st.floats(-50, 50)
ANGLES = st.floats(-pi, pi)
POINTS = st.tuples(METRES, METRES, METRES)


def rotated(turned: Turn, at: Vec) -> Vec:
    """Return a point turned by a quaternion x, y, z, w, by the product of quaternions."""
    x, y, z, w = turned
    a, b, c = at
    px, py, pz = w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a
    pw = -x * a - y * b - z * c
    return (
        -pw * x + px * w - py * z + pz * y,
        -pw * y + py * w - pz * x + px * z,
        -pw * z + pz * w - px * y + py * x,
    )


@given(POINTS)
def test_a_point_there_and_back_is_the_same(at: Vec) -> None:
    assert point_back(point(at)) == at


@given(POINTS, POINTS)
def test_distances_and_hands_stay(one: Vec, two: Vec) -> None:
    def cross(a: Vec, b: Vec) -> Vec:
        return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]

    assert point(cross(one, two)) == pytest.approx(cross(point(one), point(two)))


@given(ANGLES)
def test_a_heading_there_and_back_is_the_same(heading: float) -> None:
    back = heading_back(turn(heading))
    assert (cos(back), sin(back)) == pytest.approx((cos(heading), sin(heading)), abs=1e-12)


@given(ANGLES)
def test_an_agent_looks_where_its_heading_points(heading: float) -> None:
    looks = rotated(turn(heading), (0.0, 0.0, -1.0))
    assert looks == pytest.approx(point((cos(heading), sin(heading), 0.0)), abs=1e-12)


@given(ANGLES, st.floats(-1.5, 1.5))
def test_a_camera_there_and_back_looks_the_same_way(heading: float, pitch: float) -> None:
    ahead = (cos(heading) * cos(pitch), sin(heading) * cos(pitch), sin(pitch))
    up = (-cos(heading) * sin(pitch), -sin(heading) * sin(pitch), cos(pitch))
    turned = rotation(Camera("ego", (0, 0, 0), ahead, up, 60.0, 640, 480))
    assert sum(part * part for part in turned) == pytest.approx(1)
    for found, wanted in zip(axes_back(turned), (ahead, up), strict=True):
        assert found == pytest.approx(wanted, abs=1e-9)
    assert rotated(turned, (0.0, 0.0, -1.0)) == pytest.approx(point(ahead), abs=1e-9)
    assert rotated(turned, (0.0, 1.0, 0.0)) == pytest.approx(point(up), abs=1e-9)


def test_who_is_not_turned_in_habitat_looks_north() -> None:
    assert turn(pi / 2) == (0.0, 0.0, 0.0, 1.0)
    assert point((0.0, 1.0, 0.0)) == (0.0, 0.0, -1.0)
    assert point((1.0, 2.0, 3.0)) == (1.0, 3.0, -2.0)
