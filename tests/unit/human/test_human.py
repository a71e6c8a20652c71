"""The page for people: what it asks, keeps and refuses, and the run that comes of it."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import httpx
import pytest

import worldquiz as wq
from command import Said
from conftest import Cli, Install

EXAMPLES = Path(__file__).parents[3] / "examples"
T = TypeVar("T")


@pytest.fixture
def own(install: Install, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The example's module, installed as a benchmark of another package."""
    install("worldquiz.benchmarks", rooms="own_benchmark:BENCHMARK")
    monkeypatch.syspath_prepend(EXAMPLES)
    yield importlib.import_module("own_benchmark")
    sys.modules.pop("own_benchmark")


@pytest.fixture
def run(own: Any, tmp_path: Path) -> wq.Run:
    """A finished run of the upper bound on one house."""
    return own.Houses.build(tmp_path / "houses", houses=1).run("reader", out=tmp_path / "run")  # type: ignore[no-any-return]


class Page:
    """The page as a browser has it."""

    def __init__(self, address: str, rows: tuple[wq.Row, ...]) -> None:
        self.rows, self.address = rows, httpx.URL(address)
        self.client = httpx.Client(base_url=address, timeout=600)

    def get(self, path: str = "") -> str:
        return self.client.get(path).text

    def post(self, path: str, said: object = None) -> httpx.Response:
        """Answer a question, or pass it by None; or send bytes as they are."""
        form = {"pass": "1"} if said is None else {"said": said}
        body = said if isinstance(said, bytes) else urlencode({**form, "seconds": 2.5}).encode()
        return self.client.post(path, content=body)

    def finish(self) -> str:
        """Answer all questions rightly, and hand in."""
        for place, row in enumerate(self.rows):
            self.post(f"question-{place}", row.gold if row.shown else None)
        return self.post("finish").text


Sit = Callable[..., tuple[Any, Said]]


@pytest.fixture
def sit(cli: Cli, run: wq.Run, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Return what gives the command and visits its page; all is handed in after a visit."""

    def visited(visit: Callable[[Page], T], *options: object) -> tuple[T, Said]:
        found: list[T] = []

        def go(address: str) -> None:
            page = Page(address, run.rows)
            try:
                found.append(visit(page))
            finally:
                page.finish()

        def opened(address: str) -> None:
            threading.Thread(target=go, args=(address,)).start()

        monkeypatch.setattr("webbrowser.open", opened)
        said = cli("human", run.path, "--json", *options)
        return found[0], said

    return visited


def test_a_person_goes_back_and_on_and_becomes_a_run_like_any_other(
    run: wq.Run, own: Any, sit: Sit, cli: Cli, tmp_path: Path
) -> None:
    rows, out = run.rows, tmp_path / "run-Anna"

    def visit(page: Page) -> str:
        assert f"{len(rows)} questions for you" in page.get()
        assert "href=question-0" in page.get()
        text = own.Houses(tmp_path / "houses").reading("house-00")
        assert escape(text.splitlines()[0]) in page.get("question-0")
        for seconds in (2, 1e9):
            assert page.post("question-1", f"said=a+slip&seconds={seconds}".encode()).is_redirect
        assert page.post("finish").text == f"{len(rows) - 1} questions are not answered yet"
        assert "Welcome back: 1 of" in page.get()
        assert 'value="a slip"' in page.get("question-1")
        for place, row in enumerate(rows):
            shown = page.get(f"question-{place}").partition("<form")[2]
            assert escape(row.prompt) in shown
            assert all(f'value="{escape(each)}"' in shown for each in row.choices)
            assert row.choices or not row.shown or escape(row.gold) not in shown
            to = page.post(f"question-{place}", row.gold if row.shown else None).headers["Location"]
        assert to == "review"
        return page.post("finish").text

    _, said = sit(visit, "--name", "Anna")
    assert (said.code, said.json["answers"], said.json["changed"]) == (0, len(rows), 1)
    mine = wq.load(out)
    assert [(row.item, row.grade, row.status) for row in mine.rows] == [
        (row.item, row.grade, row.status) for row in rows
    ]
    assert {row.answerer for row in mine.rows} == {"human (Anna)"}
    assert [row.seconds for row in mine.rows[:2]] == [2.5, 2.0 + 3600 + 2.5]
    assert mine.scores == mine.score() == said.json["scores"]
    assert {**mine.scores, "records": 0} == {**run.scores, "records": 0}
    kept = [json.loads(line) for line in (out / "answers.jsonl").read_text("utf-8").splitlines()]
    assert [line["changes"] for line in kept[:3]] == [0, 1, 0]
    assert cli("human", run.path, "--name", "Anna", "--json").json == said.json


@pytest.mark.parametrize("name", ["Zoë", " rater 2 ", "J. R", "名"])
def test_a_persons_run_stands_beside_the_run(sit: Sit, tmp_path: Path, name: str) -> None:
    sit(Page.get, "--name", name)
    assert (tmp_path / f"run-{name.strip()}" / "scores.json").is_file()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "../x", "-x", "a.", ".a", "a\nb", "a:b", "x" * 65, "~", "*"]
)
def test_no_name_leads_out_of_its_folder(cli: Cli, tmp_path: Path, name: str) -> None:
    said = cli("human", tmp_path, f"--name={name}")
    assert said.code == 2
    assert "--name" in said.err


def test_nothing_else_is_served_and_refusals_are_kept_by_no_browser_too(sit: Sit) -> None:
    cases = [
        ("GET", "/", 404), ("GET", "/x/question-0", 404), ("GET", "/%C3%BC/page.js", 404),
        ("POST", "/x/question-0", 404), ("GET", "{}question-99", 404), ("GET", "{}read-0", 404),
        ("GET", "{}question--1", 404), ("GET", "{}question-99999999999999999", 404),
        ("GET", "{}picture-0-0", 404), ("GET", "{}page.html", 404), ("GET", "{}finish", 404),
        ("GET", "{}%2e%2e/quiz.py", 404), ("POST", "{}x", 404), ("GET", "{}answers.jsonl", 404),
        ("PUT", "{}page.js", 501),
    ]  # fmt: skip

    def visit(page: Page) -> None:
        home = f"http://{page.address.host}:{page.address.port}"
        for method, path, status in cases:
            found = httpx.request(method, home + path.format(page.address.path), timeout=600)
            assert found.status_code == status, path
            assert found.headers["Cache-Control"] == "no-store"
            assert "default-src 'none'" in found.headers["Content-Security-Policy"]

    sit(visit)


def test_what_is_no_answer_is_told_and_not_kept(sit: Sit) -> None:
    bodies = [b"", b"{", b"\xff", b"%ff%fe", b"said=x&seconds=-1", b"said=x&seconds=many",
              b"said=+", b"said=x&seconds=nan", b" " * (2**18 + 1), b"said=" + b"x" * 501,
              b"a=1&" * 99]  # fmt: skip

    def visit(page: Page) -> str:
        for body in bodies:
            told = page.post("question-0", body)
            assert told.status_code == 422 or "role=alert" in told.text
        chosen = next(place for place, row in enumerate(page.rows) if row.choices)
        assert "choose an answer first" in page.post(f"question-{chosen}", "the moon").text
        return page.get()

    assert "questions for you" in sit(visit)[0]  # nothing is answered yet


def test_what_is_typed_is_never_markup_and_nothing_is_loaded_from_elsewhere(sit: Sit) -> None:
    def visit(page: Page) -> None:
        place = next(place for place, row in enumerate(page.rows) if not row.choices)
        page.post(f"question-{place}", '"><script>alert(1)</script>')
        assert "<script>alert" not in page.get(f"question-{place}")
        for path, kind in {"icon.svg": "image/svg+xml", "page.css": "text/css",
                           "page.js": "text/javascript", "": "text/html"}.items():  # fmt: skip
            found = page.client.get(path)
            assert found.headers["Content-Type"].startswith(kind)
            outside = set(re.findall(r"https?://[^\s\"'`)]+", found.text))
            assert outside <= {"http://www.w3.org/2000/svg"}
            assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write", found.text)

    sit(visit)


def test_moved_data_are_given_and_must_be_those_of_the_run(
    run: wq.Run, own: Any, sit: Sit, cli: Cli, tmp_path: Path
) -> None:
    assert run.rows
    shutil.move(tmp_path / "houses", tmp_path / "moved")
    assert "does not exist" in cli("human", run.path).err
    own.Houses.build(tmp_path / "others", houses=2, seed=8)
    assert (
        "does not hold the data that" in cli("human", run.path, "--data", tmp_path / "others").err
    )
    assert sit(Page.get, "--data", tmp_path / "moved")[1].code == 0


def test_folders_that_ask_nothing_say_what_to_give(cli: Cli, tmp_path: Path) -> None:
    assert "so it is neither data nor a run" in cli("human", tmp_path).err
    for kind, words in (
        ("suite", "is a suite, not a run"),
        ("unheard-of", "no installed benchmark has the kind"),
        (None, "has no 'kind'"),
    ):
        (tmp_path / "manifest.json").write_text(json.dumps({"kind": kind}))
        assert words in cli("human", tmp_path).err
