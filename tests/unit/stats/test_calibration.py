"""Confidences against what became of the answers, on examples small enough to count."""

from __future__ import annotations

import pytest

from worldquiz.stats.calibration import (
    BINS,
    Retained,
    Stated,
    aurc,
    bins,
    brier,
    ece,
    risk_coverage,
)

FOUR = [Stated(0.9, 1), Stated(0.9, 0), Stated(0.6, 1), Stated(0.2, 0)]


def test_brier_score_is_the_mean_square() -> None:
    assert brier(FOUR) == pytest.approx((0.01 + 0.81 + 0.16 + 0.04) / 4)


def test_calibration_error_weighs_bins_by_their_answers() -> None:
    """In [0.9, 1]: 0.9 against 0.5, two answers; in [0.6, 0.7) 0.4 off; in [0.2, 0.3) 0.2 off."""
    assert ece(FOUR) == pytest.approx((2 * 0.4 + 0.4 + 0.2) / 4)


@pytest.mark.parametrize("number", range(BINS))
def test_a_bin_holds_its_lower_bound(number: int) -> None:
    found = bins([Stated(number / BINS, 1)])
    assert [bin.answers for bin in found] == [int(place == number) for place in range(BINS)]


def test_full_confidence_is_in_the_last_bin() -> None:
    last = bins([Stated(1.0, 1)])[-1]
    assert (last.answers, last.low, last.high, last.accuracy) == (1, 0.9, 1.0, 1)


def test_risk_grows_as_less_sure_answers_are_kept() -> None:
    assert risk_coverage(FOUR) == (
        Retained(0.9, 0.5, 0.5), Retained(0.6, 0.75, 1 / 3), Retained(0.2, 1.0, 0.5),
    )  # fmt: skip


def test_a_perfect_ranking_has_the_least_area() -> None:
    """Two right, then two wrong: risks 0, 0, 1/3, 1/2."""
    ranked = [Stated(0.9, 1), Stated(0.8, 1), Stated(0.4, 0), Stated(0.1, 0)]
    assert aurc(ranked) == pytest.approx((1 / 3 + 1 / 2) / 4)


def test_without_a_ranking_the_area_is_the_error_rate() -> None:
    assert aurc([Stated(0.7, 1), Stated(0.7, 0), Stated(0.7, 0)]) == pytest.approx(2 / 3)


def test_equal_confidences_count_as_the_mean_over_all_orders() -> None:
    """The sure one first; then right-wrong or wrong-right: risks 0, 0 or 1/2, 1/3."""
    tied = [Stated(0.9, 1), Stated(0.5, 1), Stated(0.5, 0)]
    assert aurc(tied) == pytest.approx((0 + (0 + 1 / 2) / 2 + 1 / 3) / 3)


def test_nothing_stated_nothing_known() -> None:
    assert (brier([]), ece([]), aurc([]), risk_coverage([])) == (None, None, None, ())
