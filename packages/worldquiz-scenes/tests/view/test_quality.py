"""Looks change colours only: depth and owners are those of every quality."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from math import cos, pi, sin

import numpy as np
import pytest

from scenes import environment, gallery, room_of
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import Images, ego, rays, watchers, whole
from worldquiz_scenes.errors import ParameterError
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.quality import BEST, QUALITIES, quality
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import WALL, Scene, Thing
from worldquiz_scenes.shading import outlook, outside
from worldquiz_scenes.sight import look
from worldquiz_scenes.view import Camera

SIZE = (160, 120)
DRAWN = """
import hashlib
from scenes import gallery
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import whole, watchers
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.sight import look
with Canvas(build(gallery()), size=(160, 120)) as canvas:
    rgb = look(canvas, watchers(gallery(), size=(160, 120))[0]).rgb
print(hashlib.sha256(rgb.tobytes()).hexdigest())
"""


def looked(scene: Scene, camera: Camera) -> dict[str, Images]:
    built, found = build(scene), {}
    for name, each in QUALITIES.items():
        with Canvas(built, quality=each, size=SIZE) as canvas:
            found[name] = look(canvas, camera, room=scene.rooms[0].name)
    return found


@pytest.mark.parametrize("number", [0, 1])
def test_no_quality_changes_what_a_pixel_shows(number: int) -> None:
    found = looked(gallery(), watchers(gallery(), size=SIZE)[number])
    best = found.pop("best")
    for each in found.values():
        for part in ("depth", "instances", "mirror", "reflected", "figure"):
            assert (getattr(each, part) == getattr(best, part)).all(), part
        assert each.rgb is not None
        assert best.rgb is not None
        assert (each.rgb != best.rgb).mean() > 0.2
    plain, standard = (found[name].rgb for name in ("plain", "standard"))
    assert plain is not None
    assert standard is not None
    assert (plain != standard).any()


def windowed() -> Scene:
    """A room with a window in its west wall, at the height of the eyes."""
    model = STOCK["window"].make(Draw(random.Random(1), STYLES["modern"]))
    turn = (cos(pi / 4), 0.0, 0.0, sin(pi / 4))
    return room_of(
        Thing("window-1", "window", "decoration", "living-1", (0.05, 2.0, 1.5), turn, model.half,
              model.parts, model.paint, WALL)
    )  # fmt: skip


def test_panes_show_the_outside_and_only_in_the_best_quality() -> None:
    scene, camera = windowed(), ego(2.5, 2.0, np.pi, size=SIZE, pitch=0.0)
    found = looked(scene, camera)
    built = build(scene)
    with Canvas(built, quality=BEST, size=SIZE) as canvas:
        owners, _ = canvas.owners(whole(camera), np.ones(built.model.ngeom, bool))
    rows, columns = np.nonzero(built.pane[owners])
    assert len(rows) > 200
    directions = rays(camera, columns.astype(float), rows.astype(float))
    best, standard = found["best"].rgb, found["standard"].rgb
    assert best is not None
    assert standard is not None
    assert (best[rows, columns] == outlook(outside(scene.seed), directions)).all()
    assert len(np.unique(standard[rows, columns], axis=0)) < len(
        np.unique(best[rows, columns], axis=0)
    )


@pytest.mark.slow
def test_the_best_quality_has_equal_bytes_in_every_process() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", DRAWN],
            env=environment(PYTHONHASHSEED=seed, OMP_NUM_THREADS=threads),
            capture_output=True, text=True, check=True,
        ).stdout.strip()
        for seed, threads in (("0", "1"), ("17", "2"))
    ]  # fmt: skip
    with Canvas(build(gallery()), size=SIZE) as canvas:
        rgb = look(canvas, watchers(gallery(), size=SIZE)[0]).rgb
    assert rgb is not None
    assert said == [hashlib.sha256(rgb.tobytes()).hexdigest()] * 2


def test_an_unknown_quality_is_named_with_those_there_are() -> None:
    with pytest.raises(ParameterError, match=r"no quality 'bets'; did you mean 'best'\?.*plain"):
        quality("bets")
