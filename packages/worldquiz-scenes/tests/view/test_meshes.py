"""Meshes: taken from files beneath a folder, fitted to their part, refused when broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scenes import RED, room_of, thing
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.render import Canvas, Caster
from worldquiz_scenes.scene import Part, Scene, Shape
from worldquiz_scenes.sight import look

POINTS = np.array([[0, 0, 0], [4, 0, 0], [0, 2, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def pyramid(name: str = "pyramid.npz") -> Part:
    return Part(Shape.MESH, (0.0, 0.0, 0.0), (0.4, 0.4, 0.5), RED, mesh=name)


def scene_of(part: Part) -> Scene:
    return room_of(thing("pyramid-1", (3.0, 2.0, 0.5), (0.4, 0.4, 0.5), (part,)))


def test_a_mesh_is_seen_alike_by_drawing_and_by_rays(tmp_path: Path) -> None:
    uv = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], float)
    blue = np.zeros((8, 8, 3), np.uint8) + np.array([20, 40, 230], np.uint8)
    np.savez(tmp_path / "pyramid.npz", vertices=POINTS, faces=FACES, uv=uv, texture=blue)
    built = build(scene_of(pyramid()), tmp_path)
    camera = ego(1.0, 2.0, 0.0)
    cast = look(Caster(built), camera, self_seen=False)
    with Canvas(built, plain=True) as canvas:
        drawn = look(canvas, camera, self_seen=False)
    assert (cast.instances == 0).sum() > 2000
    assert (cast.instances == drawn.instances).mean() > 0.9999
    assert drawn.rgb is not None
    red, _, azure = drawn.rgb[drawn.instances == 0].mean(axis=0)
    assert azure > 2 * red, "the texture's colour, not the paint's"


@pytest.mark.parametrize("name", ["../pyramid.npz", "/etc/passwd", ""])
def test_a_mesh_outside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    np.savez(tmp_path / "pyramid.npz", vertices=POINTS, faces=FACES)
    with pytest.raises(SceneError, match=r"thing 'pyramid-1': mesh .* cannot be part of a path"):
        build(scene_of(pyramid(name)), tmp_path / "in")


def test_a_scene_with_meshes_needs_their_folder() -> None:
    with pytest.raises(SceneError, match="pass build\\(\\) the folder"):
        build(scene_of(pyramid()))


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"vertices": POINTS}, "has no faces"),
        ({"vertices": POINTS * np.nan, "faces": FACES}, "finite"),
        ({"vertices": POINTS, "faces": FACES + 1}, "indices"),
        ({"vertices": POINTS[:, :2], "faces": FACES}, "n x 3"),
        ({"vertices": POINTS, "faces": FACES[:0]}, "m x 3"),
    ],
)
def test_a_broken_mesh_is_refused(tmp_path: Path, arrays: dict[str, Any], reason: str) -> None:
    np.savez(tmp_path / "pyramid.npz", **arrays)
    with pytest.raises(SceneError, match=reason):
        build(scene_of(pyramid()), tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04cut", b"\x80\x04pickle"])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "pyramid.npz").write_bytes(content)
    with pytest.raises(SceneError, match="cannot be read"):
        build(scene_of(pyramid()), tmp_path)
