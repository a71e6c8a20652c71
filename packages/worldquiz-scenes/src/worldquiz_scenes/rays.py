"""Depth and owners of pixels by casting rays, without any OpenGL.

One ray goes through the middle of each pixel, so the answer is the one that a drawing gives, but
for surfaces that OpenGL draws with flat facets (balls, cylinders) and rays meet exactly. Along
their edges a drawn pixel here and there shows what is behind them, and one such pixel can stretch
the box around a thing that is otherwise hidden. A pixel that shows a thing through a gap looks the
same. So `recast` asks again by rays for each pixel that stands alone in a drawing.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz_scenes import gl
from worldquiz_scenes.arrays import Depths, Floats, Ints, Mask, Plane, np
from worldquiz_scenes.build import FAR, NEAR, SHOWN, Built
from worldquiz_scenes.cameras import Crop, rays
from worldquiz_scenes.view import Camera

HAIR = 1e-5  # metres: a hit nearer than this before a plane lies on it
LONE = 1  # neighbours (of four) showing the same thing up to which a pixel stands alone


@dataclass(frozen=True, slots=True)
class Caster:
    """Sees a built scene by rays: it answers the same questions as a `Canvas`, except colours."""

    built: Built

    def owners(self, crop: Crop, shown: Mask, beyond: Plane | None = None) -> tuple[Ints, Depths]:
        """Return which geometry (or -1) each pixel shows, and how deep (m; 0 for nothing)."""
        (x0, y0, _, _), (wide, high), scale = crop.box, crop.size, crop.scale
        middle = (scale - 1) / 2
        columns, rows = np.meshgrid(
            x0 + middle + scale * np.arange(wide), y0 + middle + scale * np.arange(high)
        )
        ids, depth = self.pixels(crop.camera, shown, columns.ravel(), rows.ravel(), beyond)
        return ids.reshape(high, wide), depth.reshape(high, wide)

    def filled(self, crop: Crop, shown: Mask, beyond: Plane | None = None) -> Mask:
        """Tell which pixels show anything."""
        return self.owners(crop, shown, beyond)[0] >= 0

    def pixels(
        self, camera: Camera, shown: Mask, columns: Floats, rows: Floats, beyond: Plane | None
    ) -> tuple[Ints, Depths]:
        """Return what `owners` does, of some pixels alone."""
        mujoco, model, data = gl.engine(), self.built.model, self.built.data
        self.built.show(shown)
        at, fan = np.array(camera.at), rays(camera, columns, rows)
        groups = np.zeros(6, np.uint8)
        groups[SHOWN] = 1
        ids, depth = np.full(len(fan), -1, np.int32), np.full(len(fan), -1.0)
        if len(fan):
            mujoco.mj_multiRay(
                model, data, at, np.ascontiguousarray(fan).ravel(), groups, True, -1, ids, depth,
                None, len(fan), mujoco.mjMAXVAL,
            )  # fmt: skip
        if beyond is not None:  # what met something before the plane is cast once more from there
            point, normal = beyond
            along = fan @ normal
            starts = (normal @ (point - at)) / np.where(np.abs(along) > 1e-12, along, 1.0)
            hit = np.empty(1, np.int32)
            for index in np.flatnonzero((ids >= 0) & (depth < starts - HAIR)):
                start = at + starts[index] * fan[index]
                far = mujoco.mj_ray(model, data, start, fan[index], groups, True, -1, hit)
                ids[index] = hit[0]
                depth[index] = starts[index] + far if hit[0] >= 0 else -1.0
        seen = (ids >= 0) & (depth > NEAR) & (depth < FAR)
        return (
            np.where(seen, ids, -1).astype(np.int32),
            np.where(seen, depth, 0.0).astype(np.float32),
        )


def recast(
    built: Built, camera: Camera, shown: Mask, owners: Ints, depth: Depths
) -> tuple[Ints, Depths]:
    """Return a drawing's owners and depths (m) with those of rays where a pixel stands alone."""
    rows, columns = np.nonzero(alone(np.append(built.thing, np.int32(-1))[owners]))
    owners, depth = owners.copy(), depth.copy()
    owners[rows, columns], depth[rows, columns] = Caster(built).pixels(
        camera, shown, columns.astype(float), rows.astype(float), None
    )
    return owners, depth


def alone(things: Ints) -> Mask:
    """Tell which pixels of an image of things (-1 for none) stand alone."""
    like = np.zeros(things.shape, np.int8)
    across, below = things[:, 1:] == things[:, :-1], things[1:] == things[:-1]
    like[:, 1:] += across
    like[:, :-1] += across
    like[1:] += below
    like[:-1] += below
    return (like <= LONE) & (things >= 0)
