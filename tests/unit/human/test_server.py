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
from pathlib import Path
from typing import Any

import httpx
import pytest

from worldquiz.errors import RecordError
from worldquiz.human.quiz import Sitting, quiz_of
from worldquiz.human.server import HEADERS, LARGEST, PAGE, Desk, bound
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

    def get(self, path: str) -> Any:
        return self.client.get(f"get/{path}").json()

    def post(self, what: str, told: Any, **headers: str) -> httpx.Response:
        ours = {"Origin": self.home, "Sec-Fetch-Site": "same-origin"}
        body = told if isinstance(told, bytes) else json.dumps(told).encode()
        kind = {"Content-Type": "application/json"}
        return self.client.post(f"do/{what}", content=body, headers={**ours, **kind, **headers})


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
        state = page.get("state")
        assert state["parts"] == [{"name": "house-00", "first": 0, "size": len(rows)}]
        assert page.get("part/0") == own.Houses(run.parent / "houses").reading("house-00")
        for said, seconds in (("a slip", 2.0), ("a slip", 1e9)):
            assert page.post("answer", {"place": 1, "said": said, "seconds": seconds}).is_success
        told = page.post("finish", {}).json()["wrong"]
        assert told == f"{len(rows) - 1} are not answered yet"
    with (out / ".answers.journal").open("ab") as stream:
        stream.write(b"half a line, for the server was killed")
    with serving(run, out) as page:
        assert page.get("state")["answered"].index(True) == 1
        assert page.get("item/1")["said"] == "a slip"
        for place, row in enumerate(rows):
            shown = page.get(f"item/{place}")
            assert (shown["words"], shown["choices"]) == (row.prompt, list(row.choices))
            assert row.choices or row.gold not in str({**shown, "said": None})
            assert row.item not in shown.values()
            answer = {"place": place, "said": row.gold if row.shown else None, "seconds": 2.5}
            assert page.post("answer", answer).is_success
        found = page.post("finish", {}).json()["headline"]
    assert found[0] == [f"all questions ({len(rows)} asked)", "1.00"]
    mine = Run(out).rows
    assert [(row.item, row.score, row.status) for row in mine] == [
        (row.item, row.score, row.status) for row in rows
    ]
    assert {row.answerer for row in mine} == {"human (Anna)"}
    assert [row.seconds for row in mine[:2]] == [2.5, 2.0 + 3600 + 2.5]
    assert Run(out).scores == Run(out).score() == Run(run).scores
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
        ({"Content-Type": "text/plain"}, "JSON"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "JSON"),
        ({"Host": "evil.example"}, "host"),
        ({"Host": "127.0.0.1"}, "host"),
    ],
)
def test_another_website_cannot_answer(page: Browser, headers: dict[str, str], words: str) -> None:
    told = page.post("answer", {"place": 0, "said": "x", "seconds": 1}, **headers)
    assert told.status_code == 403
    assert words in told.json()["wrong"]
    assert not page.desk.sitting.lines


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 403), ("GET", "/x/get/state", 403), ("GET", "/%C3%BC/page.js", 403),
     ("GET", "{}/get/item/99", 404), ("GET", "{}/get/item/-1", 404), ("GET", "{}/get/part/2", 404),
     ("GET", "{}/get/picture/0/0", 404), ("GET", "{}/get/item/99999999999999999", 404),
     ("GET", "{}/get/item", 404), ("GET", "{}/page.html", 404), ("GET", "{}/%2e%2e/quiz.py", 404),
     ("GET", "{}/answers.jsonl", 404), ("GET", "{}/do/finish", 404), ("PUT", "{}/page.js", 501)],
)  # fmt: skip
def test_nothing_else_is_served_and_refusals_have_the_headers_too(
    page: Browser, method: str, path: str, status: int
) -> None:
    found = httpx.request(method, page.home + path.format(f"/{page.desk.token}"))
    assert found.status_code == status
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= found.headers.items()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[1]", b"7", b"[" * 60_000, b'{"place": "0"}', b'{"place": true}', b"\xff",
     b'{"place": 0, "said": "x", "seconds": -1}', b'{"place": 0, "said": {"a": []}}',
     b" " * (LARGEST + 1), b'{"place": 0, "said": "x", "seconds": NaN}', b'{"place": -1}',
     b'{"place": 0, "said": " "}', b'{"place": 0, "said": 7}', b'{"place": 0, "said": ["x"]}',
     b'{"place": 0, "said": "%s"}' % (b"x" * 501)],
)  # fmt: skip
def test_what_is_no_answer_is_told_and_not_kept(page: Browser, body: bytes) -> None:
    told = page.post("answer", body)
    assert told.status_code == 422
    assert told.json()["wrong"]
    assert not page.desk.sitting.lines


def test_only_a_choice_is_chosen(run: Path, page: Browser) -> None:
    place = next(place for place, row in enumerate(Run(run).rows) if row.choices)
    told = page.post("answer", {"place": place, "said": "the moon", "seconds": 1})
    assert told.json() == {"wrong": "choose an answer first"}


def test_nothing_is_kept_by_the_browser_or_loaded_from_elsewhere(page: Browser) -> None:
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in HEADERS["Content-Security-Policy"]
    for path, kind in PAGE.items():
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
