"""Files as other programs write them, for tests of importers: GLB by trimesh.

The room is 6 x 5 m around 0, 0, split by a wall with a gap at its south end; a table carries two
mugs, a mirror and a textured picture hang on walls, a wardrobe is turned.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from PIL import Image

rotation_matrix: Any = trimesh.transformations.rotation_matrix
TextureVisuals: Any = trimesh.visual.TextureVisuals
PBRMaterial: Any = trimesh.visual.material.PBRMaterial
HOME = Path(__file__).parents[1] / "examples" / "two-rooms.sh3d"
Header = dict[str, Any]


def box(*size: float) -> Any:
    return trimesh.creation.box(extents=size)


def coloured(mesh: Any, *rgb: float) -> Any:
    mesh.visual = TextureVisuals(material=PBRMaterial(baseColorFactor=[*rgb, 1.0]))
    return mesh


def table() -> Any:
    legs = [box(0.05, 0.7, 0.05).apply_translation((x, 0.35, z))
            for x in (-0.5, 0.5) for z in (-0.3, 0.3)]  # fmt: skip
    return trimesh.util.concatenate([box(1.2, 0.05, 0.7).apply_translation((0, 0.72, 0)), *legs])


def mug() -> Any:
    return trimesh.creation.cylinder(0.04, 0.1, sections=12).apply_transform(
        rotation_matrix(np.pi / 2, [1, 0, 0])
    )


def picture() -> Any:
    """Return a flat picture, red above and blue below, that looks to +z."""
    pixels = np.zeros((8, 8, 3), np.uint8)
    pixels[:4], pixels[4:] = (220, 60, 40), (40, 60, 220)
    corners = np.array([[0, 0, 0], [0.6, 0, 0], [0.6, 0.4, 0], [0, 0.4, 0]])
    flat = trimesh.Trimesh(corners, np.array([[0, 1, 2], [0, 2, 3]]), process=False)
    flat.visual = TextureVisuals(
        uv=[[0, 0], [1, 0], [1, 1], [0, 1]],
        material=PBRMaterial(baseColorTexture=Image.fromarray(pixels)),
    )
    return flat


def room(*, floor: bool = True, walls: bool = True) -> Any:
    """Return the room as trimesh has it, y up."""
    scene = trimesh.Scene()

    def add(name: str, mesh: Any, at: tuple[float, float, float], turn: float = 0.0) -> None:
        pose = rotation_matrix(turn, [0, 1, 0])
        pose[:3, 3] = at
        scene.add_geometry(mesh, node_name=name, geom_name=name, transform=pose)

    if floor:
        add("floor", coloured(box(6, 0.1, 5), 0.6, 0.45, 0.3), (0, -0.05, 0))
    if walls:
        for name, size, at in (
            ("wall_n", (6.1, 2.5, 0.1), (0, 1.25, -2.55)),
            ("wall_s", (6.1, 2.5, 0.1), (0, 1.25, 2.55)),
            ("wall_e", (0.1, 2.5, 5), (3.05, 1.25, 0)), ("wall_w", (0.1, 2.5, 5), (-3.05, 1.25, 0)),
            ("wall_mid.001", (0.1, 2.5, 3.8), (0.5, 1.25, -0.6)),
        ):  # fmt: skip
            add(name, coloured(box(*size), 0.8, 0.8, 0.7), at)
    add("DiningTable", coloured(table(), 0.5, 0.3, 0.15), (-1.5, 0, -1))
    add("mug_01", coloured(mug(), 0.8, 0.1, 0.1), (-1.5, 0.795, -1))
    add("mug_02", coloured(mug(), 0.1, 0.2, 0.8), (-1.2, 0.795, -0.9))
    add("Couch", coloured(box(1.8, 0.8, 0.8), 0.2, 0.3, 0.5), (-1.8, 0.4, 1.9))
    add("wardrobe.003", coloured(box(1, 2, 0.6), 0.6, 0.4, 0.2), (1.8, 1, -2.0), 0.3)
    add("Mirror", coloured(box(0.8, 1.2, 0.03), 0.5, 0.5, 0.5), (-2.97, 1.4, 0.5), np.pi / 2)
    add("Painting", picture(), (-1.5, 1.4, -2.5))
    return scene


def glb(path: Path, **options: bool) -> Path:
    """Write the room as GLB."""
    path.write_bytes(room(**options).export(file_type="glb"))
    return path


def changed(path: Path, change: Callable[[Header], object]) -> Path:
    """Change the JSON of a GLB."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    header = json.loads(data[20 : 20 + size])
    change(header)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    path.write_bytes(head + text + rest)
    return path


def node(header: Header, name: str) -> Header:
    found: Header = next(each for each in header["nodes"] if each.get("name") == name)
    return found


def bomb(wide: int = 60_000, high: int = 60_000) -> bytes:
    """Return a PNG of a few bytes that declares gigabytes of pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 4096)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def named(things: Any) -> dict[str, Any]:
    """Return things by their ids."""
    return {thing.id: thing for thing in things}
