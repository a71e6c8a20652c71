"""Windows, planes, depth and lamps of drawn pictures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes import gallery, mirror, room_of, studio, table
from worldquiz_scenes.build import FAR, NEAR, build
from worldquiz_scenes.cameras import ego, into, plane, watchers
from worldquiz_scenes.quality import BEST, PLAIN
from worldquiz_scenes.rays import Caster
from worldquiz_scenes.render import Canvas, half_space, identities, metric
from worldquiz_scenes.sight import everything, look

CAMERA = ego(*studio().start)


@pytest.mark.parametrize("window", [(0, 0, 640, 480), (100, 50, 333, 201), (639, 479, 640, 480)])
def test_a_window_shows_the_same_pixels(
    studio_canvas: Canvas, window: tuple[int, int, int, int]
) -> None:
    every = everything(studio_canvas.built)
    owners, depth = studio_canvas.owners(CAMERA, every)
    part, deep = studio_canvas.owners(CAMERA, every, window)
    x0, y0, x1, y1 = window
    assert (part == owners[y0:y1, x0:x1]).mean() > 0.9995
    assert np.median(np.abs(deep - depth[y0:y1, x0:x1])) < 1e-5


def test_a_window_may_reach_beyond_the_picture(studio_canvas: Canvas) -> None:
    """What a wider lens shows around the picture is what the window shows there."""
    studio_canvas.built.stand(-50.0, -50.0, 0.0)
    every = everything(studio_canvas.built)
    part, _ = studio_canvas.owners(CAMERA, every, (-300, -100, 100, 200))
    owners, _ = studio_canvas.owners(CAMERA, every)
    assert (part[100:, 300:] == owners[:200, :100]).mean() > 0.9995
    cast, _ = Caster(studio_canvas.built).owners(CAMERA, every, (-300, -100, 100, 200))
    assert (part == cast).mean() > 0.999


@pytest.mark.parametrize("scale", [2, 3, 5])
def test_a_coarser_picture_is_the_same_by_drawing_and_by_rays(
    studio_canvas: Canvas, scale: int
) -> None:
    studio_canvas.built.stand(-50.0, -50.0, 0.0)
    every, window = everything(studio_canvas.built), (0, 0, 600, 480)
    drawn, _ = studio_canvas.owners(CAMERA, every, window, scale=scale)
    cast, _ = Caster(studio_canvas.built).owners(CAMERA, every, window, scale=scale)
    assert drawn.shape == (480 // scale, 600 // scale)
    assert (drawn == cast).mean() > 0.999


@pytest.mark.slow
def test_nothing_behind_a_plane_is_drawn(studio_canvas: Canvas) -> None:
    """A plane across the room, 3 m east: the table and the mugs lie before it."""
    built = studio_canvas.built
    built.stand(-50.0, -50.0, 0.0)
    cut = (np.array([3.6, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    for eyes in (studio_canvas, Caster(built)):
        owners, depth = eyes.owners(CAMERA, everything(built), beyond=cut)
        shown = {built.names[index] for index in np.unique(owners) if index >= 0}
        assert "mirror-1" in shown
        assert not shown & {"table-1", "mug-1", "mug-2"}
        assert depth[depth > 0].min() > 2.2
    ahead = studio_canvas.owners(CAMERA, everything(built))[0]
    assert built.ids.index("table-1") in built.thing[ahead]


@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3))
def test_a_half_space_tells_the_side_of_a_point(
    x: float, y: float, heading: float, turn: float, z: float
) -> None:
    camera = ego(x, y, heading)
    glass = plane(mirror("mirror-1", (1.0, 2.0, 1.0), (0.5, 0.5), turn))
    point = np.array([[y, x, z]])
    right, down, ahead = into(camera, point)[0]
    a, b, c, d = half_space(camera, glass)
    side = float(glass[1] @ (point[0] - glass[0]))
    assert a * right - b * down - c * ahead + d == pytest.approx(side, abs=1e-9)


@given(st.floats(NEAR * 1.01, FAR * 0.99))
def test_metres_come_back_from_the_depth_buffer(metres: float) -> None:
    stored = NEAR / (FAR - NEAR) * (FAR / metres - 1)
    assert metric(np.array([[stored]], np.float32))[0, 0] == pytest.approx(metres, rel=1e-4)


def test_nothing_is_at_no_depth() -> None:
    assert metric(np.zeros((1, 1), np.float32))[0, 0] == 0


def test_a_lamp_casts_shadows_beneath_a_table() -> None:
    built = build(room_of(table("table-1", 2.5, 2.0)))
    built.stand(-50.0, -50.0, 0.0)
    camera = watchers(built.scene)[0]
    floor = into(camera, np.array([[2.5, 2.0, 0.0]]))[0]
    shade = []
    for quality in (BEST, PLAIN):
        with Canvas(built, quality=quality) as canvas:
            rgb = look(canvas, camera, room="living-1").rgb
        assert rgb is not None
        shade.append(rgb.astype(float).mean(axis=2))
    darker = shade[0] < 0.75 * shade[1]
    assert floor[2] > 0
    assert 2000 < darker.sum() < 40000


def test_a_picture_lit_without_a_room_shows_all_the_same() -> None:
    built = build(gallery())
    with Canvas(built, quality=PLAIN) as canvas:
        one = look(canvas, CAMERA)
        two = look(canvas, CAMERA, room="living-1")
    assert np.array_equal(one.instances, two.instances)
    assert one.rgb is not None
    assert one.rgb.mean() > 40


def test_pixels_are_filled_where_something_owns_them(studio_canvas: Canvas) -> None:
    built = studio_canvas.built
    camera = ego(*studio().start)
    for window, scale in (((0, 0, 640, 480), 1), ((-100, 50, 300, 450), 2)):
        shown = built.thing == 0
        owners, _ = studio_canvas.owners(camera, shown, window, scale=scale)
        assert np.array_equal(studio_canvas.filled(camera, shown, window, scale), owners >= 0)


@given(st.lists(st.integers(0, 2**24 - 1), min_size=1, max_size=9))
def test_identity_colours_stand_for_their_numbers(numbers: list[int]) -> None:
    colours = np.array([[[n & 255, n >> 8 & 255, n >> 16] for n in numbers]], np.uint8)
    assert identities(colours).tolist() == [numbers]
