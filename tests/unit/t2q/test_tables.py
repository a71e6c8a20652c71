"""What a terminal shows of runs, and of the paper's tables, Task2Quiz's as an example."""

from __future__ import annotations

from pathlib import Path

import pytest

import synthetic
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
