"""Pixels that stand alone: a drawing has them where round things have facets, rays have the truth.

The poses were found by a search: in each one some pixel along the figure's edge shows, in a
drawing, what is behind the figure.
"""

from __future__ import annotations

import numpy as np
import pytest

from scenes import studio
from worldquiz_scenes.cameras import watchers
from worldquiz_scenes.rays import LONE, Caster, alone
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.sight import box, everything, look
from worldquiz_scenes.view import Camera

WATCHERS: dict[str, Camera] = {each.name: each for each in watchers(studio())}
CASES = [
    ("watch-living-1-1", (3.2, 2.1, 1.1), (335, 200), "table-1"),
    ("watch-living-1-1", (1.4, 1.1, 1.3), (345, 238), "table-1"),
    ("watch-living-1-1", (1.6, 3.5, -1.4), (173, 218), "sofa-1"),
    ("watch-living-1-2", (2.5, 3.1, 0.0), (403, 206), "ball-1"),
    ("watch-living-1-1", (3.2, 1.8, -0.3), (368, 157), "mirror-1"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pose", "pixel", "behind"), CASES)
def test_a_pixel_between_two_facets_is_the_figures(
    studio_canvas: Canvas,
    name: str,
    pose: tuple[float, float, float],
    pixel: tuple[int, int],
    behind: str,
) -> None:
    built, camera = studio_canvas.built, WATCHERS[name]
    built.stand(*pose)
    x, y = pixel
    drawn, _ = studio_canvas.owners(camera, everything(built))
    assert built.names[drawn[y, x]] == behind, "the drawing has no stray pixel here: find another"
    images = look(studio_canvas, camera, colours=False)
    cast = look(Caster(built), camera)
    assert images.figure[y, x]
    assert images.instances[y, x] == -1
    assert images.depth[y, x] == pytest.approx(cast.depth[y, x])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pose"), [case[:2] for case in CASES])
def test_boxes_of_a_drawing_are_those_of_rays(
    studio_canvas: Canvas, name: str, pose: tuple[float, float, float]
) -> None:
    built, camera = studio_canvas.built, WATCHERS[name]
    built.stand(*pose)
    drawn = look(studio_canvas, camera, colours=False).instances
    cast = look(Caster(built), camera).instances
    for index in np.unique(cast[cast >= 0]):
        one, two = box(drawn == index), box(cast == index)
        assert np.abs(np.subtract(one, two)).max() <= 1, built.ids[index]


def test_alone_is_what_touches_at_most_one_pixel_of_its_own() -> None:
    things = np.array(
        [
            [0, 0, 1, 1, 1],
            [0, 0, 1, 2, 1],
            [3, 0, 1, 1, 1],
            [0, 3, 4, 4, -1],
        ]
    )
    assert LONE == 1
    assert alone(things).tolist() == [
        [False, False, False, False, False],
        [False, False, False, True, False],
        [True, True, False, False, False],
        [True, True, True, True, False],
    ]
