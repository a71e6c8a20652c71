"""A scene as one GLB file, in the frame of glTF: y up, metres.

Rooms are nodes `floor ROOM N`, `ceiling ROOM N` and `wall ROOM N`; a thing is a node by its id in
its own frame (z up), with its parts beneath it as `ID.000`, `ID.001` and so on. Patterns are told
by their first colour, and a mirror's glass is a dark plate: glTF knows no reflection.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from worldquiz.plugins import need
from worldquiz_scenes.meshes import triangulated
from worldquiz_scenes.scene import Paint, Part, Quat, Scene, Shape, Thing, Vec
from worldquiz_scenes.shell import slabs

DETAIL = 2
"""Of what is round: 24 sides."""
GLASS = Paint("black", (0.1, 0.11, 0.12), "glass")
PLATE = 0.002
"""Metres: half a mirror's glass."""
TO_GLTF = ((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1))
"""From our frame to glTF's."""


def glb(scene: Scene, meshes: Path | None = None) -> bytes:
    """Return a scene as GLB; `meshes` is the folder that its meshes' names are beneath.

    Equal scenes give equal bytes. Raises `MissingExtra` without trimesh, `WorldError` for a mesh
    that is missing or broken.
    """
    made = _Maker(scene, meshes)
    for number, slab in enumerate(slabs(scene)):
        half = [(high - low) / 2 for low, high in zip(slab.low, slab.high, strict=True)]
        middle = [(high + low) / 2 for low, high in zip(slab.low, slab.high, strict=True)]
        box = Part(Shape.BOX, _vec(middle), _vec(half), slab.paint)
        made.add(box, f"{slab.name.replace(':', ' ')} {number}", None)
    for thing in scene.things:
        made.thing(thing)
    found: bytes = made.scene.export(file_type="glb", include_normals=False)
    return found


class _Maker:
    """Collects nodes."""

    def __init__(self, scene: Scene, meshes: Path | None) -> None:
        self._trimesh, self._meshes = need("trimesh", extra="tea"), meshes
        self.scene = self._trimesh.Scene(base_frame="world")
        self.scene.graph.update(scene.id, "world", matrix=TO_GLTF)
        self._root = scene.id

    def thing(self, thing: Thing) -> None:
        self.scene.graph.update(
            thing.id, self._root, matrix=self._placed(thing.position, thing.rotation)
        )
        parts = list(thing.parts)
        if thing.mirror:
            wide, high = thing.mirror
            front = (0.0, -thing.half[1] - PLATE, 0.0)
            parts.append(Part(Shape.BOX, front, (wide, PLATE, high), GLASS))
        for number, part in enumerate(parts):
            self.add(part, f"{thing.id}.{number:03}", thing)

    def add(self, part: Part, name: str, thing: Thing | None) -> None:
        """Add a part beneath its thing, or beneath the scene."""
        mesh = triangulated(part, self._meshes, thing.id if thing else name, DETAIL)
        pbr = self._trimesh.visual.material.PBRMaterial(
            name=f"{part.paint.colour} {part.paint.material}",
            baseColorFactor=[*map(_linear, part.paint.rgb), 1.0],
            metallicFactor=0.0,
            roughnessFactor=0.9,
        )
        mesh.visual = self._trimesh.visual.TextureVisuals(material=pbr)
        self.scene.add_geometry(
            mesh,
            node_name=name,
            geom_name=name,
            parent_node_name=thing.id if thing else self._root,
            transform=self._placed(part.at, part.turn),
        )

    def _placed(self, at: Vec, turn: Quat) -> Any:
        matrix = self._trimesh.transformations.quaternion_matrix(turn)
        matrix[:3, 3] = at
        return matrix


def _linear(value: float) -> float:
    """Return a share of a colour as glTF counts it: by light, not by how it looks (sRGB)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _vec(values: list[float]) -> Vec:
    x, y, z = values
    return x, y, z
