"""Scores of rows and comparisons of two runs: the headline first, then the mean grade."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthetic
from worldquiz.facts.row import Row
from worldquiz.stats.row_scores import NothingShared, agreement, compare, headline, scores

SCOUT, IDLE = synthetic.run(), synthetic.run("idle", "abstainer")
SEEN, UNSEEN = ([row for row in run.rows if row.asked] for run in (SCOUT, IDLE))


def unguessed(some: list[Row]) -> list[Row]:
    return [replace(row, guess=None) for row in some]


def test_rows_have_the_headline_of_their_run() -> None:
    found, told = scores(SEEN), SCOUT.scores
    for name in ("knowledge", "ceiling", "false_answers"):
        assert found[name] == headline(SEEN)[name] == pytest.approx(told[name])
        for type, part in found["by_type"].items():
            assert part[name] == pytest.approx(told["by_type"][type][name])
    assert next(iter(found)) == "knowledge"


def test_rows_without_guesses_have_no_headline() -> None:
    found = scores(unguessed(SEEN))
    assert (found["knowledge"], found["counts"]["counted"]) == (None, 0)
    assert found["grade"] == scores(SEEN)["grade"]
    told = compare(unguessed(SEEN), unguessed(UNSEEN))
    assert (told["score"], told["difference"]) == ("grade", told["grade"]["difference"])


def test_runs_are_compared_in_knowledge_first() -> None:
    found = compare(SEEN, UNSEEN)
    assert found["score"] == "knowledge"
    assert found["left"] == found["difference"] == pytest.approx(SCOUT.scores["knowledge"])
    assert found["right"] == 0
    assert found["grade"]["difference"] < 0  # abstaining pays in EUS
    assert set(found["by_type"]) == set(found["grade"]["by_type"])


def test_knowledge_is_compared_on_questions_that_count_in_both_runs() -> None:
    found = compare(SEEN, [replace(UNSEEN[0], guess=None), *UNSEEN[1:]])
    assert found["questions"] == len(SEEN) - 1
    assert found["grade"]["questions"] == len(SEEN)


def test_runs_without_a_common_question_cannot_be_compared() -> None:
    other = [replace(row, world="elsewhere") for row in SEEN]
    with pytest.raises(NothingShared, match="no question was asked in both runs"):
        compare(SEEN, other)


EARNED = st.dictionaries(st.integers(0, 6), st.floats(0, 1), max_size=6)


def test_shared_questions_count_and_every_two_of_several_people() -> None:
    one, two = {"a": 1.0, "b": 0.0, "c": 1.0}, {"a": 1.0, "b": 0.5, "d": 0.0}
    assert agreement([one, two]) == (2, 0.125)
    assert agreement([{"a": 1.0}, {"a": 0.0}, {"a": 0.0}]) == (1, 2 / 3)


@given(st.lists(EARNED, max_size=4))
def test_it_is_between_agreement_and_its_opposite_whatever_the_order(
    people: list[dict[int, float]],
) -> None:
    (shared, error), again = agreement(people), agreement(people[::-1])
    assert shared == again[0]
    assert (error is None) == (shared == 0)
    if error is not None:
        assert 0 <= error <= 1
        assert again[1] == pytest.approx(error)
