"""The closed catalogue: every kind can be made, is lawful and stays the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import pytest

from worldquiz_scenes.furniture import LABELS, STOCK, Model
from worldquiz_scenes.furniture.parts import bounds
from worldquiz_scenes.geometry import matrix
from worldquiz_scenes.paints import COLOURS, FINISHES, STYLES, Draw, paint
from worldquiz_scenes.rng import child
from worldquiz_scenes.save import USED
from worldquiz_scenes.scene import UPRIGHT, Part, Shape

NEAR = 2e-4
"""Metres between planes that a depth buffer cannot tell apart."""
Face = tuple[int, int, float, list[tuple[float, float]]]


def made(kind: str, seed: int) -> Model:
    style = sorted(STYLES)[seed % len(STYLES)]
    return STOCK[kind].make(Draw(child(seed, "kind", kind), STYLES[style]))


def faces(part: Part) -> Iterator[Face]:
    """Yield the sides and the top of an upright box: axis, side, place, and reach on the others."""
    if part.shape is Shape.BOX and part.turn == UPRIGHT:
        for axis, side in ((0, -1), (0, 1), (1, -1), (1, 1), (2, 1)):
            others = [other for other in range(3) if other != axis]
            reach = [(part.at[k] - part.size[k], part.at[k] + part.size[k]) for k in others]
            yield axis, side, part.at[axis] + side * part.size[axis], reach


def flickers(one: Face, two: Face, least: float = NEAR) -> bool:
    same = one[:2] == two[:2] and abs(one[2] - two[2]) < NEAR
    common = (min(a[1], b[1]) - max(a[0], b[0]) for a, b in zip(one[3], two[3], strict=True))
    return same and min(common) > least


def test_the_catalogue_is_as_wide_as_promised() -> None:
    large = {"seating", "bed", "table", "storage", "bathroom"}
    assert len(LABELS) >= 90
    assert sum(category in large for category in LABELS.values()) >= 20
    assert {kind for kind in STOCK if made(kind, 2).mirror} == {"wall mirror", "standing mirror"}


@pytest.mark.parametrize("kind", sorted(STOCK))
def test_every_kind_is_made_of_sound_parts_in_its_box_and_does_not_flicker(kind: str) -> None:
    models = [made(kind, seed) for seed in range(12)]
    assert len(set(models)) > 1
    assert made(kind, 3) == models[3]
    for model in models[:8]:
        for part in model.parts:
            assert part.shape is not Shape.MESH
            assert min(part.size[: USED[part.shape]]) > 0
            assert part.paint.material in {*FINISHES, "sky"}
            assert part.paint.colour in COLOURS
            assert all(0 <= share <= 1 for share in part.paint.rgb)
        assert model.paint.colour in {part.paint.colour for part in model.parts}
        low, high = bounds(model.parts)
        assert low == pytest.approx([-half for half in model.half], abs=3e-6)
        assert high == pytest.approx(model.half, abs=3e-6)
        assert max(model.half) < 1.25
        for top in model.tops:
            assert all(-half <= low < high <= half for low, high, half
                       in zip(top.low, top.high, model.half[:2], strict=True))  # fmt: skip
            assert -model.half[2] < top.z <= model.half[2] + 1e-6
            assert top.clear > 0.1
        shown = [(part, face) for part in model.parts for face in faces(part)]
        for (part, face), (other, second) in combinations(shown, 2):
            least = 0.03 if part.paint == other.paint else NEAR
            assert not flickers(face, second, least), (part, other)


@pytest.mark.parametrize("kind", ["wall mirror", "standing mirror"])
def test_a_mirror_reflects_at_its_front(kind: str) -> None:
    model = made(kind, 1)
    glass = next(part for part in model.parts if part.paint.material == "glass")
    assert (glass.size[0], glass.size[2]) == pytest.approx(model.mirror)
    assert glass.at[1] - glass.size[1] == pytest.approx(-model.half[1], abs=1e-5)
    assert (glass.at[0], glass.at[2]) == pytest.approx((0, 0), abs=1e-5)


@pytest.mark.parametrize("shape", [Shape.CYLINDER, Shape.CAPSULE, Shape.ELLIPSOID, Shape.BOX])
def test_bounds_are_exact_for_turned_shapes(shape: Shape) -> None:
    """Compared with points sampled all over the surface."""
    straight = shape in (Shape.CYLINDER, Shape.CAPSULE)
    size = (0.2, 0.5, 0.0) if straight else (0.2, 0.3, 0.5)
    turn = (math.cos(0.4), 0.5 * math.sin(0.4), math.sin(0.4) * math.sqrt(0.75), 0.0)
    rows = matrix(turn)
    far = [
        max(sum(r * p for r, p in zip(row, point, strict=True)) for point in _surface(shape, size))
        for row in rows
    ]
    _, high = bounds([Part(shape, (0.0, 0.0, 0.0), size, paint("red", "wood"), turn)])
    assert high == pytest.approx(far, abs=2e-3)
    assert all(bound >= at - 1e-9 for bound, at in zip(high, far, strict=True))


def _surface(
    shape: Shape, size: tuple[float, float, float]
) -> Iterator[tuple[float, float, float]]:
    for step in range(120):
        turn = math.tau * step / 120
        for level in range(61):
            up = math.pi * level / 60
            x, y, z = math.sin(up) * math.cos(turn), math.sin(up) * math.sin(turn), math.cos(up)
            match shape:
                case Shape.ELLIPSOID:
                    yield x * size[0], y * size[1], z * size[2]
                case Shape.CAPSULE:
                    yield x * size[0], y * size[0], z * size[0] + math.copysign(size[1], z)
                case Shape.CYLINDER:
                    ring = (size[0] * math.cos(turn), size[0] * math.sin(turn))
                    yield *ring, math.copysign(size[1], z)
                case _:
                    a, b, c = (math.copysign(s, p) for s, p in zip(size, (x, y, z), strict=True))
                    yield a, b, c
