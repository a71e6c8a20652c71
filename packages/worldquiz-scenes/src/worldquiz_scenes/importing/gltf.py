"""Scenes in binary glTF 2 (`.glb`) that hold all their data. y is up, lengths are metres.

Input files are untrusted: sizes are checked before anything is read or decoded, nodes are visited
once, and content that breaks glTF's rules is refused as damaged, with its location.
"""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import Floats, np
from worldquiz_scenes.cameras import matrix
from worldquiz_scenes.files import opened, read_bytes, refused, shrunk
from worldquiz_scenes.importing import names
from worldquiz_scenes.importing.names import Node
from worldquiz_scenes.importing.pieces import Draft, Surface

MAGIC, JSON_CHUNK, BIN_CHUNK = b"glTF", 0x4E4F534A, 0x004E4942
MOST_NUMBERS = 50_000_000  # most numbers in all accessors, counted at each use
FLIP = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
"""Rotation from y up to z up, by which +z becomes -y."""
TRIANGLES, STRIP = 4, 5
AGAIN = "export it again"
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_GLOSSY = "KHR_materials_pbrSpecularGlossiness"
_UNREAD = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")
_DAMAGED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""Errors raised by values whose type, size or position breaks glTF's rules."""
Header = dict[str, Any]


def read(path: Path, scale: float = 1.0) -> Draft:
    """Return the contents of a GLB; `scale` is metres per unit. Raises `FileError`."""
    header, packed = _chunks(path, read_bytes(path))
    asset = header["asset"]
    version = asset.get("version")
    if not str(version or "").startswith("2"):
        raise refused(path, "asset", f"is glTF {version}, not 2", "export it again as glTF 2")
    required = str(header.get("extensionsRequired"))
    for unread in (name for name in _UNREAD if name in required):
        raise refused(path, "", f"is compressed by {unread}", "export it without compression")
    extras = asset.get("extras")
    extras = extras if isinstance(extras, dict) else {}
    told = (extras.get("title"), extras.get("author"), asset.get("copyright"),
            extras.get("license"), extras.get("source"))  # fmt: skip
    said = ", ".join(str(each) for each in told if each) or "states no maker and no licence"
    credit = f"{path.name}: {said}"
    reader = _Reader(path, header, packed, scale)
    try:
        return Draft(path.stem, names.items(reader.roots(), path, credit), credit)
    except _DAMAGED as error:
        raise refused(path, reader.where, f"is damaged ({error})", AGAIN) from error


def _chunks(path: Path, data: bytes) -> tuple[Header, bytes]:
    """Return the header and the binary chunk of a GLB."""
    if data[:4] != MAGIC:
        raise refused(path, "", "is not a GLB", "export it again as .glb")
    if len(data) < 20 or struct.unpack_from("<I", data, 8)[0] > len(data):
        what = f"was cut short: it has {len(data):,} bytes"
        raise refused(path, "", what, "copy or export it again")
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > len(data):
            raise refused(path, "", "was cut short within a chunk", "copy or export it again")
        found.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    try:
        header = json.loads(found.get(JSON_CHUNK, b""))
    except (ValueError, RecursionError) as error:
        raise refused(path, "", f"is not glTF ({error})", "export it again as .glb") from error
    if not isinstance(header, dict) or not isinstance(header.get("asset"), dict):
        raise refused(path, "", "is not glTF: has no 'asset'", "export it again as .glb")
    return header, found.get(BIN_CHUNK, b"")


class _Reader:
    """Reads a file's nodes down to their triangles; `where` is the current location, for errors."""

    def __init__(self, path: Path, header: Header, packed: bytes, scale: float) -> None:
        self.path, self.header, self.packed, self.scale = path, header, packed, scale
        self.where = ""
        self._left = MOST_NUMBERS
        self._known: dict[int, Any] = {}  # pictures by number
        self._visited: set[int] = set()

    def _at(self, kind: str, at: Any) -> Header:
        """Return an entry of one of the header's lists."""
        listed = self.header.get(kind, [])
        if not isinstance(at, int) or not 0 <= at < len(listed):
            raise refused(self.path, self.where, f"{kind} {at!r} is missing", AGAIN)
        return dict(listed[at])

    def roots(self) -> list[Node]:
        """Return the nodes of the file's scene, in world coordinates."""
        if self.header.get("scenes"):
            starts = self._at("scenes", self.header.get("scene", 0)).get("nodes", [])
        else:
            nodes = self.header.get("nodes", [])
            below = {child for node in nodes for child in node.get("children", [])}
            starts = [at for at in range(len(nodes)) if at not in below]
        world = np.eye(4)
        world[:3, :3] = np.array(FLIP) * self.scale
        return [self._node(at, world) for at in starts]

    def _node(self, at: int, above: Floats) -> Node:
        node = self._at("nodes", at)
        name = str(node.get("name") or "")
        self.where = f"node {name or f'node {at}'!r}"
        if at in self._visited:
            raise refused(self.path, self.where, "is its own ancestor or has two parents", AGAIN)
        self._visited.add(at)
        pose = above @ self._pose(node)
        # its own frame is the nearest rotation (the polar part), with z up and its front to -y
        left, _, right = np.linalg.svd(pose[:3, :3])
        mirrored = np.linalg.det(left @ right) < 0
        turn = left @ np.diag([1.0, 1.0, -1.0 if mirrored else 1.0]) @ right
        made = Node(name, turn @ np.array(FLIP).T)
        if node.get("mesh") is not None:
            mesh = self._at("meshes", node["mesh"])
            made.name = name or str(mesh.get("name") or "")
            for number, primitive in enumerate(mesh["primitives"]):
                self.where = f"node {made.name or f'node {at}'!r}: primitive {number}"
                if surface := self._surface(primitive):
                    made.pieces.append(surface.moved(pose[:3, :3], pose[:3, 3]))
        made.children = [self._node(child, pose) for child in node.get("children", [])]
        return made

    def _pose(self, node: Header) -> Floats:
        """Return the matrix (4 x 4) that takes a node's points into its parent's frame."""
        parts = {}
        for key, usual in (
            ("matrix", []), ("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]),
            ("scale", [1, 1, 1]),
        ):  # fmt: skip
            parts[key] = np.array(node.get(key) or usual, float)
            for value in parts[key][~np.isfinite(parts[key])]:
                what = f"{value} is not a finite number"
                way = "correct it in the program that made it"
                raise refused(self.path, f"{self.where}: {key}", what, way)
        if parts["matrix"].size:
            return parts["matrix"].reshape(4, 4).T
        x, y, z, w = parts["rotation"].tolist()
        size = (x * x + y * y + z * z + w * w) ** 0.5 or 1.0
        result = np.eye(4)
        result[:3, :3] = matrix((w / size, x / size, y / size, z / size)) * parts["scale"]
        result[:3, 3] = parts["translation"]
        return result

    def _surface(self, primitive: Header) -> Surface | None:
        """Return a primitive's triangles with their looks; None for points and lines."""
        mode = primitive.get("mode", TRIANGLES)
        if mode < TRIANGLES or "POSITION" not in primitive["attributes"]:
            return None
        if mode >= STRIP:
            raise refused(self.path, self.where, "has triangles in strips or fans", AGAIN)
        points = self._accessor(primitive["attributes"]["POSITION"])
        if points.shape[1] != 3 or not np.isfinite(points).all():
            what = "has points that are not numbers"
            raise refused(self.path, self.where, what, "correct the mesh")
        told = primitive.get("indices")
        order = np.arange(len(points)) if told is None else self._accessor(told).ravel()
        faces = order[: len(order) // 3 * 3].reshape(-1, 3).astype(np.int32)
        if not len(faces):
            return None
        if faces.min() < 0 or faces.max() >= len(points):
            raise refused(self.path, self.where, "has faces that use missing points", AGAIN)
        return self._looks(Surface(points, faces), primitive)

    def _accessor(self, at: Any) -> Floats:
        """Return an accessor's numbers as an array, count x width."""
        accessor = self._at("accessors", at)
        count, width = accessor["count"], _WIDTHS[accessor["type"]]
        self._left -= count * width
        if self._left < 0:
            way = "remove what the room does not need, or decimate"
            raise refused(self.path, f"accessor {at}", f"declares {count:,} entries, too many", way)
        if "sparse" in accessor:
            raise refused(self.path, f"accessor {at}", "is sparse, which is not supported", AGAIN)
        kind, found = np.dtype(_TYPES[accessor["componentType"]]), np.zeros((count, width))
        if accessor.get("bufferView") is not None and count:
            raw = self._view(accessor["bufferView"])
            stride = self._at("bufferViews", accessor["bufferView"]).get("byteStride")
            steps = (stride or kind.itemsize * width, kind.itemsize)
            start = accessor.get("byteOffset", 0)
            found[:] = np.ndarray((count, width), kind, raw, start, steps)
        if accessor.get("normalized") and kind.itemsize < 4:
            found /= 2.0 ** (8 * kind.itemsize) - 1
        return found

    def _view(self, at: Any) -> bytes:
        """Return a buffer view's bytes."""
        view = self._at("bufferViews", at)
        number = view.get("buffer", 0)
        size = self._at("buffers", number).get("byteLength", 0)
        self._embedded(self._at("buffers", number), f"buffer {number}")
        if len(self.packed) < size:
            what = f"was cut short: {len(self.packed):,} of {size:,} bytes"
            raise refused(self.path, f"buffer {number}", what, "copy or export it again")
        start, long = view.get("byteOffset", 0), view["byteLength"]
        if start < 0 or long < 0 or start + long > len(self.packed):
            raise refused(self.path, f"buffer view {at}", "reaches beyond its buffer", AGAIN)
        return self.packed[start : start + long]

    def _embedded(self, entry: Header, where: str) -> None:
        """Refuse a reference to another file."""
        if entry.get("uri") is not None:
            raise refused(self.path, where, "is a separate file", "export all in one .glb")

    def _looks(self, bare: Surface, primitive: Header) -> Surface:
        at = primitive.get("material")
        material = self._at("materials", at) if at is not None else {}
        rough = material.get("pbrMetallicRoughness", {})
        glossy = material.get("extensions", {}).get(_GLOSSY, {})
        factor = rough.get("baseColorFactor") or glossy.get("diffuseFactor") or [1.0] * 4
        rgba = np.clip(np.array([*factor, 1.0][:4], float), 0.0, 1.0)
        clear = material.get("extensions", {}).get("KHR_materials_transmission") is not None
        alpha = float(rgba[3]) if material.get("alphaMode") == "BLEND" else 1.0
        texture = self._texture(rough.get("baseColorTexture") or glossy.get("diffuseTexture"))
        uv, places = None, primitive["attributes"]
        if texture is not None and "TEXCOORD_0" in places:
            uv = self._accessor(places["TEXCOORD_0"])
            uv = None if uv.shape[1] < 2 else uv[:, :2] * (1, -1) + (0, 1)
            if min(rgba[:3]) <= 0.99:
                texture = (texture * _shown(rgba[:3]) + 0.5).astype(np.uint8)
        elif "COLOR_0" in places:
            rgba[:3] *= self._accessor(places["COLOR_0"])[:, :3].mean(axis=0)
        if uv is not None and (len(uv) != len(bare.points) or not np.isfinite(uv).all()):
            uv = None
        red, green, blue = _shown(rgba[:3]).tolist()
        return replace(
            bare, rgb=(red, green, blue), alpha=0.4 if clear else alpha, uv=uv,
            texture=None if uv is None else texture, material=str(material.get("name") or ""),
        )  # fmt: skip

    def _texture(self, reference: Header | None) -> Any:
        """Return a texture's picture; None if it has none, or none that can be decoded."""
        at = None if reference is None else self._at("textures", reference["index"]).get("source")
        if at is None:
            return None
        if at not in self._known:
            image = self._at("images", at)
            where = f"image {image.get('name') or at!r}"
            self._embedded(image, where)
            data = self._view(image["bufferView"])
            self._known[at] = None
            if image.get("mimeType") not in ("image/ktx2", "image/vnd-ms.dds"):
                with opened(data, self.path, where) as picture:
                    self._known[at] = shrunk(picture)
        return self._known[at]


def _shown(linear: Floats) -> Floats:
    """Convert a colour from linear light to sRGB."""
    c = np.clip(linear, 0.0, 1.0)
    bright: Floats = 1.055 * c ** (1 / 2.4) - 0.055
    return np.where(c <= 0.0031308, 12.92 * c, bright).round(4)
