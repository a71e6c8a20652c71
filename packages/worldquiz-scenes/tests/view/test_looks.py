"""Looks change colours only; what windows look out on is one place for a flat, all around."""

from __future__ import annotations

import random
from dataclasses import replace
from math import cos, pi, sin

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenes import CREAM, gallery, room_of
from worldquiz_scenes.arrays import Floats
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import Images, ego, focal, into, rays, watchers, whole
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import WALL, Scene, Thing
from worldquiz_scenes.shading import outlook, outside
from worldquiz_scenes.sight import look
from worldquiz_scenes.view import Camera

SIZE = (160, 120)
SEEDS = st.integers(0, 2**32 - 1)


def looked(scene: Scene, camera: Camera, *, plain: bool) -> tuple[Images, np.ndarray]:
    with Canvas(build(scene), plain=plain, size=SIZE) as canvas:
        images = look(canvas, camera, room=scene.rooms[0].name)
    assert images.rgb is not None
    return images, images.rgb


@pytest.mark.parametrize("number", [0, 1])
def test_a_plain_picture_differs_in_colours_alone(number: int) -> None:
    camera = watchers(gallery(), size=SIZE)[number]
    (plain, bare), (best, rich) = (looked(gallery(), camera, plain=each) for each in (True, False))
    for part in ("depth", "instances", "mirror", "reflected", "figure"):
        assert (getattr(plain, part) == getattr(best, part)).all(), part
    assert (bare != rich).mean() > 0.2


def windowed() -> Scene:
    """A room with a window in its west wall, at the height of the eyes."""
    model = STOCK["window"].make(Draw(random.Random(1), STYLES["modern"]))
    turn = (cos(pi / 4), 0.0, 0.0, sin(pi / 4))
    return room_of(
        Thing("window-1", "window", "decoration", "living-1", (0.05, 2.0, 1.5), turn, model.half,
              model.parts, model.paint, WALL)
    )  # fmt: skip


def test_panes_show_the_outside_unless_plain() -> None:
    scene, camera = windowed(), ego(2.5, 2.0, np.pi, size=SIZE, pitch=0.0)
    built = build(scene)
    with Canvas(built, size=SIZE) as canvas:
        owners, _ = canvas.owners(whole(camera), np.ones(built.model.ngeom, bool))
    rows, columns = np.nonzero(built.pane[owners])
    assert len(rows) > 200
    directions = rays(camera, columns.astype(float), rows.astype(float))
    (_, bare), (_, rich) = (looked(scene, camera, plain=each) for each in (True, False))
    assert (rich[rows, columns] == outlook(outside(scene.seed), directions)).all()
    colours = (len(np.unique(each[rows, columns], axis=0)) for each in (bare, rich))
    assert next(colours) < next(colours)


@pytest.mark.parametrize("quarter", range(4))
def test_each_wall_has_a_white_board_along_the_floor_and_nowhere_else(quarter: int) -> None:
    green = replace(CREAM, rgb=(0.4, 0.8, 0.4))
    bare = windowed()
    scene = replace(bare, rooms=(replace(bare.rooms[0], wall=green),), things=())
    way = quarter * pi / 2
    camera = ego(2.5, 2.0, way, size=SIZE, pitch=-20.0)
    _, rgb = looked(scene, camera, plain=True)
    far = 2.5 if quarter % 2 == 0 else 2.0
    spot = (2.5 + far * cos(way), 2.0 + far * sin(way))
    points = into(camera, np.array([(*spot, z) for z in (0.04, 0.3, 1.2)]))
    rows = (60 + focal(camera) * points[:, 1] / points[:, 2]).astype(int)
    red, green_, _ = rgb[rows, 80].astype(float).T
    assert (red / green_ > 0.9).tolist() == [True, False, False]


def around(count: int, rise: float) -> Floats:
    angles = np.linspace(-np.pi, np.pi, count)
    return np.stack([np.cos(angles), np.sin(angles), np.full(count, rise)], axis=1)


@settings(max_examples=25)
@given(SEEDS, st.floats(-1.5, 1.5))
@example(2097152, 0.0625)  # looks at the edge of a house, which rounding moves
def test_the_outside_closes_all_around_and_only_directions_count(seed: int, rise: float) -> None:
    place, looks = outside(seed), around(73, rise)
    colours = outlook(place, looks).astype(int)
    assert np.abs(colours[0] - colours[-1]).max() <= 1
    assert (outlook(place, 8 * looks) == colours).all()  # by a power of two: nothing is rounded
    assert (outlook(outside(seed), looks) == colours).all()


def test_flats_look_out_on_different_places() -> None:
    looks = np.concatenate([around(90, rise) for rise in (-0.2, 0.0, 0.1)])
    assert len({outlook(outside(seed), looks).tobytes() for seed in range(8)}) == 8
