"""Intervals clustered by world: against a plain loop, against known truth, and at the edges."""

from __future__ import annotations

import random
import sys
from itertools import product

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.errors import MissingExtra
from worldquiz.stats import intervals as drawing
from worldquiz.stats.intervals import (
    FEWEST,
    Difference,
    Ratio,
    difference,
    holm,
    intervals,
    sign_flip,
    standard_error,
    too_few,
    wilson,
)

WORLDS = Ratio((3, 5, 8, 2, 9, 4, 6, 7), (10, 9, 12, 8, 10, 11, 9, 10))


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


def test_a_standard_error_is_that_of_the_jackknife_and_of_plain_means() -> None:
    """Where all worlds ask alike, it is the standard error of their means."""
    means = [0.25, 0.5, 0.75, 1, 1, 0, 0.5, 0.25, 0]
    plain = Ratio(tuple(4 * mean for mean in means), (4,) * 9)
    assert standard_error(plain) == pytest.approx(numpy.std(means, ddof=1) / 3)
    pairs = list(zip(WORLDS.above, WORLDS.below, strict=True))
    without = [
        sum(above for above, _ in rest) / sum(below for _, below in rest)
        for rest in (pairs[:at] + pairs[at + 1 :] for at in range(len(pairs)))
    ]
    jackknife = (7 / 8 * sum((each - numpy.mean(without)) ** 2 for each in without)) ** 0.5
    assert standard_error(WORLDS) == pytest.approx(jackknife, rel=0.05)
    assert standard_error(Ratio((0,) * 9, (0,) * 9)) is None


@pytest.mark.parametrize("worlds", range(1, 9))
@pytest.mark.parametrize("empty", [0, 3])  # worlds that have nothing of what is asked
@pytest.mark.parametrize("of", [1, 40])
def test_fewer_than_six_worlds_carry_no_interval_and_no_test(
    worlds: int, empty: int, of: int
) -> None:
    """Of 80 right answers beside 80 wrong ones in two worlds, the difference is told, and no more.

    Else the difference has an interval as its sides have, and they do not contradict each other.
    """
    none = (0,) * empty
    right, wrong = (Ratio((value,) * worlds + none, (of,) * worlds + none) for value in (of, 0))
    sides, found = intervals({"a": right, "b": wrong}), difference(right, wrong)
    assert found is not None
    assert found.value == 1
    if worlds < 6:
        assert {*sides.values(), found.interval, found.p} == {None}
        assert (
            too_few(worlds, "maze") == f"{worlds} maze{'s' * (worlds > 1)}: too few for an interval"
        )
        return
    assert too_few(worlds) is None
    one, other = sides["a"], sides["b"]
    assert one is not None
    assert other is not None
    assert found.interval is not None
    assert found.p == pytest.approx(2 / 2**worlds, abs=1e-6)
    assert one[0] - other[1] <= found.interval[0] < found.interval[1] == 1
    assert found.interval[0] > 0


@pytest.mark.parametrize(("count", "of"), [(0, 10), (5, 10), (10, 10), (1, 3), (25, 25)])
def test_wilsons_interval_is_that_of_scipy(count: int, of: int) -> None:
    library = pytest.importorskip("scipy.stats")
    wanted = library.binomtest(count, of).proportion_ci(method="wilson")
    assert wilson(count, of) == pytest.approx((wanted.low, wanted.high), abs=1e-6)


def test_no_draws_wanted_no_numpy_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert intervals({"x": WORLDS}, resamples=0) == {"x": None}


def test_without_numpy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtra, match=r"numpy.*worldquiz\[t2q\]"):
        intervals({"x": WORLDS})


def test_a_constant_difference_has_no_spread_however_much_worlds_differ() -> None:
    left = Ratio(tuple(value + 1 for value in WORLDS.above), WORLDS.below)
    alike = Ratio(WORLDS.above, WORLDS.below)
    same = difference(alike, WORLDS)
    assert same == Difference(0, (0, 0), 1)
    found = difference(left, WORLDS)
    assert found is not None
    assert found.value == pytest.approx(8 / 79)
    assert found.interval is not None
    assert found.interval[1] - found.interval[0] < 0.02


def test_difference_is_antisymmetric() -> None:
    other = Ratio((1, 5, 2, 2, 3, 4, 0, 7), WORLDS.below)
    there, back = difference(WORLDS, other), difference(other, WORLDS)
    assert there is not None
    assert back is not None
    assert there.interval is not None
    assert back.interval is not None
    assert (there.value, *there.interval) == pytest.approx(
        (-back.value, *(-end for end in back.interval[::-1]))
    )


# Laws of intervals

shares = st.lists(
    st.integers(1, 12).flatmap(
        lambda below: st.tuples(st.integers(0, below), st.integers(0, below), st.just(below))
    ),
    min_size=2,
    max_size=15,
)


def sides(rows: list[tuple[int, int, int]]) -> tuple[Ratio, Ratio]:
    left, right, below = map(tuple, zip(*rows, strict=True))
    return Ratio(left, below), Ratio(right, below)


ratios = shares.map(lambda rows: sides(rows)[0])


@given(ratios, st.integers(0, 5))
def test_an_interval_contains_its_share_and_has_a_width(ratio: Ratio, seed: int) -> None:
    bounds = intervals({"x": ratio}, resamples=200, seed=seed)["x"]
    assert (bounds is None) is (len(ratio.below) < FEWEST)
    if bounds is None:
        return
    assert ratio.value is not None
    assert 0 <= bounds[0] <= ratio.value <= bounds[1] <= 1
    assert bounds[0] < bounds[1]


@given(ratios, st.integers(0, 5))
def test_an_interval_is_within_the_extremes_of_worlds_that_differ(ratio: Ratio, seed: int) -> None:
    shares = [above / below for above, below in zip(ratio.above, ratio.below, strict=True)]
    bounds = intervals({"x": ratio}, resamples=200, seed=seed)["x"]
    if bounds and set(ratio.below) != {1} and len(set(shares)) > 1:
        assert min(shares) - 1e-6 <= bounds[0] <= bounds[1] <= max(shares) + 1e-6


@given(st.integers(FEWEST, 60), st.integers(1, 40), st.sampled_from([0, 1]))
def test_worlds_that_show_one_outcome_only_count_as_one_trial_each(
    worlds: int, questions: int, right: int
) -> None:
    """Scores of 0 and 1: Wilson's interval, and the same whatever benchmark asks."""
    ratio = Ratio((float(right * questions),) * worlds, (float(questions),) * worlds)
    assert intervals({"x": ratio}, resamples=50)["x"] == wilson(right * worlds, worlds)


@pytest.mark.parametrize("worlds", [7, 40])
@pytest.mark.parametrize("block", [1, 64])
def test_draws_do_not_depend_on_how_many_are_worked_on_at_a_time(
    monkeypatch: pytest.MonkeyPatch, worlds: int, block: int
) -> None:
    above = tuple(float(n * 7 % 5) for n in range(worlds))
    left = Ratio(above, (5.0,) * worlds)
    right = Ratio(above[::-1], (5.0,) * worlds)

    def found() -> object:
        drawing._weights.cache_clear()
        drawing._exchanges.cache_clear()
        pair = drawing.difference(left, right, resamples=300)
        return drawing.intervals({"x": left}, resamples=300), pair

    expected = found()
    monkeypatch.setattr(drawing, "_BLOCK", block)
    assert found() == expected


# p-values


def ratio(*above: float, of: float = 10) -> Ratio:
    return Ratio(above, (of,) * len(above))


def test_p_agrees_with_trying_every_sign_by_hand() -> None:
    left, right = ratio(9, 4, 8, 3, 7, 6), ratio(6, 5, 3, 3, 4, 5)
    gaps = [a - b for a, b in zip(left.above, right.above, strict=True)]
    sums = [
        abs(sum(sign * gap for sign, gap in zip(signs, gaps, strict=True)))
        for signs in product((1, -1), repeat=6)
    ]
    wanted = sum(found >= abs(sum(gaps)) for found in sums) / 64
    assert sign_flip(left, right) == pytest.approx(wanted, abs=1e-6)


def test_a_drawn_p_value_is_near_the_exact_one() -> None:
    """13 worlds are drawn, 12 enumerated: a world in which nothing differs changes nothing."""
    left, right = ratio(*[6, 5, 7, 4] * 3), ratio(*[5, 5, 5, 5] * 3)
    exact = sign_flip(left, right)
    more = sign_flip(ratio(*left.above, 5), ratio(*right.above, 5))
    assert exact is not None
    assert more == pytest.approx(exact, abs=0.02)


def test_p_values_keep_their_promise() -> None:
    """Where nothing differs, p is below 0.1 in about a tenth of all trials, not more."""
    stream = numpy.random.default_rng(3)
    found = []
    for _ in range(300):
        rates = stream.beta(6, 4, size=10)
        sides = [ratio(*map(float, stream.binomial(20, rates)), of=20) for _ in range(2)]
        found.append(sign_flip(*sides))
    assert 0.04 <= sum(p <= 0.1 for p in found if p is not None) / 300 <= 0.14


@given(shares)
def test_p_is_a_probability_and_symmetric(rows: list[tuple[int, int, int]]) -> None:
    left, right = sides(rows)
    p = sign_flip(left, right, draws=200)
    assert p is not None
    assert 0 < p <= 1
    assert p == sign_flip(right, left, draws=200)


@given(shares, st.randoms(use_true_random=False))
def test_p_does_not_depend_on_the_order_of_worlds(
    rows: list[tuple[int, int, int]], chance: random.Random
) -> None:
    mixed = list(rows)
    chance.shuffle(mixed)
    assert sign_flip(*sides(rows), draws=200) == sign_flip(*sides(mixed), draws=200)


def test_an_undefined_share_has_no_p_value() -> None:
    assert sign_flip(WORLDS, Ratio((0,) * 8, (0,) * 8)) is None


def test_holms_adjustment_never_falls_and_is_at_most_1() -> None:
    """The numbers of statsmodels' ``multipletests``."""
    values = [0.2, 0.001, 0.04, 0.04, 0.9, 0.012]
    assert holm(values) == pytest.approx((0.4, 0.006, 0.16, 0.16, 0.9, 0.06))


families = st.lists(st.none() | st.floats(0, 1), max_size=12)


@given(families)
def test_holm_never_lowers_and_keeps_the_order(values: list[float | None]) -> None:
    adjusted = holm(values)
    pairs = [
        (raw, new)
        for raw, new in zip(values, adjusted, strict=True)
        if raw is not None and new is not None
    ]
    assert [raw is None for raw in values] == [new is None for new in adjusted]
    assert all(raw <= new <= 1 for raw, new in pairs)
    ranked = [new for _, new in sorted(pairs)]
    assert ranked == sorted(ranked)


def test_a_difference_claims_no_more_than_a_side_without_spread() -> None:
    """Six perfect worlds tell only that lost ones are few; so does their lead over others."""
    perfect = Ratio((5.0,) * 6, (5.0,) * 6, signed=True)
    other = Ratio((1.0, 2.0, 0.0, 1.0, 2.0, 1.0), (5.0,) * 6, signed=True)
    alone = intervals({"perfect": perfect, "other": other})
    assert alone["perfect"] == wilson(6, 6)
    found = difference(perfect, other)
    assert found is not None
    assert found.interval is not None
    assert found.interval[1] - found.interval[0] > 1 - wilson(6, 6)[0]
    assert found.interval[0] <= found.value <= found.interval[1]
    back = difference(other, perfect)
    assert back is not None
    assert back.interval == (-found.interval[1], -found.interval[0])
