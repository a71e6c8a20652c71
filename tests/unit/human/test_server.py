"""A person takes the quiz of any run of items: by our own page only, kept at once, like any run."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from worldquiz.errors import RecordError
from worldquiz.human.quiz import Sitting, quiz_of
from worldquiz.human.server import FILES, HEADERS, LARGEST, Desk, bound
from worldquiz.plugins import Catalogue
from worldquiz.runs import benchmark
from worldquiz.runs.run import Run

EXAMPLE = Path(__file__).parents[3] / "examples" / "own_benchmark.py"


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example's module, as the only benchmark that is installed."""
    told = importlib.util.spec_from_file_location("own_benchmark", EXAMPLE)
    assert told
    assert told.loader
    module = importlib.util.module_from_spec(told)
    monkeypatch.setitem(sys.modules, "own_benchmark", module)
    told.loader.exec_module(module)
    known = Catalogue("benchmark", "none", {"rooms": "own_benchmark:BENCHMARK"})
    monkeypatch.setattr(benchmark, "CATALOGUE", known)
    return module


@pytest.fixture
def run(own: Any, tmp_path: Path) -> Path:
    """A finished run of the upper bound on one house."""
    path: Path = own.build(tmp_path / "houses", houses=1).run("reader", out=tmp_path / "run").path
    return path


class Browser:
    """Our own page, as the server sees it."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.home = desk, f"http://127.0.0.1:{desk.port}"
        self.client = httpx.Client(base_url=f"{self.home}/{desk.token}/", timeout=600)

    def get(self, path: str = "") -> str:
        return self.client.get(path).text

    def post(self, path: str, said: object = None, **headers: str) -> httpx.Response:
        """Answer a question, or pass it by None; or send bytes as they are."""
        form = {"pass": "1"} if said is None else {"said": said}
        body = said if isinstance(said, bytes) else urlencode({**form, "seconds": 2.5}).encode()
        ours = {"Origin": self.home, "Sec-Fetch-Site": "same-origin"}
        return self.client.post(path, content=body, headers={**ours, **headers})


@contextmanager
def serving(run: Path, out: Path) -> Iterator[Browser]:
    """Serve the quiz of a run from a thread."""
    out.mkdir(exist_ok=True)
    with bound(0) as here, Desk(Sitting(quiz_of(run, "Anna"), out), here) as desk:
        assert here.getsockname()[0] == "127.0.0.1"  # this machine only
        thread = threading.Thread(target=desk.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Browser(desk)
        finally:
            desk.shutdown()
            thread.join()


@pytest.fixture
def page(run: Path, tmp_path: Path) -> Iterator[Browser]:
    with serving(run, tmp_path / "anna") as browser:
        yield browser


def test_a_person_goes_back_and_on_and_becomes_a_run_like_any_other(
    run: Path, own: Any, tmp_path: Path
) -> None:
    out, rows = tmp_path / "anna", Run(run).rows
    with serving(run, out) as page:
        assert f"{len(rows)} questions for you" in page.get()
        assert "href=read-0" in page.get()
        text = own.Houses(run.parent / "houses").reading("house-00")
        assert escape(text.splitlines()[0]) in page.get("read-0")
        for seconds in (2, 1e9):
            assert page.post("question-1", f"said=a+slip&seconds={seconds}".encode()).is_redirect
        told = page.post("finish").text
        assert told == f"{len(rows) - 1} are not answered yet"
    with (out / ".answers.journal").open("ab") as stream:
        stream.write(b"half a line, for the server was killed")
    with serving(run, out) as page:
        assert "Welcome back: 1 of" in page.get()
        assert 'value="a slip"' in page.get("question-1")
        for place, row in enumerate(rows):
            shown = page.get(f"question-{place}").partition("<form")[2]
            assert escape(row.prompt) in shown
            assert all(f'value="{escape(each)}"' in shown for each in row.choices)
            assert row.choices or not row.shown or escape(row.gold) not in shown
            to = page.post(f"question-{place}", row.gold if row.shown else None).headers["Location"]
        assert to == "review"
        assert f"all questions ({len(rows)} asked)</th><td>1.00" in page.post("finish").text
    mine = Run(out).rows
    assert [(row.item, row.score, row.status) for row in mine] == [
        (row.item, row.score, row.status) for row in rows
    ]
    assert {row.answerer for row in mine} == {"human (Anna)"}
    assert [row.seconds for row in mine[:2]] == [2.5, 2.0 + 3600 + 2.5]
    assert Run(out).scores == Run(out).score()
    assert {**Run(out).scores, "records": 0} == {**Run(run).scores, "records": 0}
    kept = [json.loads(line) for line in (out / "answers.jsonl").read_text("utf-8").splitlines()]
    assert [line["changes"] for line in kept[:3]] == [0, 1, 0]
    again = Sitting(quiz_of(run, "Anna"), out)
    assert again.complete
    assert again.finish()["changed"] == 1
    with pytest.raises(ValueError, match="handed in"):
        again.answer(0, "x", 1)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"Origin": "http://evil.example"}, "origin"),
        ({"Origin": "null"}, "origin"),
        ({"Origin": "https://127.0.0.1"}, "origin"),
        ({"Sec-Fetch-Site": "cross-site"}, "another site"),
        ({"Sec-Fetch-Site": "same-site"}, "another site"),
        ({"Host": "evil.example"}, "host"),
        ({"Host": "127.0.0.1"}, "host"),
    ],
)
def test_another_website_cannot_answer(page: Browser, headers: dict[str, str], words: str) -> None:
    told = page.post("question-0", "x", **headers)
    assert told.status_code == 403
    assert words in told.text
    assert not page.desk.sitting.lines


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 403), ("GET", "/x/question-0", 403), ("GET", "/%C3%BC/page.js", 403),
     ("GET", "{}/question-99", 404), ("GET", "{}/question--1", 404), ("GET", "{}/read-99", 404),
     ("GET", "{}/picture-0-0", 404), ("GET", "{}/question-99999999999999999", 404),
     ("GET", "{}/page.html", 404), ("GET", "{}/%2e%2e/quiz.py", 404), ("POST", "{}/x", 403),
     ("GET", "{}/answers.jsonl", 404), ("GET", "{}/finish", 404), ("PUT", "{}/page.js", 501)],
)  # fmt: skip
def test_nothing_else_is_served_and_refusals_have_the_headers_too(
    page: Browser, method: str, path: str, status: int
) -> None:
    found = httpx.request(method, page.home + path.format(f"/{page.desk.token}"))
    assert found.status_code == status
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= found.headers.items()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"%ff%fe", b"said=x&seconds=-1", b"said=x&seconds=many", b"said=+",
     b"said=x&seconds=nan", b" " * (LARGEST + 1), b"said=" + b"x" * 501, b"a=1&" * 99],
)  # fmt: skip
def test_what_is_no_answer_is_told_and_not_kept(page: Browser, body: bytes) -> None:
    told = page.post("question-0", body)
    assert told.status_code == 422 or "role=alert" in told.text
    assert not page.desk.sitting.lines


def test_only_a_choice_is_chosen(run: Path, page: Browser) -> None:
    place = next(place for place, row in enumerate(Run(run).rows) if row.choices)
    assert "choose an answer first" in page.post(f"question-{place}", "the moon").text


def test_what_is_typed_is_never_markup(run: Path, page: Browser) -> None:
    place = next(place for place, row in enumerate(Run(run).rows) if not row.choices)
    page.post(f"question-{place}", '"><script>alert(1)</script>')
    assert "<script>alert" not in page.get(f"question-{place}")


def test_nothing_is_kept_by_the_browser_or_loaded_from_elsewhere(page: Browser) -> None:
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in HEADERS["Content-Security-Policy"]
    for path, kind in {**FILES, "": "text/html"}.items():
        found = page.client.get(path)
        assert found.headers["Cache-Control"] == "no-store"
        assert found.headers["Content-Type"].startswith(kind)
        outside = set(re.findall(r"https?://[^\s\"'`)]+", found.text))
        assert outside <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write", found.text)


def test_moved_data_are_given_and_must_be_those_of_the_run(run: Path, own: Any) -> None:
    shutil.move(run.parent / "houses", run.parent / "moved")
    with pytest.raises(RecordError, match="no manifest"):
        quiz_of(run, "human")
    assert quiz_of(run, "human", run.parent / "moved").asked
    own.build(run.parent / "others", houses=2, seed=8)
    with pytest.raises(RecordError, match="is not the data that"):
        quiz_of(run, "human", run.parent / "others")
