"""Pictures of surfaces: patterns hold their two colours, the same paint gives the same bytes."""

from __future__ import annotations

import numpy as np
import pytest

from scenes import CHECKED, DOTTED, GREY, OAK, RED, STRIPED
from worldquiz_scenes.paints import SIDE, finish, floor, pattern, picture, repeats
from worldquiz_scenes.scene import Paint, Pattern


@pytest.mark.parametrize("paint", [CHECKED, DOTTED, STRIPED], ids=lambda paint: paint.pattern)
def test_a_pattern_shows_its_two_colours_and_no_third(paint: Paint) -> None:
    drawn = picture(paint)
    assert drawn is not None
    assert paint.rgb2 is not None
    found = {tuple(colour) for colour in drawn[1].reshape(-1, 3).tolist()}
    wanted = {tuple(int(255 * part + 0.5) for part in rgb) for rgb in (paint.rgb, paint.rgb2)}
    assert found == wanted


def test_stripes_run_along_one_axis_and_checks_along_neither() -> None:
    stripes = pattern(Pattern.STRIPES, (0, 0, 0), (1, 1, 1))[..., 0]
    checks = pattern(Pattern.CHECKS, (0, 0, 0), (1, 1, 1))[..., 0]
    assert (stripes == stripes[0]).all()
    assert not (checks == checks[0]).all()
    assert not (checks == checks[:, :1]).all()
    assert checks.mean() == stripes.mean() == 127.5


@pytest.mark.parametrize(
    ("across", "down", "often"),
    [
        (0.2, 0.2, (4, 4)),
        (0.2, 0.3, (4, 6)),
        (0.3, 0.15, (4, 2)),
        (0.02, 0.1, (1, 5)),
        (0.02, 1.0, (1, 8)),
    ],
)
def test_dots_are_as_high_as_wide_whatever_the_face(
    across: float, down: float, often: tuple[int, int]
) -> None:
    assert repeats(Pattern.DOTS, across, down) == often
    assert repeats(Pattern.DOTS, down, across) == often[::-1]


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


def test_a_pattern_without_a_second_colour_gets_one_that_stands_out() -> None:
    for rgb in ((0.9, 0.9, 0.9), (0.1, 0.1, 0.2)):
        drawn = picture(Paint("any", rgb, "paper", Pattern.DOTS))
        assert drawn is not None
        assert np.ptp(drawn[1][..., 0]) > 100


def test_what_is_even_needs_no_picture() -> None:
    assert picture(RED) is None


def test_an_unknown_material_looks_plain() -> None:
    assert finish(Paint("red", (1, 0, 0), "marzipan")).grain == ""


@pytest.mark.parametrize("paint", [OAK, GREY])
def test_a_grain_keeps_a_colour_nearly_as_it_is(paint: Paint) -> None:
    drawn = picture(paint)
    assert drawn is not None
    assert drawn[1].shape == (SIDE, SIDE, 3)
    assert drawn[1].mean() > 0.85 * 255


def test_floors_differ_by_material() -> None:
    assert [floor(name)[0] for name in ("wood", "fabric", "stone")] == ["planks", "carpet", "tiles"]
    assert np.array_equal(floor("wood")[1], floor("wood")[1])
