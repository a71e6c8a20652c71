"""Terminal tables of scores: a share never stands without its count."""

from __future__ import annotations

from pathlib import Path

import pytest

import synthetic
from command import worldquiz


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    made = {"scout": synthetic.run("scout", "reader"), "model": synthetic.model_run()}
    return [run.written(folder / name) for name, run in made.items()]


def test_every_share_stands_with_its_count_and_models_with_their_calls(
    runs: list[Path],
) -> None:
    text = worldquiz("score", *runs).out
    assert "Table 2: TSR, and EUS by type of question" in text
    (shares, *_) = (line for line in text.splitlines() if "scout + reader" in line)
    for told in ("0.50 (2 of 4)", "0.67 (8 of 12)", "0.50 (6 of 12)", "1.00 (4 of 4)"):
        assert told in shares
    assert ["maker/m1", "+", "in-context", "all", "22", "16,000", "320", "1.50"] in [
        line.split() for line in text.splitlines()
    ]


def test_a_page_tells_the_baselines_among_runs(runs: list[Path], tmp_path: Path) -> None:
    idle = synthetic.run("idle", "abstainer").written(tmp_path / "idle")
    assert worldquiz("report", idle, *runs, "--out", tmp_path / "page.html").code == 0
    assert "lower-bound" in (tmp_path / "page.html").read_text()
