"""Scores of rows and comparisons of two runs: the knowledge score, and the mean grade."""

from __future__ import annotations

from dataclasses import replace

import pytest

import synthetic
from worldquiz.facts.row import Row
from worldquiz.stats.row_scores import compare, scores

SCOUT, IDLE = synthetic.run(), synthetic.run("idle", "abstainer")
SEEN, UNSEEN = ([row for row in run.rows if row.asked] for run in (SCOUT, IDLE))


def without_points(some: list[Row]) -> list[Row]:
    return [replace(row, points=None) for row in some]


def test_rows_have_the_headline_of_their_run() -> None:
    found, told = scores(SEEN), SCOUT.scores
    assert found["knowledge"] == pytest.approx(told["knowledge"])
    assert found["counts"]["counted"] == told["counts"]["counted"]
    assert next(iter(found)) == "knowledge"
    for name, part in found["by_type"].items():
        assert part["knowledge"] == pytest.approx(told["by_type"][name]["knowledge"])


def test_rows_without_points_have_no_headline() -> None:
    found = scores(without_points(SEEN))
    assert "knowledge" not in found
    assert "counted" not in found["counts"]
    assert found["score"] == scores(SEEN)["score"]


def test_runs_are_compared_in_knowledge_first() -> None:
    found = compare(SEEN, UNSEEN)
    assert next(iter(found)) == "knowledge"
    assert found["knowledge"]["left"] == pytest.approx(SCOUT.scores["knowledge"])
    assert found["knowledge"]["right"] == 0
    left = found["knowledge"]["left"]
    assert found["knowledge"]["difference"] == pytest.approx(left)
    assert found["difference"] < 0  # abstaining pays in EUS
    assert set(found["knowledge"]["by_type"]) == set(found["by_type"])


def test_knowledge_is_compared_on_questions_that_count_in_both_runs() -> None:
    fewer = [replace(UNSEEN[0], points=None), *UNSEEN[1:]]
    assert compare(SEEN, fewer)["knowledge"]["questions"] == len(SEEN) - 1
    assert compare(SEEN, fewer)["questions"] == len(SEEN)


def test_runs_without_a_common_question_cannot_be_compared() -> None:
    other = [replace(row, world="elsewhere") for row in SEEN]
    with pytest.raises(ValueError, match="no question was asked in both runs"):
        compare(SEEN, other)
