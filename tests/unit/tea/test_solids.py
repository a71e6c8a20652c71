"""Rays meet solids where a reader can work it out."""

from __future__ import annotations

from functools import partial
from math import cos, inf, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.oracle.solids import SceneBody, load, meet, solid, solids, turn

UPRIGHT = np.eye(3)


def met(
    body: SceneBody, start: tuple[float, float, float], way: tuple[float, float, float]
) -> float:
    return float(meet(body, np.array(start), np.array([way]))[0])


@pytest.mark.parametrize(
    ("shape", "size", "start", "way", "when"),
    [
        ("box", (1, 2, 3), (-5, 0, 0), (1, 0, 0), 4),
        ("box", (1, 2, 3), (-5, 1.9, 2.9), (2, 0, 0), 2),
        ("box", (1, 2, 3), (-5, 2.1, 0), (1, 0, 0), inf),
        ("sphere", (1, 0, 0), (0, 0, 4), (0, 0, -1), 3),
        ("sphere", (1, 0, 0), (0, 1.1, 4), (0, 0, -1), inf),
        ("ellipsoid", (1, 2, 3), (0, 0, 9), (0, 0, -1), 6),
        ("ellipsoid", (1, 2, 3), (0, 9, 0), (0, -1, 0), 7),
        ("cylinder", (1, 2, 0), (-5, 0, 1.9), (1, 0, 0), 4),
        ("cylinder", (1, 2, 0), (-5, 0, 2.1), (1, 0, 0), inf),
        ("cylinder", (1, 2, 0), (0.9, 0, 9), (0, 0, -1), 7),
        ("cylinder", (1, 2, 0), (1.1, 0, 9), (0, 0, -1), inf),
        ("capsule", (1, 2, 0), (0, 0, 9), (0, 0, -1), 6),
        ("capsule", (1, 2, 0), (-5, 0, 2.5), (1, 0, 0), 5 - sqrt(0.75)),
        ("capsule", (1, 2, 0), (-5, 0, 0), (1, 0, 0), 4),
        ("box", (1, 1, 1), (0, 0, 0), (1, 0, 0), inf),  # from within nothing is entered
        ("box", (1, 1, 1), (5, 0, 0), (1, 0, 0), inf),  # it lies behind
    ],
)
def test_a_ray_enters_a_solid(
    shape: str,
    size: tuple[float, float, float],
    start: tuple[float, float, float],
    way: tuple[float, float, float],
    when: float,
) -> None:
    body = solid("it", shape, (0, 0, 0), UPRIGHT, size)
    assert met(body, start, way) == pytest.approx(when)


def test_a_turned_solid_is_met_as_it_lies() -> None:
    eighth = turn((cos(pi / 8), 0, 0, sin(pi / 8)))
    body = solid("it", "box", (3, 0, 0), eighth, (1, 1, 1))
    assert met(body, (0, 0, 0), (1, 0, 0)) == pytest.approx(3 - sqrt(2))


def test_parts_and_glass_of_a_thing_lie_in_its_frame() -> None:
    thing = {
        "id": "mirror-1", "position": [1, 2, 3], "rotation": [sqrt(0.5), 0, 0, sqrt(0.5)],
        "half": [0.5, 0.1, 0.5], "mirror": [0.4, 0.3],
        "parts": [{"shape": "box", "at": [0.2, 0, 0], "turn": [1, 0, 0, 0], "size": [1, 1, 1]}],
    }  # fmt: skip
    frame, glass = solids(thing, partial(load, None))
    assert frame.centre == pytest.approx([1, 2.2, 3])
    assert glass.glass
    assert glass.centre == pytest.approx([1.1, 2, 3])
    assert glass.size == (0.4, 0.001, 0.3)


SHAPES = st.sampled_from(["box", "sphere", "ellipsoid", "cylinder", "capsule"])
NUMBERS = st.floats(-1, 1, allow_nan=False)


def within(shape: str, size: tuple[float, ...], point: np.ndarray) -> float:
    """Return below 0 inside of a solid, above 0 outside, 0 on its surface."""
    x, y, z = point
    a, b, c = size
    match shape:
        case "box":
            return float(max(abs(x) - a, abs(y) - b, abs(z) - c))
        case "cylinder":
            return float(max(np.hypot(x, y) - a, abs(z) - b))
        case "capsule":
            return float(np.hypot(np.hypot(x, y), max(abs(z) - b, 0)) - a)
        case _:
            return float(np.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2) - 1)


@given(SHAPES, st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_what_a_ray_meets_first_is_the_surface(
    shape: str, aim: tuple[float, float, float], size: tuple[float, float, float]
) -> None:
    lengths = tuple(abs(each) + 0.2 for each in size)
    body = solid("it", shape, (0, 0, 0), UPRIGHT, lengths)
    start = np.array([4.0, -3.0, 5.0])
    way = np.array(aim) - start
    when = met(body, tuple(start), tuple(way))
    steps = start + np.linspace(0, min(when, 3.0), 400, endpoint=False)[:, None] * way
    assert min(within(shape, body.size, step) for step in steps) > -1e-6
    if when < inf:
        assert within(shape, body.size, start + when * way) == pytest.approx(0, abs=1e-6)
