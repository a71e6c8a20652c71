"""Names by which pages, tables and comparisons call runs: what tells one from another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import worldquiz
from pages import Reader

HERE = ["a (max steps 3)", "a (max steps 8)", "mine", "b"]


@pytest.fixture(scope="module")
def runs(suite: Any, tmp_path_factory: pytest.TempPathFactory) -> list[wq.Run]:
    """Return runs of one agent that differ in settings, one with a label, one of another agent."""
    home, worlds = tmp_path_factory.mktemp("runs"), wq.load(suite.path)
    return [
        worlds.run(agent=agent, answerer="constant", out=home / folder, **given)
        for folder, agent, given in (
            ("3/a", "random", {"max_steps": 3}),
            ("8/a", "random", {"max_steps": 8}),
            ("c", "random", {"max_steps": 8, "label": "mine"}),
            ("b", "idle", {"max_steps": 3}),
        )
    ]


def test_a_page_calls_runs_by_label_or_by_the_setting_that_differs(
    runs: list[wq.Run], tmp_path: Path
) -> None:
    page = Reader(wq.report(runs, tmp_path / "page.html").read_text("utf-8")).text
    for letter, name in zip("ABCD", HERE, strict=True):
        assert f"{letter} {name} " in page


def test_tables_and_comparisons_call_them_so_too(runs: list[wq.Run]) -> None:
    paths = [run.path for run in runs]
    said = worldquiz("score", *paths).out
    for name in HERE:
        assert name in said
    said = worldquiz("compare", *paths[:2]).out
    assert "a (max steps 3) minus a (max steps 8)" in said
    said = worldquiz("compare", paths[2], paths[2]).out
    assert "mine minus mine" in said


def test_the_command_line_takes_a_label(suite: Any, tmp_path: Path) -> None:
    given = ("--agent", "idle", "--answerer", "constant", "--out", tmp_path / "run")
    assert "odd one" in worldquiz("run", suite.path, *given, "--label", "odd one").out
    assert wq.Run(tmp_path / "run").manifest["label"] == "odd one"
    again = worldquiz("run", suite.path, *given)
    assert "label was 'odd one', is now not set" in again.err
    assert worldquiz("run", suite.path, *given, "--fresh").code == 0


def test_a_run_without_a_folder_lies_beside_its_data_and_says_where(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    suite = wq.t2q.build("easy", worlds=1, seed=5, out=tmp_path / "suite")
    run = suite.run(agent="idle", answerer="abstainer")
    assert run.path == tmp_path / "suite-idle-abstainer"
    assert f"worldquiz: run: {run.path}\n" in capfd.readouterr().err
    wq.mango.build(mazes=1, size=5, seed=3, out=tmp_path / "mazes")
    said = worldquiz("run", tmp_path / "mazes", "--answerer", "go", "--per-maze", 1)
    assert (said.code, (tmp_path / "mazes-go" / "scores.json").is_file()) == (0, True)
    assert "mazes-go\n" in said.err
