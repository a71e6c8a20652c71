"""A scene as GLB: another library finds every thing where it is, in glTF's frame."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from scenes import studio
from worldquiz.tea.export.glb import glb
from worldquiz_scenes.config import preset
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.generate import generate
from worldquiz_scenes.geometry import corners
from worldquiz_scenes.importing import read
from worldquiz_scenes.scene import Part, Shape, Vec

trimesh = pytest.importorskip("trimesh")
np = pytest.importorskip("numpy")


def point(at: Vec) -> Vec:
    """Return a point of ours in glTF's frame: y up."""
    x, y, z = at
    return x, z, -y


def test_things_are_named_nodes_where_they_are() -> None:
    scene = studio()
    loaded = trimesh.load(io.BytesIO(glb(scene)), file_type="glb")
    for thing in scene.things:
        matrix, _ = loaded.graph.get(thing.id)
        assert matrix[:3, 3] == pytest.approx(point(thing.position))
        points = []
        for name in loaded.graph.nodes_geometry:
            if name.startswith(f"{thing.id}."):
                placed, geometry = loaded.graph.get(name)
                points.append(trimesh.transform_points(loaded.geometry[geometry].vertices, placed))
        found = np.concatenate(points)
        box = np.array([point(corner) for corner in corners(thing)])
        assert (found.min(0) > box.min(0) - 0.06).all()  # ears and handles reach out a little
        assert (found.max(0) < box.max(0) + 0.06).all()


def test_colours_are_told_by_their_light() -> None:
    data = glb(studio())
    header = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    colours = {
        each["name"]: each["pbrMetallicRoughness"]["baseColorFactor"]
        for each in header["materials"]
    }
    red = colours["red plastic"]  # 0.8, 0.15, 0.12 as it looks
    assert red == pytest.approx([0.604, 0.0194, 0.0137, 1.0], abs=0.003)


def test_a_mesh_that_is_missing_is_named() -> None:
    scene = studio()
    first = scene.things[0]
    part = Part(Shape.MESH, (0, 0, 0), (1, 1, 1), first.paint, mesh="gone.npz")
    broken = replace(scene, things=(replace(first, parts=(part,)), *scene.things[1:]))
    with pytest.raises(SceneError, match=r"gone\.npz"):
        glb(broken)


def test_our_own_importer_reads_the_same_things(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    scene = generate(preset("tiny").knobs, 3, "tiny-01")
    (tmp_path / "flat.glb").write_bytes(glb(scene))
    found = read(tmp_path / "flat.glb").scene
    assert Counter(each.label for each in found.things) == Counter(
        each.label for each in scene.things
    )
    assert len(found.mirrors) == len(scene.mirrors)
    assert [thing.position[2] for thing in found.things] == pytest.approx(
        [thing.position[2] for thing in scene.things], abs=0.03
    )
