"""Intervals clustered by world: against a plain loop, against known truth, and at the edges."""

from __future__ import annotations

import sys

import numpy
import pytest

from worldquiz.errors import MissingExtra
from worldquiz.metrics.stats import Difference, Ratio, differences, intervals

WORLDS = Ratio((3, 5, 8, 2, 9, 4, 6, 7), (10, 9, 12, 8, 10, 11, 9, 10))


def difference(left: Ratio, right: Ratio) -> Difference | None:
    return differences({"x": (left, right)})["x"]


def test_matches_a_plain_bootstrap_that_draws_worlds_one_by_one() -> None:
    stream = numpy.random.default_rng(1)
    shares = []
    for _ in range(20_000):
        drawn = stream.integers(0, 8, size=8)
        above = sum(WORLDS.above[world] for world in drawn)
        shares.append(above / sum(WORLDS.below[world] for world in drawn))
    found = intervals({"x": WORLDS})["x"]
    assert found == pytest.approx(numpy.quantile(shares, [0.025, 0.975]), abs=0.01)


def test_covers_the_truth_about_as_often_as_it_says() -> None:
    stream = numpy.random.default_rng(2)
    hits = 0
    for trial in range(200):
        rates = stream.beta(6, 4, size=40)  # worlds differ: mean 0.6
        right = tuple(map(float, stream.binomial(20, rates)))
        bounds = intervals({"x": Ratio(right, (20.0,) * 40)}, resamples=800, seed=trial)["x"]
        assert bounds is not None
        hits += bounds[0] <= 0.6 <= bounds[1]
    assert 0.88 <= hits / 200 <= 0.99


def test_worlds_that_differ_give_a_wider_interval_than_their_questions_would() -> None:
    """All questions of a world alike: 10 worlds tell as much as 10 questions, not as 200."""
    half = Ratio((20.0, 0.0) * 5, (20.0,) * 10)
    low, high = intervals({"x": half})["x"] or (0, 0)
    assert high - low > 0.5


def test_same_seed_same_interval_and_other_seed_other_draws() -> None:
    first = intervals({"x": WORLDS}, seed=1)
    assert intervals({"x": WORLDS}, seed=1) == first
    assert intervals({"x": WORLDS}, seed=2) != first


def test_one_share_does_not_shift_anothers_draws() -> None:
    other = Ratio(WORLDS.below, WORLDS.below)
    assert intervals({"a": other, "x": WORLDS})["x"] == intervals({"x": WORLDS})["x"]


def test_a_single_world_has_no_interval() -> None:
    assert intervals({"x": Ratio((1,), (2,))}) == {"x": None}


def test_an_undefined_share_has_no_interval() -> None:
    assert intervals({"x": Ratio((0, 0), (0, 0))}) == {"x": None}


def test_draws_in_which_a_share_is_undefined_are_left_out() -> None:
    rare = Ratio((1, 0, 0), (2, 0, 0))
    assert intervals({"x": rare}) == {"x": (0.5, 0.5)}


def test_no_draws_wanted_no_numpy_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert intervals({"x": WORLDS}, resamples=0) == {"x": None}


def test_without_numpy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtra, match=r"numpy.*worldquiz\[report\]"):
        intervals({"x": WORLDS})


def test_shares_of_different_numbers_of_worlds_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\[1, 2\] worlds"):
        intervals({"a": Ratio((1, 1), (2, 2)), "b": Ratio((1,), (2,))})


def test_a_constant_difference_has_no_spread_however_much_worlds_differ() -> None:
    left = Ratio(tuple(value + 1 for value in WORLDS.above), WORLDS.below)
    alike = Ratio(WORLDS.above, WORLDS.below)
    same = difference(alike, WORLDS)
    assert same == Difference(0, 0, 0)
    found = difference(left, WORLDS)
    assert found is not None
    assert found.value == pytest.approx(8 / 79)
    assert found.high - found.low < 0.02


def test_pairing_is_narrower_than_two_intervals() -> None:
    left = Ratio(tuple(value + n % 2 for n, value in enumerate(WORLDS.above)), WORLDS.below)
    found = difference(left, WORLDS)
    single = intervals({"x": WORLDS})["x"]
    assert found is not None
    assert single is not None
    assert found.high - found.low < (single[1] - single[0]) / 2


def test_difference_is_antisymmetric() -> None:
    other = Ratio((1, 5, 2, 2, 3, 4, 0, 7), WORLDS.below)
    there, back = difference(WORLDS, other), difference(other, WORLDS)
    assert there is not None
    assert back is not None
    assert (there.value, there.low, there.high) == pytest.approx(
        (-back.value, -back.high, -back.low)
    )


def test_no_difference_from_an_undefined_share() -> None:
    nothing = Ratio((0,) * 8, (0,) * 8)
    assert difference(WORLDS, nothing) is None
    assert difference(nothing, WORLDS) is None
