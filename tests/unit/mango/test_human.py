"""MANGO's questions for a person: a way told move by move is scored as one written by hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import people
import worldquiz as wq
from command import worldquiz

TABLES = ("table_2", "table_13")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people.mazes(tmp_path_factory.mktemp("mango") / "run")


def ways(run: Path, *, places: bool = True) -> list[str]:
    """Return what the map builder answered, as a person writes it, in the page's order."""
    told = [json.loads(line) for line in (run / "rows.jsonl").read_text("utf-8").splitlines()]
    return [people.way(json.loads(row["reply"]), row["type"], places=places) for row in told]


def answer(run: Path, out: Path, said: list[Any], name: str = "human") -> dict[str, Any]:
    return people.sat(run, out, said, name)


def test_what_is_shown_names_no_end(run: Path) -> None:
    sheet = wq.load(run).kind.sheet
    quiz = sheet(run, "human", None)
    for told, row in zip(quiz.asked, wq.load(run).rows, strict=True):
        if row.type == "df":
            about = row.measures
            words = told.words.replace(about["source"], "").replace(", ".join(about["actions"]), "")
            assert row.gold not in words
        assert "# Walkthrough" in quiz.reading(told.part)
    with pytest.raises(wq.WorldquizError, match="pass the mazes of"):
        sheet(run, "Anna", run)


def test_ways_with_their_places_earn_success_and_reasoning(run: Path, tmp_path: Path) -> None:
    told = answer(run, tmp_path / "out", ways(run))
    for task in ("df", "rf"):
        cell = told["scores"][task]["all"]
        assert (cell["success"]["micro"], cell["reasoning"]["micro"]) == (1.0, 1.0)


def test_moves_alone_succeed_without_reasoning(run: Path, tmp_path: Path) -> None:
    told = answer(run, tmp_path / "out", ways(run, places=False))["scores"]
    assert told["df"]["all"]["success"]["micro"] == told["rf"]["all"]["success"]["micro"] == 1.0


def test_people_agree(run: Path, tmp_path: Path) -> None:
    said = ways(run)
    answer(run, tmp_path / "a", said, "Anna")
    answer(run, tmp_path / "b", [None, *said[1:]], "Ben")
    out = tmp_path / "tables"
    assert worldquiz("mango", "tables", tmp_path / "a", tmp_path / "b", "--out", out).code == 0
    rows = {
        name: list(csv.DictReader((out / f"{name}.csv").read_text().splitlines()))
        for name in TABLES
    }
    (df,) = [row for row in rows["table_13"] if (row["task"], row["level"]) == ("df", "all")]
    (rf,) = [row for row in rows["table_13"] if (row["task"], row["level"]) == ("rf", "all")]
    assert (df["questions"], df["success"]) == ("2", "0.5")
    assert (rf["minutes"], rf["timed"]) == ("0.0416667", "4")
    earned = {row["contestant"]: row["success"] for row in rows["table_2"]
              if (row["task"], row["level"]) == ("df", "all")}  # fmt: skip
    assert earned == {"a": "1", "b": "0.5"}


@pytest.mark.parametrize("said", [["a; ;"], ["; "], ["a", "a", "> attic"], ["a", "a", "up;; up"]])
def test_what_is_no_way_is_refused(run: Path, tmp_path: Path, said: list[str]) -> None:
    with pytest.raises(ValueError, match="place"):
        answer(run, tmp_path / "out", said)
