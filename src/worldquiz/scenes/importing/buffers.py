"""What a glTF file consists of: its JSON, checked, and its buffers, read within limits."""

from __future__ import annotations

import json
import math
import struct
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from worldquiz.scenes.importing import limits
from worldquiz.scenes.importing.limits import refused
from worldquiz.scenes.importing.schema import wrong

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC, JSON_CHUNK, BIN_CHUNK = b"glTF", 0x4E4F534A, 0x004E4942
MOST_NUMBERS = 50_000_000
"""Numbers that one accessor may declare."""
DEEPEST = 200
"""Nodes below each other."""
PACKED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}


def header(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return a file's JSON, checked, and the buffer packed with it. Raises `RecordError`."""
    data = limits.whole(path)
    if data[:4] == MAGIC:
        text, packed = _chunks(path, data)
    else:
        text, packed = data, b""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refused(path, "", f"is no glTF ({error})", "export it again as .glb") from error
    if not isinstance(found, dict) or not isinstance(found.get("asset"), dict):
        raise refused(path, "", "is no glTF: has no 'asset'", "export it again as .glb")
    if not str(found["asset"].get("version", "")).startswith("2"):
        version = found["asset"].get("version")
        raise refused(path, "asset", f"is glTF {version}, wanted 2", "export it again as glTF 2")
    _check(found, path)
    return found, packed


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


def _check(header: dict[str, Any], path: Path) -> None:
    """Refuse a header that would lead astray whoever follows it."""
    for place, value in _numbers(header, ""):
        if not math.isfinite(value):
            raise refused(
                path, _called(header, place), f"{value} is no finite number",
                "correct it in the program that made it",
            )  # fmt: skip
    if (found := wrong(header)) is not None:
        place, reason = found
        raise refused(path, _called(header, place), reason, "export it again")
    for name in header.get("extensionsRequired", []):
        if name in PACKED:
            raise refused(path, "", f"is compressed by {name}", "export it without compression")
    for at, accessor in enumerate(header.get("accessors", [])):
        _check_accessor(header, at, accessor, path)
    for at, node in enumerate(header.get("nodes", [])):
        _check_node(header, at, node, path)
    _check_tree(header, path)


def _numbers(value: Any, place: str) -> Iterator[tuple[str, float]]:
    """Yield every number that a scene's shape depends on, with its place."""
    if isinstance(value, float):
        yield place, value
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in ("extras", "extensions", "animations"):
                yield from _numbers(each, f"{place}/{key}")
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _numbers(each, f"{place}/{at}")


def _called(header: dict[str, Any], place: str) -> str:
    """Return a place in words: a node by its name."""
    parts = place.strip("/").split("/")
    if parts[0] == "nodes" and len(parts) > 2 and parts[1].isdecimal():
        return f"node {name_of(header, int(parts[1]))!r}: {parts[2]}"
    return "/".join(parts)


def name_of(header: dict[str, Any], at: int) -> str:
    """Return what a node is called."""
    node = header["nodes"][at]
    return str((isinstance(node, dict) and node.get("name")) or f"node {at}")


def _check_accessor(header: dict[str, Any], at: int, accessor: dict[str, Any], path: Path) -> None:
    width = _WIDTHS[accessor["type"]] * _BYTES[accessor["componentType"]]
    count, where = accessor["count"], f"accessor {at}"
    if count * _WIDTHS[accessor["type"]] > MOST_NUMBERS:
        raise refused(
            path, where, f"declares {count:,} entries", "leave out what no room needs, or decimate"
        )
    view = accessor.get("bufferView")
    views = header.get("bufferViews", [])
    if view is None:
        return
    if view >= len(views):
        raise refused(path, where, f"names buffer view {view}, which is not there", "export again")
    stride = views[view].get("byteStride") or width
    needed = accessor.get("byteOffset", 0) + (count - 1) * stride + width if count else 0
    if needed > views[view].get("byteLength", 0):
        raise refused(
            path, where, f"needs {needed:,} bytes of buffer view {view}, which has "
            f"{views[view].get('byteLength', 0):,}", "export it again",
        )  # fmt: skip


def _check_node(header: dict[str, Any], at: int, node: dict[str, Any], path: Path) -> None:
    if node.get("mesh") is not None and node["mesh"] >= len(header.get("meshes", [])):
        where = f"node {name_of(header, at)!r}"
        raise refused(path, where, f"mesh {node['mesh']} is not there", "export it again")


def _check_tree(header: dict[str, Any], path: Path) -> None:
    """Refuse nodes that have two parents, or that are above themselves."""
    nodes = header.get("nodes", [])
    above: dict[int, int] = {}
    for at, node in enumerate(nodes):
        for child in node.get("children", []):
            if child >= len(nodes) or child in above:
                raise refused(
                    path, f"node {name_of(header, at)!r}", f"child {child} is missing or has two "
                    "parents", "export it again",
                )  # fmt: skip
            above[child] = at
    for start in range(len(nodes)):
        at, steps = start, 0
        while at in above:
            at, steps = above[at], steps + 1
            if at == start or steps > DEEPEST:
                raise refused(
                    path, f"node {name_of(header, start)!r}", "hangs below itself, or too deep",
                    "export it again",
                )  # fmt: skip


class Buffers:
    """A file's buffers and the files beside it."""

    def __init__(self, path: Path, header: dict[str, Any], packed: bytes) -> None:
        self.path, self.header = path, header
        self._known: dict[str, bytes] = {}
        self.buffers: list[bytes] = []
        for at, buffer in enumerate(header.get("buffers", [])):
            uri = buffer.get("uri")
            data = packed if uri is None else self.named(uri, f"buffer {at}")
            if len(data) < buffer.get("byteLength", 0):
                raise refused(
                    path, f"buffer {at}", f"was cut short: {len(data):,} of "
                    f"{buffer['byteLength']:,} bytes", "copy or export it again",
                )  # fmt: skip
            self.buffers.append(data)
        views = header.get("bufferViews", [])
        for at, view in enumerate(views):
            start, size = view.get("byteOffset", 0), view.get("byteLength", 0)
            number = view.get("buffer", 0)
            if not 0 <= number < len(self.buffers) or start + size > len(self.buffers[number]):
                raise refused(
                    path, f"buffer view {at}", "reaches beyond its buffer", "export it again"
                )
        self.views = views

    def view(self, at: int, where: str) -> bytes:
        """Return a buffer view's bytes."""
        if not 0 <= at < len(self.views):
            raise refused(self.path, where, f"buffer view {at} is not there", "export it again")
        view = self.views[at]
        start = int(view.get("byteOffset", 0))
        buffer = self.buffers[int(view.get("buffer", 0))]
        return buffer[start : start + int(view["byteLength"])]

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
                raise refused(self.path, where, "holds damaged data", "export again") from error
        name = PurePosixPath(unquote(uri).replace("\\", "/"))
        if "://" in uri or name.is_absolute() or ".." in name.parts:
            raise refused(
                self.path, where, f"{uri!r} is no file beside it",
                "put its files beside it, or export it as .glb",
            )  # fmt: skip
        file = self.path.parent / name
        if not file.is_file():
            raise refused(
                self.path, where, f"{uri!r} is missing beside it",
                "copy it there, or export the scene as .glb",
            )  # fmt: skip
        return limits.whole(file)

    def numbers(self, at: Any, where: str) -> NDArray[np.float64]:
        """Return an accessor's entries: count x width."""
        import numpy as np

        accessors = self.header.get("accessors", [])
        if not isinstance(at, int) or not 0 <= at < len(accessors):
            raise refused(self.path, where, f"accessor {at} is not there", "export it again")
        accessor = accessors[at]
        width, count = _WIDTHS[accessor["type"]], accessor["count"]
        found = np.zeros((count, width))
        if accessor.get("bufferView") is not None and count:
            stride = self.views[accessor["bufferView"]].get("byteStride")
            raw = self.view(accessor["bufferView"], where)
            found[:] = _entries(raw, accessor, accessor.get("byteOffset", 0), count, stride)
        if accessor.get("sparse"):
            self._fill(found, accessor, where)
        if accessor.get("normalized"):
            found /= {1: 255.0, 2: 65535.0}.get(_BYTES[accessor["componentType"]], 1.0)
        return found

    def _fill(self, found: NDArray[np.float64], accessor: dict[str, Any], where: str) -> None:
        """Put in the entries that differ from the rest."""
        sparse = accessor["sparse"]
        try:
            count, some, values = sparse["count"], sparse["indices"], sparse["values"]
            kind = {"componentType": some["componentType"], "type": "SCALAR"}
            raw = self.view(some["bufferView"], where)
            rows = _entries(raw, kind, some.get("byteOffset", 0), count, None)[:, 0].astype(int)
            raw = self.view(values["bufferView"], where)
            found[rows] = _entries(raw, accessor, values.get("byteOffset", 0), count, None)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise refused(
                self.path, where, f"a sparse accessor is damaged ({error})", "export it again"
            ) from error


def _entries(
    raw: bytes, kind: dict[str, Any], start: int, count: int, stride: int | None
) -> NDArray[Any]:
    import numpy as np

    dtype, width = np.dtype(_TYPES[kind["componentType"]]), _WIDTHS[kind["type"]]
    steps = (stride or dtype.itemsize * width, dtype.itemsize)
    return np.ndarray((count, width), dtype, raw, start, steps)
