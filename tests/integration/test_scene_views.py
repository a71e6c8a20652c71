"""Three roads to what a view shows: OpenGL, MuJoCo's rays, and Embree's rays.

The first two must agree on at least 99.9 % of all pixels. The third
is asked about sampled pixels, in mirrors above all: it follows each ray to the glass and beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2
from random import Random

import numpy as np
import pytest

from scenes import gallery, studio
from worldquiz.tea.raycast import Caster as Embree
from worldquiz.tea.raycast import Sight
from worldquiz_scenes.build import Built, build
from worldquiz_scenes.cameras import Images, ego, plane, watchers, whole
from worldquiz_scenes.generate import suite
from worldquiz_scenes.locomotion import Ground
from worldquiz_scenes.render import Canvas, Caster, inside
from worldquiz_scenes.scene import Scene, Thing
from worldquiz_scenes.sight import everything, look, sightings
from worldquiz_scenes.view import Camera

AGREE = 0.999
"""Share of a view's pixels that two roads must agree on."""
VIEWS = 4
MANY = 5
"""Of more cameras than these, every second or third one looks."""
ASKED = 800
"""Pixels of a view that the third road is asked about, and as many again within mirrors."""


def cameras(scene: Scene) -> list[Camera]:
    rng, grid = Random(scene.id), Ground(scene).grid
    spots = [grid.spot(rng.randrange(len(grid.points))) for _ in range(VIEWS)]
    seen = [*watchers(scene), *(ego(x, y, rng.uniform(-3, 3)) for x, y in spots)]
    return [*seen, *(before(each, far) for each in scene.mirrors for far in (0.6, 1.4))]


def before(glass: Thing, far: float) -> Camera:
    """Return a camera that looks at a mirror from so many metres before it."""
    point, normal = plane(glass)
    x, y, _ = (point + far * normal).tolist()
    return ego(x, y, atan2(-normal[1], -normal[0]), pitch=-5.0)


def flat() -> Scene:
    """Return a generated flat in which mirrors hang on walls between rooms."""
    return suite("paper", 7, 2)[1]


@pytest.fixture(scope="module", params=["gallery", "flat"])
def canvas(request: pytest.FixtureRequest) -> Iterator[Canvas]:
    scene = gallery() if request.param == "gallery" else flat()
    built = build(scene)
    built.stand(-50.0, -50.0, 0.0)
    with Canvas(built, plain=True) as drawn:
        yield drawn


@pytest.fixture(scope="module")
def pairs(canvas: Canvas) -> list[tuple[Camera, Images, Images]]:
    caster, every = Caster(canvas.built), cameras(canvas.built.scene)
    return [
        (camera, look(canvas, camera, colours=False), look(caster, camera))
        for camera in every[:: 1 + len(every) // MANY]
    ]


def test_drawn_and_cast_owners_agree(pairs: list[tuple[Camera, Images, Images]]) -> None:
    for camera, drawn, cast in pairs:
        assert (drawn.instances == cast.instances).mean() >= AGREE, camera
        assert (drawn.mirror == cast.mirror).mean() >= AGREE, camera
        assert (drawn.reflected == cast.reflected).mean() >= AGREE, camera


def test_drawn_and_cast_depth_agree(pairs: list[tuple[Camera, Images, Images]]) -> None:
    for camera, drawn, cast in pairs:
        same = drawn.instances == cast.instances
        off = np.abs(drawn.depth - cast.depth)[same]
        assert np.median(off) < 1e-4, camera
        assert (off <= 1e-3 + 2e-3 * cast.depth[same]).mean() >= AGREE, camera


def test_nothing_that_shows_or_shades_is_left_out_beforehand(
    canvas: Canvas, pairs: list[tuple[Camera, Images, Images]]
) -> None:
    """What is outside the picture is not drawn, and not missed."""
    built = canvas.built
    every = everything(built)
    for number, (camera, _, _) in enumerate(pairs):
        crop, lamp = whole(camera), number % len(built.lamps)
        drawn = canvas.owners(crop, every)
        chosen = canvas.owners(crop, inside(built, crop))
        assert np.array_equal(drawn[0], chosen[0]), camera
        assert np.array_equal(drawn[1], chosen[1]), camera
        shading = inside(built, crop, built.data.light_xpos[lamp])
        lit, less = (canvas.colours(crop, each, built.lamps[lamp]) for each in (every, shading))
        assert np.array_equal(lit, less), camera


def test_mirrors_show_what_reflected_rays_meet(
    canvas: Canvas, pairs: list[tuple[Camera, Images, Images]]
) -> None:
    embree, asked, wrong = Embree(canvas.built.scene), 0, 0
    rng = np.random.default_rng(0)
    for camera, drawn, _ in pairs:
        spots = sampled(drawn, rng)
        truth = cast(embree, camera, spots)
        told = [named(canvas.built, drawn, row, column) for row, column in spots.tolist()]
        asked += len(spots)
        wrong += sum(one != two for one, two in zip(told, truth, strict=True))
    assert wrong <= (1 - AGREE) * asked, (wrong, asked)


def cast(embree: Embree, camera: Camera, spots: np.ndarray) -> list[tuple[str, str]]:
    """Return what pixels (rows and columns) show, and what mirrors in them show."""
    sight = Sight(embree, camera, (-50.0, -50.0, 0.0))
    here = spots[:, 0] * camera.width + spots[:, 1]
    return [
        (embree.ids[abs(number)], embree.ids[thrown])
        for number, thrown in zip(sight.numbers[here], sight.thrown[here], strict=True)
    ]


def sampled(images: Images, rng: np.random.Generator) -> np.ndarray:
    """Return rows and columns of pixels: some of all, and as many within mirrors."""
    high, wide = images.instances.shape
    every = np.stack([rng.integers(0, high, ASKED), rng.integers(0, wide, ASKED)], axis=1)
    within = np.argwhere(images.mirror >= 0)
    if not len(within):
        return every
    return np.concatenate([every, within[rng.integers(0, len(within), ASKED)]])


def named(built: Built, images: Images, row: int, column: int) -> tuple[str, str]:
    names = ("", *built.ids)
    return names[images.instances[row, column] + 1], names[images.reflected[row, column] + 1]


def test_things_counted_in_a_mirror_are_those_that_reflected_rays_count() -> None:
    """Every pixel of the mirror, one ray each: the sets of things must be the same."""
    for scene in (studio(), gallery()):
        built = build(scene)
        built.stand(-50.0, -50.0, 0.0)
        embree = Embree(scene)
        with Canvas(built, plain=True) as canvas:
            for camera in cameras(scene)[:4]:
                images = look(canvas, camera, colours=False)
                _, mirrored = sightings(canvas, camera, images)
                spots = np.argwhere(images.mirror >= 0)
                if len(spots):
                    counts: dict[tuple[str, str], int] = {}
                    for mirror, name in cast(embree, camera, spots):
                        if name:
                            counts[name, mirror] = counts.get((name, mirror), 0) + 1
                    told = {(each.thing, each.mirror): each.pixels for each in mirrored}
                    for key in set(counts) | set(told):
                        off = abs(counts.get(key, 0) - told.get(key, 0))
                        assert off <= 3 + 0.01 * counts.get(key, 0), (camera, key)


@pytest.mark.parametrize("size", [(641, 479)])
def test_any_size_agrees(size: tuple[int, int]) -> None:
    scene = studio()
    built = build(scene)
    camera = ego(*scene.start, size=size)
    with Canvas(built, plain=True, size=size) as canvas:
        drawn = look(canvas, camera, self_seen=False)
    cast = look(Caster(built), camera, self_seen=False)
    assert drawn.instances.shape == drawn.depth.shape == (size[1], size[0])
    assert drawn.rgb is not None
    assert drawn.rgb.shape == (size[1], size[0], 3)
    assert (drawn.instances == cast.instances).mean() >= AGREE
    assert (drawn.reflected == cast.reflected).mean() >= AGREE


def test_canvases_side_by_side_do_not_disturb_each_other() -> None:
    one, two = build(studio()), build(gallery())
    views = ego(1.2, 2.0, 0.0), ego(1.0, 3.2, -0.6)
    with Canvas(one) as first, Canvas(two) as second:
        alone = look(first, views[0], room="living-1").rgb
        look(second, views[1], room="living-1")
        again = look(first, views[0], room="living-1").rgb
    assert alone is not None
    assert again is not None
    assert np.array_equal(alone, again)
