"""From a run of published mazes to what makes them hard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import worldquiz
from mango_data import mango_data
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.regression import regress
from worldquiz.mango.scoring.tables import write_tables


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("mapper") / "run"
    worldquiz("mango", "run", mango_data(), "--answerer", "mapper", "--per-maze", 10, "--out", out)
    return out


def test_a_run_holds_all_that_its_tables_need(run: Path, tmp_path: Path) -> None:
    files = write_tables([run], tmp_path)
    assert {path.stem for path in files} == {"means", "games", "table_4", "table_10"}
    scores = json.loads((run / "scores.json").read_text("utf-8"))
    mean = f"{scores['df']['all']['success']['macro']:.2f}"
    assert f"| mapper | DF all | {scores['df']['all']['asked']} | 16 | {mean} [" in (
        tmp_path / "means.md"
    ).read_text("utf-8")


def test_predictors_are_those_of_the_steps_that_were_read(run: Path) -> None:
    found = regress(read_contest([run]))["predictors"]["mapper"]
    assert len(found) == 16
    assert found["zork1"]["steps"] == 70
    assert (found["zork1"]["locations"], found["zork1"]["avg_len_scene"]) == (
        19, pytest.approx(30, abs=15),
    )  # fmt: skip
