"""``mango regress``: tables for people, one document for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mango_contests import contest, contestant, some_mazes
from worldquiz.mango.cli import mango_score
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.scoring.grade import Question

MAZES = some_mazes(12)
Run = Callable[..., str]


def by_length(question: Question, maze: Maze) -> float:
    return max(0.0, 1 - 0.08 * (question.shortest or 0))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    made = contest(
        MAZES, contestant("reader", MAZES, by_length), contestant("sure", MAZES, lambda *_: 1.0)
    )
    monkeypatch.setattr(mango_score, "read_contest", lambda runs, only: made)
    app = typer.Typer()
    app.command()(mango_score.regress)

    def invoke(*arguments: object) -> str:
        found = CliRunner().invoke(app, [str(each) for each in arguments])
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        return found.output

    return invoke


def test_json_is_one_document(run: Run, tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, "--json"))
    assert list(found["contestants"]) == ["reader", "sure"]
    assert set(found["predictors"]["reader"]) == set(MAZES)


def test_tables_have_the_papers_rows_and_say_what_is_not_told(run: Run, tmp_path: Path) -> None:
    shown = run(tmp_path)
    for words in (
        "reader: success over one predictor at a time", "# imp edges", "avg # imp in hard",
        "change of the score for one standard", "the rate is 1.00 in all 12 mazes",
    ):  # fmt: skip
        assert words in shown
    assert "avg_len" not in shown


def test_the_other_score_can_be_shown_and_no_third(run: Run, tmp_path: Path) -> None:
    assert "reader: reasoning over one predictor" in run(tmp_path, "--score", "reasoning")
    assert "give success or reasoning" in run(tmp_path, "--score", "beauty")
