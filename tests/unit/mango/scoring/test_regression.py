"""Lines through mazes: the numbers of an independent library, and what is refused."""

from __future__ import annotations

import random
from statistics import fmean, pvariance, stdev

import numpy as np
import pytest
from scipy import stats

from worldquiz.mango.scoring.regression import NotEstimated, RegressionLine, by_name, line, lines
from worldquiz.stats.intervals import holm

DRAW = random.Random(3)
SIZE = {f"m{n:02}": DRAW.uniform(2, 30) for n in range(20)}
RATE = {maze: min(1.0, max(0.0, 0.9 - 0.02 * n + DRAW.gauss(0, 0.1))) for maze, n in SIZE.items()}


def fitted(found: RegressionLine | NotEstimated) -> RegressionLine:
    assert isinstance(found, RegressionLine), found
    return found


def test_a_perfect_line() -> None:
    found = fitted(line({"a": 1.0, "b": 0.5, "c": 0.0}, {"a": 10, "b": 20, "c": 30}, "size"))
    assert found.mazes == 3
    assert found.slope == pytest.approx(-0.05)
    assert found.beta == pytest.approx(-0.5)  # one standard deviation is 10
    assert found.r2 == pytest.approx(1)


def test_it_is_ordinary_least_squares_on_a_standardised_predictor() -> None:
    found = fitted(line(RATE, SIZE, "size"))
    spread, middle = stdev(SIZE.values()), fmean(SIZE.values())
    x = [(SIZE[maze] - middle) / spread for maze in RATE]
    (beta, level), covariance = np.polyfit(x, list(RATE.values()), 1, cov=True)
    left = [rate - level - beta * at for at, rate in zip(x, RATE.values(), strict=True)]
    error, free = covariance[0, 0] ** 0.5, len(RATE) - 2
    assert found.beta == pytest.approx(beta)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(beta) / error, free))
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, free, beta, error))
    assert found.r2 == pytest.approx(1 - pvariance(left) / pvariance(RATE.values()))
    assert found.slope == pytest.approx(beta / spread)


def test_the_unit_of_a_predictor_does_not_change_beta() -> None:
    inches = {maze: value * 39.37 for maze, value in SIZE.items()}
    one, other = fitted(line(RATE, SIZE, "size")), fitted(line(RATE, inches, "size"))
    assert one.beta == pytest.approx(other.beta)
    assert one.p == pytest.approx(other.p)
    assert one.slope == pytest.approx(other.slope * 39.37)


def test_the_order_of_mazes_changes_nothing() -> None:
    back = dict(reversed(RATE.items()))
    assert line(back, SIZE, "size") == line(RATE, dict(reversed(SIZE.items())), "size")


def test_mazes_where_a_predictor_is_undefined_are_left_out() -> None:
    some: dict[str, float | None] = {**SIZE, "m00": None}
    found = fitted(line(RATE, some, "size"))
    without = {maze: rate for maze, rate in RATE.items() if maze != "m00"}
    assert found == line(without, SIZE, "size")
    assert found.mazes == 19


@pytest.mark.parametrize(
    ("rates", "values", "why"),
    [
        ({"a": 1.0, "b": 0.0}, {"a": 1.0, "b": 2.0}, "it has 2 mazes, and a line needs 3"),
        ({"a": 1.0, "b": 0.0, "c": 0.5}, {"a": 1.0}, "it has 1 mazes, and a line needs 3"),
        (dict.fromkeys("abc", 0.5), {"a": 1.0, "b": 2.0, "c": 3.0}, "the rate is 0.50 in all 3"),
        ({"a": 1.0, "b": 0.0, "c": 0.5}, dict.fromkeys("abc", 7.0), "it is 7 in all 3 mazes"),
    ],
)
def test_what_has_no_line_is_refused_with_the_reason(
    rates: dict[str, float], values: dict[str, float | None], why: str
) -> None:
    found = line(rates, values, "size")
    assert isinstance(found, NotEstimated)
    assert found.what == "size"
    assert why in found.why


def test_p_values_are_adjusted_for_the_lines_that_were_drawn() -> None:
    noise = {maze: DRAW.random() for maze in RATE}
    flat = dict.fromkeys(RATE, 1.0)
    found = lines(RATE, {"size": SIZE, "flat": flat, "noise": noise})
    assert [type(each) for each in found] == [RegressionLine, NotEstimated, RegressionLine]
    drawn = [fitted(found[0]), fitted(found[2])]
    assert [each.p_holm for each in drawn] == list(holm([each.p for each in drawn]))
    assert drawn[0].p_holm == pytest.approx(2 * drawn[0].p)


def test_predictors_by_maze_and_by_name() -> None:
    mazes: dict[str, dict[str, float | None]] = {
        "b": {"x": 1.0, "y": 2.0},
        "a": {"x": None, "y": 4.0},
    }
    assert by_name(mazes, ("y", "x")) == {"y": {"a": 4.0, "b": 2.0}, "x": {"a": None, "b": 1.0}}
