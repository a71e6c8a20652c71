"""``mango sheet`` and ``human``: from mazes to questions on paper and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from worldquiz.errors import KnobError
from worldquiz.mango.cli.mango_human import human, sheet
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.write import write

Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    app = typer.Typer()
    for command in (sheet, human):
        app.command()(command)

    def invoke(*arguments: object) -> str:
        found = CliRunner().invoke(app, [str(each) for each in arguments])
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        assert found.exit_code == 0, found.output
        return found.stdout

    return invoke


@pytest.fixture
def mazes(tmp_path: Path) -> Path:
    for seed, name in enumerate(("one", "two")):
        write(generate(Knobs(size=6), seed, name=name), tmp_path / "mazes")
    return tmp_path / "mazes"


@pytest.fixture
def filled(run: Run, mazes: Path, tmp_path: Path) -> Path:
    """A sheet in which nobody knows anything."""
    path = tmp_path / "sheet.csv"
    raters = ("--rater", "ann", "--rater", "bob", "--twice", "2")
    told = json.loads(
        run("sheet", mazes, "--out", path, "--per-maze", "3", "--seed", "1", *raters, "--json")
    )
    assert (told["questions"], told["rows"]) == (12, 16)
    lines = path.read_text("utf-8").replace(",ann,,", ",ann,?,4").replace(",bob,,", ",bob,?,6")
    path.write_text(lines, "utf-8")
    return path


def test_a_sheet_says_how_to_go_on(run: Run, mazes: Path, tmp_path: Path) -> None:
    told = run("sheet", mazes, "--out", tmp_path / "s.csv", "--game", "one")
    assert "4 lines in" in told
    assert "worldquiz mango human" in told
    assert (tmp_path / "s-walkthroughs" / "one.txt").is_file()
    assert not (tmp_path / "s-walkthroughs" / "two.txt").exists()


def test_what_was_filled_in_is_scored(run: Run, mazes: Path, filled: Path, tmp_path: Path) -> None:
    shown = run("human", filled, "--maze", mazes, "--out", tmp_path / "run")
    for words in ("human: means over mazes", "Mean squared error", "16 answers of 2", "16 '?'"):
        assert words in shown
    assert (tmp_path / "run" / "answers.jsonl").is_file()


def test_json_is_one_document(run: Run, mazes: Path, filled: Path, tmp_path: Path) -> None:
    found = json.loads(
        run("human", filled, "--maze", mazes, "--out", tmp_path / "run", "--by-rater", "--json")
    )
    assert set(found["runs"]) == {"human (ann)", "human (bob)"}
    assert found["agreement"]["df"]["all"] == {"questions": 2, "success": 0, "reasoning": 0}
    assert 4 <= found["minutes"]["rf"]["mean"] <= 6


def test_an_unknown_game_is_named(run: Run, mazes: Path, tmp_path: Path) -> None:
    with pytest.raises(KnobError, match="no game 'onee'; did you mean 'one'"):
        run("sheet", mazes, "--out", tmp_path / "s.csv", "--game", "onee")
