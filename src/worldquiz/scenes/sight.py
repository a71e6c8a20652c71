"""The things in a view: how much of each is visible, where, how far away, and in which mirrors.

How much of a thing is visible compares it with itself: with the pixels that it alone would fill,
drawn without anything else by the same lens. Pixels beyond the picture's edges count too, as far as
`WIDE` pictures away, so a thing that is cut off is not wholly visible.
"""

from __future__ import annotations

from math import ceil, floor

from worldquiz.scenes.arrays import Depths, Floats, Ints, Mask, np
from worldquiz.scenes.build import NEAR, Built
from worldquiz.scenes.cameras import Images, corners, focal, into
from worldquiz.scenes.mirror import Eyes, box
from worldquiz.scenes.scene import Thing
from worldquiz.scenes.view import BODY, Box, Camera, Reflection, Sighting

WIDE = 1
"""How many pictures beyond each edge a thing is followed."""
FIGURE_X, FIGURE_Z = (-0.3, 0.3), (0.0, 1.7)
"""Metres that the agent's figure reaches at most."""
DIGITS = 4
"""Of metres and shares."""


def sightings(
    eyes: Eyes, camera: Camera, images: Images
) -> tuple[tuple[Sighting, ...], tuple[Reflection, ...]]:
    """Return what a view shows directly, by thing, and what in mirrors, by thing and mirror.

    All are there, down to a single pixel: `view.shown` tells which are clear enough to ask about.
    The agent's own figure is among them under the name `BODY`.
    """
    seen = [
        _sighting(eyes, camera, images, index, spot) for index, spot in _spots(images.instances)
    ]
    if images.figure.any():
        seen.append(_body(eyes, camera, images))
    mirrored = _reflections(eyes.built, images)
    return (
        tuple(sorted(seen, key=lambda each: each.thing)),
        tuple(sorted(mirrored, key=lambda each: (each.thing, each.mirror))),
    )


def _spots(instances: Ints) -> list[tuple[int, Box]]:
    """Return the box of each index that an image holds."""
    counts = np.bincount(instances.ravel() + 1)
    return [(int(index), box(instances == index)) for index in np.flatnonzero(counts[1:])]


def _sighting(eyes: Eyes, camera: Camera, images: Images, index: int, spot: Box) -> Sighting:
    built = eyes.built
    x0, y0, x1, y1 = spot
    mask = images.instances[y0:y1, x0:x1] == index
    depths = images.depth[y0:y1, x0:x1][mask]
    window = reach(built.scene.thing[built.ids[index]], camera)
    whole = alone(eyes, camera, built.thing == index, window)
    return _seen(built.ids[index], spot, depths, whole)


def _body(eyes: Eyes, camera: Camera, images: Images) -> Sighting:
    """Return how a view shows the agent's own figure."""
    built = eyes.built
    at = np.array([*built.data.mocap_pos[0][:2], 0.0])
    points = at + np.array([[x, y, z] for x in FIGURE_X for y in FIGURE_X for z in FIGURE_Z])
    whole = alone(eyes, camera, built.figure, _reach(points, camera))
    return _seen(BODY, box(images.figure), images.depth[images.figure], whole)


def _seen(name: str, spot: Box, depths: Depths, whole: tuple[int, bool]) -> Sighting:
    pixels, (alone, beyond) = len(depths), whole
    visible = min(1.0, pixels / max(alone, pixels))
    depth = round(float(np.median(depths)), DIGITS)
    return Sighting(name, pixels, round(visible, DIGITS), spot, depth, beyond)


def alone(eyes: Eyes, camera: Camera, shown: Mask, window: Box) -> tuple[int, bool]:
    """Return how many pixels some geometry alone would fill, and whether some are out of sight.

    The count is exact for what fits the picture, else of every so many pixels.
    """
    x0, y0, x1, y1 = window
    scale = max(ceil((x1 - x0) / camera.width), ceil((y1 - y0) / camera.height))
    x1, y1 = x0 + ceil((x1 - x0) / scale) * scale, y0 + ceil((y1 - y0) / scale) * scale
    owners, _ = eyes.owners(camera, shown, (x0, y0, x1, y1), scale=scale)
    filled = owners >= 0
    count = int(filled.sum())
    if x0 >= 0 and y0 >= 0 and x1 <= camera.width and y1 <= camera.height:
        return count, False
    columns = x0 + scale * np.arange(filled.shape[1]) + scale // 2
    rows = y0 + scale * np.arange(filled.shape[0]) + scale // 2
    within = filled[(rows >= 0) & (rows < camera.height)][
        :, (columns >= 0) & (columns < camera.width)
    ]
    return count * scale**2, int(within.sum()) < count


def reach(thing: Thing, camera: Camera) -> Box:
    """Return the part of the (widened) picture that a thing's box may touch."""
    return _reach(corners(thing), camera)


def _reach(corners: Floats, camera: Camera) -> Box:
    wide, high = camera.width, camera.height
    limits = (-WIDE * wide, -WIDE * high, (1 + WIDE) * wide, (1 + WIDE) * high)
    points = into(camera, corners)
    if (points[:, 2] <= 2 * NEAR).any():
        return limits
    across = points[:, 0] / points[:, 2] * focal(camera) + wide / 2
    below = points[:, 1] / points[:, 2] * focal(camera) + high / 2
    x0, x1 = (min(max(at, limits[0]), limits[2]) for at in (across.min(), across.max()))
    y0, y1 = (min(max(at, limits[1]), limits[3]) for at in (below.min(), below.max()))
    return (floor(x0) - 1, floor(y0) - 1, ceil(x1) + 1, ceil(y1) + 1)


def _reflections(built: Built, images: Images) -> list[Reflection]:
    found = []
    for index in np.unique(images.mirror[images.reflected >= 0]):
        shown = np.where(images.mirror == index, images.reflected, -1)
        for thing, spot in _spots(shown):
            pixels = int((shown == thing).sum())
            found.append(Reflection(built.ids[thing], built.mirrors[index], pixels, spot))
    return found
