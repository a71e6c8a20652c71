"""Triangles in a tree answer as trying every triangle does, and as the solid that they bound."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from worldquiz.errors import RecordError
from worldquiz.tea.oracle.solids import load, meet, solid, solids, tree

pytest.importorskip("embreex")

Floats = NDArray[np.float64]


def fan(seed: int, count: int = 200) -> tuple[Floats, Floats]:
    """Return rays from far points to points near the origin."""
    draw = np.random.default_rng(seed)
    starts = draw.normal(size=(count, 3))
    starts *= 5 / np.linalg.norm(starts, axis=1, keepdims=True)
    return starts, draw.uniform(-0.6, 0.6, (count, 3)) - starts


def tried(corners: Floats, start: Floats, ray: Floats) -> float:
    """Return the first meeting by solving for every triangle."""
    best = np.inf
    for a, b, c in corners:
        system = np.stack([b - a, c - a, -ray], axis=1)
        if abs(np.linalg.det(system)) > 1e-14:
            u, v, when = np.linalg.solve(system, start - a)
            if u >= 0 and v >= 0 and u + v <= 1 and 0 < when < best:
                best = when
    return float(best)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_the_tree_loses_no_triangle(seed: int, count: int) -> None:
    corners = np.random.default_rng(seed).uniform(-0.5, 0.5, (count, 3, 3))
    starts, rays = fan(seed, 20)
    found = tree(corners).meet(starts, rays, 0.0)
    wanted = [tried(corners, start, ray) for start, ray in zip(starts, rays, strict=True)]
    assert found == pytest.approx(wanted, abs=1e-9)


def test_a_box_of_triangles_is_the_box(tmp_path: Path) -> None:
    mesh = trimesh.creation.box(extents=(1, 1, 1))
    np.savez(tmp_path / "box.npz", vertices=mesh.vertices + 7, faces=mesh.faces)
    size = (0.3, 0.2, 0.5)
    thing = {
        "id": "box-1", "rotation": (0.8, 0.0, 0.6, 0.0), "position": (0.1, 0.2, 0.3),
        "half": size, "mirror": None,
        "parts": [{"shape": "mesh", "at": (0, 0.1, 0), "turn": (1, 0, 0, 0), "size": size,
                   "mesh": "box.npz"}],
    }  # fmt: skip
    (body,) = solids(thing, partial(load, tmp_path))
    plain = solid("box-1", "box", body.centre, body.axes, size)
    starts, rays = fan(3)
    found, wanted = meet(body, starts, rays), meet(plain, starts, rays)
    assert np.isfinite(wanted).sum() > 50
    assert found == pytest.approx(wanted, abs=1e-9)
    one = starts[:1]
    assert meet(body, one[0], rays) == pytest.approx(meet(plain, one[0], rays), abs=1e-9)


def test_both_sides_of_a_triangle_are_met_but_nothing_behind_the_start() -> None:
    lone = tree(np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]]))
    above, below = np.array([[0.2, 0.2, 1.0]]), np.array([[0.2, 0.2, -1.0]])
    down = np.array([[0.0, 0.0, -1.0]])
    assert lone.meet(above, down, 0.05) == pytest.approx([1.0])
    assert lone.meet(below, -down, 0.05) == pytest.approx([1.0])
    assert lone.meet(below, down, 0.05) == pytest.approx([np.inf])


def test_a_broken_mesh_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_bytes(b"junk")
    np.savez(tmp_path / "half.npz", vertices=np.eye(3))
    for name in ("bad.npz", "half.npz", "gone.npz"):
        with pytest.raises(RecordError, match=rf"{name}: (is no mesh|cannot be read|no such file)"):
            load(tmp_path, name, (1, 1, 1))
