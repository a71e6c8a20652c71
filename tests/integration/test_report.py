"""``worldquiz report`` of real runs: data that were moved, several kinds, a person's run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import people
import worldquiz as wq
from command import Said, worldquiz
from pages import Reader


@pytest.fixture(scope="module")
def home(flats: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tasks, and two runs beside it."""
    home = tmp_path_factory.mktemp("tea")
    (home / "data").symlink_to(flats)
    for name in ("prior", "noisy"):
        wq.tea.load(home / "data").run(answerer=name, tasks=30, walks=2, out=home / name)
    return home


def report(*arguments: object, code: int = 0) -> Said:
    said = worldquiz("report", *arguments)
    assert said.code == code, said
    return said


def block(page: Path) -> Any:
    return json.loads(Reader(page.read_text("utf-8")).scripts["q0"])


def test_a_page_of_tea_draws_what_each_task_is_about(home: Path, tmp_path: Path) -> None:
    done = report(home / "noisy", home / "prior", "--out", tmp_path / "page.html", "--json")
    assert done.json == {"report": str(tmp_path / "page.html")}
    found = block(tmp_path / "page.html")
    drawn = found["drawn"]["0"]
    page = Reader((tmp_path / "page.html").read_text("utf-8"))
    asked = json.loads(page.scripts["data"])["worlds"][0]["questions"]
    assert set(drawn["about"]) == {each["id"] for each in asked}
    walks = [each["id"] for each in asked if each["type"] == "navigation"]
    svg = found["texts"][drawn["svg"]]
    assert svg.count('class="walk"') == len(walks) > 0
    assert all(drawn["pictures"].values())
    assert {text[:22] for text in found["texts"]} >= {"data:image/jpeg;base64"}
    assert (tmp_path / "page.html").stat().st_size < 2_000_000
    report(home / "noisy", home / "prior", "--out", tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "page.html").read_bytes()


def test_moved_tasks_are_found_by_an_option_and_wrong_ones_are_refused(
    home: Path, tmp_path: Path
) -> None:
    moved, page = tmp_path / "far" / "noisy", tmp_path / "page.html"
    shutil.copytree(home / "noisy", moved)
    report(moved, "--out", page)
    assert block(page)["drawn"] == {}
    report(moved, "--data", home / "data", "--out", page)
    assert block(page)["drawn"] != {}
    for data, run_, words in (
        (home / "prior", moved, "does not hold the data that"),
        (home / "data", people.mazes(tmp_path / "mazes"), "pass the mazes of"),
    ):
        assert words in report(run_, "--data", data, "--out", page, code=2).err


def test_a_person_stands_beside_others_and_kinds_are_kept_apart(home: Path, tmp_path: Path) -> None:
    person = tmp_path / "person"
    shutil.copytree(home / "noisy", person)
    told = json.loads((person / "manifest.json").read_text()) | {"answerer": "human", "name": "Ada"}
    (person / "manifest.json").write_text(json.dumps(told))
    lines = (person / "rows.jsonl").read_text()
    (person / "rows.jsonl").write_text(
        lines.replace('"answerer": "noisy"', '"answerer": "human (Ada)"')
    )
    runs = [
        home / "prior",
        person,
        people.views(tmp_path / "recall"),
        people.worlds(tmp_path / "t2q"),
    ]
    report(*runs, "--out", tmp_path / "page.html")
    page = Reader((tmp_path / "page.html").read_text("utf-8"))
    assert "human (Ada)" in page.text
    for noun in ("TEA run", "TEA recall run", "Task2Quiz run"):
        assert noun in page.text
    index = json.loads(page.scripts["data"])
    assert index["benchmarks"] == ["tea", "t2q"]
    assert {world["key"].partition("/")[0] for world in index["worlds"]} == {"tea", "t2q"}


def test_a_run_that_cannot_be_read_leaves_no_page(home: Path, tmp_path: Path) -> None:
    unfinished, page = tmp_path / "unfinished", tmp_path / "page.html"
    shutil.copytree(home / "prior", unfinished)
    for name in ("rows.jsonl", "scores.json"):
        (unfinished / name).unlink()
    for bad, words in ((home / "data", "not a run"), (unfinished, "to finish it")):
        assert words in report(home / "noisy", bad, "--out", page, code=2).err
    assert not page.exists()
