"""Terminal tables of scores: a share never stands without its count."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

import synthetic
from command import worldquiz
from worldquiz.page.terminal import Screen
from worldquiz.t2q.tables import tables


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


def test_knowledge_stands_with_its_interval_and_count_on_80_columns(tmp_path: Path) -> None:
    run = synthetic.run("scout", "reader", worlds=6)
    shown = StringIO()
    screen = Screen(width=80, file=shown)
    for table in tables([run.written(tmp_path / "run")]):
        screen.print(table)
    lines = shown.getvalue().splitlines()
    low, high = run.scores["ci"]["knowledge"]
    counted, value = run.scores["counts"]["counted"], run.scores["knowledge"]
    told = f"{value:.2f} [{low:.2f}, {high:.2f}] ({counted})"
    assert any(told in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_page_tells_the_baselines_among_runs(runs: list[Path], tmp_path: Path) -> None:
    idle = synthetic.run("idle", "abstainer").written(tmp_path / "idle")
    assert worldquiz("report", idle, *runs, "--out", tmp_path / "page.html").code == 0
    assert "lower-bound" in (tmp_path / "page.html").read_text()


def test_table_2_marks_the_best_and_the_second_best_of_what_is_measured(tmp_path: Path) -> None:
    right = ("iron chest", "yes", "attic", "north", "brass key", "yes")
    runs = (
        synthetic.run("scout", "reader"),
        synthetic.run("scout", "guesser", replies=("south",) * 6),
        synthetic.run("scout", "knower", replies=right),
        synthetic.run("scout", "oracle"),
    )
    made = [run.written(tmp_path / str(number)) for number, run in enumerate(runs)]
    (table,) = (each for each in tables(made) if str(each.title).startswith("Table 2"))
    totals = [str(cell) for cell in table.columns[-1].cells]
    assert totals[0].startswith("[bold]0.67 (8 of 12)")
    assert totals[1].startswith("0.00")
    assert totals[2].startswith("[underline]0.50")
    assert totals[3].startswith("0.67")


def test_runs_of_one_agent_and_answerer_are_told_apart_and_levels_stand_as_in_figure_4(
    tmp_path: Path,
) -> None:
    for name in ("step", "task"):
        synthetic.run("random", "constant").written(tmp_path / name)
    said = worldquiz("score", tmp_path / "step", tmp_path / "task").out
    assert "random + constant (step)" in said
    assert "random + constant (task)" in said
    assert "Figure 4: TSR by level" in said
    assert "Figure 4: EUS by level" in said
    assert "random + constant (" not in worldquiz("score", tmp_path / "step").out
