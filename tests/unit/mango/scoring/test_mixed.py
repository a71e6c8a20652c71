"""The regression on all answers: on made data whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from worldquiz.mango.scoring.mixed import (
    LIMIT,
    AnswerOutcome,
    Mixed,
    NotEstimated,
    Term,
    inflations,
    mixed,
    told_apart,
)

LENGTH, IMPUTED, SIZE = -0.03, -0.05, -0.08
"""What a move, an imputed move and a standard deviation of size do to the made scores."""
SIZES = ("locations", "explicit_edges", "imputed_edges")
MAZES, EACH, LUCK = 24, 40, 0.08
SAMPLES, FITS = 60, 40

Mazes = dict[str, dict[str, float | None]]


def made(seed: int) -> tuple[list[AnswerOutcome], Mazes, list[float]]:
    """Draw answers, mazes and the mazes' true sizes: all three measures of size are alike.

    Answers are right or wrong. Longer routes are those of larger mazes, so that length differs
    between mazes too.
    """
    draw = random.Random(seed)
    size = [draw.gauss(0, 1) for _ in range(MAZES)]
    mazes: Mazes = {
        f"m{number:02}": {
            "locations": 20 + 7 * big + draw.gauss(0, 0.7),
            "explicit_edges": 30 + 12 * big + draw.gauss(0, 1.2),
            "imputed_edges": 15 + 6 * big + draw.gauss(0, 0.6),
            "avg_len_scene": draw.gauss(60, 20),
        }
        for number, big in enumerate(size)
    }
    rows = []
    for name, big in zip(mazes, size, strict=True):
        luck = draw.gauss(0, LUCK)
        lengths = [max(1, round(draw.gauss(5 + 1.5 * big, 2))) for _ in range(EACH)]
        imputed = [sum(draw.random() < 0.3 for _ in range(length)) for length in lengths]
        for length, late in zip(lengths, imputed, strict=True):
            chance = 0.55 + LENGTH * (length - sum(lengths) / EACH)
            chance += IMPUTED * (late - sum(imputed) / EACH) + SIZE * big + luck
            right = float(draw.random() < chance)
            rows.append(AnswerOutcome(name, right, {"length": length, "imputed": late}))
    return rows, mazes, size


def fitted(seed: int) -> Mixed:
    rows, mazes, _ = made(seed)
    found = mixed(rows, mazes)
    assert isinstance(found, Mixed), found
    return found


def term(found: Mixed, name: str) -> Term:
    (one,) = [each for each in found.terms if name in each.members]
    return one


def plainly(seed: int) -> tuple[list[float], list[float], list[float]]:
    """Return betas, p-values and variance inflations of the joint regression over mazes."""
    models = pytest.importorskip("statsmodels.regression.linear_model")
    rows, mazes, _ = made(seed)
    rate = [sum(r.score for r in rows if r.maze == name) / EACH for name in mazes]
    table = numpy.array([[mazes[name][each] for each in SIZES] for name in mazes], dtype=float)
    table = (table - table.mean(axis=0)) / table.std(axis=0, ddof=1)
    fit = models.OLS(rate, numpy.column_stack([numpy.ones(MAZES), table])).fit()
    return list(fit.params[1:]), list(fit.pvalues[1:]), inflations(list(table.T))


@pytest.mark.slow
def test_the_joint_regression_over_mazes_misleads() -> None:
    """Every measure of size goes with worse scores, and the joint fit hardly ever says so."""
    fits = [plainly(seed) for seed in range(SAMPLES)]
    betas = [beta for fit in fits for beta in fit[0]]
    assert min(min(fit[2]) for fit in fits) > 2 * LIMIT
    assert 0.3 < sum(beta > 0 for beta in betas) / len(betas) < 0.6  # of the wrong sign
    assert sum(p < 0.05 for fit in fits for p in fit[1]) / len(betas) < 0.15
    assert numpy.std(betas) > 2 * abs(SIZE)


@pytest.mark.slow
def test_ours_has_the_truth_in_its_intervals_and_finds_it() -> None:
    within = {"length": 0, "imputed": 0, "locations": 0, "avg_len_scene": 0}
    seen = 0
    for seed in range(FITS):
        found, size = fitted(seed), made(seed)[2]
        assert term(found, "locations").members == SIZES
        truths = {
            "length": LENGTH * (term(found, "length").unit or 0),
            "imputed": IMPUTED * (term(found, "imputed").unit or 0),
            "locations": SIZE * float(numpy.std(size, ddof=1)),
            "avg_len_scene": 0.0,
        }
        for name, truth in truths.items():
            one = term(found, name)
            within[name] += one.low <= truth <= one.high
        seen += term(found, "locations").p < 0.05
    assert all(number >= 0.85 * FITS for number in within.values()), within
    assert seen > 0.6 * FITS


def balanced(seed: int) -> list[AnswerOutcome]:
    """Draw 20 mazes of 10 answers each; every other seed has no luck of mazes at all."""
    draw, rows = random.Random(seed), []
    for maze in range(20):
        luck = draw.gauss(0, 0.2 * (seed % 2))
        for _ in range(10):
            moves = draw.gauss(5, 2)
            score = 0.5 - 0.1 * moves + luck + draw.gauss(0, 0.3)
            rows.append(AnswerOutcome(f"m{maze:02}", score, {"length": moves}))
    return rows


@pytest.mark.parametrize("seed", range(12))
def test_balanced_mazes_have_the_variances_of_the_textbook(seed: int) -> None:
    """With as many answers in each maze, REML is the analysis of variance, cut off at 0.

    Searle, Casella and McCulloch, "Variance Components" (1992), section 3.8.
    """
    rows = balanced(seed)
    found = mixed(rows, {row.maze: {} for row in rows})
    assert isinstance(found, Mixed)
    score = numpy.array([row.score for row in rows]).reshape(20, 10)
    length = numpy.array([row.question["length"] for row in rows]).reshape(20, 10)
    y = score - score.mean(axis=1, keepdims=True)
    x = length - length.mean(axis=1, keepdims=True)
    slope = float((x * y).sum() / (x * x).sum())
    inside = float(((y - slope * x) ** 2).sum())
    outside = 10 * float(score.mean(axis=1).var(ddof=0) * 20)
    within, between = inside / (200 - 20 - 1), outside / (20 - 1)
    luck = max(0.0, (between - within) / 10)
    error = within if luck else (inside + outside) / (200 - 2)
    assert found.terms[0].beta == pytest.approx(slope * float(x.std(ddof=1)), abs=1e-9)
    assert found.between == pytest.approx(luck, abs=1e-5)
    assert found.error == pytest.approx(error, rel=1e-4)


def test_mazes_that_explain_every_score_leave_no_error() -> None:
    rows = [AnswerOutcome(r.maze, float(r.maze < "m04"), r.question) for r in toy(8)]
    found = mixed(rows, {row.maze: {} for row in rows})
    assert isinstance(found, Mixed)
    assert found.error == pytest.approx(0, abs=1e-3)
    assert term(found, "length").beta == pytest.approx(0)


def test_what_a_maze_is_like_cannot_be_taken_for_what_a_question_is_like() -> None:
    """Shifting all scores of a maze, and all its lengths, leaves question-level terms alone."""
    rows, mazes, _ = made(0)
    moved = [
        AnswerOutcome(r.maze, r.score + int(r.maze[1:]),
                      {**r.question, "length": r.question["length"] + 100 * int(r.maze[1:])})
        for r in rows
    ]  # fmt: skip
    one, other = mixed(rows, mazes), mixed(moved, mazes)
    assert isinstance(one, Mixed)
    assert isinstance(other, Mixed)
    for name in ("length", "imputed"):
        assert term(one, name).beta == pytest.approx(term(other, name).beta)


def test_neither_the_order_of_answers_nor_of_mazes_matters() -> None:
    rows, mazes, _ = made(2)
    one, other = mixed(rows, mazes), mixed(rows[::-1], dict(reversed(mazes.items())))
    assert isinstance(one, Mixed)
    assert isinstance(other, Mixed)
    assert [t.beta for t in one.terms] == pytest.approx([t.beta for t in other.terms])
    assert [t.high for t in one.terms] == pytest.approx([t.high for t in other.terms])


def toy(mazes: int, score: Callable[[int], float] = lambda n: n % 2) -> list[AnswerOutcome]:
    return [
        AnswerOutcome(f"m{maze}", score(n), {"length": n * (1 + maze)})
        for maze in range(mazes)
        for n in range(6)
    ]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (toy(3), "it has 3 mazes, and needs 4"),
        (toy(8, lambda _: 1.0), "all 48 answers earn 1.00"),
    ],
)
def test_too_little_is_refused(rows: list[AnswerOutcome], why: str) -> None:
    found = mixed(rows, {row.maze: {} for row in rows})
    assert isinstance(found, NotEstimated)
    assert why in found.why


def refusals(rows: list[AnswerOutcome], mazes: Mazes) -> dict[str, str]:
    found = mixed(rows, mazes)
    assert isinstance(found, Mixed), found
    return {each.what: each.why for each in found.refused}


def test_each_predictor_that_tells_nothing_is_refused_by_name() -> None:
    mazes: Mazes = {
        f"m{maze}": {
            "same": 3.0,
            "one": float(maze == 2),
            "blank": None if maze == 4 else 1.0 * maze,
        }
        for maze in range(8)
    }
    rows = [AnswerOutcome(r.maze, r.score, {**r.question, "flat": 2.0}) for r in toy(8)]
    found = refusals(rows, mazes)
    assert found == {
        "flat": "it varies within 0 mazes, and must within 4",
        "same": "it is the same in all mazes, or in all but one",
        "one": "it is the same in all mazes, or in all but one",
        "blank": "it is undefined for maze 'm4'",
    }


def test_few_mazes_carry_no_maze_level_terms_but_question_level_ones() -> None:
    mazes: Mazes = {
        f"m{maze}": {"one": 1.0 * (maze % 3), "two": 1.0 * (maze % 4)} for maze in range(8)
    }
    assert refusals(toy(8), mazes) == {
        "maze-level terms": "8 mazes cannot carry 2 (one; two): 10 are needed"
    }


def test_terms_that_hang_on_one_maze_are_refused() -> None:
    """Without maze m3, length and imputed are the same thing."""
    rows = [
        AnswerOutcome(f"m{m}", float(n % 3 == 0), {"length": n, "imputed": -n if m == 3 else n})
        for m in range(5)
        for n in range(7)
    ]
    found = mixed(rows, {f"m{m}": {} for m in range(5)})
    assert isinstance(found, NotEstimated)
    assert found.why == "without maze 'm3' its terms cannot be told apart"


def test_what_goes_together_is_joined_and_what_does_not_stays_apart() -> None:
    draw = random.Random(4)
    size = [draw.gauss(0, 1) for _ in range(50)]
    columns = {
        "rooms": [20 + 5 * big for big in size],
        "words": [draw.gauss(0, 1) for _ in size],
        "calm": [-big + draw.gauss(0, 0.1) for big in size],
    }
    joined, alone = told_apart(columns)
    assert (joined.members, joined.reversed, joined.name) == (
        ("rooms", "calm"), ("calm",), "rooms + -calm",
    )  # fmt: skip
    assert joined.unit is None
    assert numpy.corrcoef(joined.values, size)[0, 1] > 0.99
    assert alone.members == ("words",)
    assert alone.unit == pytest.approx(float(numpy.std(columns["words"], ddof=1)))
    assert max(joined.inflation, alone.inflation) < 1.2


def test_an_index_is_standardised() -> None:
    for index in told_apart({"a": [1.0, 2.0, 4.0, 9.0], "b": [2.0, 4.0, 8.0, 18.1]}):
        assert index.values.mean() == pytest.approx(0)
        assert index.values.std(ddof=1) == pytest.approx(1)


def test_inflation_is_one_over_what_the_others_leave_open() -> None:
    one, two = numpy.array([1.0, 2, 3, 4, 5]), numpy.array([2.0, 1, 4, 3, 5])
    share = float(numpy.corrcoef(one, two)[0, 1]) ** 2
    assert inflations([one, two]) == pytest.approx([1 / (1 - share)] * 2)
    assert inflations([one, one]) == [float("inf")] * 2
    assert inflations([one]) == pytest.approx([1.0])


def test_nothing_to_join() -> None:
    none: Any = told_apart({})
    assert none == ()
