"""Laws of what is counted of any quiz, whoever took it: shares, intervals, confidence, p-values."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic import row
from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.stats import intervals as drawing
from worldquiz.stats.intervals import FEWEST, Ratio, holm, intervals, sign_flip, wilson
from worldquiz.t2q.question import Type
from worldquiz.t2q.scores import Scores, scores


@st.composite
def rows(draw: st.DrawFn) -> Row:
    """A question's row as any answerer may leave it."""
    shown, right, lost = draw(st.booleans()), draw(st.booleans()), not draw(st.integers(0, 9))
    how = draw(st.sampled_from([each for each in AnswerStatus if each != AnswerStatus.FAILED]))
    type = str(draw(st.sampled_from(Type)))
    return row(float(right), shown=shown, status=how, type=type, unscored="lost" if lost else None)


quizzes = st.lists(rows(), min_size=1, max_size=12)


def told(quiz: list[Row]) -> Scores:
    return scores(quiz, resamples=0)


@given(quizzes)
def test_the_shares_take_eus_apart(quiz: list[Row]) -> None:
    """EUS is what was shown and answered rightly, and what is rightly abstained."""
    counts = told(quiz)["counts"]
    assert counts["correct"] == counts["correct_answerable"] + counts["abstained_rightly"]
    lost = sum(each.grade is not None and each.status in UNREAD and not each.shown for each in quiz)
    known = counts["abstained_rightly"] + counts["answered_unshown"]
    assert known + lost == counts["non_answerable"]


@given(quizzes)
def test_saying_nothing_more_changes_no_knowledge(quiz: list[Row]) -> None:
    """Adding rightly abstained questions raises EUS, if anything, and never what is known."""
    before = told(quiz)
    after = told([*quiz, row(shown=False, status=AnswerStatus.ABSTAINED)])
    assert before["counts"]["correct_answerable"] == after["counts"]["correct_answerable"]
    assert before["counts"]["points"] == after["counts"]["points"]
    assert before["eus"] is None or after["eus"] >= before["eus"]


@given(st.lists(quizzes, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_counts_add_up_over_questions_types_and_worlds_in_any_order(
    worlds: list[list[Row]], chance: random.Random
) -> None:
    """No question is lost."""
    played = [[replace(each, world=f"w{n}") for each in quiz] for n, quiz in enumerate(worlds)]
    whole = told([each for quiz in played for each in quiz])
    parts = [told(quiz)["counts"] for quiz in played]
    types = [block["counts"] for block in whole["by_type"].values()]
    for name, count in whole["counts"].items():
        if name in types[0]:
            assert count == pytest.approx(sum(part[name] for part in types))
            assert count == pytest.approx(sum(part[name] for part in parts))
    assert whole["counts"]["questions"] + whole["counts"]["unscored"] == sum(map(len, worlds))
    for quiz in played:
        chance.shuffle(quiz)
    mixed = told([each for quiz in played for each in quiz])
    assert mixed["counts"] == pytest.approx(whole["counts"])


ratios = st.lists(
    st.integers(1, 30).flatmap(lambda below: st.tuples(st.integers(0, below), st.just(below))),
    min_size=2,
    max_size=12,
).map(lambda pairs: Ratio(tuple(one for one, _ in pairs), tuple(two for _, two in pairs)))


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


# Confidence and p-values

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
