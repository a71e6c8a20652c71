"""Laws of what is counted of models' runs, and of p-values."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthetic
from worldquiz.llm.model import TOKENS, Purpose, Status, Usage
from worldquiz.stats.intervals import Ratio, holm, sign_flip
from worldquiz.t2q.scoring import Sitting, models
from worldquiz.t2q.trace import Cause

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
    return synthetic.model_run(worlds=1).sittings[0]


decided = st.tuples(st.sampled_from(Cause))
undecided = st.sampled_from([(Cause.KNOWN, Cause.GUESSED), (Cause.REASON, Cause.REMEMBER)])


@st.composite
def worlds(draw: st.DrawFn) -> Sitting:
    """A world with any usage, any moves and any causes."""
    one = base()
    moves = Counter(draw(st.lists(st.sampled_from([*map(str, Status)]), max_size=4)))
    findings = tuple(draw(decided | undecided) for _ in one.results)
    used = tuple(draw(st.lists(usages, min_size=1, max_size=4)))
    calls = replace(one.calls, act=moves, left_out=draw(st.integers(0, 5)), usage=used)
    return replace(one, calls=calls, findings=findings)


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
