"""No model shows two paints in one plane: pictures would flicker there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import UPRIGHT, Part, Shape

NEAR = 2e-4
"""Metres between planes that a depth buffer cannot tell apart."""
Face = tuple[int, int, float, list[tuple[float, float]]]


def faces(part: Part) -> Iterator[Face]:
    """Yield the sides and the top of an upright box: axis, side, place, and reach on the others."""
    if part.shape is not Shape.BOX or part.turn != UPRIGHT:
        return
    for axis, side in ((0, -1), (0, 1), (1, -1), (1, 1), (2, 1)):
        reach = [
            (part.at[other] - part.size[other], part.at[other] + part.size[other])
            for other in range(3)
            if other != axis
        ]
        yield axis, side, part.at[axis] + side * part.size[axis], reach


def flickers(one: Face, two: Face) -> bool:
    same = one[:2] == two[:2] and abs(one[2] - two[2]) < NEAR
    common = (min(a[1], b[1]) - max(a[0], b[0]) for a, b in zip(one[3], two[3], strict=True))
    return same and min(common) > NEAR


@pytest.mark.parametrize("kind", sorted(STOCK))
def test_no_two_paints_lie_in_one_plane(kind: str) -> None:
    for seed in range(8):
        style = STYLES[sorted(STYLES)[seed % len(STYLES)]]
        parts = STOCK[kind].make(Draw(child(seed, "kind", kind), style)).parts
        shown = [(part, face) for part in parts for face in faces(part)]
        for at, (part, face) in enumerate(shown):
            for other, second in shown[at + 1 :]:
                assert part.paint == other.paint or not flickers(face, second), (part, other)
