"""Alike pictures and texts are near each other, whatever else there is."""

from __future__ import annotations

import numpy as np

from worldquiz.tea.data import cut
from worldquiz.tea.encode import centred, described, worded


def test_rows_have_length_one_and_order_is_kept() -> None:
    draw = np.random.default_rng(3)
    pictures = [draw.integers(0, 255, (48, 64, 3), dtype=np.uint8) for _ in range(4)]
    rows = centred([described(each) for each in pictures])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert (centred([described(each) for each in pictures]) == rows).all()


def test_a_picture_is_nearer_to_itself_shifted_than_to_another() -> None:
    draw = np.random.default_rng(5)
    coarse = [draw.integers(0, 255, (6, 8, 3)).astype(np.uint8).repeat(16, 0).repeat(16, 1)
              for _ in range(2)]  # fmt: skip
    shifted = np.roll(coarse[0], 2, axis=1)
    rows = centred([described(each) for each in (coarse[0], shifted, coarse[1])])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_like_words_are_near() -> None:
    one, two, three = worded(["Count every mug.", "Count every mugs.", "Where is the bed?"])
    assert one @ two > 0.5 > one @ three


def test_a_box_is_cut_out() -> None:
    picture = np.arange(5 * 6 * 3, dtype=np.uint8).reshape(5, 6, 3)
    assert cut(picture, (1, 2, 4, 5)).shape == (3, 3, 3)
    assert (cut(picture, (1, 2, 4, 5))[0, 0] == picture[2, 1]).all()
