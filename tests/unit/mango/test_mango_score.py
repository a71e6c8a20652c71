"""``mango score``: tables for people, one document for programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Cli
from mango_folder import TOY, df_row, rf_row, write_maze, write_official, write_rows

ROUTE = (("hall", "north", "kitchen"), ("kitchen", "up", "attic"))


@pytest.fixture
def mazes(tmp_path: Path) -> Path:
    return write_maze(TOY, tmp_path / "mazes")


def test_answers_are_scored_with_counts(cli: Cli, mazes: Path, tmp_path: Path) -> None:
    rows = (df_row(0), df_row(1, reply="no idea"), rf_row("hall", "attic", *ROUTE))
    command = ("mango", "score", write_rows(tmp_path / "gpt.jsonl", *rows), "--maze", mazes)
    found = cli(*command, "--json").json
    assert (found["compat"], found["rf_easy"]) == ("exact", "shortest")
    assert found["df"]["all"]["success"]["macro"] == 0.5
    assert found["games"]["toy"]["rf"]["all"]["success"] == 1
    text = cli(*command).out
    assert "DF all" in text
    assert "0.50" in text


def test_the_release_s_sums(cli: Cli, mazes: Path, tmp_path: Path) -> None:
    root = write_official(tmp_path / "them", df_row(0, reply="MARS"), df_row(1))
    command = ("mango", "score", root, "--maze", mazes, "--compat", "release")
    found = cli(*command, "--json").json
    assert found["rf_easy"] == "any"
    assert found["df"]["summary"]["all"]["parsing_error"] == 1
    assert "DF toy easy" in cli(*command).out
