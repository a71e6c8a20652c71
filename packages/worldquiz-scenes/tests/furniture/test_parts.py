from __future__ import annotations

import math

import pytest

from worldquiz_scenes.furniture import parts
from worldquiz_scenes.furniture.parts import (
    Top,
    ball,
    both,
    box,
    can,
    free,
    lathe,
    model,
    pipe,
    rod,
)
from worldquiz_scenes.geometry import matrix
from worldquiz_scenes.paints import paint
from worldquiz_scenes.scene import Part, Shape

RED = paint("red", "wood")


def test_a_model_lies_around_the_middle_of_its_box() -> None:
    made = model(RED, [box(1, 2, 0, 0.4, 0.2, 0.1, RED), box(1, 2, 0.1, 0.1, 0.1, 0.5, RED)])
    assert made.half == (0.2, 0.1, 0.3)
    low, high = parts.bounds(made.parts)
    assert low == pytest.approx((-0.2, -0.1, -0.3))
    assert high == pytest.approx((0.2, 0.1, 0.3))


def test_tops_move_with_the_model() -> None:
    top = Top((0.9, 1.9), (1.1, 2.1), 0.6, 1.0)
    made = model(RED, [box(1, 2, 0, 0.4, 0.2, 0.6, RED)], tops=[top])
    assert made.tops == (Top((-0.1, -0.1), (0.1, 0.1), 0.3, 1.0),)


def test_a_rod_reaches_from_point_to_point() -> None:
    start, end = (0.1, 0.2, 0.3), (0.5, -0.1, 0.9)
    part = rod(start, end, 0.02, RED)
    axis = [row[2] for row in matrix(part.turn)]
    tips = [
        [at + side * part.size[1] * a for at, a in zip(part.at, axis, strict=True)]
        for side in (-1, 1)
    ]
    assert tips[0] == pytest.approx(start)
    assert tips[1] == pytest.approx(end)


def test_a_rod_may_point_straight_down() -> None:
    assert rod((0, 0, 1), (0, 0, 0), 0.1, RED).turn == (0.0, 1.0, 0.0, 0.0)


def test_leaning_forward_brings_the_top_to_the_front() -> None:
    up = [row[2] for row in matrix(parts.tilt(30))]
    assert up == pytest.approx((0, -0.5, math.sqrt(0.75)))
    assert [row[2] for row in matrix(parts.lean(30))] == pytest.approx((0.5, 0, math.sqrt(0.75)))


@pytest.mark.parametrize("shape", [Shape.CYLINDER, Shape.CAPSULE, Shape.ELLIPSOID, Shape.BOX])
def test_bounds_are_exact_for_turned_shapes(shape: Shape) -> None:
    """Compared with points sampled all over the surface."""
    size = {Shape.CYLINDER: (0.2, 0.5, 0.0), Shape.CAPSULE: (0.2, 0.5, 0.0)}.get(
        shape, (0.2, 0.3, 0.5)
    )
    turn = (math.cos(0.4), 0.5 * math.sin(0.4), math.sin(0.4) * math.sqrt(0.75), 0.0)
    part = Part(shape, (0.0, 0.0, 0.0), size, RED, turn)
    rows = matrix(turn)
    far = [0.0, 0.0, 0.0]
    for point in _surface(shape, size):
        for axis, row in enumerate(rows):
            far[axis] = max(far[axis], sum(r * p for r, p in zip(row, point, strict=True)))
    _, high = parts.bounds([part])
    assert high == pytest.approx(far, abs=2e-3)
    assert all(bound >= at - 1e-9 for bound, at in zip(high, far, strict=True))


def _surface(shape: Shape, size: tuple[float, float, float]) -> list[tuple[float, float, float]]:
    points = []
    for step in range(120):
        turn = math.tau * step / 120
        for level in range(61):
            up = math.pi * level / 60
            x, y, z = math.sin(up) * math.cos(turn), math.sin(up) * math.sin(turn), math.cos(up)
            match shape:
                case Shape.ELLIPSOID:
                    points.append((x * size[0], y * size[1], z * size[2]))
                case Shape.CAPSULE:
                    shift = math.copysign(size[1], z)
                    points.append((x * size[0], y * size[0], z * size[0] + shift))
                case Shape.CYLINDER:
                    ring = (size[0] * math.cos(turn), size[0] * math.sin(turn))
                    points.append((*ring, math.copysign(size[1], z)))
                case _:
                    corner = [math.copysign(s, c) for s, c in zip(size, (x, y, z), strict=True)]
                    points.append((corner[0], corner[1], corner[2]))
    return points


def test_a_lathe_stands_and_narrows() -> None:
    turned = lathe(0, 0, 0.1, [(0, 0.2), (0.4, 0.2), (0.6, 0.1)], RED, slices=4)
    assert len(turned) == 5
    low, high = parts.bounds(turned)
    assert (low[2], high[2]) == pytest.approx((0.1, 0.7))
    radii = [part.size[0] for part in turned]
    assert radii == sorted(radii, reverse=True)


def test_a_ball_lies_on_its_lowest_point() -> None:
    assert parts.bounds([ball(0, 0, 0.2, 0.1, RED)])[0][2] == pytest.approx(0.2)
    assert parts.bounds([can(0, 0, 0.2, 0.1, 1, RED)])[0][2] == pytest.approx(0.2)


def test_both_sides_are_mirror_images() -> None:
    right = [
        box(0.3, 0.1, 0.2, 0.1, 0.2, 0.3, RED, parts.lean(20)),
        rod((0.1, 0.2, 0), (0.4, -0.1, 0.5), 0.02, RED),
    ]
    left = both(*right)[:2]
    assert both(*right)[2:] == right
    for one, two in zip(left, right, strict=True):
        (low, high), (other_low, other_high) = parts.bounds([one]), parts.bounds([two])
        assert (low[0], high[0]) == pytest.approx((-other_high[0], -other_low[0]))
        assert (*low[1:], *high[1:]) == pytest.approx((*other_low[1:], *other_high[1:]))
    up = [matrix(part.turn) for part in (left[0], right[0])]
    assert (up[0][0][2], up[0][2][2]) == pytest.approx((-up[1][0][2], up[1][2][2])), "leans left"


def test_a_pipe_bends_at_each_of_its_points() -> None:
    one, two = pipe(0.01, RED, (0, 0, 0), (0, 0, 0.2), (0.3, 0, 0.2))
    assert {one.shape, two.shape} == {Shape.CAPSULE}
    assert (one.at, one.size[1]) == ((0, 0, 0.1), 0.1)
    assert (two.at, two.size[1]) == ((0.15, 0, 0.2), 0.15)


def test_a_free_area_keeps_its_rims() -> None:
    assert free(1.0, 0.6, 0.7) == Top((-0.47, -0.27), (0.47, 0.27), 0.7, 1.0)
    deep = free(1.0, 0.6, 0.7, 0.1, front=0.05, back=0.2, clear=0.3, kind="shelf")
    assert deep.low == pytest.approx((-0.4, -0.25))
    assert deep.high == pytest.approx((0.4, 0.1))
    assert (deep.clear, deep.kind) == (0.3, "shelf")
