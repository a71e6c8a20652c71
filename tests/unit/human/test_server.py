"""Who may talk to the page's server: our own page, on this machine, with its token."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from people import Riddles
from worldquiz.human.server import HEADERS, LARGEST, PAGE, Desk, app, bound, source
from worldquiz.human.sitting import Sitting
from worldquiz.runs.executor import silent

PORT = 8123
HOME = f"http://127.0.0.1:{PORT}"
OURS = {"Origin": HOME, "Sec-Fetch-Site": "same-origin"}
ANSWER = {"place": 0, "said": "fire", "seconds": 1}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(Sitting(Riddles(), tmp_path, silent), PORT)


@pytest.fixture
def client(desk: Desk) -> TestClient:
    return TestClient(app(desk), base_url=HOME)


def post(client: TestClient, desk: Desk, what: str, told: Any, **more: Any) -> Any:
    return client.post(f"/{desk.token}/do/{what}", json=told, headers={**OURS, **more})


def test_our_own_page_asks_answers_and_hands_in(client: TestClient, desk: Desk) -> None:
    done = []
    desk.close = lambda: done.append(True)
    assert client.get(f"/{desk.token}/get/state").json()["title"] == "Riddles"
    assert client.get(f"/{desk.token}/get/item/0").json()["words"] == "What is one?"
    assert client.get(f"/{desk.token}/get/part/0").json() == "A text."
    for place in range(3):
        assert post(client, desk, "answer", {**ANSWER, "place": place}).status_code == 200
    assert not done
    assert post(client, desk, "finish", {"place": 0}).json() == {"headline": [["answered", "3"]]}
    assert done == [True]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 404), ("GET", "/wrong/get/item/" + "9" * 5_000, 403), ("PUT", "/x", 405),
     ("POST", "/x/get/state", 405), ("DELETE", "/", 404)],
)  # fmt: skip
def test_what_is_refused_has_the_headers_too(
    client: TestClient, method: str, path: str, status: int
) -> None:
    found = client.request(method, path)
    assert found.status_code == status
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= found.headers.items()


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"Origin": "http://evil.example"}, "origin"),
        ({"Origin": "null"}, "origin"),
        ({"Origin": f"https://127.0.0.1:{PORT}"}, "origin"),
        ({"Origin": f"http://127.0.0.1:{PORT + 1}"}, "origin"),
        ({"Sec-Fetch-Site": "cross-site"}, "another site"),
        ({"Sec-Fetch-Site": "same-site"}, "another site"),
        ({"Content-Type": "text/plain"}, "JSON"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "JSON"),
        ({"Host": "evil.example"}, "host"),
        ({"Host": f"evil.example:{PORT}"}, "host"),
        ({"Host": "127.0.0.1"}, "host"),
    ],
)
def test_another_website_cannot_answer(
    client: TestClient, desk: Desk, headers: dict[str, str], words: str
) -> None:
    told = post(client, desk, "answer", ANSWER, **headers)
    assert told.status_code == 403
    assert words in told.json()["wrong"]
    assert not desk.sitting.lines


@pytest.mark.parametrize("token", ["", "x", "ü"])
def test_without_the_token_there_is_nothing(client: TestClient, token: str) -> None:
    for path in (f"/{token}/", f"/{token}/get/state", f"/{token}/page.js"):
        assert client.get(path).status_code in (403, 404)
    assert client.get("/").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["get/item/3", "get/item/-1", "get/part/2", "get/picture/0/0", "get/answers", "get/state/../x",
     "page.html", "../sheet.py", "%2e%2e/sheet.py", "answers.jsonl", "get/item/99999999999999999"],
)  # fmt: skip
def test_what_is_not_there_is_not_served(client: TestClient, desk: Desk, path: str) -> None:
    assert client.get(f"/{desk.token}/{path}").status_code in (403, 404)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[1]", b"7", b"[" * 60_000, b'{"place": "0"}', b'{"place": true}', b"\xff",
     b'{"place": 0, "said": "x", "seconds": -1}', b'{"place": 0, "said": {"a": []}}',
     b" " * (LARGEST + 1), b'{"place": 0, "said": "x", "seconds": NaN}'],
)  # fmt: skip
def test_a_bad_request_is_told_what_is_wrong_with_it(
    client: TestClient, desk: Desk, body: bytes
) -> None:
    headers = {**OURS, "Content-Type": "application/json"}
    told = client.post(f"/{desk.token}/do/answer", content=body, headers=headers)
    assert told.status_code == 422
    assert told.json()["wrong"]
    assert not desk.sitting.lines


def test_nothing_is_kept_by_the_browser_or_loaded_from_elsewhere(
    client: TestClient, desk: Desk
) -> None:
    for path in (*PAGE, "get/state", "get/nothing"):
        headers = client.get(f"/{desk.token}/{path}").headers
        assert headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "no-referrer"
    for file, _ in PAGE.values():
        outside = set(re.findall(r"https?://[^\s\"'`)]+", source(file)))
        assert outside <= {"http://www.w3.org/2000/svg"}


def test_scripts_never_set_markup() -> None:
    for file, kind in PAGE.values():
        if kind == "text/javascript":
            assert not re.search(
                r"innerHTML|outerHTML|insertAdjacent|document\.write", source(file)
            )


def test_the_server_listens_to_this_machine_only() -> None:
    with bound(0) as here:
        assert here.getsockname()[0] == "127.0.0.1"
