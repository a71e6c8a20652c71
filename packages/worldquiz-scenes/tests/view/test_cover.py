"""What hidden shapes are left out of a drawing, and that it stays the same to the last pixel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from scenes import ball, cabinet, crowd, gallery, room_of
from worldquiz_scenes import render
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import Images, ego, watchers
from worldquiz_scenes.quality import PLAIN
from worldquiz_scenes.render import Canvas, round_ones, uncovered
from worldquiz_scenes.sight import everything, look

SIZE = (320, 240)
SCENES = {"crowd": crowd(60), "gallery": gallery()}


@pytest.fixture(scope="module", params=sorted(SCENES))
def canvas(request: pytest.FixtureRequest) -> Iterator[Canvas]:
    with Canvas(build(SCENES[request.param]), quality=PLAIN, size=SIZE) as canvas:
        yield canvas


def seen(canvas: Canvas, monkeypatch: pytest.MonkeyPatch, many: int) -> list[Images]:
    monkeypatch.setattr(render, "MANY", many)
    x, y, heading = canvas.built.scene.start
    cameras = [ego(x, y, heading + turn, size=SIZE) for turn in (0.0, 1.5, 3.0)]
    cameras += watchers(canvas.built.scene, size=SIZE)
    return [look(canvas, camera, colours=False) for camera in cameras]


def test_nothing_that_shows_is_left_out(canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, quick = (seen(canvas, monkeypatch, many) for many in (10**9, 0))
    for one, two in zip(plain, quick, strict=True):
        for part in ("instances", "depth", "mirror", "reflected", "figure"):
            assert np.array_equal(getattr(one, part), getattr(two, part)), part
    assert any((one.reflected >= 0).any() for one in plain)


@pytest.mark.parametrize(
    ("place", "kept"), [((2.8, 2.0), False), ((1.3, 2.0), True), ((2.8, 2.9), True)]
)
def test_a_ball_behind_a_cabinet_is_left_out(place: tuple[float, float], kept: bool) -> None:
    scene = room_of(cabinet("cabinet-1", 2.0, 2.0, "living-1"), ball("ball-1", *place))
    with Canvas(build(scene), quality=PLAIN, size=SIZE) as canvas:
        shown, camera = everything(canvas.built), ego(0.8, 2.0, 0.0, size=SIZE)
        boxes = canvas.owners(camera, shown & ~round_ones(canvas.built, shown))
        left = uncovered(canvas.built, camera, (0, 0, *SIZE), shown, boxes)
        assert left[canvas.built.parts["ball-1"]].any() == kept
        assert left[canvas.built.parts["cabinet-1"]].any()
