"""The closed catalogue: every kind can be made, is lawful and stays the same."""

from __future__ import annotations

import pytest

from worldquiz_scenes import clutter, furnish
from worldquiz_scenes.furniture import LABELS, STOCK, Model
from worldquiz_scenes.furniture.parts import bounds
from worldquiz_scenes.paints import COLOURS, STYLES, Draw
from worldquiz_scenes.rng import child
from worldquiz_scenes.save import USED
from worldquiz_scenes.scene import Shape

KINDS = sorted(STOCK)
MATERIALS = {
    "wood", "metal", "fabric", "ceramic", "plastic", "glass", "paper", "leaf", "stone", "light",
    "sky",
}  # fmt: skip


def made(kind: str, seed: int) -> Model:
    style = sorted(STYLES)[seed % len(STYLES)]
    return STOCK[kind].make(Draw(child(seed, "kind", kind), STYLES[style]))


def test_the_catalogue_is_as_wide_as_promised() -> None:
    large = {"seating", "bed", "table", "storage", "bathroom"}
    assert len(LABELS) >= 90
    assert sum(category in large for category in LABELS.values()) >= 20


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_made_of_sound_parts(kind: str) -> None:
    for seed in range(8):
        model = made(kind, seed)
        assert model.parts
        for part in model.parts:
            assert part.shape is not Shape.MESH
            assert min(part.size[: USED[part.shape]]) > 0
            assert part.paint.material in MATERIALS
            assert part.paint.colour in COLOURS
            assert all(0 <= share <= 1 for share in part.paint.rgb)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_fills_its_box(kind: str) -> None:
    for seed in range(8):
        model = made(kind, seed)
        low, high = bounds(model.parts)
        assert low == pytest.approx([-half for half in model.half], abs=3e-6)
        assert high == pytest.approx(model.half, abs=3e-6)
        assert max(model.half) < 1.25


@pytest.mark.parametrize("kind", KINDS)
def test_free_areas_lie_within_the_footprint(kind: str) -> None:
    for seed in range(8):
        model = made(kind, seed)
        for top in model.tops:
            assert all(-half <= low < high <= half for low, high, half
                       in zip(top.low, top.high, model.half[:2], strict=True))  # fmt: skip
            assert -model.half[2] < top.z <= model.half[2] + 1e-6
            assert top.clear > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_equal_streams_make_equal_things(kind: str) -> None:
    assert made(kind, 3) == made(kind, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_vary(kind: str) -> None:
    assert len({made(kind, seed) for seed in range(12)}) > 1


def test_a_thing_is_called_by_the_colour_of_some_part() -> None:
    for kind in KINDS:
        model = made(kind, 5)
        assert model.paint.colour in {part.paint.colour for part in model.parts}


@pytest.mark.parametrize("kind", ["wall mirror", "standing mirror"])
def test_a_mirror_reflects_at_its_front(kind: str) -> None:
    model = made(kind, 1)
    assert model.mirror is not None
    glass = next(part for part in model.parts if part.paint.material == "glass")
    assert (glass.size[0], glass.size[2]) == pytest.approx(model.mirror)
    assert glass.at[1] - glass.size[1] == pytest.approx(-model.half[1], abs=1e-5)
    assert (glass.at[0], glass.at[2]) == pytest.approx((0, 0), abs=1e-5)


def test_only_mirrors_reflect() -> None:
    assert {kind for kind in KINDS if made(kind, 2).mirror} == {"wall mirror", "standing mirror"}


def test_programmes_and_lists_speak_of_known_kinds() -> None:
    wanted = {want.kind for programme in furnish.PROGRAMMES.values() for want in programme}
    wanted |= {kind for _, kind, _, _ in furnish.MIRRORS} | {"floor lamp", "ceiling lamp"}
    small = {kind for kinds in clutter.ON.values() for kind in kinds} | set(clutter.BATHING)
    assert wanted | small | set(clutter.ON) <= set(STOCK)
    assert clutter.LONE | clutter.ROUND | set(furnish.FRONT) | set(furnish.HANGS) <= set(STOCK)
    assert set(STOCK) - wanted - small == {"upright book", "bed pillow"}


def test_whatever_has_free_areas_has_a_list_of_what_stands_there() -> None:
    bearing = {kind for kind in KINDS if made(kind, 1).tops}
    assert bearing <= set(clutter.ON)
