"""Rays go from room to room through doorways, and end at walls, floors, ceilings and jambs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from worldquiz.errors import RecordError
from worldquiz.tea.oracle.solids import Halls

FLAT: dict[str, Any] = {
    "height": 2.5,
    "rooms": [
        {"name": "hall-1", "low": [0, 0], "high": [4, 3]},
        {"name": "kitchen-1", "low": [4.1, 0], "high": [8, 3]},
    ],
    "doors": [
        {"rooms": ["hall-1", "kitchen-1"], "at": [4.05, 1.5], "width": 0.9, "along": "y",
         "height": 2.0}
    ],
}  # fmt: skip


def ends(start: tuple[float, float, float], way: tuple[float, float, float]) -> float:
    return float(Halls(FLAT).meet(np.array(start), np.array([way]))[0])


@pytest.mark.parametrize(
    ("start", "way", "when"),
    [
        ((1, 1, 1), (-1, 0, 0), 1),
        ((1, 1, 1), (0, 0, -1), 1),
        ((1, 1, 1), (0, 0, 1), 1.5),
        ((1, 0.5, 1), (1, 0, 0), 3),  # beside the doorway
        ((1, 1.5, 1), (1, 0, 0), 7),  # through it, to the far wall
        ((1, 1.5, 2.2), (1, 0, 0), 3),  # above it
        ((7, 1.5, 1), (-1, 0, 0), 7),
        ((3, 1.5, 1), (1, 0.43, 0), 0.45 / 0.43),  # its jamb
        ((4.05, 1.5, 1), (1, 0, 0), 3.95),  # from within it
        ((4.05, 1.5, 1), (0, 1, 0), 0.45),
        ((4.05, 1.5, 1), (-1, 0, 0), 4.05),
    ],
)
def test_a_ray_ends_at_a_wall(
    start: tuple[float, float, float], way: tuple[float, float, float], when: float
) -> None:
    assert ends(start, way) == pytest.approx(when)


def test_rays_of_one_bundle_go_their_own_ways() -> None:
    way = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0, 1.0, 0]])
    assert Halls(FLAT).meet(np.array([1, 1.5, 1]), way) == pytest.approx([7, 1, 1.5])


def test_a_camera_outside_of_all_rooms_is_named() -> None:
    with pytest.raises(RecordError, match=r"camera at \[20"):
        ends((20, 1, 1), (1, 0, 0))
