"""Calls over HTTP: any answer of a server can be read, within limits and without keys."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelserver import Failure, Raw, Script, constant, serving
from modelserver.protocol import Text, chat_body, read_chat
from worldquiz.errors import CatalogError, KnobError
from worldquiz.llm.client import Reach
from worldquiz.llm.http import Http, is_count, read_completion, text_of
from worldquiz.llm.model import (
    OVERFLOW,
    UNKNOWN,
    Again,
    CallError,
    Completion,
    NoServer,
    user,
)
from worldquiz.runs.settings import RunSettings

ASKED = read_chat({"model": "m", "messages": [{"role": "user", "content": "?"}]})
USED = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
HERE = "http://localhost:1/v1"
KEY = "sk-SECRETSECRET12345"


def body() -> dict[str, Any]:
    return chat_body(ASKED, Text('{"answer": "attic"}'), dict(USED))


@settings(max_examples=150)
@given(
    st.sampled_from(
        ["usage", "message", "finish_reason", "content", "refusal", "tool_calls", "role"]
    ),
    JSON,
)
def test_any_part_of_a_reply_may_be_anything(name: str, value: Any) -> None:
    sent = body()
    choice = sent["choices"][0]
    next((part for part in (sent, choice) if name in part), choice["message"])[name] = value
    found = read_completion(sent)
    json.dumps([found.text, found.stop]).encode()
    assert name != "usage" or found.usage == UNKNOWN or isinstance(value, dict)


@settings(max_examples=150)
@given(st.sampled_from([*USED, "prompt_tokens_details"]), JSON)
def test_counts_are_numbers_of_tokens_or_unknown(name: str, value: Any) -> None:
    sent = body()
    sent["usage"][name] = value
    used = read_completion(sent).usage
    assert used.calls == 1
    assert all(map(is_count, (used.input, used.cached, used.output)))
    if name in ("prompt_tokens", "completion_tokens") and not is_count(value):
        assert used == UNKNOWN


@given(st.text())
def test_texts_can_be_written(text: str) -> None:
    text_of(text + "\ud800").encode()
    assert text_of([{"type": "text", "text": "a"}, "b", 3, None]) == "ab"


@pytest.mark.parametrize(
    ("told", "said"),
    [("<think>a</think> b", "b"), ("<think>a", "<think>a"), ("b <think>", "b <think>")],
)
def test_a_thought_at_the_beginning_is_no_part_of_a_reply(told: str, said: str) -> None:
    sent = body()
    sent["choices"][0]["message"]["content"] = told
    assert read_completion(sent).text == said


def at(url: str, timeout: float = 20, **more: Any) -> Completion:
    """Ask a model at an address."""

    async def run() -> Completion:
        model = Http("m", url, KEY, timeout=timeout, **more)
        try:
            return await model.generate([user("Hi")])
        finally:
            await model.close()

    return asyncio.run(run())


def asked(script: Script, retries: int = 0, **more: Any) -> Completion:
    """Ask a server that replies by a script."""
    with serving(script) as server:
        return at(server.base_url, retries=retries, **more)


def failing(*failures: Raw) -> Script:
    left = list(failures)
    return lambda request: left.pop(0) if left else constant("ok")(request)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_a_busy_server_is_asked_again(status: int) -> None:
    assert asked(failing(Failure(status, "busy", retry_after=0.01)), retries=1).text == "ok"
    with pytest.raises(CallError, match=f"answered {status}: busy") as raised:
        asked(failing(*[Failure(status, "busy", retry_after=0.01)] * 2), retries=1)
    assert raised.value.status_code == status


def test_retry_after_is_waited_for() -> None:
    begun = time.monotonic()
    asked(failing(Failure(429, "busy", retry_after=0.8)), retries=1)
    assert time.monotonic() - begun >= 0.8


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_a_refused_call_is_not_made_again(status: int) -> None:
    with pytest.raises(CallError, match="no"):
        asked(failing(Failure(status, "no")), retries=3)


@pytest.mark.parametrize(
    "text", ["maximum context length is 10 tokens", "This model's maximum model length is 5"]
)
def test_a_full_window_is_a_reply(text: str) -> None:
    assert asked(failing(Failure(400, text))).stop == OVERFLOW


def test_an_error_is_cut_and_holds_no_key() -> None:
    with pytest.raises(CallError) as raised:
        asked(failing(Failure(400, f"headers were Bearer {KEY} {'a' * 100_000}")))
    assert len(str(raised.value)) < 3_000
    assert KEY not in str(raised.value)


def test_nobody_who_listens_is_an_error_of_its_own() -> None:
    begun = time.monotonic()
    with pytest.raises(CallError, match=r"http://127\.0\.0\.1:9") as raised:
        at("http://127.0.0.1:9/v1", retries=5)
    assert isinstance(raised.value.__cause__, NoServer)
    assert time.monotonic() - begun < 5


@contextmanager
def streaming(piece: bytes, pause: float) -> Iterator[str]:
    """Answer every request with a piece again and again, until it is hung up on."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
            while True:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)

    async def serve() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await server.serve_forever()

    ports: list[int] = []
    ready = Event()
    Thread(target=asyncio.run, args=(serve(),), daemon=True).start()
    ready.wait()
    yield f"http://127.0.0.1:{ports[0]}/v1"


def test_an_endless_reply_is_an_error() -> None:
    with streaming(b" " * 2**16, 0) as url, pytest.raises(CallError, match="longer than"):
        at(url, timeout=60)


def test_a_call_has_a_deadline_however_slowly_bytes_come() -> None:
    with streaming(b" ", 0.05) as url, pytest.raises(CallError, match="no answer within 0"):
        at(url, timeout=0.5)


@pytest.mark.parametrize(("code", "again"), [(429, True), (502, True), (400, False), (None, False)])
def test_an_error_in_place_of_a_reply_has_its_code(code: int | None, again: bool) -> None:
    error = {"error": {"message": "busy", "code": code}}
    for sent in (error, {"choices": [{**body()["choices"][0], **error}]}):
        with pytest.raises(CallError, match="busy") as raised:
            read_completion(sent)
        assert isinstance(raised.value, Again) == again
        assert raised.value.status_code == code


@pytest.mark.parametrize("choices", [[], None, "x", 3])
def test_a_body_without_choices_is_no_reply(choices: object) -> None:
    """A server of something else answers 200 to all that is asked: it is not a silent model."""
    with pytest.raises(CallError, match="has no choices: use the base URL of"):
        read_completion({**body(), "choices": choices})


def test_a_redirect_is_refused() -> None:
    with pytest.raises(CallError, match="redirects to elsewhere"):
        asked(failing(Failure(302, "moved")))


def test_a_netrc_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text("default login me password sekret")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert asked(constant("ok")).text == "ok"


@pytest.mark.parametrize(
    "url", ["localhost:1/v1", "ftp://a/v1", "http://", "http://a:99999/v1", "http://me:sekret@a/v1"]
)
def test_an_address_that_is_none_is_refused_and_shows_no_password(url: str) -> None:
    with pytest.raises(KnobError, match="base URL") as raised:
        Reach(RunSettings(model="m", base_url=url)).made()
    assert "sekret" not in str(raised.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"seed": float("nan")}, {"temperature": float("inf")}, {"extra_body": 5},
        {"stop": "\ud800"},
    ],
)  # fmt: skip
def test_settings_that_no_manifest_can_hold_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(KnobError, match="--generate"):
        Reach(RunSettings(model="m", base_url=HERE, generate=settings)).made()


def test_a_key_that_cannot_be_sent_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefgh\n")
    with pytest.raises(CatalogError, match="OPENAI_API_KEY: the API key contains"):
        Reach(RunSettings(model="m", base_url=HERE)).made()
