"""Boxes, meshes and planes: what the pieces of a file become."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from scenes import RED, room_of, thing
from worldquiz_scenes import geometry
from worldquiz_scenes.importing.assemble import OFF, lifted, parts_of
from worldquiz_scenes.importing.pieces import Surface
from worldquiz_scenes.meshes import MeshForm
from worldquiz_scenes.scene import Part, Shape


def surface(mesh: trimesh.Trimesh) -> Surface:
    return Surface(np.asarray(mesh.vertices), np.asarray(mesh.faces, np.int32))


def form(mesh: trimesh.Trimesh) -> MeshForm:
    forms: dict[str, MeshForm] = {}
    parts_of([surface(mesh)], forms, np.eye(3), np.zeros(3))
    return next(iter(forms.values()))


def test_a_closed_mesh_is_kept_and_an_open_one_has_a_back() -> None:
    ball = trimesh.creation.icosphere(subdivisions=1)
    assert len(form(ball).faces) == len(ball.faces)
    half = trimesh.Trimesh(ball.vertices, ball.faces[: len(ball.faces) // 2])
    doubled = form(half)
    assert len(doubled.faces) == 2 * len(half.faces)
    assert len(doubled.points) == 2 * len(half.vertices), "normals of the two sides are their own"
    inward = ball.copy()
    inward.invert()
    turned = form(inward)
    assert trimesh.Trimesh(turned.points, turned.faces).volume > 0


def crate(id: str, x: float, half: float = 0.5):  # type: ignore[no-untyped-def]
    part = Part(Shape.BOX, (0.0, 0.0, 0.0), (half, 0.5, 0.5), RED)
    return thing(id, (x, 2.0, 0.5), (half, 0.5, 0.5), (part,))


@pytest.mark.parametrize("at", [0.0, -0.02, 0.001])
def test_a_picture_in_the_wall_hangs_before_it(at: float) -> None:
    part = Part(Shape.BOX, (0.0, 0.0, 0.0), (0.001, 0.3, 0.2), RED)
    flat = thing("picture-1", (at, 2.0, 1.5), (0.001, 0.3, 0.2), (part,))
    (room,) = room_of(flat).rooms
    low, _ = geometry.extent(geometry.solid_of(lifted(flat, room)))
    assert low[0] == pytest.approx(room.low[0] + OFF)
    assert lifted(crate("a", 1.0), room) == crate("a", 1.0)
