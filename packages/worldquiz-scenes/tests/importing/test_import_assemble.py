"""Boxes, meshes and planes: what the pieces of a file become, and what is doubtful about them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import trimesh

from scenes import RED, room_of, studio, thing
from worldquiz_scenes import geometry
from worldquiz_scenes.importing.assemble import OFF, doubts, lifted, parts_of
from worldquiz_scenes.importing.pieces import Surface
from worldquiz_scenes.meshes import MeshForm
from worldquiz_scenes.scene import UNKNOWN, Part, Shape

# Pieces


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


# Doubts


FLAT = studio()


def test_a_scene_like_any_other_gives_no_doubt() -> None:
    assert not list(doubts(FLAT))


def test_names_that_are_not_known_and_rooms_without_a_door_are_listed() -> None:
    odd = replace(FLAT.things[0], label="unknown blorb", category=UNKNOWN)
    scene = replace(FLAT, things=(odd, *FLAT.things[1:]), doors=())
    names, rooms = doubts(scene)
    assert f"1 of {len(FLAT.things)} things have names that are not known" in names
    assert "(blorb)" in names
    assert "1 of 2 rooms cannot be walked to (kitchen-1)" in rooms


def test_parts_of_one_room_count_as_one() -> None:
    kitchen, living = FLAT.rooms
    door = replace(FLAT.doors[0], rooms=("living-1", "living-1-b"))
    parts = replace(FLAT, rooms=(living, replace(kitchen, name="living-1-b")), doors=(door,))
    things = tuple(replace(each, room="living-1") for each in FLAT.things)
    assert not list(doubts(replace(parts, things=things)))
