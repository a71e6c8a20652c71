"""The flat table of graded questions, and its file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pyarrow import parquet

import synthetic
from worldquiz.errors import MissingExtra, RecordError
from worldquiz.t2q.export import COLUMNS, TOLD, beside, questions_table, write

RUNS = [synthetic.run("scout", "reader"), synthetic.run("idle", "abstainer")]


def test_one_row_a_question_of_each_run_in_order() -> None:
    table = questions_table(RUNS)
    assert table.num_rows == 2 * 2 * 6
    assert table.column_names == list(COLUMNS)
    assert table["run"].to_pylist() == ["scout-reader"] * 12 + ["idle-abstainer"] * 12
    assert table["world"].to_pylist()[:12] == ["easy-00"] * 6 + ["hard-01"] * 6


def test_a_row_says_all_of_its_question() -> None:
    rows = questions_table(RUNS).to_pylist()
    assert rows[2] == {
        "run": "scout-reader", "agent": "scout", "quiz": "reader", "world": "easy-00",
        "level": "easy", "question": "connectivity-001", "type": "connectivity",
        "format": "which", "text": "Which room is next to the hall?",
        "choices": ["attic", "vault"], "gold": "attic", "reply": "attic", "abstained": False,
        "answerable": True, "episode": 0, "step": 2, "score": 1.0, "unscored": None,
        "status": None, "confidence": None, "cause": None,
    }  # fmt: skip


def test_what_nothing_showed_has_no_moment_and_keeps_its_true_answer() -> None:
    row = questions_table(RUNS).to_pylist()[0]
    assert (row["answerable"], row["episode"], row["step"]) == (False, None, None)
    assert (row["gold"], row["reply"], row["score"]) == ("iron chest", "non-answerable", 1.0)


def test_a_models_rows_say_how_it_answered_and_why_it_was_wrong() -> None:
    row = questions_table([synthetic.model_run()]).to_pylist()[1]
    assert (row["agent"], row["quiz"]) == ("maker/m1", "in-context")
    assert (row["status"], row["confidence"], row["cause"]) == ("repaired", 0.95, "overclaim")


def test_a_missing_grade_is_null_with_its_reason_and_never_0() -> None:
    row = questions_table([synthetic.run(replies=synthetic.REPLIES[:5])]).to_pylist()[5]
    assert (row["score"], row["unscored"]) == (None, "no answer on record")


def test_the_schemas_version_travels_with_the_file(tmp_path: Path) -> None:
    path = write(RUNS, tmp_path / "deep" / "questions.parquet")
    table = parquet.read_table(path)
    assert table.schema.metadata == {b"schema": b"worldquiz/questions", b"version": b"1"}
    assert table.equals(questions_table(RUNS))


def test_no_runs_give_an_empty_table_of_the_same_columns() -> None:
    table = questions_table([])
    assert (table.num_rows, table.column_names) == (0, list(COLUMNS))


def test_same_runs_same_bytes(tmp_path: Path) -> None:
    first, second = (write(RUNS, tmp_path / name) for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()


def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot write"):
        write(RUNS, tmp_path / "file" / "questions.parquet")


def test_without_pyarrow_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pyarrow.*worldquiz\[parquet\]"):
        questions_table(RUNS)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of its own use of libraries
def test_croissant_beside_it_is_valid_and_reads_the_rows(tmp_path: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    path = write(RUNS, tmp_path / "questions.parquet")
    read = mlcroissant.Dataset(beside(path))
    assert not read.metadata.ctx.issues.errors
    rows = list(read.records("questions"))
    assert len(rows) == 24
    assert rows[2]["questions/choices"] == [b"attic", b"vault"]
    assert (rows[2]["questions/score"], rows[2]["questions/step"]) == (1.0, 2)
    assert rows[0]["questions/step"] is None


def test_every_column_told_of_is_there() -> None:
    assert set(TOLD) <= set(COLUMNS)
