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
from worldquiz_scenes.arrays import Depths, Floats, Ints, Mask, Picture, Plane, np
from worldquiz_scenes.build import FAR, NEAR, SHOWN, Built
from worldquiz_scenes.cameras import rays
from worldquiz_scenes.view import Box, Camera

HAIR = 1e-5
"""Metres: a hit nearer than this before a plane lies on it."""
LONE = 1
"""Neighbours (of four) showing the same thing up to which a pixel stands alone."""


@dataclass(frozen=True, slots=True)
class Caster:
    """Sees a built scene by rays: it answers the same questions as a `Canvas`, except colours."""

    built: Built

    def owners(
        self,
        camera: Camera,
        shown: Mask,
        window: Box | None = None,
        *,
        scale: int = 1,
        beyond: Plane | None = None,
    ) -> tuple[Ints, Depths]:
        """Return which geometry (or -1) each pixel shows, and how deep (m; 0 for nothing)."""
        x0, y0, x1, y1 = window or (0, 0, camera.width, camera.height)
        wide, high = (x1 - x0) // scale, (y1 - y0) // scale
        middle = (scale - 1) / 2
        columns, rows = np.meshgrid(
            x0 + middle + scale * np.arange(wide), y0 + middle + scale * np.arange(high)
        )
        ids, depth = self.pixels(camera, shown, columns.ravel(), rows.ravel(), beyond=beyond)
        return ids.reshape(high, wide), depth.reshape(high, wide)

    def filled(
        self,
        camera: Camera,
        shown: Mask,
        window: Box,
        scale: int,
        *,
        beyond: Plane | None = None,
    ) -> Mask:
        """Tell which pixels of a window show anything."""
        result: Mask = self.owners(camera, shown, window, scale=scale, beyond=beyond)[0] >= 0
        return result

    def pixels(
        self,
        camera: Camera,
        shown: Mask,
        columns: Floats,
        rows: Floats,
        *,
        beyond: Plane | None = None,
    ) -> tuple[Ints, Depths]:
        """Return what `owners` does, of some pixels alone."""
        fan = rays(camera, columns, rows)
        ids, depth = self._cast(np.array(camera.at), fan, shown)
        if beyond is not None:
            self._again(np.array(camera.at), fan, shown, beyond, (ids, depth))
        seen = (ids >= 0) & (depth > NEAR) & (depth < FAR)
        return (
            np.where(seen, ids, -1).astype(np.int32),
            np.where(seen, depth, 0.0).astype(np.float32),
        )

    def _cast(self, at: Floats, fan: Floats, shown: Mask) -> tuple[Ints, Floats]:
        mujoco = gl.engine()
        self.built.show(shown)
        count = len(fan)
        ids, depth = np.full(count, -1, np.int32), np.full(count, -1.0)
        if count:
            mujoco.mj_multiRay(
                self.built.model,
                self.built.data,
                at,
                np.ascontiguousarray(fan).ravel(),
                _groups(),
                True,
                -1,
                ids,
                depth,
                None,
                count,
                mujoco.mjMAXVAL,
            )
        return ids, depth

    def _again(
        self, at: Floats, fan: Floats, shown: Mask, beyond: Plane, found: tuple[Ints, Floats]
    ) -> None:
        """Cast those rays once more, from the plane on, that met something before it."""
        mujoco = gl.engine()
        ids, depth = found
        point, normal = beyond
        starts = (normal @ (point - at)) / np.where(np.abs(fan @ normal) > 1e-12, fan @ normal, 1.0)
        hit = np.empty(1, np.int32)
        for index in np.flatnonzero((ids >= 0) & (depth < starts - HAIR)):
            start = at + starts[index] * fan[index]
            further = mujoco.mj_ray(
                self.built.model, self.built.data, start, fan[index], _groups(), True, -1, hit
            )
            ids[index] = hit[0]
            depth[index] = starts[index] + further if hit[0] >= 0 else -1.0


def _groups() -> Picture:
    groups = np.zeros(6, np.uint8)
    groups[SHOWN] = 1
    return groups


def recast(
    built: Built, camera: Camera, shown: Mask, owners: Ints, depth: Depths
) -> tuple[Ints, Depths]:
    """Return a drawing's owners and depths (m) with those of rays where a pixel stands alone."""
    rows, columns = np.nonzero(alone(np.append(built.thing, np.int32(-1))[owners]))
    owners, depth = owners.copy(), depth.copy()
    owners[rows, columns], depth[rows, columns] = Caster(built).pixels(
        camera, shown, columns.astype(float), rows.astype(float)
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
    result: Mask = (like <= LONE) & (things >= 0)
    return result
