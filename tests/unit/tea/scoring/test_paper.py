"""Intervals of Table 3: their unit, and that they lie around the mean."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.stats.intervals import wilson
from worldquiz.tea.scoring.tables import table_3


def graded(values: Sequence[float], scenes: int = 1) -> list[Row]:
    return [
        Row(run="r", benchmark="tea", answerer="a", world=f"s{n % scenes}", item=f"t{n}",
            type="depth", format="metres", prompt="", gold="", reply="", shown=True,
            status=AnswerStatus.ANSWERED, correct=value)
        for n, value in enumerate(values)
    ]  # fmt: skip


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=2, max_size=30), st.sampled_from([1, 6])
)
def test_an_interval_lies_around_its_mean(values: list[float], scenes: int) -> None:
    found = table_3(graded(values, scenes))["depth"]
    assert found is not None
    mean = sum(values) / len(values)
    assert 0 <= found[0] <= mean + 1e-5
    assert mean - 1e-5 <= found[1] <= 1


def test_answers_that_are_right_or_wrong_have_wilsons_interval() -> None:
    assert table_3(graded([1.0])) == {"depth": None}
    assert table_3(graded([1.0, 0.0, 1.0, 1.0])) == {"depth": wilson(3, 4)}
    assert table_3(graded([1.0] * 20, scenes=5)) == {"depth": wilson(5, 5)}  # the scene
