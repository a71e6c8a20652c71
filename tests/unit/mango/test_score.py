"""Answers meet mazes: questions found by id, levels by steps, documents with every count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mango_folder import TOY, df_row, rf_row, write_maze, write_official, write_rows
from worldquiz.errors import RecordError
from worldquiz.mango.scores import score

ROUTE = (("hall", "north", "kitchen"), ("kitchen", "up", "attic"))


@pytest.fixture
def mazes(tmp_path: Path) -> Path:
    return write_maze(TOY, tmp_path / "mazes")


Scores = Callable[..., Any]


@pytest.fixture
def scores(mazes: Path, tmp_path: Path) -> Scores:
    def of(*rows: dict[str, Any], **more: Any) -> Any:
        return score(write_rows(tmp_path / "a.jsonl", *rows), mazes, **more)

    return of


def test_the_steps_that_were_read_decide_what_is_easy(scores: Scores) -> None:
    down = df_row(3)  # only ever seen from the other side, at step 3
    assert scores(down)["df"]["hard"]["asked"] == 1
    assert scores(df_row(0))["df"]["easy"]["asked"] == 1
    early = scores(down | {"steps": 2})
    assert early["df"]["all"]["asked"] == 0
    assert early["games"]["toy"]["df"]["unanswerable"] == 1


def test_ill_formed_answers_stay_in_the_denominator(scores: Scores) -> None:
    found = scores(df_row(0), df_row(1, reply="no idea"), rf_row("hall", "attic"))
    assert found["df"]["all"]["success"]["micro"] == 0.5
    assert found["df"]["all"]["ill_formed"] == 1
    assert found["rf"]["all"]["success"]["micro"] == 0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (df_row(0) | {"id": "0" * 64}, r"a.jsonl:1: maze 'toy' has no question .*'north'.*0000"),
        (df_row(0) | {"actions": ["south"]}, "has no question from 'hall' by"),
        (df_row(0) | {"actions": ["north"] * 1_000}, "has no question"),
        (rf_row("hall", "moon", *ROUTE), "has no place 'moon'; known: attic"),
        (df_row(0) | {"game": "toi"}, r"a.jsonl:1: .*no maze 'toi'; did you mean 'toy'"),
    ],
)
def test_an_answer_to_nothing_is_an_error(scores: Scores, row: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        scores(row)


def test_the_release_counts_what_we_refuse(mazes: Path, tmp_path: Path) -> None:
    root = write_official(tmp_path / "them", df_row(0), df_row(1) | {"id": "0" * 64})
    (root / "model_desti_finding_x" / "toy" / "exp_config.json").write_text("{}")
    found = score(root, mazes, compat="release")["df"]["toy"]["all"]
    assert (found["total_task"], found["valid_task"]) == (3, 1)
    assert (found["id_error"], found["parsing_error"]) == (1, 1)


def test_a_file_that_contradicts_its_question_is_an_error(mazes: Path, tmp_path: Path) -> None:
    root = write_official(tmp_path / "them", df_row(0) | {"end": "garden"})
    with pytest.raises(RecordError, match="has no question from 'hall' by"):
        score(root, mazes)
    assert score(root, mazes, compat="release")["df"]["toy"]["all"]["valid_task"] == 1
