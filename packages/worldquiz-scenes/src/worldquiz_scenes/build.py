"""Builds a MuJoCo model of a scene. Each thing is a body, fixed in its final pose.

Only the agent's own figure moves, so one model serves for all pictures of the scene. Geometry does
not collide: it serves for pictures and rays only. They show geometry in the group `SHOWN`, and none
in the group `HIDDEN`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import cos, sin
from pathlib import Path
from typing import Any

from worldquiz_scenes import gl, paints
from worldquiz_scenes.arrays import Indices, Ints, Mask, Picture, np
from worldquiz_scenes.cameras import EYES, FEATHER
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.meshes import load_form
from worldquiz_scenes.scene import (
    UPRIGHT,
    Paint,
    Part,
    Pattern,
    Room,
    Scene,
    Shape,
    Slab,
    Thing,
    Vec,
    slabs,
)

SHOWN, HIDDEN = 1, 5  # groups of geometry
NEAR, FAR = 0.05, 60.0  # metres: nearest and farthest distance that a camera sees
AGENT = "agent"
GLOW, BESIDE = (0.64, 0.62, 0.58), 0.4
"""A lamp's light, and the share of it that lamps in adjoining rooms give."""
EMITS = 0.38  # light that a ceiling itself emits: lamps hang below it
SKY = "sky"  # material of a window pane
LIGHTS = 7  # most lamps that OpenGL can light at once, besides the one at the camera
SHADED = 0.7  # share of a lamp's cone that casts shadows: the narrower, the finer their edges
SHIRT = Paint("teal", (0.1, 0.5, 0.5), "fabric")
TROUSERS = Paint("grey", (0.2, 0.2, 0.25), "fabric")
SKIN = Paint("beige", (0.87, 0.67, 0.53), "paper")
VISOR = Paint("black", (0.08, 0.08, 0.1), "plastic")
ARROW = Paint("pink", (0.95, 0.1, 0.6), "paper")
FIGURE = (
    (Shape.CAPSULE, (0.0, 0.09, 0.42), (0.075, 0.34, 0.0), TROUSERS),
    (Shape.CAPSULE, (0.0, -0.09, 0.42), (0.075, 0.34, 0.0), TROUSERS),
    (Shape.ELLIPSOID, (0.0, 0.0, 1.07), (0.13, 0.19, 0.31), SHIRT),
    (Shape.CAPSULE, (0.0, 0.22, 1.12), (0.045, 0.14, 0.0), SHIRT),
    (Shape.CAPSULE, (0.0, -0.22, 1.12), (0.045, 0.14, 0.0), SHIRT),
    (Shape.ELLIPSOID, (0.13, 0.22, 0.98), (0.17, 0.045, 0.045), SHIRT),
    (Shape.ELLIPSOID, (0.13, -0.22, 0.98), (0.17, 0.045, 0.045), SHIRT),
    (Shape.SPHERE, (0.0, 0.0, EYES), (0.12, 0.0, 0.0), SKIN),
    (Shape.BOX, (0.18, 0.0, EYES + 0.04), (0.11, 0.1, 0.02), VISOR),
    (Shape.BOX, (0.44, 0.0, 0.015), (0.2, 0.035, 0.005), ARROW),
    (Shape.BOX, (0.66, 0.0, 0.015), (0.02, 0.12, 0.005), ARROW),
    (Shape.BOX, (0.7, 0.0, 0.015), (0.02, 0.08, 0.005), ARROW),
    (Shape.BOX, (0.74, 0.0, 0.015), (0.02, 0.04, 0.005), ARROW),
)
"""The agent as rooms' cameras and mirrors show it, looking along x: in teal, with a visor.

Visor and forearms point ahead, and a flat arrow lies before its feet, so that its direction can be
seen from any side.
"""
MIRROR = Paint("silver", (0.62, 0.64, 0.66), "mirror")


@dataclass(frozen=True)
class Built:
    """A scene ready to be drawn.

    For each geometry of the model, `thing` is an index into `ids`, or -1 for walls and the agent.
    `mirror` is an index into `mirrors` for the glass of a mirror, else -1.
    """

    scene: Scene
    model: Any  # mujoco.MjModel
    data: Any  # mujoco.MjData
    ids: tuple[str, ...]
    mirrors: tuple[str, ...]
    names: tuple[str, ...]  # per geometry: a thing's id, "wall:kitchen-1", "agent"
    thing: Ints
    mirror: Ints
    figure: Mask  # whether it is the agent's own
    pane: Mask  # whether it is a window pane, through which the outside is seen
    even: Mask  # whether it has no picture, or only a grain; one more entry, for nothing
    lamps: tuple[str, ...] = ()  # the room of each light

    @cached_property
    def parts(self) -> dict[str, Indices]:
        """Each thing's geometry."""
        return {id: np.flatnonzero(self.thing == at) for at, id in enumerate(self.ids)}

    def show(self, which: Mask) -> None:
        """Show only this geometry in the next pictures and rays."""
        self.model.geom_group[:] = np.where(which, SHOWN, HIDDEN)

    def stand(self, x: float, y: float, heading: float) -> None:
        """Place the agent's figure."""
        pose = (x, y, 0.0, cos(heading / 2), 0.0, 0.0, sin(heading / 2))
        if tuple(self.data.mocap_pos[0]) + tuple(self.data.mocap_quat[0]) != pose:
            self.data.mocap_pos[0] = pose[:3]
            self.data.mocap_quat[0] = pose[3:]
            gl.engine().mj_kinematics(self.model, self.data)


def build(scene: Scene, meshes: Path | None = None) -> Built:
    """Return a MuJoCo model of a scene. Paths of its meshes are relative to the folder `meshes`.

    Raises `SceneError` if a mesh is missing or broken, or if MuJoCo refuses a shape. Equal scenes
    give equal models.
    """
    mujoco = gl.engine()
    maker = _Maker(mujoco, meshes)
    for slab in slabs(scene):
        maker.slab(slab)
    for thing in scene.things:
        maker.thing(thing)
    agent = maker.spec.worldbody.add_body(name=AGENT, mocap=True)
    for shape, at, size, paint in FIGURE:
        maker.geom(agent, AGENT, shape, at, size, maker.material(paint))
    maker.spec.worldbody.add_camera(name="eye")
    for room in scene.rooms:
        maker.lamp(room, scene.height)
    try:
        model = maker.spec.compile()
    except ValueError as error:
        raise SceneError(f"scene {scene.id!r}: MuJoCo cannot build it: {error}") from error
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    ids, mirrors = ([thing.id for thing in each] for each in (scene.things, scene.mirrors))
    index = {id: at for at, id in enumerate(ids)}
    made = sorted(maker.made, key=lambda each: int(model.geom(each[0]).id))
    names = [owner for _, owner in made]
    skins = model.mat_texid[model.geom_matid, int(mujoco.mjtTextureRole.mjTEXROLE_RGB)]
    grains = [model.texture(name).id for name in paints.GRAINS if name in maker.textures]
    glass = [mirrors.index(owner) if name.startswith("glass:") else -1 for name, owner in made]
    return Built(
        scene,
        model,
        data,
        tuple(ids),
        tuple(mirrors),
        tuple(names),
        np.array([index.get(name, -1) for name in names], np.int32),
        np.array(glass, np.int32),
        np.array([name == AGENT for name in names]),
        np.array([name.startswith("pane:") for name, _ in made]),
        np.append(np.isin(skins, [-1, *grains]), False),
        tuple(room.name for room in scene.rooms),
    )


class _Maker:
    """Builder of a model, which adds each material and each mesh once."""

    def __init__(self, mujoco: Any, meshes: Path | None) -> None:
        self.mujoco, self.meshes = mujoco, meshes
        self.spec = spec = mujoco.MjSpec()
        self.made: list[tuple[str, str]] = []  # each geometry's name and owner
        self._materials: dict[object, str] = {}
        self.textures: set[str] = set()
        self._forms: dict[object, tuple[str, Any]] = {}  # their names and textures
        spec.compiler.autolimits = True
        spec.stat.extent, spec.stat.center = 1.0, [0.0, 0.0, 1.0]
        view = spec.visual
        view.map.znear, view.map.zfar = NEAR, FAR
        view.map.shadowscale = SHADED
        view.headlight.ambient = [0.42] * 3
        view.headlight.diffuse = [0.16] * 3
        view.headlight.specular = [0.0] * 3
        view.quality.shadowsize = 1024

    def slab(self, slab: Slab) -> None:
        at = [(low + high) / 2 for low, high in zip(slab.low, slab.high, strict=True)]
        half = [(high - low) / 2 for low, high in zip(slab.low, slab.high, strict=True)]
        paint = slab.paint
        match slab.name.split(":")[0]:
            case "floor":
                drawn = partial(paints.floor, paint.material)
                material = self._made(("floor", paint), paint, (*paint.rgb, 1.0), drawn, flat=True)
            case "ceiling":  # it shines a little, since lamps hang below and do not light it
                material = "ceiling"
                if material not in self._materials:
                    self._materials[material] = material
                    self.spec.add_material(name=material, rgba=[*paint.rgb, 1.0], emission=EMITS)
            case "wall" if not slab.low[2]:
                name = f"wall:{paint.rgb}"
                material = self._made(
                    name, paint, (1.0, 1.0, 1.0, 1.0), lambda: (name, paints.wall(paint.rgb))
                )
            case _:
                material = self.material(paint)
        self.geom(self.spec.worldbody, slab.name, Shape.BOX, at, half, material)

    def thing(self, thing: Thing) -> None:
        body = self.spec.worldbody.add_body(
            name=thing.id, pos=list(thing.position), quat=list(thing.rotation)
        )
        for part in thing.parts:
            mesh, skin, size = "", None, part.size
            if part.shape is Shape.MESH:
                (mesh, skin), size = self._form(part, thing), (0.0, 0.0, 0.0)
            box = part.size if part.shape is Shape.BOX and min(part.size) > 0 else None
            material = skin or self.material(part.paint, box)
            prefix = "pane" if part.paint.material == SKY else "part"
            self.geom(body, thing.id, part.shape, part.at, size, material, part.turn, prefix, mesh)
        if thing.mirror:
            wide, high = thing.mirror
            at, half = (0.0, -thing.half[1], 0.0), (wide, FEATHER, high)
            glass = self.material(MIRROR)
            self.geom(body, thing.id, Shape.BOX, at, half, glass, prefix="glass")

    def lamp(self, room: Room, height: float) -> None:
        middle = [(one + two) / 2 for one, two in zip(room.low, room.high, strict=True)]
        self.spec.worldbody.add_light(
            type=self.mujoco.mjtLightType.mjLIGHT_SPOT,
            pos=[*middle, height - 0.05],
            dir=[0.05, 0.03, -1.0],
            cutoff=85.0,
            exponent=0.6,
            attenuation=[0.8, 0.03, 0.03],
            diffuse=list(GLOW),
            ambient=[0.0] * 3,
            specular=[0.25] * 3,
            castshadow=True,
        )

    def geom(
        self,
        body: Any,
        owner: str,
        shape: Shape,
        at: Sequence[float],
        size: Sequence[float],
        material: str,
        turn: Sequence[float] = UPRIGHT,
        prefix: str = "part",
        mesh: str = "",
    ) -> None:
        name = f"{prefix}:{len(self.made)}:{owner}"
        self.made.append((name, owner))
        body.add_geom(
            name=name,
            type=getattr(self.mujoco.mjtGeom, f"mjGEOM_{shape.upper()}"),
            pos=list(at),
            size=list(size),
            quat=list(turn),
            material=material,
            meshname=mesh,
            group=SHOWN,
            contype=0,
            conaffinity=0,
            mass=0.0,
        )

    def material(self, paint: Paint, box: Vec | None = None) -> str:
        """Return the name of a paint's material; a pattern has one for each size of box."""
        patterned = paint.pattern is not Pattern.PLAIN
        rgb = (1.0, 1.0, 1.0) if patterned else paint.rgb
        key, alpha = (paint, box if patterned else None), paints.finish(paint).alpha
        return self._made(key, paint, (*rgb, alpha), lambda: paints.picture(paint, box))

    def _made(
        self,
        key: object,
        paint: Paint,
        rgba: tuple[float, ...],
        drawn: Callable[[], tuple[str, Picture] | None],
        *,
        flat: bool = False,
        uniform: bool | None = None,
    ) -> str:
        """Return the name of the material with this key, and make it at the first request."""
        if key not in self._materials:
            name = self._materials[key] = f"paint:{len(self._materials)}"
            finish, texture = paints.finish(paint), drawn()
            material = self.spec.add_material(
                name=name,
                specular=finish.specular,
                shininess=finish.shininess,
                emission=finish.glow,
                rgba=list(rgba),
            )
            if texture is not None:
                (called, pixels), kinds = texture, self.mujoco.mjtTexture
                if called not in self.textures:
                    self.textures.add(called)
                    kind = kinds.mjTEXTURE_2D if flat else kinds.mjTEXTURE_CUBE
                    high, wide = pixels.shape[:2]
                    made = self.spec.add_texture(
                        name=called, type=kind, width=wide, height=high, nchannel=3
                    )
                    made.data = pixels.tobytes()
                material.textures[self.mujoco.mjtTextureRole.mjTEXROLE_RGB] = called
                material.texuniform = flat if uniform is None else uniform
        return self._materials[key]

    def _form(self, part: Part, thing: Thing) -> tuple[str, str | None]:
        """Return the name of a part's mesh, and of its material if the mesh has a texture."""
        key = (part.mesh, part.size)
        if key not in self._forms:
            form, name = load_form(self.meshes, part, thing.id), f"mesh:{len(self._forms)}"
            made = self.spec.add_mesh(
                name=name,
                uservert=form.fitted(part).ravel().tolist(),
                userface=form.faces.ravel().tolist(),
                inertia=self.mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
            )
            if form.uv is not None:
                # MuJoCo counts v from a picture's top row, a form from the lower left
                made.usertexcoord = (form.uv * (1, -1) + (0, 1)).ravel().tolist()
                made.userfacetexcoord = form.uv_faces.ravel().tolist()
            self._forms[key] = (name, None if form.uv is None else form.texture)
        mesh, pixels = self._forms[key]
        if pixels is None:
            return mesh, None
        rgba = (1.0, 1.0, 1.0, paints.finish(part.paint).alpha)
        skin = self._made(
            (mesh, part.paint), part.paint, rgba, lambda: (mesh, pixels), flat=True, uniform=False
        )
        return mesh, skin
