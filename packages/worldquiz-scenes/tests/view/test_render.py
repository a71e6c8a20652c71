"""Windows, planes, depth and lamps of drawn pictures."""

from __future__ import annotations

import numpy as np
import pytest

from scenes import room_of, studio, table
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import Crop, ego, into, watchers, whole
from worldquiz_scenes.render import Canvas, Caster
from worldquiz_scenes.sight import everything, look

CAMERA = ego(*studio().start)


@pytest.mark.parametrize("window", [(0, 0, 640, 480), (100, 50, 333, 201), (639, 479, 640, 480)])
def test_a_window_shows_the_same_pixels(
    studio_canvas: Canvas, window: tuple[int, int, int, int]
) -> None:
    every = everything(studio_canvas.built)
    owners, depth = studio_canvas.owners(whole(CAMERA), every)
    part, deep = studio_canvas.owners(Crop(CAMERA, window), every)
    x0, y0, x1, y1 = window
    assert (part == owners[y0:y1, x0:x1]).mean() > 0.9995
    assert np.median(np.abs(deep - depth[y0:y1, x0:x1])) < 1e-5


def test_a_window_may_reach_beyond_the_picture(studio_canvas: Canvas) -> None:
    """What a wider lens shows around the picture is what the window shows there."""
    studio_canvas.built.stand(-50.0, -50.0, 0.0)
    every, around = everything(studio_canvas.built), Crop(CAMERA, (-300, -100, 100, 200))
    part, _ = studio_canvas.owners(around, every)
    owners, _ = studio_canvas.owners(whole(CAMERA), every)
    assert (part[100:, 300:] == owners[:200, :100]).mean() > 0.9995
    cast, _ = Caster(studio_canvas.built).owners(around, every)
    assert (part == cast).mean() > 0.999


@pytest.mark.parametrize("scale", [2, 3, 5])
def test_a_coarser_picture_is_the_same_by_drawing_and_by_rays(
    studio_canvas: Canvas, scale: int
) -> None:
    studio_canvas.built.stand(-50.0, -50.0, 0.0)
    every, crop = everything(studio_canvas.built), Crop(CAMERA, (0, 0, 600, 480), scale)
    drawn, _ = studio_canvas.owners(crop, every)
    cast, _ = Caster(studio_canvas.built).owners(crop, every)
    assert drawn.shape == (480 // scale, 600 // scale)
    assert (drawn == cast).mean() > 0.999


@pytest.mark.slow
def test_nothing_behind_a_plane_is_drawn(studio_canvas: Canvas) -> None:
    """A plane across the room, 3 m east: the table and the mugs lie before it."""
    built = studio_canvas.built
    built.stand(-50.0, -50.0, 0.0)
    cut = (np.array([3.6, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    for eyes in (studio_canvas, Caster(built)):
        owners, depth = eyes.owners(whole(CAMERA), everything(built), cut)
        shown = {built.names[index] for index in np.unique(owners) if index >= 0}
        assert "mirror-1" in shown
        assert not shown & {"table-1", "mug-1", "mug-2"}
        assert depth[depth > 0].min() > 2.2
    ahead = studio_canvas.owners(whole(CAMERA), everything(built))[0]
    assert built.ids.index("table-1") in built.thing[ahead]


def test_a_lamp_casts_shadows_beneath_a_table() -> None:
    built = build(room_of(table("table-1", 2.5, 2.0)))
    built.stand(-50.0, -50.0, 0.0)
    camera = watchers(built.scene)[0]
    floor = into(camera, np.array([[2.5, 2.0, 0.0]]))[0]
    shade = []
    for plain in (False, True):
        with Canvas(built, plain=plain) as canvas:
            rgb = look(canvas, camera, room="living-1").rgb
        assert rgb is not None
        shade.append(rgb.astype(float).mean(axis=2))
    darker = shade[0] < 0.75 * shade[1]
    assert floor[2] > 0
    assert 2000 < darker.sum() < 40000
