"""How far people agree in what they earned on the questions both had."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.stats.agreement import Agreement, agreement

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
