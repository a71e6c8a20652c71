"""``--compat release`` gives the released evaluator's own figures on its own example answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import release_answers
from command import worldquiz
from mango_data import mango_data

Cell = float | tuple[float, float]
COLUMNS = (
    "total_task", "valid_task", "loose_score", "strict_score", "reasoning_score", "path_len",
    "parsing_error", "id_error", "step_num_error",
)  # fmt: skip
RELEASED: dict[tuple[str, str, str], tuple[Cell, ...]] = {
    ("shuffled", "desti_finding", "all"): (1287, 1006, 1006, 1006, 179, 4984, 0, 0, 281),
    ("shuffled", "desti_finding", "hard"): (191, 191, 191, 191, 32, 1021, 0, 0, 0),
    ("shuffled", "route_finding", "all"): (
        1255, 1026, (283.415, 290.185), (262, 277), 197, 4690, 0, 0, 229,
    ),
    ("shuffled", "route_finding", "hard"): (135, 135, (50.208, 51.439), (48, 51), 35, 474, 0, 0, 0),
    ("verbose", "desti_finding", "all"): (1287, 693, 693, 693, 693, 3459, 405, 0, 189),
    ("verbose", "desti_finding", "hard"): (145, 145, 145, 145, 145, 759, 0, 0, 0),
    ("verbose", "route_finding", "all"): (1255, 670, 670, 670, 670, 2849, 386, 0, 199),
    ("verbose", "route_finding", "hard"): (84, 84, 84, 84, 84, 315, 0, 0, 0),
}  # fmt: skip
"""The summary of the released evaluator (branch camera-ready, ed517aa) on `release_answers`, run
with ten hash seeds; two numbers are the least and the most of them."""


@pytest.fixture
def examples() -> Path:
    folder = mango_data() / "official_eval_examples"
    if not folder.is_dir():
        pytest.skip(f"the release's example answers are not at {folder}")
    return folder


def scored(answers: Path, compat: str, out: Path) -> Any:
    """Import answers, what is easy by the released data's choice of routes, and score them."""
    words = ("--maze", mango_data(), "--rf-easy", "any", "--out", out)
    assert worldquiz("mango", "import", answers, *words).code == 0
    return worldquiz("mango", "score", out, "--compat", compat, "--json").json


@pytest.mark.parametrize("task", ["df", "rf"])
def test_the_release_s_figures_are_reproduced_exactly(
    examples: Path, task: str, tmp_path: Path
) -> None:
    published = json.loads((examples.parent / "official_eval_905.json").read_text("utf-8"))
    wanted = published[f"{task.upper()}_all"]
    found = scored(examples, "release", tmp_path / "run")[task]
    for table in ("905", "summary"):
        ours = found[table]["all"]
        assert {name: ours[name] for name in wanted} == wanted


@pytest.mark.parametrize("kind", release_answers.KINDS)
@pytest.mark.parametrize("task", release_answers.TASKS)
def test_on_any_answers_to_16_games_as_far_as_the_release_agrees_with_itself(
    kind: str, task: str, tmp_path: Path
) -> None:
    release_answers.write_answers(mango_data(), kind, task, tmp_path / task)
    found = scored(tmp_path / task, "release", tmp_path / "run")
    summary = found["df" if task == "desti_finding" else "rf"]["summary"]
    for level in ("all", "hard"):
        for column, cell in zip(COLUMNS, RELEASED[kind, task, level], strict=True):
            ours = summary[level][column]
            if isinstance(cell, tuple):
                assert summary[level]["ties"] > 0
                assert cell[0] - 1e-3 <= ours <= cell[1] + 1e-3, (level, column)
            else:
                assert ours == pytest.approx(cell, abs=1e-3), (level, column)


def test_by_the_paper_every_asked_question_counts(examples: Path, tmp_path: Path) -> None:
    found = scored(examples, "paper", tmp_path / "run")
    df, rf = found["df"]["all"], found["rf"]["all"]
    assert df["asked"] == rf["asked"] == 16
    assert df["success"]["micro"] == pytest.approx(14.3636363636 / 16)
    assert rf["success"]["micro"] == 11 / 16
    assert (df["reasoning"]["micro"], rf["reasoning"]["micro"]) == (14 / 16, 11 / 16)
