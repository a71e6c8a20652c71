"""Pictures of surfaces: patterns hold their two colours, the same paint gives the same bytes."""

from __future__ import annotations

import numpy as np
import pytest

from scenes import CHECKED, DOTTED, GREY, OAK, RED, STRIPED
from worldquiz.model.scene import Paint, Pattern
from worldquiz.worlds.scene.surfaces import SIDE, finish, floor, pattern, picture


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
