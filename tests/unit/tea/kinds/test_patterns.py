"""Which things show a pattern, and from which size on it can be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from views import OAK, STRIPED, sighting, thing, view
from worldquiz.rng import child
from worldquiz.tea.kinds.counting import (
    covered,
    doubtful,
    pattern_shown,
    wears,
)
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.scene import Paint, Part, Pattern, Shape, Thing
from worldquiz_scenes.view import Show


def box(z: float, high: float, paint: Paint, wide: float = 0.2) -> Part:
    """Return a flat layer of a thing, whose middle is so high."""
    return Part(Shape.BOX, (0.0, 0.0, z), (wide, wide, high), paint)


def made(*parts: Part, label: str = "towel") -> Thing:
    return replace(thing(f"{label}-1"), parts=parts, half=(0.2, 0.2, 0.1))


RUG = made(box(0.0, 0.004, OAK), box(0.005, 0.004, STRIPED, 0.18), label="rug")
FOLDED = made(box(-0.02, 0.02, STRIPED), box(0.02, 0.02, OAK))


def test_most_of_what_is_seen_of_a_thing_must_have_the_pattern() -> None:
    assert covered(made(box(0.0, 0.1, STRIPED)), Pattern.STRIPES) == 1.0
    assert wears(RUG, Pattern.STRIPES)  # its border is narrow
    assert not wears(FOLDED, Pattern.STRIPES)  # its upper layer is plain
    assert doubtful(FOLDED, Pattern.STRIPES)
    assert not doubtful(FOLDED, Pattern.DOTS)


@pytest.mark.parametrize("kind", ["blanket", "folded towel", "pillow", "ball", "backpack"])
def test_patterned_cloth_and_balls_wear_their_pattern(kind: str) -> None:
    """All of the cloth has it, so that people and questions agree on what is striped."""
    draws = (Draw(child(seed, kind), STYLES["lively"]) for seed in range(40))
    models = [model for model in map(STOCK[kind].make, draws) if model.paint.rgb2]
    assert models
    for model in models:
        drawn = replace(thing("a-1"), parts=model.parts, half=model.half)
        assert wears(drawn, model.paint.pattern)


@pytest.mark.parametrize(
    ("box", "pixels", "expected"),
    [
        ((0, 0, 40, 40), 1500, Show.CLEAR),
        ((0, 0, 15, 100), 1500, Show.VAGUE),  # the spine of a book
        ((0, 0, 40, 40), 900, Show.VAGUE),
        ((0, 0, 40, 40), 30, Show.HIDDEN),
    ],
)
def test_a_pattern_is_plain_on_a_square_of_32_pixels(
    box: tuple[int, int, int, int], pixels: int, expected: Show
) -> None:
    look = view(sighting("towel-1", pixels, box=box))
    assert pattern_shown(look, FOLDED) is expected
