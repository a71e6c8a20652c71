"""Scenes in MuJoCo's MJCF, as MuJoCo itself reads them: bodies with their visible geometry.

A body without joints to the world and its parts are one tree of nodes; a shape of the world itself
is named by its own name. Where a body has shapes that collide and others that are only seen, those
that are seen count. Joints stand as the first keyframe says, else at their reference.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from worldquiz.extras import later
from worldquiz.scenes import gl
from worldquiz.scenes.arrays import Floats, Picture, np
from worldquiz.scenes.geometry import rounded
from worldquiz.scenes.importing import limits, names
from worldquiz.scenes.importing.limits import SIDE, refused
from worldquiz.scenes.importing.names import Node
from worldquiz.scenes.importing.pieces import Body, Draft, Piece, Surface
from worldquiz.scenes.scene import Shape, Vec

pil = later("PIL.Image", extra="scene", library="pillow")

VISIBLE = 3
"""Groups of geometry that a viewer shows: those below."""
ENDLESS = 50.0
"""Half of the metres that stand for a plane without end."""
PLAIN = (0.5, 0.5, 0.5, 1.0)
"""What geometry looks like that says nothing of it."""


def read(path: Path, scale: float = 1.0) -> Draft:
    """Return what an MJCF file holds; `scale` is the metres of its unit.

    Raises `RecordError`; `MissingExtra` without MuJoCo.
    """
    _check(path)
    mujoco = gl.engine()
    try:
        spec = mujoco.MjSpec.from_file(str(path))
    except ValueError as error:
        raise refused(path, "", f"MuJoCo cannot read it: {_line(error)}", "correct it") from error
    _check_assets(spec, path)
    try:
        model = spec.compile()
    except ValueError as error:
        raise refused(path, "", f"MuJoCo cannot build it: {_line(error)}", "correct it") from error
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    credit = _credit(path)
    reader = _Reader(path, mujoco, model, data, scale)
    items = names.items(reader.roots(), path, credit)
    return Draft(path.stem, items, credit, notes=tuple(dict.fromkeys(reader.notes)))


def _line(error: ValueError) -> str:
    return " ".join(str(error).split())[:300]


def _check(path: Path) -> None:
    """Refuse a file that is not MJCF, or that has attributes which are not numbers."""
    text = limits.whole(path)
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise refused(
            path, "", f"is not XML, or was cut short ({error})", "save it again"
        ) from error
    if root.tag != "mujoco":
        raise refused(
            path, "", f"is a {root.tag!r} element, not a 'mujoco' model",
            "give the file that MuJoCo opens",
        )  # fmt: skip
    for element in root.iter():
        for name in ("pos", "quat", "size", "euler", "axisangle", "xyaxes", "zaxis", "fromto"):
            words = (element.get(name) or "").lower().split()
            if any(word.strip("+-") in ("nan", "inf", "infinity") for word in words):
                called = element.get("name") or element.tag
                raise refused(
                    path, f"{element.tag} {called!r}: {name}",
                    f"{' '.join(words)!r} is not a finite number", "correct it",
                )  # fmt: skip


def _check_assets(spec: Any, path: Path) -> None:
    """Look at the sizes of all files that a model names, before any is decoded."""
    home = path.parent
    for kind, assets, folder in (
        ("mesh", spec.meshes, spec.meshdir), ("texture", spec.textures, spec.texturedir),
        ("hfield", spec.hfields, ""),
    ):  # fmt: skip
        for asset in assets:
            names = [asset.file, *(getattr(asset, "cubefiles", None) or [])]
            for name in filter(None, names):
                where = f"{kind} {asset.name or name!r}"
                file = _found(home, folder, name)
                if file is None:
                    raise refused(
                        path, where, f"its file {name!r} is missing beside it", "copy it there"
                    )
                data = limits.whole(file)
                if kind == "texture" and file.suffix.lower() != ".ktx":
                    with limits.opened(data, path, where):
                        pass


def _found(home: Path, folder: str, name: str) -> Path | None:
    for file in (home / folder / name, home / name, home / folder / Path(name).name):
        if file.is_file():
            return file
    return None


def _credit(path: Path) -> str:
    """Return what a file's comments, or a licence beside it, say of its maker and licence."""
    remarks = re.findall(r"<!--(.*?)-->", path.read_text(errors="replace"), re.DOTALL)
    lines = [line.strip(" =-:") for text in remarks for line in text.splitlines()]
    told = [line for line in lines if re.search(r"copyright|author|licen[cs]e", line, re.I)]
    if told:
        return f"{path.name}: {'; '.join(told)[:400]}"
    for folder in (path.parent, *path.parent.parents[:2]):
        for name in ("LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"):
            file = folder / name
            if file.is_file() and file.stat().st_size < 1_000_000:
                lines = file.read_text(errors="replace").split("\n")
                said = " ".join(line.strip() for line in lines[:4] if line.strip())
                return f"{path.name}: {name} beside it says: {said[:200]}"
    return f"{path.name}: states no maker and no licence"


class _Reader:
    """Follows a model's bodies to their geometry."""

    def __init__(self, path: Path, mujoco: Any, model: Any, data: Any, scale: float) -> None:
        self.path, self.mujoco, self.model, self.data = path, mujoco, model, data
        self.scale = scale
        self.notes: list[str] = []
        self._children: dict[int, list[int]] = {}
        for body in range(1, model.nbody):
            self._children.setdefault(int(model.body_parentid[body]), []).append(body)
        groups = np.asarray(model.geom_group)
        self.visible = groups < VISIBLE if (groups < VISIBLE).any() else groups >= 0
        self._skins: dict[int, Picture] = {}
        for body in range(model.nbody):
            if not np.isfinite(data.xpos[body]).all() or not np.isfinite(data.xmat[body]).all():
                name = model.body(body).name
                raise refused(
                    path, f"body {name!r}", "has a pose that is not a number", "correct it"
                )

    def roots(self) -> list[Node]:
        """Return the world's own shapes, then its bodies."""
        found = []
        for geom in self._geoms(0):
            name = self._geom_name(geom)
            axes = np.asarray(self.data.geom_xmat[geom]).reshape(3, 3).copy()
            if piece := self._piece(geom):
                found.append(Node(name, axes, [piece]))
        return found + [self._node(body) for body in self._children.get(0, [])]

    def _node(self, body: int) -> Node:
        axes = np.asarray(self.data.xmat[body]).reshape(3, 3).copy()
        pieces = [piece for geom in self._geoms(body) if (piece := self._piece(geom))]
        children = [self._node(child) for child in self._children.get(body, [])]
        return Node(self.model.body(body).name, axes, pieces, children)

    def _geoms(self, body: int) -> list[int]:
        """Return a body's geometry that is to be seen."""
        start, count = int(self.model.body_geomadr[body]), int(self.model.body_geomnum[body])
        every = [geom for geom in range(start, start + count) if self.visible[geom]]
        mute = [
            geom
            for geom in every
            if not self.model.geom_contype[geom] and not self.model.geom_conaffinity[geom]
        ]
        groups = {int(self.model.geom_group[geom]) for geom in mute}
        loud = {int(self.model.geom_group[geom]) for geom in every if geom not in mute}
        return mute if mute and body and not groups & loud else every

    def _geom_name(self, geom: int) -> str:
        name = str(self.model.geom(geom).name)
        kinds = self.mujoco.mjtGeom
        if self.model.geom_type[geom] == kinds.mjGEOM_PLANE and not name:
            return "floor"
        if not name and self.model.geom_dataid[geom] >= 0:
            return str(self.model.mesh(int(self.model.geom_dataid[geom])).name)
        return name

    def _piece(self, geom: int) -> Piece | None:
        model, kinds = self.model, self.mujoco.mjtGeom
        at = np.asarray(self.data.geom_xpos[geom]) * self.scale
        axes = np.asarray(self.data.geom_xmat[geom]).reshape(3, 3).copy()
        rgb, alpha, material = self._looks(geom)
        if alpha <= 0:
            return None
        kind, size = int(model.geom_type[geom]), np.asarray(model.geom_size[geom]) * self.scale
        if kind == kinds.mjGEOM_PLANE:
            return _plane(at, axes, size, rgb, material)
        if kind == kinds.mjGEOM_MESH:
            return self._mesh(geom, at, axes, (rgb, alpha, material))
        shapes = {
            int(kinds.mjGEOM_BOX): Shape.BOX, int(kinds.mjGEOM_SPHERE): Shape.SPHERE,
            int(kinds.mjGEOM_CYLINDER): Shape.CYLINDER, int(kinds.mjGEOM_CAPSULE): Shape.CAPSULE,
            int(kinds.mjGEOM_ELLIPSOID): Shape.ELLIPSOID,
        }  # fmt: skip
        if kind not in shapes:
            self.notes.append("height fields and signed distances were left out")
            return None
        a, b, c = rounded(size)
        used = {Shape.SPHERE: (a, 0.0, 0.0), Shape.CYLINDER: (a, b, 0.0), Shape.CAPSULE:
                (a, b, 0.0)}.get(shapes[kind], (a, b, c))  # fmt: skip
        return Body(shapes[kind], at, axes, used, rgb, alpha, material)

    def _looks(self, geom: int) -> tuple[Vec, float, str]:
        """Return a shape's colour (its texture's mean, where it has one), opacity and material."""
        model = self.model
        own = tuple(round(float(value), 4) for value in model.geom_rgba[geom])
        at = int(model.geom_matid[geom])
        name = str(model.material(at).name) if at >= 0 else ""
        if at >= 0 and own == PLAIN:
            own = tuple(round(float(value), 4) for value in model.mat_rgba[at])
        red, green, blue, alpha = own
        skin = self._skin(at)
        if skin is not None:
            mean = skin.reshape(-1, 3).mean(axis=0) / 255
            red, green, blue = (round(float(a * b), 4) for a, b in zip(own[:3], mean, strict=True))
        return (red, green, blue), alpha, name

    def _skin(self, material: int) -> Picture | None:
        """Return a material's texture, at most `SIDE` px long."""
        if material < 0:
            return None
        role = int(self.mujoco.mjtTextureRole.mjTEXROLE_RGB)
        at = int(np.asarray(self.model.mat_texid[material]).ravel()[role])
        if at < 0:
            return None
        if at not in self._skins:
            high, wide = int(self.model.tex_height[at]), int(self.model.tex_width[at])
            depth, start = int(self.model.tex_nchannel[at]), int(self.model.tex_adr[at])
            raw = np.asarray(self.model.tex_data[start : start + high * wide * depth])
            pixels = raw.reshape(high, wide, depth)[..., :3]
            image = pil.fromarray(np.repeat(pixels, 3 // pixels.shape[2], axis=2))
            image.thumbnail((SIDE, SIDE))
            self._skins[at] = np.asarray(image, np.uint8)
        return self._skins[at]

    def _mesh(
        self, geom: int, at: Floats, axes: Floats, looks: tuple[Vec, float, str]
    ) -> Surface | None:
        model, mesh = self.model, int(self.model.geom_dataid[geom])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        points = np.asarray(model.mesh_vert[first : first + count], float) * self.scale
        first, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        faces = np.asarray(model.mesh_face[first : first + count], np.int32)
        if not count:
            return None
        rgb, alpha, material = looks
        skin, uv = self._skin(int(model.geom_matid[geom])), None
        start, corners = int(model.mesh_texcoordadr[mesh]), int(model.mesh_texcoordnum[mesh])
        if skin is not None and start >= 0 and corners:
            coords = np.asarray(model.mesh_texcoord[start : start + corners], float)
            spots = np.asarray(model.mesh_facetexcoord[first : first + count], np.int32)
            pairs = np.stack([faces.ravel(), spots.ravel()], axis=1)
            pairs, order = np.unique(pairs, axis=0, return_inverse=True)
            points, faces = points[pairs[:, 0]], order.reshape(-1, 3).astype(np.int32)
            uv = coords[pairs[:, 1]] * (1, -1) + (0, 1)
        return Surface(
            points @ axes.T + at, faces, rgb, alpha, uv, skin if uv is not None else None, material
        )


def _plane(at: Floats, axes: Floats, size: Floats, rgb: Vec, material: str) -> Surface:
    """Return a plane as two triangles; one without end reaches far."""
    x, y = (float(each) if each > 0 else ENDLESS for each in size[:2])
    inner = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]])
    return Surface(inner @ axes.T + at, np.array([[0, 1, 2], [0, 2, 3]], np.int32), rgb,
                   material=material)  # fmt: skip
