"""The lexicon is common sense of its own; it must know each theme's words all the same."""

from __future__ import annotations

import pytest

from worldquiz.t2q.reader.graph import FOODS, KEYS, category
from worldquiz.t2q.world.config import THEMES, Theme


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_each_theme_is_told_by_its_nouns(theme: Theme) -> None:
    for kind in ("food", "object", "key"):
        told = {noun: category(f"old {noun}") for noun in getattr(theme, kind)}
        assert told == dict.fromkeys(told, kind)


def test_adjectives_do_not_count() -> None:
    assert category("apple hat") == "object"
    assert category("key apple 2") == "food"


def test_no_food_is_a_key() -> None:
    assert not FOODS & KEYS
