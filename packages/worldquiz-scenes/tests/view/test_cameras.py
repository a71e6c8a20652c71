"""Lenses, corners of rooms and reflections."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes import cabinet, gallery, room_of, studio
from worldquiz_scenes.cameras import (
    EYES,
    ego,
    focal,
    frame,
    into,
    rays,
    watchers,
)
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Camera

POSES = st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.floats(-pi, pi))


def spread(camera: Camera) -> list[float]:
    """Return the dot products that tell whether a camera's axes are at right angles."""
    axes = frame(camera)
    return [
        float(one @ two)
        for one, two in (
            (axes.ahead, axes.right), (axes.ahead, axes.down), (axes.right, axes.down),
            (axes.ahead, axes.ahead), (axes.right, axes.right), (axes.down, axes.down),
        )
    ]  # fmt: skip


def test_an_agent_that_heads_east_has_south_to_its_right() -> None:
    camera = ego(1.0, 2.0, 0.0, pitch=0.0)
    assert camera.at == (1.0, 2.0, EYES)
    assert frame(camera).right == pytest.approx([0, -1, 0])
    assert into(camera, np.array([[3.0, 1.0, 1.0]]))[0] == pytest.approx([1.0, 0.5, 2.0])


@given(POSES, st.integers(0, 639), st.integers(0, 479), st.floats(0.1, 30))
def test_a_ray_comes_back_to_its_pixel(
    pose: tuple[float, float, float], column: int, row: int, far: float
) -> None:
    camera = ego(*pose)
    fan = rays(camera, np.array([column]), np.array([row]))
    x, y, depth = into(camera, np.array(camera.at) + far * fan)[0]
    assert depth == pytest.approx(far)
    assert x / depth * focal(camera) + camera.width / 2 == pytest.approx(column + 0.5)
    assert y / depth * focal(camera) + camera.height / 2 == pytest.approx(row + 0.5)


@pytest.mark.parametrize("scene", [studio(), gallery()], ids=lambda scene: scene.id)
def test_two_cameras_watch_each_room_from_inside(scene: Scene) -> None:
    found = watchers(scene)
    assert [each.name for each in found] == [
        f"watch-{room.name}-{number}" for room in scene.rooms for number in (1, 2)
    ]
    for camera, room in zip(found, [room for room in scene.rooms for _ in "12"], strict=True):
        assert room.low[0] < camera.at[0] < room.high[0]
        assert room.low[1] < camera.at[1] < room.high[1]
        assert camera.at[2] < scene.height
        assert camera.forward[2] < 0
        assert spread(camera) == pytest.approx([0, 0, 0, 1, 1, 1], abs=1e-9)


def test_a_camera_avoids_a_corner_that_something_tall_fills() -> None:
    tall = cabinet("cabinet-1", 0.4, 0.3, "living-1")
    tall = type(tall)(**{**{f: getattr(tall, f) for f in tall.__slots__}, "half": (0.4, 0.3, 1.25),
                         "position": (0.4, 0.3, 1.25)})  # fmt: skip
    spots = {camera.at[:2] for camera in watchers(room_of(tall))}
    assert spots == {(4.78, 3.78), (4.78, 0.22)}
