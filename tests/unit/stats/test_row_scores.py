"""Scores of a run and comparisons of two: the headline first, then the mean grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import synthetic
import worldquiz as wq
from command import worldquiz
from scored import run_of
from worldquiz.facts.row import AnswerStatus

SCOUT, IDLE = synthetic.run(), synthetic.run("idle", "abstainer")
SEEN, UNSEEN = ([row for row in run.rows if row.asked] for run in (SCOUT, IDLE))
NAMES = ("knowledge", "ceiling", "false_answers")

Compared = Callable[[Sequence[wq.Row], Sequence[wq.Row]], dict[str, Any]]


@pytest.fixture
def compared(tmp_path: Path) -> Compared:
    """Return a function that compares two quizzes as runs."""
    return lambda one, two: wq.compare(run_of(one, tmp_path / "a"), run_of(two, tmp_path / "b"))


def unguessed(some: Sequence[wq.Row]) -> list[wq.Row]:
    return [replace(row, guess=None) for row in some]


def test_rows_have_the_headline_of_their_run(tmp_path: Path) -> None:
    run = run_of(SEEN, tmp_path / "run")
    for name in NAMES:
        assert run.headline[name] == pytest.approx(run.scores[name])
        assert run.scores[name] == pytest.approx(SCOUT.scores[name])
    assert next(iter(run.scores)) == "knowledge"


def test_a_notebook_shows_the_headline(tmp_path: Path) -> None:
    shown = run_of(SEEN, tmp_path / "<run>")._repr_html_()
    assert f"<td>knowledge</td><td>{SCOUT.scores['knowledge']:.2f}</td>" in shown
    assert "&lt;run&gt;" in shown


def test_a_headline_says_how_many_answers_failed(tmp_path: Path) -> None:
    """Who raises where he is unsure has a knowledge of what is left: it is told beside it."""
    failed = replace(SEEN[0], status=AnswerStatus.FAILED, correct=None, unscored="no server")
    headline = run_of([failed, *SEEN[1:]], tmp_path / "run").headline
    assert (headline["failed"], headline["counted"]) == (1, len(SEEN) - 1)


def test_rows_without_guesses_have_no_headline(compared: Compared, tmp_path: Path) -> None:
    run = run_of(unguessed(SEEN), tmp_path / "run")
    assert (run.headline["knowledge"], run.headline["counted"]) == (None, 0)
    assert run.scores["eus"] == SCOUT.scores["eus"]
    told = compared(unguessed(SEEN), unguessed(UNSEEN))
    assert told["score"] == "grade"
    assert told["difference"] == told["grade"]["difference"]


def test_runs_are_compared_in_knowledge_first(compared: Compared) -> None:
    found = compared(SEEN, UNSEEN)
    assert found["score"] == "knowledge"
    assert found["left"] == found["difference"] == pytest.approx(SCOUT.scores["knowledge"])
    assert found["right"] == 0
    assert found["grade"]["difference"] < 0  # abstaining pays in EUS


def test_knowledge_is_compared_on_questions_that_count_in_both_runs(compared: Compared) -> None:
    found = compared(SEEN, [replace(UNSEEN[0], guess=None), *UNSEEN[1:]])
    assert found["questions"] == len(SEEN) - 1
    assert found["grade"]["questions"] == len(SEEN)


def test_runs_without_a_common_question_cannot_be_compared(compared: Compared) -> None:
    other = [replace(row, world="elsewhere") for row in SEEN]
    with pytest.raises(wq.WorldquizError, match="the runs share no graded question"):
        compared(SEEN, other)


def test_runs_on_other_data_stand_in_tables_of_their_own(tmp_path: Path) -> None:
    runs = [run_of(SEEN, tmp_path / name, suite=digest * 60, label=name)
            for name, digest in (("a", "1"), ("b", "2"), ("c", "1"))]  # fmt: skip
    told = " ".join(worldquiz("score", *(run.path for run in runs)).out.split())
    assert "Not compared: a, c and b; their data" in told
    assert "Not compared: b and a, c; their data" in told
