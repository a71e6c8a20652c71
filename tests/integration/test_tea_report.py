"""The page of TEA-Test from real runs: found and moved pictures, a person's run, a browser."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from browser import Browser, browser, find
from pages import Reader
from worldquiz.cli import app
from worldquiz.errors import WorldquizError
from worldquiz.records import read_json, write_json
from worldquiz.tea.answering import Baseline
from worldquiz.tea.exam.exam import ExamSettings
from worldquiz.tea.exam.run import run
from worldquiz.tea.generate import Plan, generate
from worldquiz.tea.interact import Loops
from worldquiz_scenes.generate import suite

ASKED = ExamSettings(30, 2, 1)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tasks of one small flat, and three runs beside it."""
    home = tmp_path_factory.mktemp("tea")
    generate(Plan(5, tuple(suite("tiny", 5, 1)), Loops(1, bouts=2, looks=3), (320, 240)),
             home / "data")  # fmt: skip
    for name in ("oracle", "prior", "noisy"):
        run(home / "data", ASKED, Baseline(name), home / name)
    return home


def report(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["report", *map(str, arguments)])


def refused(done: Any) -> str:
    """Return why a command was refused; `main` prints it in one line."""
    assert isinstance(done.exception, WorldquizError)
    return str(done.exception)


@pytest.fixture(scope="module")
def page(home: Path) -> Path:
    done = report(*(home / name for name in ("oracle", "prior", "noisy")), "--out", home / "p.html")
    assert done.exit_code == 0, done.output
    return home / "p.html"


def test_a_page_holds_scores_pictures_and_plans(page: Path) -> None:
    html = page.read_text()
    text = Reader(html).text
    assert "30 tasks and 2 walks in 1 scene" in text
    assert "not found" not in text
    assert html.count('class="plan"') == 2
    assert html.count("data:image/jpeg") >= 6
    assert len(html) < 2_000_000


def test_the_page_is_quiet_fits_narrow_screens_and_fetches_nothing(page: Path) -> None:
    chromium = find()
    if chromium is None:
        pytest.skip("no Chromium on PATH: apt-get install chromium to test the page")
    with browser(chromium) as tab:
        for scheme, width in (("light", 1400), ("dark", 400)):
            tab.look(width=width, scheme=scheme)
            tab.open(page)
            assert tab.complaints() == []
            assert [u for u in tab.requests() if not u.startswith("data:")] == [page.as_uri()]
            assert tab.run("document.documentElement.scrollWidth") <= width
            assert tab.barriers() == []
        broken = tab.run("[...document.images].filter((i) => i.complete && !i.naturalWidth).length")
        assert broken == 0
        across = (
            "(() => { const p = document.querySelector('.picture').getBoundingClientRect();"
            "const s = document.querySelector('.picture svg').getBoundingClientRect();"
            "return Math.abs(p.width - s.width) + Math.abs(p.height - s.height); })()"
        )
        assert tab.run(across) < 2  # lines lie on what they are about
        _one_task(tab, page)


def _one_task(tab: Browser, page: Path) -> None:
    """Look at tasks one by one: words, picture and plan are beside each other, links lead there."""
    tab.look()
    tab.open(page)
    every = tab.run(
        "[...document.querySelectorAll('[id^=q]')].filter((e) => /^q[0-9]+$/.test(e.id))"
        ".flatMap((e) => JSON.parse(e.textContent)).map((e) => e.type)"
    )
    for kind, drawn in (("navigation", "#plan .walk"), ("depth", "#plan .cone")):
        number = every.index(kind) + 1
        world = tab.run("worldquiz.read('index').worlds[0].key")
        tab.open(page, f"#world={world}&question={number}")
        assert tab.run("document.querySelector('#words .meta').textContent") == kind
        assert tab.run(f"document.querySelectorAll('{drawn}').length") > 0
        assert tab.run("document.querySelector('#seen img').complete")
        tops = (
            "[...document.querySelectorAll('#one .pane')].map((e) => e.getBoundingClientRect().y)"
        )
        assert len(set(tab.run(tops))) == 1
    tab.click("#before")
    assert f"question={number - 1}" in tab.run("location.hash")
    assert tab.run("document.querySelector('#plan svg').getAttribute('aria-label')")
    tab.click("#table tbody tr:nth-child(3) a.link")
    assert tab.run("document.querySelector('#which').textContent").startswith("Task 3 of")
    assert tab.complaints() == []


def test_moved_tasks_are_found_by_an_option_and_wrong_ones_are_refused(
    home: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "far" / "oracle"
    shutil.copytree(home / "oracle", moved)
    target = tmp_path / "page.html"
    assert report(moved, "--out", target).exit_code == 0
    assert "The folder of tasks was not found" in target.read_text()
    assert report(moved, "--data", home / "data", "--out", target).exit_code == 0
    assert "The folder of tasks was not found" not in target.read_text()
    done = report(moved, "--data", home / "prior", "--out", target)
    assert "does not hold the tasks that were asked" in refused(done)


def test_a_persons_run_is_a_row(home: Path, tmp_path: Path) -> None:
    person = tmp_path / "person"
    shutil.copytree(home / "noisy", person)
    (person / "tasks.jsonl").unlink()
    told = read_json(person / "manifest.json")
    told = {key: value for key, value in told.items() if key not in ("error", "folder")}
    write_json(person / "manifest.json", told | {"answerer": "human", "name": "Ada"})
    target = tmp_path / "page.html"
    assert report(home / "oracle", person, "--out", target).exit_code == 0
    assert "Human (Ada)" in Reader(target.read_text()).text
    shutil.move(person, tmp_path / "alone")
    assert "--data DIR" in refused(report(tmp_path / "alone", "--out", target))


def test_runs_that_do_not_go_together_are_refused_in_one_line(home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(home / "prior", other)
    write_json(other / "manifest.json", read_json(other / "manifest.json") | {"data": "0" * 64})
    walk = tmp_path / "walk"
    walk.mkdir()
    (walk / "manifest.json").write_text(json.dumps({"kind": "tea-recall"}))
    unfinished = tmp_path / "unfinished"
    shutil.copytree(home / "prior", unfinished)
    (unfinished / "answers.jsonl").unlink()
    for runs, words in (
        ((home / "oracle", other), "about other tasks"),
        ((home / "oracle", walk), "write a page for each kind"),
        ((home / "oracle", home / "data"), "not a run"),
        ((unfinished,), "to finish it"),
    ):
        assert words in refused(report(*runs, "--out", tmp_path / "page.html"))
    assert not (tmp_path / "page.html").exists()
