"""``mango score``: tables for people, one document for programs, mistakes named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mango_folder import TOY, df_row, rf_row, write_maze, write_official, write_rows
from worldquiz.mango.cli.mango_score import score

ROUTE = (("hall", "north", "kitchen"), ("kitchen", "up", "attic"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("COLUMNS", "200")
    app = typer.Typer()
    app.command()(score)

    def invoke(*arguments: object) -> str:
        found = CliRunner().invoke(app, [str(each) for each in arguments])
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        assert found.exit_code == 0, found.output
        return found.stdout

    return invoke


@pytest.fixture
def mazes(tmp_path: Path) -> Path:
    return write_maze(TOY, tmp_path / "mazes")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    rows = (df_row(0), df_row(1, reply="no idea"), rf_row("hall", "attic", *ROUTE))
    return write_rows(tmp_path / "gpt.jsonl", *rows)


def test_json_is_one_document(run: object, mazes: Path, answers: Path) -> None:
    assert callable(run)
    found = json.loads(run(answers, "--maze", mazes, "--json"))
    assert found["compat"] == "exact"
    assert found["rf_easy"] == "shortest"
    assert found["df"]["all"]["success"]["macro"] == 0.5
    assert found["games"]["toy"]["rf"]["all"]["success"] == 1


def test_the_table_has_counts_beside_its_means(run: object, mazes: Path, answers: Path) -> None:
    assert callable(run)
    text = run(answers, "--maze", mazes)
    assert "DF all" in text
    assert "0.50" in text
    assert "21 questions of these mazes were not asked" in " ".join(text.split())


def test_the_release_s_sums(run: object, mazes: Path, tmp_path: Path) -> None:
    assert callable(run)
    root = write_official(tmp_path / "them", df_row(0, reply="MARS"), df_row(1))
    found = json.loads(run(root, "--maze", mazes, "--compat", "release", "--json"))
    assert found["rf_easy"] == "any"
    assert found["df"]["summary"]["all"]["parsing_error"] == 1
    assert "DF toy easy" in run(root, "--maze", mazes, "--compat", "release")
