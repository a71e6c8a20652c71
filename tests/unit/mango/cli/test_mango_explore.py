"""``mango explore`` at the command line: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from worldquiz.errors import CatalogError, KnobError
from worldquiz.mango.cli.explored_tables import explored_table
from worldquiz.mango.cli.mango_explore import explore
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.write import write

pytest.importorskip("numba")


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mazes")
    write(generate(Knobs(8), 0, name="castle"), folder)
    return folder


def invoke(*arguments: object) -> str:
    app = typer.Typer()
    app.command()(explore)
    found = CliRunner().invoke(app, [str(each) for each in arguments])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found.stdout


def test_coverage_and_knowledge_stand_side_by_side(mazes: Path, tmp_path: Path) -> None:
    options = (mazes, "--agent", "frontier", "--steps", "30", "--per-maze", "5")
    told = invoke(*options, "--out", tmp_path / "run")
    row = next(line.split() for line in told.splitlines() if line.split()[:1] == ["castle"])
    scores = json.loads(invoke(*options, "--out", tmp_path / "run", "--json"))
    shown = scores["games"]["castle"]["coverage"]["moves"]
    assert f"{shown['shown']}/{shown['of']}" in row
    assert f"{scores['knowledge']:.2f}" in row


def test_two_answerers_are_refused(mazes: Path, tmp_path: Path) -> None:
    with pytest.raises(KnobError, match="give one of --model and --answerer"):
        invoke(mazes, "--answerer", "mapper", "--model", "m", "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_class_that_cannot_explore_is_refused(mazes: Path, tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="agent 'json:JSONDecoder': missing method 'act'"):
        invoke(mazes, "--agent", "json:JSONDecoder", "--out", tmp_path / "run")


def test_a_game_without_a_known_map_has_no_mean_of_nothing(mazes: Path, tmp_path: Path) -> None:
    scores = json.loads(invoke(mazes, "--agent", "idle", "--out", tmp_path / "run", "--json"))
    nobody = {part: {"mean": None, "interval": None} for part in scores["coverage"]}
    table = explored_table({**scores, "mapped": 0, "games": {}, "coverage": nobody}, "idle")
    assert list(table.columns[0].cells) == ["no map is known"]
