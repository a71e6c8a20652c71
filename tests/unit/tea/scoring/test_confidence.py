"""How sure a mean is, and whether two takers differ."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.llm.reply_lists import Form
from worldquiz.stats.intervals import wilson
from worldquiz.tea.scoring.confidence import (
    by_scene,
    difference,
    interval,
    mcnemar,
)
from worldquiz.tea.scoring.contest import shared
from worldquiz.tea.scoring.table import Scored

SCORES = st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=2, max_size=30)
SHARP = st.lists(st.booleans().map(float), min_size=2, max_size=30)


def scored(values: Sequence[float], scenes: int = 1) -> list[Scored]:
    return [
        Scored(f"t{n:03d}", "depth", f"s{n % scenes}", value, Form.CLEAN)
        for n, value in enumerate(values)
    ]


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemars_test_is_the_exact_binomial_one(left: int, right: int) -> None:
    tries = left + right
    as_far = [k for k in range(tries + 1) if abs(2 * k - tries) >= abs(left - right)]
    assert mcnemar(left, right) == pytest.approx(sum(comb(tries, k) for k in as_far) / 2**tries)


@settings(max_examples=25)
@given(SCORES, st.sampled_from([1, 6]))
def test_an_interval_lies_around_its_mean(values: list[float], scenes: int) -> None:
    some = scored(values, scenes)
    found = interval(some)
    mean = sum(values) / len(values)
    if found is None:
        assert by_scene(some) is False
        assert len({each.scene for each in some}) < 2
        return
    assert 0 <= found[0] <= mean + 1e-5
    assert mean - 1e-5 <= found[1] <= 1


def test_too_few_have_no_interval() -> None:
    assert interval(scored([1.0])) is None
    assert difference([]) is None


def test_answers_that_are_right_or_wrong_have_wilsons_interval() -> None:
    values = [1.0, 0.0, 1.0, 1.0]
    assert interval(scored(values)) == wilson(3, 4)
    assert interval(scored([1.0] * 20, scenes=5)) == wilson(5, 5)  # the unit is the scene


def test_many_scenes_are_the_unit() -> None:
    alike = scored([1.0, 1.0, 1.0, 0.0, 0.0, 0.0] * 20, scenes=6)
    wide, narrow = interval(alike), interval(scored([each.score for each in alike]))
    assert wide is not None
    assert narrow is not None
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


@settings(max_examples=20)
@given(SHARP)
def test_a_difference_turns_its_sign_and_keeps_its_p(values: list[float]) -> None:
    ours, theirs = scored(values), scored(values[::-1])
    one, two = difference(shared(ours, theirs)), difference(shared(theirs, ours))
    assert one is not None
    assert two is not None
    assert one.value == pytest.approx(-two.value)
    assert (one.left, one.right, one.p) == (two.right, two.left, two.p)
    assert one.p == mcnemar(one.left, one.right)
    assert one.low <= one.value + 1e-9
    assert one.value - 1e-9 <= one.high


def test_only_what_both_were_asked_is_compared() -> None:
    ours, theirs = scored([1.0, 0.0, 1.0]), scored([0.0, 0.0, 0.0, 1.0])[1:]
    found = difference(shared(ours, theirs))
    assert found is not None
    assert (found.asked, found.left, found.right) == (2, 1, 0)


def test_graded_scores_are_exchanged_by_sign() -> None:
    found = difference(shared(scored([0.9] * 12), scored([0.4] * 12)))
    assert found is not None
    assert found.p == pytest.approx(2 / 2**12, abs=1e-6)
