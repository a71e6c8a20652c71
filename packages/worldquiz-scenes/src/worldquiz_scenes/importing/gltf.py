"""Scenes in glTF 2: `.glb`, or `.gltf` with its files beside it. y is up, lengths are metres.

`gltf_file` has checked the header and the buffers before anything here uses them, so an error names
the node. DracoPy unpacks triangles that Draco compressed (KHR_draco_mesh_compression).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import Floats, Ints, np
from worldquiz_scenes.cameras import matrix
from worldquiz_scenes.importing import limits, names
from worldquiz_scenes.importing.gltf_file import (
    AGAIN,
    Buffers,
    Glossy,
    GltfNode,
    Header,
    Material,
    Primitive,
    Reference,
    Rough,
    opened,
)
from worldquiz_scenes.importing.limits import MOST_FACES, refused
from worldquiz_scenes.importing.names import Node
from worldquiz_scenes.importing.pieces import Draft, Surface
from worldquiz_scenes.scene import Vec

FLIP = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
"""From y up to z up: what looked to +z then looks to -y."""
TRIANGLES, STRIP, FAN = 4, 5, 6
FACES = "faces"
"""What the corners of the triangles are called among a mesh's numbers."""
BARE = "export it again, without compression"
Numbers = Callable[[str], Floats | None]
"""Gives the numbers of an attribute by its name, none where there is no such attribute."""


def read(path: Path, scale: float = 1.0) -> Draft:
    """Return the contents of a glTF file; `scale` is metres per unit. Raises `FileError`."""
    header, packed = opened(path)
    reader = _Reader(path, header, packed, scale)
    credit = _credit(header, path)
    return Draft(path.stem, names.items(reader.roots(), path, credit), credit)


def _credit(header: Header, path: Path) -> str:
    """Return a file's title, author, licence and source, as it states them."""
    asset, extras = header.asset, header.asset.get("extras")
    extras = extras if isinstance(extras, dict) else {}
    told = [extras.get("title"), extras.get("author"), asset.get("copyright"),
            extras.get("license"), extras.get("source")]  # fmt: skip
    said = ", ".join(str(each) for each in told if each)
    return f"{path.name}: {said or 'states no maker and no licence'}"


class _Reader:
    """Follows a file's nodes to their triangles."""

    def __init__(self, path: Path, header: Header, packed: bytes, scale: float) -> None:
        self.path, self.header, self.scale = path, header, scale
        self.buffers = Buffers(path, header, packed)
        self._pictures: dict[int, Any] = {}
        for at in range(len(header.images)):
            self._picture(at)

    def roots(self) -> list[Node]:
        """Return the nodes of the file's scene, in the world."""
        scenes, nodes, chosen = self.header.scenes, self.header.nodes, self.header.scene
        if scenes:
            if chosen >= len(scenes):
                raise refused(self.path, "scene", f"{chosen} is not there", AGAIN)
            starts = scenes[chosen].nodes
        else:
            below = {child for node in nodes for child in node.children}
            starts = [at for at in range(len(nodes)) if at not in below]
        world = np.eye(4)
        world[:3, :3] = np.array(FLIP) * self.scale
        return [self._node(at, world) for at in starts if at < len(nodes)]

    def _node(self, at: int, above: Floats) -> Node:
        node, name = self.header.nodes[at], self.header.name_of(at)
        pose = above @ _matrix(node)
        made = Node(node.name, _axes(pose, self.path, name))
        if node.mesh is not None:
            mesh = self.header.meshes[node.mesh]
            made.name = made.name or mesh.name
            for number, primitive in enumerate(mesh.primitives):
                where = f"node {made.name or name!r}: primitive {number}"
                if surface := self._surface(primitive, where):
                    made.pieces.append(surface.moved(pose[:3, :3], pose[:3, 3]))
        made.children = [self._node(child, pose) for child in node.children]
        return made

    def _surface(self, primitive: Primitive, where: str) -> Surface | None:
        """Return triangles with their look; none for points and lines."""
        mode = primitive.mode
        if mode not in (TRIANGLES, STRIP, FAN) or "POSITION" not in primitive.attributes:
            return None
        numbers = self._numbers(primitive, where)
        points = numbers("POSITION")
        if points is None or points.shape[1] != 3 or not np.isfinite(points).all():
            raise refused(self.path, where, "has points that are not numbers", "correct the mesh")
        told = numbers(FACES)
        order = np.arange(len(points)) if told is None else told.ravel().astype(np.int64)
        faces = _triangles(order, mode)
        if len(faces) and (faces.min() < 0 or faces.max() >= len(points)):
            raise refused(self.path, where, "has faces without points", "export it again")
        if not len(faces):
            return None
        return self._looks(Surface(points, faces), primitive, numbers)

    def _numbers(self, primitive: Primitive, where: str) -> Numbers:
        """Return what gives a primitive's numbers by their name, unpacked where they are packed."""
        packed = primitive.extensions.draco if primitive.extensions else None
        if packed is None:
            places = {**primitive.attributes, FACES: primitive.indices}
            return lambda name: (
                None if (at := places.get(name)) is None else self.buffers.numbers(at, where)
            )
        at = primitive.attributes["POSITION"]
        if at >= len(self.header.accessors):
            raise refused(self.path, where, f"accessor {at} is not there", AGAIN)
        count = self.header.accessors[at].count
        data = self.buffers.view(packed.buffer_view, where)
        return _unpacked(data, packed.attributes, count, self.path, where).get

    def _looks(self, bare: Surface, primitive: Primitive, numbers: Numbers) -> Surface:
        materials, at = self.header.materials, primitive.material
        material = materials[at] if at is not None and at < len(materials) else Material()
        rgb, alpha = _colour(material)
        texture, uv = self._texture(material), None
        shades = None
        if texture is not None and "TEXCOORD_0" in primitive.attributes:
            uv = numbers("TEXCOORD_0")
            uv = None if uv is None or uv.shape[1] < 2 else uv[:, :2] * (1, -1) + (0, 1)
            texture = tinted(texture, rgb)
        else:
            shades = numbers("COLOR_0")
        if shades is not None:
            shade = shades[:, :3].mean(axis=0)
            rgb = tuple(min(1.0, max(0.0, float(a * b))) for a, b in zip(rgb, shade, strict=True))  # type: ignore[assignment]
        if uv is not None and (len(uv) != len(bare.points) or not np.isfinite(uv).all()):
            uv = None
        skin = texture if uv is not None else None
        shown = _shown(rgb)
        return replace(bare, rgb=shown, alpha=alpha, uv=uv, texture=skin, material=material.name)

    def _texture(self, material: Material) -> Any:
        """Return a material's picture, none where it has none."""
        rough, glossy = _looks_of(material)
        skin: Reference | None = rough.base_color_texture or glossy.diffuse_texture
        if skin is None or skin.index >= len(self.header.textures):
            return None
        source = self.header.textures[skin.index].source
        known = source is not None and source < len(self.header.images)
        return self._picture(source) if known else None

    def _picture(self, at: Any) -> Any:
        if at not in self._pictures:
            image = self.header.images[at]
            where = f"image {image.name or at!r}"
            if image.uri is not None:
                data = self.buffers.named(image.uri, where)
            else:
                data = self.buffers.view(image.buffer_view, where)
            other = image.mime_type in ("image/ktx2", "image/vnd-ms.dds")
            self._pictures[at] = None if other else limits.picture(data, self.path, where)
        return self._pictures[at]


def _unpacked(
    data: bytes, attributes: Mapping[str, int], points: int, file: Path, where: str
) -> dict[str, Floats]:
    """Return a mesh's attributes by name (n x width), and its triangles under `FACES` (m x 3).

    `attributes` are Draco's numbers of them; `points` is how many points the file declares. Raises
    `FileError` for data that is damaged or does not hold what the file says.
    """
    import DracoPy as draco  # noqa: N813

    try:
        mesh = draco.decode(data)
    except (draco.FileTypeException, ValueError, RuntimeError, MemoryError) as error:
        raise refused(file, where, f"its Draco data is damaged ({error})", BARE) from error
    faces = getattr(mesh, "faces", None)
    if faces is None or len(mesh.points) != points or len(faces) > MOST_FACES:
        raise refused(
            file, where, f"its Draco data holds other than the {points:,} points of triangles that "
            "the file declares", BARE,
        )  # fmt: skip
    found = {name: _attribute(mesh, number) for name, number in attributes.items()}
    if any(each is None or len(each) != points for each in found.values()):
        raise refused(file, where, "lacks an attribute that it declares", BARE)
    kept = {name: np.asarray(each, float) for name, each in found.items()}
    return {**kept, FACES: np.asarray(faces, float)}


def _attribute(mesh: Any, number: int) -> Any:
    found = mesh.get_attribute_by_unique_id(number)
    return None if found is None else np.asarray(found["data"]).reshape(len(found["data"]), -1)


def _matrix(node: GltfNode) -> Floats:
    """Return a node's map into its parent: the matrix, or translation, rotation and scale."""
    if node.matrix is not None:
        return np.array(node.matrix, float).reshape(4, 4).T
    x, y, z, w = node.rotation or (0.0, 0.0, 0.0, 1.0)
    size = (x * x + y * y + z * z + w * w) ** 0.5 or 1.0
    turn = matrix((w / size, x / size, y / size, z / size))
    result = np.eye(4)
    result[:3, :3] = turn * np.array(node.scale or (1.0, 1.0, 1.0), float)
    result[:3, 3] = node.translation or (0.0, 0.0, 0.0)
    return result


def _axes(pose: Floats, path: Path, name: str) -> Floats:
    """Return the nearest rotation to a node's map (its polar part)."""
    if not np.isfinite(pose).all():
        raise refused(path, f"node {name!r}", "has a pose that is not a number", "correct its pose")
    left, _, right = np.linalg.svd(pose[:3, :3])
    turn = left @ right
    if np.linalg.det(turn) < 0:
        turn = left @ np.diag([1.0, 1.0, -1.0]) @ right
    # the file's own axes are y up; a thing's are z up, its front towards -y
    result: Floats = turn @ np.array(FLIP).T
    return result


def _triangles(order: Any, mode: int) -> Ints:
    if mode == TRIANGLES:
        threes: Ints = order[: len(order) // 3 * 3].reshape(-1, 3).astype(np.int32)
        return threes
    first = order[:-2]
    if mode == FAN:
        first = np.full_like(first, order[0] if len(order) else 0)
    faces: Ints = np.stack([first, order[1:-1], order[2:]], axis=1).astype(np.int32)
    if mode == STRIP:
        faces[1::2] = faces[1::2, ::-1]
    return faces


def _looks_of(material: Material) -> tuple[Rough, Glossy]:
    """Return what a material says of its look, in the newer way and in the older."""
    glossy = material.extensions.glossy if material.extensions else None
    return material.pbr_metallic_roughness or Rough(), glossy or Glossy()


def _colour(material: Material) -> tuple[Vec, float]:
    """Return a material's colour, in linear light as glTF has it, and how opaque it is."""
    rough, glossy = _looks_of(material)
    factor = rough.base_color_factor or glossy.diffuse_factor or [1.0, 1.0, 1.0, 1.0]
    red, green, blue, alpha = (min(1.0, max(0.0, each)) for each in [*factor, 1.0][:4])
    if material.extensions and material.extensions.transmission is not None:
        return (red, green, blue), 0.4
    return (red, green, blue), alpha if material.alpha_mode == "BLEND" else 1.0


def _shown(linear: Vec) -> Vec:
    """Return a colour in linear light as screens count it (sRGB)."""
    red, green, blue = (
        round(12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055, 4) for c in linear
    )
    return (red, green, blue)


def tinted(texture: Any, linear: Vec) -> Any:
    """Return a texture under a colour that it is multiplied by."""
    if min(linear) > 0.99:
        return texture
    return (texture * np.array(_shown(linear)) + 0.5).astype(np.uint8)
