"""What a terminal shows of runs, and of the paper's tables, Task2Quiz's as an example."""

from __future__ import annotations

from pathlib import Path

import pytest

import synthetic
import worldquiz as wq
from command import worldquiz


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    made = {
        "scout": synthetic.run("scout", "reader"),
        "model": synthetic.model_run(),
        "idle": synthetic.run("idle", "abstainer"),
    }
    return [run.written(folder / name) for name, run in made.items()]


def test_contestants_stand_in_a_table_and_baselines_in_a_line(runs: list[Path]) -> None:
    text = worldquiz("score", *runs).out
    told = f"scout {synthetic.run('scout', 'reader').scores['knowledge']:.2f} "
    assert any(" ".join(line.split()).startswith(told) for line in text.splitlines())
    assert "Baselines, knowledge: idle 0.00." in text
    used = "model: 22 calls of the model (act 10, quiz 12), 16,000 tokens of prompts, 320 of"
    assert used in " ".join(text.split())


def test_show_prints_table_2_and_figure_4(runs: list[Path]) -> None:
    text = worldquiz("show", runs[0]).out.partition("by type of question (Table 2)")[2]
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert rows["location"][:2] == ["–", "0.50"]
    assert rows["easy"][0] == "0.50"


def test_a_page_tells_the_baselines_among_runs(runs: list[Path], tmp_path: Path) -> None:
    assert worldquiz("report", *runs, "--out", tmp_path / "page.html").code == 0
    assert "lower-bound" in (tmp_path / "page.html").read_text()


@pytest.fixture(scope="module")
def random_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has not seen all of its worlds."""
    folder = tmp_path_factory.mktemp("score")
    suite = wq.t2q.build("easy", seed=4, worlds=2, out=folder / "suite")
    suite.run(agent="random", answerer="worldgraph", max_steps=4, out=folder / "run")
    return folder / "run"


def test_the_papers_checkpoints_call_more_answerable_and_change_no_record(random_run: Path) -> None:
    ours = worldquiz("score", random_run, "--json").json
    before = {path: path.read_bytes() for path in random_run.rglob("*") if path.is_file()}
    theirs = worldquiz("t2q", "checkpoints", random_run, "--json").json
    assert 0 < ours["coverage"] < theirs["coverage"] <= 1
    assert ours["accuracy_answerable"] == 1 > theirs["accuracy_answerable"]
    assert {path: path.read_bytes() for path in before} == before


def test_the_table_says_by_which_rule(random_run: Path) -> None:
    text = worldquiz("t2q", "checkpoints", random_run).out
    assert "random + worldgraph: questions answerable by the paper's rule" in text
