"""Pictures drawn by OpenGL, or by MuJoCo's rays: colour, depth, and the owner of each pixel.

The owner is the geometry that a pixel shows. Owners and depths (metres) come from a drawing in flat
colours, one for each geometry, without smoothing, so they are those of the ray through each pixel's
middle. A crop is a rectangle of a camera's picture, possibly beyond its edges.

Rays need no OpenGL and give no colours. They differ from OpenGL at balls and cylinders, which it
draws with flat facets. Along such edges, a single drawn pixel may wrongly show the thing behind,
and so enlarge that thing's box. But a lone pixel may also rightly show a thing through a gap, so
`recast` checks every lone pixel of a drawing by a ray.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from math import radians, tan
from typing import Any

from worldquiz_scenes import gl
from worldquiz_scenes.arrays import Depths, Floats, Ints, Mask, Picture, Plane, marked, np
from worldquiz_scenes.build import BESIDE, EMITS, FAR, GLOW, LIGHTS, NEAR, SHOWN, Built
from worldquiz_scenes.cameras import SIZE, Crop, focal, frame, rays
from worldquiz_scenes.shading import AROUND, DIM
from worldquiz_scenes.view import Camera

EXACT, SOFT = (48, 24, 1), (28, 10, 4)
"""Slices and stacks of round shapes, and squares along a box's side. For owners, round shapes are
finely cut, to agree with exact rays. For colours, sides are, since light is computed at corners."""
GRAIN = 0.01  # share of the distance from a lamp: three pixels of the shadow map
HAIR = 1e-5  # metres: a hit less than this before a plane counts as on it
SAMPLES = 4  # samples per pixel, against jagged edges
LONE = 1  # most of a lone pixel's four neighbours that show the same thing


class Canvas(AbstractContextManager["Canvas"]):
    """Draws a built scene by OpenGL; close it, or use it in a `with` block.

    `size` is the largest picture that it can draw. A `plain` canvas leaves out shadows, smooth
    edges, daylight and views from windows, and is faster; depths and owners are the same. Raises
    `NoPictures` if OpenGL does not work.
    """

    def __init__(self, built: Built, *, plain: bool = False, size: tuple[int, int] = SIZE) -> None:
        self._mujoco = mujoco = gl.engine()
        self.built, self.plain, self.size = built, plain, size
        model = built.model
        self._gl = gl.context(*size)
        self._contexts: dict[bool, Any] = {}
        self._scene = mujoco.MjvScene(model, maxgeom=model.ngeom + 16)
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = 0
        self._option.geomgroup[SHOWN] = 1
        self._eye = mujoco.MjvCamera()
        self._eye.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._eye.fixedcamid = model.camera("eye").id

    @property
    def renderer(self) -> dict[str, str]:
        """Backend, vendor, renderer and version in use, as OpenGL reports them."""
        self._gl.make_current()
        GL = importlib.import_module("OpenGL.GL")  # noqa: N806
        names = {"vendor": GL.GL_VENDOR, "renderer": GL.GL_RENDERER, "version": GL.GL_VERSION}
        said = {name: (GL.glGetString(code) or b"").decode() for name, code in names.items()}
        return {"backend": gl.backend(), **said}

    def _context(self, coloured: bool) -> Any:
        """Return the MuJoCo context that draws colours, or owners; made at the first use."""
        if coloured not in self._contexts:
            mujoco, model = self._mujoco, self.built.model
            quality = model.vis.quality
            quality.offsamples = SAMPLES if coloured and not self.plain else 0
            pieces = SOFT if coloured else EXACT
            quality.numslices, quality.numstacks, quality.numquads = pieces
            model.vis.global_.offwidth, model.vis.global_.offheight = self.size
            context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50.value)
            context.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
            self._contexts[coloured] = context
        return self._contexts[coloured]

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the resources of the graphics system."""
        if self._gl is not None:
            self._gl.make_current()
            for context in self._contexts.values():
                context.free()
            self._gl.free()
            self._gl, self._contexts = None, {}

    def owners(self, crop: Crop, shown: Mask, beyond: Plane | None = None) -> tuple[Ints, Depths]:
        """Return the geometry that each pixel shows, or -1, and its depth (m; 0 for nothing).

        With a plane `beyond`, only geometry on the side to which its normal points is seen.
        """
        depth = np.empty(crop.size[::-1], np.float32)
        colours = self._identified(crop, shown, beyond, depth)
        drawn = self._scene.geoms[: self._scene.ngeom]
        table = np.full(len(drawn) + 1, -1, np.int32)  # colour 0 is nothing
        table[[each.segid + 1 for each in drawn]] = [each.objid for each in drawn]
        numbers = np.zeros((*depth.shape, 4), np.uint8)
        numbers[..., :3] = colours  # red + 256 green + 65536 blue
        return np.take(table, numbers.view("<i4")[..., 0])[::-1], metric(depth)[::-1]

    def filled(self, crop: Crop, shown: Mask, beyond: Plane | None = None) -> Mask:
        """Return a mask of pixels that show anything; faster than `owners`, which reads depths."""
        filled: Mask = np.any(self._identified(crop, shown, beyond)[::-1], axis=2)
        return filled

    def _identified(
        self, crop: Crop, shown: Mask, beyond: Plane | None, depth: Depths | None = None
    ) -> Picture:
        """Draw each geometry in its own colour, bottom row first; fill in `depth` if given."""
        flags = self._mujoco.mjtRndFlag
        with self._cut(crop.camera, beyond):
            self._aim(crop, shown)
            self._scene.flags[:] = 0
            for flag in (flags.mjRND_SEGMENT, flags.mjRND_IDCOLOR, flags.mjRND_CULL_FACE):
                self._scene.flags[flag] = 1
            return self._read(crop, False, depth)

    def colours(
        self, crop: Crop, shown: Mask, room: str | None = None, beyond: Plane | None = None
    ) -> Picture:
        """Return a picture (height x width x 3), lit by the lamps in and near a room.

        It has no shadows if `beyond` is given.
        """
        dim, around = (1.0, 1.0) if self.plain else (DIM, DIM * AROUND)
        self._burn(crop.camera, room, dim)
        self._aim(crop, shown)
        for light in self._scene.lights[: self._scene.nlight]:
            light.ambient, light.diffuse = light.ambient * around, light.diffuse * dim
            light.specular = light.specular * dim
        flags = self._mujoco.mjtRndFlag
        self._scene.flags[:] = 0
        self._scene.flags[flags.mjRND_CULL_FACE] = 1
        self._scene.flags[flags.mjRND_SHADOW] = int(not self.plain and beyond is None)
        with self._cut(crop.camera, beyond):
            return self._read(crop, True)[::-1]

    def _read(self, crop: Crop, coloured: bool, depth: Depths | None = None) -> Picture:
        """Draw the scene for the camera that `_aim` set; return colours, bottom row first."""
        wide, high = crop.size
        if wide > self.size[0] or high > self.size[1]:
            raise ValueError(
                f"a picture of {wide}x{high} px does not fit a canvas of {self.size[0]}x"
                f"{self.size[1]} px: make a larger Canvas"
            )
        area = self._mujoco.MjrRect(0, 0, wide, high)
        self._gl.make_current()
        context = self._context(coloured)
        self._mujoco.mjr_setBuffer(self._mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, context)
        self._mujoco.mjr_render(area, self._scene, context)
        colours = np.empty((high, wide, 3), np.uint8)
        self._mujoco.mjr_readPixels(colours, depth, area, context)
        return colours

    def _aim(self, crop: Crop, shown: Mask) -> None:
        camera, (x0, y0, x1, y1) = crop.camera, crop.box
        mujoco, model, data = self._mujoco, self.built.model, self.built.data
        self.built.show(shown)
        eye = self._eye.fixedcamid
        data.cam_xpos[eye] = camera.at
        axes = frame(camera)
        data.cam_xmat[eye] = np.stack([axes.right, -axes.down, -axes.ahead], axis=1).ravel()
        model.cam_fovy[eye] = camera.fovy
        every = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(model, data, self._option, None, self._eye, every, self._scene)
        half = NEAR * tan(radians(camera.fovy) / 2)
        pixel = 2 * half / camera.height
        for each in self._scene.camera:
            each.frustum_near, each.frustum_far = NEAR, FAR
            each.frustum_top = half - y0 * pixel
            each.frustum_bottom = half - y1 * pixel
            each.frustum_center = (x0 + x1 - camera.width) / 2 * pixel

    @contextmanager
    def _cut(self, camera: Camera, beyond: Plane | None) -> Iterator[None]:
        """Context in which only geometry on the normal's side of a plane is drawn."""
        if beyond is None:
            yield
            return
        GL = importlib.import_module("OpenGL.GL")  # noqa: N806
        self._gl.make_current()
        GL.glMatrixMode(GL.GL_MODELVIEW)
        GL.glLoadIdentity()
        (point, normal), axes = beyond, frame(camera)  # the eye's frame: right, up, behind
        parts = [float(normal @ axis) for axis in (axes.right, -axes.down, -axes.ahead)]
        GL.glClipPlane(GL.GL_CLIP_PLANE0, (*parts, float(normal @ (axes.at - point))))
        GL.glEnable(GL.GL_CLIP_PLANE0)
        try:
            yield
        finally:
            GL.glDisable(GL.GL_CLIP_PLANE0)

    def _burn(self, camera: Camera, room: str | None, dim: float) -> None:
        """Light the lamps of a room and of adjoining rooms; only the room's own casts shadows."""
        built, lamps = self.built, self.built.lamps
        model = built.model
        far = np.linalg.norm(model.light_pos[:, :2] - np.array(camera.at[:2]), axis=1)
        beside = (
            {name for door in built.scene.doors if room in door.rooms for name in door.rooms}
            if room in lamps
            else set(lamps)
        )
        order = sorted(range(len(lamps)), key=lambda at: (lamps[at] != room, far[at], at))
        lit = [at for at in order if lamps[at] == room or lamps[at] in beside][:LIGHTS]
        model.light_active[:] = 0
        model.light_active[lit] = 1
        model.light_castshadow[:] = 0
        model.light_castshadow[lit[:1]] = 1
        model.light_diffuse[:] = np.array(GLOW) * BESIDE
        model.light_diffuse[lit[:1]] = GLOW
        if lamps:
            model.mat_emission[model.material("ceiling").id] = EMITS * dim


def metric(depth: Depths) -> Depths:
    """Return depths in metres from OpenGL's depth buffer; 0 stands for nothing and stays 0."""
    near, far = np.float64(np.float32(NEAR)), np.float64(np.float32(FAR))
    scale, shift = near * far / (far - near), near / (far - near)
    metres = depth.astype(np.float64)
    metres += shift
    np.divide(scale, metres, out=metres)
    metres *= depth > 0
    return metres.astype(np.float32)


def owning(built: Built, owners: Ints) -> Mask:
    """Return a mask of the geometry that owns at least one pixel."""
    counts = np.bincount((owners + 1).ravel(), minlength=built.model.ngeom + 1)
    return counts[1:] > 0


def inside(built: Built, crop: Crop, lamp: Floats | None = None) -> Mask:
    """Return a mask of the geometry that a crop may show, or whose shadow from `lamp` it may show.

    A crop may show geometry whose box touches its viewing pyramid. A box's shadow lies between the
    box and the same box enlarged away from the lamp. If both lie beyond one side of the pyramid,
    the crop shows no such shadow. `GRAIN` widens boxes, since the shadow map is coarse.
    """
    axes, scale = frame(crop.camera), focal(crop.camera)
    wide, high = crop.camera.width / 2, crop.camera.height / 2
    x0, y0, x1, y1 = crop.box
    sides = [
        (0.0, 0.0, 1.0), (scale, 0.0, wide - x0), (-scale, 0.0, x1 - wide),
        (0.0, scale, high - y0), (0.0, -scale, y1 - high),
    ]  # fmt: skip
    normals = sides / np.linalg.norm(sides, axis=1, keepdims=True)
    normals = normals @ np.stack([axes.right, axes.down, axes.ahead])
    reach, eye = reaching(built, normals), normals @ axes.at[:, None]
    seen = reach > eye - HAIR
    if lamp is not None:
        far = np.linalg.norm(built.data.geom_xpos - lamp, axis=1)
        ball, start = built.model.geom_rbound, normals @ lamp[:, None]
        grown = (far + ball).max() / np.maximum(far - ball, HAIR)
        reach = reach + GRAIN * far
        seen = (reach > eye) | (start + grown * (reach - start) > eye)
    result: Mask = seen.all(axis=0)
    return result


def reaching(built: Built, normals: Floats) -> Floats:
    """Return how far (m) each geometry's box reaches along unit vectors: n x geometries."""
    along = np.einsum("ni,gij->ngj", normals, built.data.geom_xmat.reshape(-1, 3, 3))
    centre, half = built.model.geom_aabb[:, :3], built.model.geom_aabb[:, 3:]
    own = (along * centre + np.abs(along) * half).sum(axis=2)
    result: Floats = normals @ built.data.geom_xpos.T + own
    return result


@dataclass(frozen=True, slots=True)
class Caster:
    """Views a built scene by rays: `owners` and `filled` are like those of a `Canvas`."""

    built: Built

    def owners(self, crop: Crop, shown: Mask, beyond: Plane | None = None) -> tuple[Ints, Depths]:
        """Return the geometry that each pixel shows, or -1, and its depth (m; 0 for nothing)."""
        (x0, y0, _, _), (wide, high), scale = crop.box, crop.size, crop.scale
        middle = (scale - 1) / 2
        columns, rows = np.meshgrid(
            x0 + middle + scale * np.arange(wide), y0 + middle + scale * np.arange(high)
        )
        ids, depth = self.pixels(crop.camera, shown, columns.ravel(), rows.ravel(), beyond)
        return ids.reshape(high, wide), depth.reshape(high, wide)

    def filled(self, crop: Crop, shown: Mask, beyond: Plane | None = None) -> Mask:
        """Return a mask of the pixels that show anything."""
        return self.owners(crop, shown, beyond)[0] >= 0

    def first(self, at: Floats, fan: Floats, shown: Mask) -> tuple[Ints, Floats]:
        """Return the geometry that each ray (n x 3) from a point hits first, and the distance.

        Distances are multiples of a ray's length. Both are -1 for a ray that hits nothing.
        """
        mujoco, model, data = gl.engine(), self.built.model, self.built.data
        self.built.show(shown)
        groups = np.zeros(6, np.uint8)
        groups[SHOWN] = 1
        ids, when = np.full(len(fan), -1, np.int32), np.full(len(fan), -1.0)
        if len(fan):
            mujoco.mj_multiRay(
                model, data, at, np.ascontiguousarray(fan).ravel(), groups, True, -1, ids, when,
                None, len(fan), mujoco.mjMAXVAL,
            )  # fmt: skip
        return ids, when

    def pixels(
        self, camera: Camera, shown: Mask, columns: Floats, rows: Floats, beyond: Plane | None
    ) -> tuple[Ints, Depths]:
        """Return the geometry and depth of some pixels, as `owners` does."""
        at, fan = np.array(camera.at), rays(camera, columns, rows)
        ids, depth = self.first(at, fan, shown)
        if beyond is not None:  # rays that hit something before the plane start again at it
            point, normal = beyond
            along = fan @ normal
            starts = (normal @ (point - at)) / np.where(np.abs(along) > 1e-12, along, 1.0)
            for index in np.flatnonzero((ids >= 0) & (depth < starts - HAIR)):
                start = at + starts[index] * fan[index]
                [ids[index]], [far] = self.first(start, fan[index : index + 1], shown)
                depth[index] = starts[index] + far if ids[index] >= 0 else -1.0
        seen = (ids >= 0) & (depth > NEAR) & (depth < FAR)
        return (
            np.where(seen, ids, -1).astype(np.int32),
            np.where(seen, depth, 0.0).astype(np.float32),
        )


def recast(
    built: Built, camera: Camera, shown: Mask, owners: Ints, depth: Depths
) -> tuple[Ints, Depths]:
    """Return a drawing's owners and depths (m), recomputed by rays at lone pixels (`LONE`)."""
    rows, columns = marked(alone(np.append(built.thing, np.int32(-1))[owners]))
    owners, depth = owners.copy(), depth.copy()
    owners[rows, columns], depth[rows, columns] = Caster(built).pixels(
        camera, shown, columns.astype(float), rows.astype(float), None
    )
    return owners, depth


def alone(things: Ints) -> Mask:
    """Return a mask of lone pixels (see `LONE`) in an image of things, -1 for none."""
    like = np.zeros(things.shape, np.int8)
    across, below = things[:, 1:] == things[:, :-1], things[1:] == things[:-1]
    like[:, 1:] += across
    like[:, :-1] += across
    like[1:] += below
    like[:-1] += below
    return (like <= LONE) & (things >= 0)
