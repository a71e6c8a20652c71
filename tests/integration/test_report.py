"""``worldquiz report`` of real runs: data that were moved, several kinds, a person's run."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import people
from pages import Reader
from worldquiz.cli import app
from worldquiz.errors import WorldquizError
from worldquiz.records import read_json, write_json
from worldquiz.runs.rows import write_rows
from worldquiz.runs.run import Run
from worldquiz.tea.answering import Baseline
from worldquiz.tea.exam.exam import ExamSettings
from worldquiz.tea.exam.run import run
from worldquiz.tea.generate import Plan, generate
from worldquiz.tea.interact import Loops
from worldquiz_scenes.generate import suite


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tasks of one small apartment, and two runs beside it."""
    home = tmp_path_factory.mktemp("tea")
    generate(Plan(5, tuple(suite("tiny", 5, 1)), Loops(1, bouts=2, looks=3), (320, 240)),
             home / "data")  # fmt: skip
    for name in ("prior", "noisy"):
        run(home / "data", ExamSettings(30, 2, 1), Baseline(name), home / name)
    return home


def report(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["report", *map(str, arguments)])


def block(page: Path) -> Any:
    return json.loads(Reader(page.read_text("utf-8")).scripts["q0"])


def test_a_page_of_tea_draws_what_each_task_is_about(home: Path, tmp_path: Path) -> None:
    done = report(home / "noisy", home / "prior", "--out", tmp_path / "page.html", "--json")
    assert json.loads(done.stdout) == {"report": str(tmp_path / "page.html")}
    found = block(tmp_path / "page.html")
    drawn = found["drawn"]["0"]
    assert set(drawn["about"]) == {each["id"] for each in found["questions"]}
    walks = [each["id"] for each in found["questions"] if each["type"] == "navigation"]
    svg = found["texts"][drawn["svg"]]
    assert svg.count('class="walk"') == len(walks) == 2
    assert all(drawn["pictures"].values())
    assert {text[:22] for text in found["texts"]} >= {"data:image/jpeg;base64"}
    assert (tmp_path / "page.html").stat().st_size < 2_000_000
    again = report(home / "noisy", home / "prior", "--out", tmp_path / "again.html")
    assert again.exit_code == 0
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "page.html").read_bytes()


def test_moved_tasks_are_found_by_an_option_and_wrong_ones_are_refused(
    home: Path, tmp_path: Path
) -> None:
    moved, page = tmp_path / "far" / "noisy", tmp_path / "page.html"
    shutil.copytree(home / "noisy", moved)
    assert report(moved, "--out", page).exit_code == 0
    assert block(page)["drawn"] == {}
    assert report(moved, "--data", home / "data", "--out", page).exit_code == 0
    assert block(page)["drawn"] != {}
    for data, run_, words in (
        (home / "prior", moved, "does not hold the tasks that were asked"),
        (home / "data", people.mazes(tmp_path / "mazes"), "leave out --data"),
    ):
        done = report(run_, "--data", data, "--out", page)
        assert isinstance(done.exception, WorldquizError)
        assert words in str(done.exception)


def test_a_person_stands_beside_others_and_kinds_are_kept_apart(home: Path, tmp_path: Path) -> None:
    person = tmp_path / "person"
    shutil.copytree(home / "noisy", person)
    told = {**read_json(person / "manifest.json"), "answerer": "human", "name": "Ada"}
    del told["error"]
    write_json(person / "manifest.json", told)
    write_rows(person, [replace(row, answerer="human (Ada)") for row in Run(person).rows])
    runs = [
        home / "prior",
        person,
        people.views(tmp_path / "recall"),
        people.worlds(tmp_path / "t2q"),
    ]
    done = report(*runs, "--out", tmp_path / "page.html")
    assert done.exit_code == 0, done.output
    page = Reader((tmp_path / "page.html").read_text("utf-8"))
    assert "human (Ada)" in page.text
    for noun in ("TEA run", "TEA recall run", "Task2Quiz run"):
        assert noun in page.text
    index = json.loads(page.scripts["index"])
    assert index["benchmarks"] == ["tea", "t2q"]
    assert {world["key"].partition("/")[0] for world in index["worlds"]} == {"tea", "t2q"}


def test_a_run_that_cannot_be_read_leaves_no_page(home: Path, tmp_path: Path) -> None:
    unfinished, page = tmp_path / "unfinished", tmp_path / "page.html"
    shutil.copytree(home / "prior", unfinished)
    (unfinished / "rows.jsonl").unlink()
    for bad, words in ((home / "data", "not a run"), (unfinished, "to finish it")):
        done = report(home / "noisy", bad, "--out", page)
        assert isinstance(done.exception, WorldquizError)
        assert words in str(done.exception)
    assert not page.exists()
