"""How far people agree: in what two earned on the questions both had, and in what they judged."""

from __future__ import annotations

from itertools import permutations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.stats.agreement import Agreement, agreement, alpha

EARNED = st.dictionaries(st.integers(0, 6), st.floats(0, 1), max_size=6)


def test_two_of_three_questions_are_shared_and_one_differs() -> None:
    one, two = {"a": 1.0, "b": 0.0, "c": 1.0}, {"a": 1.0, "b": 0.5, "d": 0.0}
    assert agreement([one, two]) == Agreement(2, 0.125, 0.5)


def test_of_three_people_every_two_count() -> None:
    found = agreement([{"a": 1.0}, {"a": 0.0}, {"a": 0.0}])
    assert found == Agreement(1, 2 / 3, 0.0)


def test_without_two_of_a_question_there_is_no_mean() -> None:
    for people in ([], [{"a": 1.0}], [{"a": 1.0}, {"b": 1.0}]):
        assert agreement(people) == Agreement(0, None, None)


@given(st.lists(EARNED, max_size=4))
def test_it_is_between_agreement_and_its_opposite_whatever_the_order(
    people: list[dict[int, float]],
) -> None:
    found = agreement(people)
    again = agreement(people[::-1])
    assert found.questions == again.questions
    assert (found.error is None) == (found.questions == 0)
    if found.error is not None and again.error is not None:
        assert 0 <= found.error <= 1
        assert abs(found.error - again.error) < 1e-12


@given(EARNED)
def test_one_agrees_with_oneself(earned: dict[int, float]) -> None:
    found = agreement([earned, earned])
    assert found.error in (None, 0.0)
    assert found.same in (None, 1.0)


OBSERVERS = ("123321412   ", "1233224125 3", " 3332342251 ", "12332441251 ")
"""Krippendorff's four observers of twelve units; a blank is a unit that was not judged."""


@pytest.mark.parametrize(
    ("observers", "printed"),
    [(("0100000010", "1110010000"), 0.095), (OBSERVERS, 0.743)],
)
def test_alpha_is_that_of_krippendorffs_examples(
    observers: tuple[str, ...], printed: float
) -> None:
    units = ["".join(unit).replace(" ", "") for unit in zip(*observers, strict=True)]
    found = alpha(units)
    assert found is not None
    assert round(found, 3) == printed


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=5))
def test_alpha_is_disagreement_over_that_of_all_twos(units: list[list[str]]) -> None:
    judged = [unit for unit in units if len(unit) > 1]
    every = [value for unit in judged for value in unit]
    found = alpha(units)
    if len(set(every)) < 2:
        assert found is None
        return
    observed = [
        fmean(one != two for one, two in permutations(unit, 2)) for unit in judged for _ in unit
    ]
    expected = fmean(one != two for one, two in permutations(every, 2))
    assert found == pytest.approx(1 - fmean(observed) / expected)
