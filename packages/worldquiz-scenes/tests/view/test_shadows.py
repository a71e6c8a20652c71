"""What is left out of a picture because its shadow cannot be seen there is not missed."""

from __future__ import annotations

from math import pi
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes import gallery, studio
from worldquiz_scenes import sight
from worldquiz_scenes.build import Built, build
from worldquiz_scenes.cameras import ego, focal, into, watchers
from worldquiz_scenes.quality import BEST
from worldquiz_scenes.render import Canvas, identities, shading
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.sight import everything, look

METRES = st.floats(-6, 6)
SPOTS = st.tuples(METRES, METRES, st.floats(0, 3))


def balls(*some: tuple[tuple[float, ...], float]) -> Built:
    """Stand-in for a scene of balls: middles and radii."""
    data = SimpleNamespace(geom_xpos=np.array([at for at, _ in some]))
    model = SimpleNamespace(geom_rbound=np.array([radius for _, radius in some]))
    return cast("Built", SimpleNamespace(data=data, model=model))


@given(
    spot=SPOTS,
    radius=st.floats(0.02, 0.5),
    ahead=st.floats(1, 5),
    aside=st.floats(-0.5, 0.5),
    farther=st.floats(1.1, 3),
    seed=st.integers(0, 2**32 - 1),
)
def test_no_shadow_of_what_is_left_out_falls_into_the_window(
    spot: tuple[float, float, float],
    radius: float,
    ahead: float,
    aside: float,
    farther: float,
    seed: int,
) -> None:
    """A ball, and a lamp beyond it: its shadow falls towards a spot in the picture."""
    middle, goal = np.array(spot), np.array([ahead, aside * ahead, 1.0])
    lamp = goal + (middle - goal) * farther
    built = balls((spot, radius), ((20.0, 20.0, 1.0), 0.1))
    camera = ego(0.0, 0.0, 0.0)
    window = (0, 0, camera.width, camera.height)
    if shading(built, camera, window, lamp)[0]:
        return
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(100, 3))
    points = middle + radius * rng.random((100, 1)) * ways / np.linalg.norm(
        ways, axis=1, keepdims=True
    )
    reach = np.linalg.norm(np.array([20.0, 20.0, 1.0]) - lamp)
    away = np.linalg.norm(points - lamp, axis=1, keepdims=True)
    stretch = 1 + rng.random((100, 1)) * np.maximum(reach / away - 1, 0)
    shadow = lamp + (points - lamp) * stretch
    right, down, deep = into(camera, np.concatenate([points, shadow, [goal]])).T
    column = right / deep * focal(camera) + camera.width / 2
    row = down / deep * focal(camera) + camera.height / 2
    seen = (deep > 0) & (column > 0) & (column < camera.width)
    assert not (seen & (row > 0) & (row < camera.height)).any()


@pytest.mark.parametrize("make", [studio, gallery])
def test_a_picture_without_unseen_shadows_is_the_same(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene: Scene = make()
    built = build(scene)
    built.stand(-50.0, -50.0, 0.0)
    x, y, _ = scene.start
    room = scene.rooms[0].name
    cameras = [*watchers(scene)[:2], *(ego(x, y, turn * pi / 3) for turn in range(6))]
    left = 0
    with Canvas(built, quality=BEST) as canvas:
        for camera in cameras:
            drawn = look(canvas, camera, room=room).rgb
            with monkeypatch.context() as patched:
                patched.setattr(sight, "shading", lambda built, *_: everything(built))
                whole = look(canvas, camera, room=room).rgb
            assert drawn is not None
            assert whole is not None
            assert np.array_equal(drawn, whole)
            window = (0, 0, camera.width, camera.height)
            left += (~shading(built, camera, window, built.data.light_xpos[0])).sum()
    assert left


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
