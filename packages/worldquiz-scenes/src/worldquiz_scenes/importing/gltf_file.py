"""The header of a glTF file as typed values, and its buffers, read within limits.

Input files are untrusted, so everything is checked before it is used: numbers are finite, nodes
form a tree, and accessors, buffers and files beside the header hold what they declare.
"""

from __future__ import annotations

import json
import struct
from base64 import b64decode
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from worldquiz_scenes.arrays import Floats, np
from worldquiz_scenes.importing import limits
from worldquiz_scenes.importing.limits import refused

MAGIC, JSON_CHUNK, BIN_CHUNK = b"glTF", 0x4E4F534A, 0x004E4942
MOST_NUMBERS = 50_000_000
"""Numbers that one accessor may declare."""
DEEPEST = 200
"""Nodes below each other."""
PACKED = ("EXT_meshopt_compression",)
"""Compressions that nothing here reads."""
AGAIN = "export it again"
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}

Index = Annotated[int, Field(ge=0)]
Three = Annotated[list[float], Field(min_length=3, max_length=3)]
Four = Annotated[list[float], Field(min_length=4, max_length=4)]
Sixteen = Annotated[list[float], Field(min_length=16, max_length=16)]
Colour = Annotated[list[float], Field(min_length=3, max_length=4)]
Number = Literal[5120, 5121, 5122, 5123, 5125, 5126]


class _Lax(BaseModel):
    """Checks the fields that it has, and leaves out others."""

    model_config = ConfigDict(
        strict=True, extra="ignore", allow_inf_nan=False, alias_generator=to_camel
    )


class Buffer(_Lax):
    """A block of bytes: in the file, beside it, or within its own URI."""

    uri: str | None = None
    byte_length: Index = 0


class BufferView(_Lax):
    """A part of a buffer."""

    buffer: Index = 0
    byte_offset: Index = 0
    byte_length: Index
    byte_stride: Annotated[int, Field(ge=1, le=252)] | None = None


class Rows(_Lax):
    """Location of a sparse accessor's rows, or of its values."""

    buffer_view: Index
    byte_offset: Index = 0
    component_type: Number = 5126


class Sparse(_Lax):
    """The entries of an accessor that differ from the rest."""

    count: Index
    indices: Rows
    values: Rows


class Accessor(_Lax):
    """Numbers in a view."""

    buffer_view: Index | None = None
    byte_offset: Index = 0
    component_type: Number
    count: Index
    type: Literal["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"]
    normalized: bool = False
    sparse: Sparse | None = None


class Packed(_Lax):
    """Location of a primitive's compressed triangles, and Draco's number of each attribute."""

    buffer_view: Index
    attributes: dict[str, Index]


class PrimitiveExtensions(_Lax):
    """The extensions of a primitive that we read."""

    draco: Packed | None = Field(None, alias="KHR_draco_mesh_compression")


class Primitive(_Lax):
    """Triangles of one material."""

    attributes: dict[str, Index]
    indices: Index | None = None
    material: Index | None = None
    mode: Index = 4
    extensions: PrimitiveExtensions | None = None


class Mesh(_Lax):
    """A shape."""

    name: str = ""
    primitives: list[Primitive]


class GltfNode(_Lax):
    """A place in the tree, with a shape or without."""

    name: str = ""
    mesh: Index | None = None
    children: list[Index] = []
    matrix: Sixteen | None = None
    translation: Three | None = None
    rotation: Four | None = None
    scale: Three | None = None


class Image(_Lax):
    """A picture."""

    name: str = ""
    uri: str | None = None
    buffer_view: Index | None = None
    mime_type: str = ""


class Texture(_Lax):
    """A use of a picture."""

    source: Index | None = None


class Reference(_Lax):
    """A texture's number."""

    index: Index


class Rough(_Lax):
    """The look of a material."""

    base_color_factor: Colour | None = None
    base_color_texture: Reference | None = None


class Glossy(_Lax):
    """The look of a material, in an older way."""

    diffuse_factor: Colour | None = None
    diffuse_texture: Reference | None = None


class Extensions(_Lax):
    """The extensions of a material that we read."""

    glossy: Glossy | None = Field(None, alias="KHR_materials_pbrSpecularGlossiness")
    transmission: Any = Field(None, alias="KHR_materials_transmission")


class Material(_Lax):
    """Look of triangles."""

    name: str = ""
    alpha_mode: str = "OPAQUE"
    pbr_metallic_roughness: Rough | None = None
    extensions: Extensions | None = None


class Tree(_Lax):
    """The nodes that a scene begins with."""

    nodes: list[Index] = []


class Header(_Lax):
    """The JSON of a glTF file, as far as we read it."""

    asset: dict[str, Any]
    accessors: list[Accessor] = []
    buffer_views: list[BufferView] = []
    buffers: list[Buffer] = []
    extensions_required: list[str] = []
    images: list[Image] = []
    materials: list[Material] = []
    meshes: list[Mesh] = []
    nodes: list[GltfNode] = []
    scene: Index = 0
    scenes: list[Tree] = []
    textures: list[Texture] = []

    def name_of(self, at: int) -> str:
        """Return the name of a node."""
        return self.nodes[at].name or f"node {at}"


def opened(path: Path) -> tuple[Header, bytes]:
    """Return a file's header, checked, and the buffer packed with it. Raises `FileError`."""
    data = limits.whole(path)
    text, packed = _chunks(path, data) if data[:4] == MAGIC else (data, b"")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refused(path, "", f"is not glTF ({error})", "export it again as .glb") from error
    if not isinstance(found, dict) or not isinstance(found.get("asset"), dict):
        raise refused(path, "", "is not glTF: has no 'asset'", "export it again as .glb")
    version = found["asset"].get("version")
    if not str(version or "").startswith("2"):
        raise refused(path, "asset", f"is glTF {version}, wanted 2", "export it again as glTF 2")
    header = _header(found, path)
    _check(header, path)
    return header, packed


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes]:
    """Return the JSON and binary chunk of a GLB."""
    if len(data) < 20 or struct.unpack_from("<I", data, 8)[0] > len(data):
        declared = struct.unpack_from("<I", data, 8)[0] if len(data) >= 12 else "at least 20"
        raise refused(
            path, "", f"was cut short: {len(data):,} of {declared} bytes", "copy or export it again"
        )
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > len(data):
            raise refused(path, "", "was cut short within a chunk", "copy or export it again")
        found.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if JSON_CHUNK not in found:
        raise refused(path, "", "has no JSON chunk", "export it again as .glb")
    return found[JSON_CHUNK], found.get(BIN_CHUNK, b"")


def _header(found: dict[str, Any], path: Path) -> Header:
    try:
        return Header.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    place, reason, way = [str(each) for each in first["loc"]], first["msg"], AGAIN
    if first["type"] == "finite_number":
        reason = f"{first['input']} is not a finite number"
        way = "correct it in the program that made it"
    where = "/".join(place)
    if place[0] == "nodes" and len(place) > 2:
        node = found["nodes"][int(place[1])]
        name = node.get("name") if isinstance(node, dict) else None
        where = f"node {str(name or f'node {place[1]}')!r}: {place[2]}"
    raise refused(path, where, reason, way)


def _check(header: Header, path: Path) -> None:
    """Refuse a header that would mislead its reader."""
    for name in header.extensions_required:
        if name in PACKED:
            raise refused(path, "", f"is compressed by {name}", "export it without compression")
    for number, accessor in enumerate(header.accessors):
        _check_accessor(header, number, accessor, path)
    above = _parents(header, path)
    for start in range(len(header.nodes)):
        at, steps = start, 0
        while at in above:
            at, steps = above[at], steps + 1
            if at == start or steps > DEEPEST:
                where = f"node {header.name_of(start)!r}"
                raise refused(path, where, "is its own ancestor, or nested too deep", AGAIN)


def _parents(header: Header, path: Path) -> dict[int, int]:
    """Return each node's parent. Raises `FileError` where a node has two."""
    above: dict[int, int] = {}
    for at, node in enumerate(header.nodes):
        where = f"node {header.name_of(at)!r}"
        if node.mesh is not None and node.mesh >= len(header.meshes):
            raise refused(path, where, f"mesh {node.mesh} is not there", AGAIN)
        for child in node.children:
            if child >= len(header.nodes) or child in above:
                raise refused(path, where, f"child {child} is missing or has two parents", AGAIN)
            above[child] = at
    return above


def _check_accessor(header: Header, at: int, accessor: Accessor, path: Path) -> None:
    where, count, columns = f"accessor {at}", accessor.count, _WIDTHS[accessor.type]
    if count * columns > MOST_NUMBERS:
        way = "remove what the room does not need, or decimate"
        raise refused(path, where, f"declares {count:,} entries", way)
    if accessor.buffer_view is None:
        return
    if accessor.buffer_view >= len(header.buffer_views):
        what = f"names buffer view {accessor.buffer_view}, which is not there"
        raise refused(path, where, what, AGAIN)
    view = header.buffer_views[accessor.buffer_view]
    width = columns * int(_TYPES[accessor.component_type][-1])
    stride = view.byte_stride or width
    needed = accessor.byte_offset + (count - 1) * stride + width if count else 0
    if needed > view.byte_length:
        what = f"needs {needed:,} bytes of buffer view {accessor.buffer_view}, which has "
        raise refused(path, where, f"{what}{view.byte_length:,}", AGAIN)


class Buffers:
    """A file's buffers and the files beside it."""

    def __init__(self, path: Path, header: Header, packed: bytes) -> None:
        self.path, self.header = path, header
        self._known: dict[str, bytes] = {}
        self.buffers: list[bytes] = []
        for at, buffer in enumerate(header.buffers):
            where = f"buffer {at}"
            data = packed if buffer.uri is None else self.named(buffer.uri, where)
            if len(data) < buffer.byte_length:
                what = f"was cut short: {len(data):,} of {buffer.byte_length:,} bytes"
                raise refused(path, where, what, "copy or export it again")
            self.buffers.append(data)
        for at, view in enumerate(header.buffer_views):
            end = view.byte_offset + view.byte_length
            if view.buffer >= len(self.buffers) or end > len(self.buffers[view.buffer]):
                raise refused(path, f"buffer view {at}", "reaches beyond its buffer", AGAIN)

    def view(self, at: int | None, where: str) -> bytes:
        """Return a buffer view's bytes."""
        if at is None or at >= len(self.header.buffer_views):
            raise refused(self.path, where, f"buffer view {at} is not there", AGAIN)
        view = self.header.buffer_views[at]
        return self.buffers[view.buffer][view.byte_offset : view.byte_offset + view.byte_length]

    def named(self, uri: str, where: str) -> bytes:
        """Return what a URI names: data within it, or a file in the same folder or beneath."""
        if uri not in self._known:
            self._known[uri] = self._fetched(uri, where)
        return self._known[uri]

    def _fetched(self, uri: str, where: str) -> bytes:
        if uri.startswith("data:"):
            try:
                return b64decode(uri.partition(",")[2], validate=True)
            except ValueError as error:
                raise refused(self.path, where, "holds damaged data", AGAIN) from error
        name = PurePosixPath(unquote(uri).replace("\\", "/"))
        if "://" in uri or name.is_absolute() or ".." in name.parts:
            way = "put its files beside it, or export it as .glb"
            raise refused(self.path, where, f"{uri!r} is not a file beside it", way)
        file = self.path.parent / name
        if not file.is_file():
            way = "copy it there, or export the scene as .glb"
            raise refused(self.path, where, f"{uri!r} is missing beside it", way)
        return limits.whole(file)

    def numbers(self, at: int, where: str) -> Floats:
        """Return an accessor's entries: count x width."""
        if at >= len(self.header.accessors):
            raise refused(self.path, where, f"accessor {at} is not there", AGAIN)
        accessor = self.header.accessors[at]
        width, kind = _WIDTHS[accessor.type], np.dtype(_TYPES[accessor.component_type])
        found = np.zeros((accessor.count, width))
        if accessor.buffer_view is not None and accessor.count:
            stride = self.header.buffer_views[accessor.buffer_view].byte_stride
            raw = self.view(accessor.buffer_view, where)
            found[:] = _entries(raw, kind, width, accessor.byte_offset, accessor.count, stride)
        if accessor.sparse:
            self._fill(found, accessor.sparse, kind, where)
        if accessor.normalized and kind.itemsize < 4:
            found /= 2.0 ** (8 * kind.itemsize) - 1
        return found

    def _fill(self, found: Floats, sparse: Sparse, kind: Any, where: str) -> None:
        """Put in the entries that differ from the rest."""
        rows, values = sparse.indices, sparse.values
        try:
            raw, dtype = self.view(rows.buffer_view, where), np.dtype(_TYPES[rows.component_type])
            which = _entries(raw, dtype, 1, rows.byte_offset, sparse.count)[:, 0].astype(int)
            raw = self.view(values.buffer_view, where)
            found[which] = _entries(raw, kind, found.shape[1], values.byte_offset, sparse.count)
        except (TypeError, ValueError, IndexError) as error:
            what = f"a sparse accessor is damaged ({error})"
            raise refused(self.path, where, what, AGAIN) from error


def _entries(
    raw: bytes, kind: Any, width: int, start: int, count: int, stride: int | None = None
) -> Any:
    steps = (stride or kind.itemsize * width, kind.itemsize)
    return np.ndarray((count, width), kind, raw, start, steps)
