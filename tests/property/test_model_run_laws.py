"""Laws of what is counted of models' runs, and of p-values."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthetic
from worldquiz.facts.requirement import Moment
from worldquiz.llm.model import TOKENS, CommandReply, Purpose, Status, Usage
from worldquiz.stats import calibration
from worldquiz.stats.calibration import Stated
from worldquiz.stats.intervals import Ratio, sign_flip
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.scoring import Sitting, holm, models, sitting
from worldquiz.t2q.trace import Cause, Trace

cents = st.integers(0, 10_000).map(lambda cents: cents / 100)
usages = st.builds(
    Usage,
    st.sampled_from(Purpose),
    st.integers(1, 50),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.none() | cents,
)


@cache
def base() -> Sitting:
    played = synthetic.model_run(worlds=1).worlds[0]
    return sitting(played, results(played))


decided = st.tuples(st.sampled_from(Cause))
undecided = st.sampled_from([(Cause.KNOWN, Cause.GUESSED), (Cause.REASON, Cause.REMEMBER)])


@st.composite
def worlds(draw: st.DrawFn) -> Sitting:
    """A world with any usage, any moves, any causes and any confidences."""
    one = base()
    moves = [
        CommandReply(Moment(0, n + 1), "", status, draw(st.integers(0, 5)))
        for n, status in enumerate(draw(st.lists(st.sampled_from(Status), max_size=4)))
    ]
    said = [
        replace(reply, confidence=draw(st.none() | st.floats(0, 1))) for reply in one.trace.replies
    ]
    findings = tuple(draw(decided | undecided) for _ in one.results)
    used = tuple(draw(st.lists(usages, min_size=1, max_size=4)))
    trace = Trace(tuple(moves), tuple(said), one.trace.contexts, used)
    return replace(one, trace=trace, findings=findings)


suites = st.lists(worlds(), min_size=1, max_size=3)


@given(suites)
def test_usage_adds_up_over_purposes(suite: list[Sitting]) -> None:
    found = models.document(suite)["usage"]
    for key in TOKENS:
        assert found[key] == sum(part[key] for part in found["by_purpose"].values())
    costs = [part["cost"] for part in found["by_purpose"].values() if part["calls"]]
    if None in costs:
        assert found["cost"] is None
    else:
        assert found["cost"] == pytest.approx(sum(costs))


@given(suites, st.randoms(use_true_random=False))
def test_the_order_of_worlds_changes_nothing(suite: list[Sitting], chance: random.Random) -> None:
    mixed = list(suite)
    chance.shuffle(mixed)
    assert models.document(mixed) == models.document(suite)


answers = st.lists(st.builds(Stated, st.floats(0, 1), st.sampled_from((0.0, 1.0))), min_size=1)


@given(answers)
def test_what_measures_confidence_lies_between_0_and_1(stated: list[Stated]) -> None:
    for measure in (calibration.brier, calibration.ece, calibration.aurc):
        value = measure(stated)
        assert value is not None
        assert -1e-12 <= value <= 1 + 1e-12


@given(answers)
def test_every_answer_is_in_one_bin_and_the_last_point_keeps_all(stated: list[Stated]) -> None:
    assert sum(bin.answers for bin in calibration.bins(stated)) == len(stated)
    last = calibration.risk_coverage(stated)[-1]
    assert last.share == 1
    assert isclose(last.risk, 1 - sum(each.grade for each in stated) / len(stated), abs_tol=1e-9)


@given(answers)
def test_confidence_that_is_the_outcome_is_perfect(stated: list[Stated]) -> None:
    knowing = [Stated(each.grade, each.grade) for each in stated]
    assert (calibration.brier(knowing), calibration.ece(knowing)) == (0, 0)


@given(answers)
def test_only_the_order_of_confidences_decides_the_area(stated: list[Stated]) -> None:
    halved = [Stated(each.confidence / 2, each.grade) for each in stated]
    kept_apart = len({each.confidence for each in halved}) == len(
        {each.confidence for each in stated}
    )
    if kept_apart:  # the smallest floats have no halves
        assert calibration.aurc(halved) == calibration.aurc(stated)


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
