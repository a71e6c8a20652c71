"""Places from which to look into a mirror.

A mirror is likely to show a thing where most corners of the thing's mirror image lie, for the eye,
within the edges of the glass, and where it is large enough. Obstacles are not considered: the
pictures show them.
"""

from __future__ import annotations

import random
from math import dist
from typing import TYPE_CHECKING

from worldquiz_scenes.arrays import np
from worldquiz_scenes.cameras import EYES, corners, matrix, plane
from worldquiz_scenes.scene import Scene, Spot, Thing

if TYPE_CHECKING:
    from worldquiz_scenes.arrays import Floats
    from worldquiz_scenes.locomotion import Ground

NEAR, FAR, SLANT = 0.7, 4.0, 0.5
"""Metres from the glass; least cosine of the angle to its normal."""
TRIED, APART = 12, 0.3
"""Places that are tried for each that is taken; metres between two that are taken."""
CORNERS = 6
"""Corners of a thing's box, of eight, that must be seen in the glass."""
LARGE = 0.005
"""Least product of a thing's two longest sides, in the square of its distance: some 900 pixels."""


def looking_places(
    ground: Ground, mirror: Thing, count: int, draw: random.Random
) -> tuple[Spot, ...]:
    """Return so many places, or fewer, those first that are likely to show most in a mirror."""
    spots = _before(mirror, ground.grid.points)
    spots = [spot for spot in spots if ground.room(*spot) == mirror.room]
    tried = draw.sample(spots, min(TRIED * count, len(spots)))
    found: list[Spot] = []
    for spot in sorted(tried, key=lambda spot: -len(_mirrored(ground.scene, mirror, spot))):
        if len(found) < count and all(dist(spot, other) >= APART for other in found):
            found.append(spot)
    return tuple(found)


def _before(mirror: Thing, points: Floats) -> list[Spot]:
    """Return the points of the floor from which one looks into a mirror, not too slantwise."""
    glass, normal = plane(mirror)
    away = points - glass[:2]
    far = np.hypot(away[:, 0], away[:, 1])
    good = (far >= NEAR) & (far <= FAR) & (away @ normal[:2] >= SLANT * far)
    return [(x, y) for x, y in points[good].tolist()]


def _mirrored(scene: Scene, mirror: Thing, spot: Spot) -> set[str]:
    """Return the things of its room that a mirror is likely to show to an eye above a spot."""
    if mirror.mirror is None:
        return set()
    glass, normal = plane(mirror)
    things = [each for each in scene.things if each.room == mirror.room and each.id != mirror.id]
    points = np.array([corners(each) for each in things]).reshape(len(things), 8, 3)
    eye = np.array([*spot, EYES])
    own, depth = (eye - glass) @ normal, (points - glass) @ normal
    images = points - 2 * depth[..., None] * normal
    met = eye + (images - eye) * (own / np.maximum(own + depth, 1e-6))[..., None]
    across, _, up = np.moveaxis((met - glass) @ matrix(mirror.rotation), -1, 0)
    within = (np.abs(across) <= mirror.mirror[0]) & (np.abs(up) <= mirror.mirror[1])
    sides = np.sort([each.half for each in things], axis=1).reshape(-1, 3)[:, 1:]
    far = np.linalg.norm(images.mean(axis=1) - eye, axis=1)
    likely = (depth > 0).all(axis=1) & (within.sum(axis=1) >= CORNERS)
    likely &= 4 * sides.prod(axis=1) >= LARGE * far**2
    return {each.id for each, sure in zip(things, likely.tolist(), strict=True) if sure}
