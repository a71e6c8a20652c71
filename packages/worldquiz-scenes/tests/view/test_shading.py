"""Corners are darker than planes, windows light their own room, and nothing burns out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz_scenes.arrays import Depths, Singles
from worldquiz_scenes.cameras import Crop, focal
from worldquiz_scenes.shading import (
    DIM,
    GAIN,
    KNEE,
    Daylight,
    cleaned,
    developed,
    light,
)
from worldquiz_scenes.view import EGO, Camera

CAMERA = Camera(EGO, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 60.0, 160, 120)
FULL = Crop(CAMERA, (0, 0, 160, 120))
WALL = Daylight((2.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, (-1.0, -2.0, -2.0), (2.0, 2.0, 2.0))


def planes(*sides: tuple[float, float, float, float]) -> Depths:
    """Return depths of the nearest of some planes a x + b y + c z = d (right, down, ahead)."""
    across = (np.arange(160) + 0.5 - 80) / focal(CAMERA)
    below = ((np.arange(120) + 0.5 - 60) / focal(CAMERA))[:, None]
    depths = [d / np.maximum(a * across + b * below + c, 1e-3) for a, b, c, d in sides]
    result: Depths = np.min(depths, axis=0).astype(np.float32)
    return result


@given(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(0.5, 8))
def test_a_plane_holds_no_light_back_from_itself(a: float, b: float, far: float) -> None:
    assert light(planes((a, b, 1.0, far)), FULL) == pytest.approx(1.0, abs=1e-3)


def test_a_corner_is_darker_the_nearer_one_looks() -> None:
    """Two walls meet straight ahead, 3 m away."""
    shade = light(planes((1.0, 0.0, 1.0, 3.0), (-1.0, 0.0, 1.0, 3.0)), FULL)
    row = shade[60]
    assert row[80] < 0.8 < row[110] < row[140] + 0.02
    assert row[20] == pytest.approx(row[139], abs=0.05)  # the same on both walls
    assert 0 <= shade.min() <= shade.max() <= 1


@pytest.mark.parametrize("size", [(1, 1), (20, 1), (2, 40), (7, 9), (8, 8), (9, 33)])
def test_a_window_of_any_size_is_lit(size: tuple[int, int]) -> None:
    """Mirrors show as slivers of a picture, one pixel wide."""
    high, wide = size
    depth = planes((1.0, 0.0, 1.0, 3.0), (-1.0, 0.0, 1.0, 3.0))[:high, :wide]
    crop = Crop(CAMERA, (0, 0, wide, high))
    shade = light(depth, crop, [WALL])
    assert shade.shape == size
    assert (shade > 0).all()
    assert developed(np.zeros((*size, 3), np.uint8), depth, crop).max() == 0


@pytest.mark.parametrize("level", [40, 120, 153, 255])
def test_an_even_wall_keeps_its_hue_and_does_not_burn_out(level: int) -> None:
    picture = np.full((120, 160, 3), level, np.uint8)
    picture[..., 2] = level // 2
    shown = developed(picture, planes((0.0, 0.0, 1.0, 3.0)), FULL)
    red, _, blue = (int(each) for each in shown[60, 80])
    assert shown.max() < 255
    assert blue == pytest.approx(red * (level // 2) / level, abs=1)
    if GAIN * level / DIM <= KNEE * 255:
        assert red == pytest.approx(GAIN * level / DIM, abs=1)


def lit(source: Daylight) -> Singles:
    """Return what a window adds to the light on a floor 1.2 m below the camera."""
    floor = planes((0.0, 1.0, 0.0, 1.2))
    floor[floor > 30] = 0
    result: Singles = light(floor, FULL, [source]) - light(floor, FULL)
    return result


def test_a_window_lights_the_floor_of_its_room_alone() -> None:
    """The room ends 2 m ahead, where the window hangs; its light ends a little behind."""
    given = lit(WALL)
    assert given.min() >= -1e-6
    assert given[119, 80] > 0.005
    assert given[:75] == pytest.approx(0.0, abs=1e-6)  # from 4.6 m on
    assert lit(replace(WALL, normal=(-1.0, 0.0, 0.0))) == pytest.approx(given)
    assert (lit(replace(WALL, area=2.0)) >= given - 1e-6).all()


def test_a_thin_dark_line_within_one_even_part_goes_and_nothing_else() -> None:
    picture = np.full((40, 60, 3), 200, np.uint8)
    picture[10, 5:25], picture[20:22, 5:25], picture[30:35, 5:25] = 90, 90, 90  # 1, 2 and 5 px
    owners = np.zeros((40, 60), np.int32)
    owners[10, 15:] = 1  # from here on, another part: a slat
    even = np.array([True, True, False])
    found = cleaned(picture, owners, even)
    assert (found[10, 5:15] == 200).all()
    assert (found[20:22, 8:22] == 200).all()
    rest = np.ones((40, 60), bool)
    rest[10, 5:15] = rest[20:22, 5:25] = False
    assert (found[rest] == picture[rest]).all()
    assert (cleaned(picture, owners, ~even) == picture).all()  # dark lines of a pattern stay
    assert (cleaned(picture, np.full_like(owners, -1), even) == picture).all()
    for high, wide in ((1, 1), (13, 2), (2, 13)):  # mirrors that are seen at their edge
        assert cleaned(picture[:high, :wide], owners[:high, :wide], even).shape == (high, wide, 3)
