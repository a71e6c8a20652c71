"""Which things show a pattern, and from which size on it can be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from views import sighting, thing, view
from worldquiz.rng import child
from worldquiz.tea.kinds.counting import (
    pattern_shown,
    wears,
)
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.view import Show

TOWEL = thing("towel-1")


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
    assert pattern_shown(look, TOWEL) is expected
