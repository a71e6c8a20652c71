"""Answers from elsewhere become runs, with which all commands go on as with our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import command
import release_answers
import worldquiz as wq
from mango_data import mango_data

ASKED = ("--per-maze", "6", "--seed", "3")
SOME = ("balances", "huntdark", "library", "moonlit", "partyfoul", "snacktime", "zenon")
"""Published games that are small, and more than a regression needs."""


def worldquiz(*arguments: object) -> str:
    done = command.worldquiz(*arguments)
    assert done.code == 0, done.err
    return done.out


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("data") / "mazes"
    return wq.mango.build(mazes=4, seed=2, size=10, loops=0.3, out=out).path


@pytest.fixture(scope="module")
def walked(mazes: Path) -> tuple[Path, dict[str, Any]]:
    """A run of the random walk beside its mazes."""
    out = mazes.parent / "walked"
    told = worldquiz("mango", "run", mazes, "--answerer", "walk", "--out", out, *ASKED,
                      "--choice", "published", "--json")  # fmt: skip
    return out, json.loads(told)


def scores(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told[name] for name in ("df", "rf", "knowledge", "games")}


def answers(run: Path) -> list[dict[str, Any]]:
    """Return a run's answers as lines of ours."""
    rows = map(json.loads, (run / "rows.jsonl").read_text("utf-8").splitlines())
    return [
        {**row["measures"], "game": row["world"], "task": row["type"], "id": row["item"],
         "reply": row["reply"]}
        for row in rows
    ]  # fmt: skip


def test_lines_of_the_same_answers_make_the_same_scores(
    walked: tuple[Path, dict[str, Any]], mazes: Path, tmp_path: Path
) -> None:
    run, told = walked
    whole, lines, out = answers(run), tmp_path / "walk.jsonl", tmp_path / "from-lines"
    for fields in ([{**row} for row in whole], [{**row, "id": ""} for row in whole]):
        lines.write_text("\n".join(json.dumps(row) for row in fields), "utf-8")
        asked = ("mango", "import", lines, "--maze", mazes, "--out", out, "--name", "w", "--json")
        assert scores(json.loads(worldquiz(*asked))) == scores(told)
        assert [row["id"] for row in answers(out)] == [row["id"] for row in whole]


def test_a_folder_of_mangos_programs_goes_through_every_command(tmp_path: Path) -> None:
    data, runs = tmp_path / "mango", []
    data.mkdir()
    for game in SOME:
        (data / game).symlink_to(mango_data() / game)
    for kind in ("perfect", "verbose"):
        files = data / "results" / f"{kind}_route_finding"
        release_answers.write_answers(data, kind, "route_finding", files)
        for file in files.rglob("*.json"):  # a regression takes one number of steps a maze
            text = file.read_text("utf-8")
            file.write_text(text.replace('"model_cutoff_num": 30', '"model_cutoff_num": 70'))
        out = tmp_path / kind
        told = json.loads(
            worldquiz("mango", "import", files, "--maze", data, "--out", out, "--json")
        )
        assert json.loads(worldquiz("score", out, "--json"))["rf"] == told["rf"]
        runs.append(out)
    assert scores(told)["rf"]["all"]["success"]["macro"] > 0.99
    worldquiz("report", *runs, "--out", tmp_path / "report.html")
    assert "verbose_route_finding" in (tmp_path / "report.html").read_text("utf-8")
    worldquiz("mango", "tables", *runs, "--out", tmp_path / "tables")
    assert (tmp_path / "tables" / "table_1.csv").is_file()
    both = json.loads(worldquiz("compare", *runs, "--json"))
    assert both["questions"] > 100
    worldquiz("export", runs[0], "--out", tmp_path / "rows.parquet")
    done = command.worldquiz("human", runs[0], "--out", tmp_path / "person")
    assert done.code == 2
    assert "it is imported" in done.err
