"""How far people agree in what two earned on the questions both had."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.stats.agreement import Agreement, agreement

EARNED = st.dictionaries(st.integers(0, 6), st.floats(0, 1), max_size=6)


def test_shared_questions_count_and_every_two_of_several_people() -> None:
    one, two = {"a": 1.0, "b": 0.0, "c": 1.0}, {"a": 1.0, "b": 0.5, "d": 0.0}
    assert agreement([one, two]) == Agreement(2, 0.125)
    assert agreement([{"a": 1.0}, {"a": 0.0}, {"a": 0.0}]) == Agreement(1, 2 / 3)


@given(st.lists(EARNED, max_size=4))
def test_it_is_between_agreement_and_its_opposite_whatever_the_order(
    people: list[dict[int, float]],
) -> None:
    found, again = agreement(people), agreement(people[::-1])
    assert found.questions == again.questions
    assert (found.error is None) == (found.questions == 0)
    if found.error is not None:
        assert 0 <= found.error <= 1
        assert again.error == pytest.approx(found.error)
