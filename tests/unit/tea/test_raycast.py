"""Rays meet what a reader can work out: walls, round things, meshes, mirrors, the agent."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes import ball, mug, plant, room_of, studio
from worldquiz.tea.raycast import Caster, Sight, Triangles
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.scene import Part, Scene, Shape, Thing
from worldquiz_scenes.view import BODY

pytest.importorskip("embreex")
FOCAL = 240 / 0.5773502691896258


def met(scene: Scene, start: tuple[float, float, float], way: tuple[float, float, float],
        folder: Path | None = None) -> tuple[str, float]:  # fmt: skip
    """Return what a ray meets, and when."""
    caster = Caster(scene, folder)
    (number,), (when,) = caster.first(np.array([start]), np.array([way], float), None)
    return caster.ids[abs(number)], float(when)


@pytest.mark.parametrize(
    ("start", "way", "when"),
    [
        ((1, 1, 1), (-1, 0, 0), 1),
        ((1, 1, 1), (0, 0, -1), 1),
        ((1, 1, 1), (0, 0, 1), 1.6),
        ((4, 3.8, 2.2), (1, 0, 0), 1),  # beside the doorway
        ((4, 1.0, 2.2), (2, 0, 0), 0.5),  # above it
    ],
)
def test_a_ray_ends_at_a_wall(
    start: tuple[float, float, float], way: tuple[float, float, float], when: float
) -> None:
    bare = replace(studio(), things=())
    name, found = met(bare, start, way)
    assert not name
    assert found == pytest.approx(when, abs=1e-5)


def test_a_ray_goes_through_a_doorway_to_the_next_rooms_wall() -> None:
    bare = replace(studio(), things=())
    (door,) = bare.doors
    name, when = met(bare, (4.0, door.at[1], 1.0), (1, 0, 0))
    assert not name
    assert when == pytest.approx(bare.room["kitchen-1"].high[0] - 4.0, abs=1e-5)


@pytest.mark.parametrize(
    ("shape", "size", "start", "way", "when"),
    [
        (Shape.BOX, (0.1, 0.2, 0.3), (-0.5, 0, 0), (1, 0, 0), 0.4),
        (Shape.BOX, (0.1, 0.2, 0.3), (-0.5, 0.19, 0.29), (2, 0, 0), 0.2),
        (Shape.SPHERE, (0.1, 0, 0), (0, 0, 0.4), (0, 0, -1), 0.3),
        (Shape.ELLIPSOID, (0.1, 0.2, 0.3), (0, 0, 0.9), (0, 0, -1), 0.6),
        (Shape.ELLIPSOID, (0.1, 0.2, 0.3), (0, 0.9, 0), (0, -1, 0), 0.7),
        (Shape.CYLINDER, (0.1, 0.2, 0), (-0.5, 0, 0.19), (1, 0, 0), 0.4),
        (Shape.CYLINDER, (0.1, 0.2, 0), (0.09, 0, 0.9), (0, 0, -1), 0.7),
        (Shape.CAPSULE, (0.1, 0.2, 0), (0, 0, 0.9), (0, 0, -1), 0.6),
        (Shape.CAPSULE, (0.1, 0.2, 0), (-0.5, 0, 0.25), (1, 0, 0), 0.5 - sqrt(0.0075)),
    ],
)
def test_a_ray_meets_a_shape(
    shape: Shape,
    size: tuple[float, float, float],
    start: tuple[float, float, float],
    way: tuple[float, float, float],
    when: float,
) -> None:
    body = ball("ball-1", 2.0, 2.0)
    scene = room_of(replace(body, parts=(Part(shape, (0, 0, 0), size, body.paint),),
                            position=(2.0, 2.0, 1.2)))  # fmt: skip
    x, y, z = start
    name, found = met(scene, (2 + x, 2 + y, 1.2 + z), way)
    assert name == "ball-1"
    assert found == pytest.approx(when, abs=1e-3)


def test_turned_parts_are_met_as_they_lie() -> None:
    eighth = (np.cos(pi / 8), 0, 0, np.sin(pi / 8))
    body = ball("ball-1", 3.0, 2.0)
    cube = Part(Shape.BOX, (0, 0, 0), (0.5, 0.5, 0.1), body.paint)
    scene = room_of(replace(body, parts=(cube,), rotation=eighth, position=(3.0, 2.0, 1.0)))
    assert met(scene, (1.0, 2.0, 1.0), (1, 0, 0))[1] == pytest.approx(2 - sqrt(0.5), abs=1e-5)


def test_a_mesh_of_a_file_is_met_and_one_that_is_missing_is_named(tmp_path: Path) -> None:
    mesh = trimesh.creation.box(extents=(1, 1, 1))
    np.savez(tmp_path / "box.npz", vertices=mesh.vertices + 7, faces=mesh.faces)
    body = ball("ball-1", 2.0, 2.0)
    part = Part(Shape.MESH, (0, 0, 0), (0.3, 0.2, 0.5), body.paint, mesh="box.npz")
    scene = room_of(replace(body, parts=(part,), position=(2.0, 2.0, 1.0)))
    name, when = met(scene, (1.0, 2.0, 1.0), (1, 0, 0), tmp_path)
    assert name == "ball-1"
    assert when == pytest.approx(0.7, abs=1e-5)
    with pytest.raises(SceneError, match=r"'ball-1': mesh .*box\.npz"):
        met(scene, (1.0, 2.0, 1.0), (1, 0, 0), tmp_path / "none")


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_the_tree_loses_no_triangle(seed: int, count: int) -> None:
    draw = np.random.default_rng(seed)
    corners = draw.uniform(-0.5, 0.5, (count, 3, 3))
    starts = draw.normal(size=(20, 3))
    starts *= 5 / np.linalg.norm(starts, axis=1, keepdims=True)
    fan = draw.uniform(-0.6, 0.6, (20, 3)) - starts
    _, found = Triangles([(1, corners)]).meet(starts, fan)
    wanted = [tried(corners, start, ray) for start, ray in zip(starts, fan, strict=True)]
    assert found == pytest.approx(wanted, abs=1e-6)


def tried(corners: np.ndarray, start: np.ndarray, ray: np.ndarray) -> float:
    """Return the first meeting by solving for every triangle."""
    best = float("inf")
    for a, b, c in corners:
        system = np.stack([b - a, c - a, -ray], axis=1)
        if abs(np.linalg.det(system)) > 1e-14:
            u, v, when = np.linalg.solve(system, start - a)
            if u >= 0 and v >= 0 and u + v <= 1 and 0 < when < best:
                best = when
    return best


def standing(scene: Scene, *pose: float) -> Sight:
    x, y, heading = pose
    return Sight(Caster(scene), ego(x, y, heading, pitch=0.0), (x, y, heading))


def raised(thing: Thing, z: float) -> Thing:
    return replace(thing, position=(*thing.position[:2], z))


def test_a_ball_fills_a_disc_and_is_as_deep_as_it_is_far() -> None:
    scene = room_of(raised(ball("ball-1", 3.2, 2.0, 0.2), 1.5))
    (seen,) = standing(scene, 1.2, 2.0, 0.0).seen("ball-1")
    radius = 0.2 / sqrt(2.0**2 - 0.2**2) * FOCAL
    assert seen.pixels == pytest.approx(pi * radius**2, rel=0.01)
    assert seen.visible == pytest.approx(1.0, abs=0.01)
    low, high = (320 - radius, 240 - radius), (320 + radius, 240 + radius)
    assert seen.box == pytest.approx((*low, *high), abs=1)
    assert seen.depth == pytest.approx(1.86, abs=0.02)


def test_what_is_covered_or_cut_off_is_partly_visible() -> None:
    first, second = raised(ball("ball-1", 2.2, 2.0, 0.1), 1.5), ball("ball-2", 3.2, 2.0, 0.3)
    scene = room_of(first, raised(second, 1.5))
    sight = standing(scene, 1.2, 2.0, 0.0)
    (front,), (back,) = sight.seen("ball-1"), sight.seen("ball-2")
    assert front.visible == pytest.approx(1, abs=0.01)
    assert back.visible == pytest.approx(1 - (0.1 / 1 / (0.3 / 2)) ** 2, abs=0.03)
    aside = standing(scene, 1.2, 2.0, np.arctan(320 / FOCAL))  # its middle is at the right edge
    (half,) = aside.seen("ball-2")
    assert half.box[2] == 640
    assert 0.2 < half.visible < 0.5


def test_a_mirror_shows_what_is_behind_the_camera_and_the_agent_itself() -> None:
    sight = standing(studio(), 2.2, 3.0, -0.2)
    assert sight.seen("ball-1") == []
    assert [each.id for each in sight.mirrors] == ["mirror-1"]
    (image,) = sight.mirrored("ball-1")
    assert image.pixels > 80
    assert 0.3 < image.visible < 0.6  # the sofa is before it
    before = standing(studio(), 1.2, 2.0, 0.0)
    assert before.seen(BODY) == []
    assert len(before.mirrored(BODY)) == 1


def test_a_camera_that_watches_sees_the_agent() -> None:
    scene = room_of(plant("plant-1", 4.0, 3.5))
    watch = replace(ego(1.0, 2.0, 0.0, pitch=-10.0), name="watch-living-1-1")
    (seen,) = Sight(Caster(scene), watch, (3.0, 2.0, 0.0)).seen(BODY)
    assert seen.visible == pytest.approx(1, abs=0.05)
    assert Sight(Caster(scene), watch, (-9.0, 2.0, 0.0)).seen(BODY) == []


def test_eyes_that_turn_see_no_farther_than_the_field_of_who_looks() -> None:
    scene = room_of(raised(mug("mug-1", 1.2, 3.6, 0.0), 1.5))
    sight = standing(scene, 1.2, 2.0, 0.0)
    assert sight.seen("mug-1") == []
    (seen,) = sight.turned((1.2, 3.6, 1.5), 100.0).seen("mug-1")
    assert seen.visible == pytest.approx(1, abs=0.01)
    assert sight.turned((1.2, 3.6, 1.5), 80.0).seen("mug-1") == []
