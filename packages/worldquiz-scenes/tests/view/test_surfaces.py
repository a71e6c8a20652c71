"""Pictures of surfaces: patterns hold their two colours, the same paint gives the same bytes."""

from __future__ import annotations

import numpy as np
import pytest

from scenes import CHECKED, DOTTED, GREY, OAK, STRIPED
from worldquiz_scenes.paints import SIDE, picture
from worldquiz_scenes.scene import Paint


@pytest.mark.parametrize("paint", [CHECKED, DOTTED, STRIPED], ids=lambda paint: paint.pattern)
def test_a_pattern_shows_its_two_colours_and_no_third(paint: Paint) -> None:
    drawn = picture(paint)
    assert drawn is not None
    assert paint.rgb2 is not None
    found = {tuple(colour) for colour in drawn[1].reshape(-1, 3).tolist()}
    wanted = {tuple(int(255 * part + 0.5) for part in rgb) for rgb in (paint.rgb, paint.rgb2)}
    assert found == wanted


def test_a_box_has_a_picture_for_each_face() -> None:
    """A book's spine (x), covers (y) and edges (z): one row of dots, a field of them, a line."""
    drawn = picture(DOTTED, (0.02, 0.1, 0.15))
    square = picture(DOTTED)
    assert drawn is not None
    assert square is not None
    assert drawn[0] != square[0]
    faces = drawn[1].reshape(6, SIDE, SIDE, 3)
    for one, two in ((0, 1), (2, 3), (4, 5)):
        assert np.array_equal(faces[one], faces[two])
    assert [rows_and_columns(face) for face in faces[::2]] == [(4, 6), (8, 1), (5, 1)]


def rows_and_columns(face: np.ndarray) -> tuple[int, int]:
    """Return how many dots a face has from top to bottom and from left to right."""
    dots = (face != face[0, 0]).any(axis=2)
    down, across = (np.diff(dots.any(axis=axis).astype(int)) for axis in (1, 0))
    return int((down == 1).sum()), int((across == 1).sum())


@pytest.mark.parametrize("paint", [OAK, GREY])
def test_a_grain_keeps_a_colour_nearly_as_it_is(paint: Paint) -> None:
    drawn = picture(paint)
    assert drawn is not None
    assert drawn[1].shape == (SIDE, SIDE, 3)
    assert drawn[1].mean() > 0.85 * 255
