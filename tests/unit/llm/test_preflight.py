"""What a look at a model finds before its run: only what no call could pass is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz as wq
from modelserver import Failure, Raw, Reply, Request, Script, constant, serving

REFUSED = Failure(401, "Incorrect API key provided", "invalid_request_error", "invalid_api_key")
UNKNOWN = Failure(404, "The model `n` does not exist", "invalid_request_error", "model_not_found")
ASKED = 2
"""Questions of a run."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    wq.mango.build(mazes=1, size=5, seed=3, out="mazes")


def run(model: str, base_url: str | None = None) -> None:
    wq.mango.load("mazes").run(
        model=model,
        base_url=base_url,
        per_maze=ASKED // 2,
        choice="published",
        out="run",
        retries=0,
    )


def looked_at(script: Script, model: str) -> int:
    """Run a model that fails after the look, and return how many calls that look took."""
    with serving(script) as server:
        run(model, server.base_url)
        return len(server.calls) - ASKED


def after(first: Raw) -> Script:
    """Fail at the first request, and answer all others."""
    met: list[Request] = []

    def script(request: Request) -> Reply:
        met.append(request)
        return first if len(met) == 1 else constant("[]")(request)

    return script


def test_a_model_that_its_server_lists_takes_no_call() -> None:
    assert looked_at(constant("[]"), "m") == 0


def test_a_model_that_no_list_names_is_asked_for_one_token() -> None:
    asked: list[int | None] = []

    def script(request: Request) -> Reply:
        asked.append(request.max_tokens)
        return constant("[]")(request)

    assert looked_at(script, "n") == 1
    assert asked[:1] == [1]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (REFUSED, "model 'n' at http.*: the key is refused, or .*Incorrect API key provided"),
        (UNKNOWN, "the model is not known .*model `n` does not exist.*correct the key, --model"),
    ],
)
def test_what_no_call_could_pass_is_an_error(failure: Raw, told: str) -> None:
    with pytest.raises(wq.WorldquizError, match=told):
        looked_at(lambda _: failure, "n")
    assert not Path("run").exists()


@pytest.mark.parametrize("status", [402, 429, 500, 503])
def test_what_the_run_may_pass_is_left_to_it(status: int) -> None:
    assert looked_at(after(Failure(status, "not now", retry_after=0.01)), "n") == 1


def test_a_server_that_minds_one_token_is_left_to_the_run() -> None:
    assert looked_at(after(Failure(400, "Unsupported parameter: 'max_tokens'")), "n") == 1


def test_a_name_without_a_provider_says_which_forms_there_are() -> None:
    with pytest.raises(wq.WorldquizError, match=r"openai/gpt-5, .*anthropic/NAME.*--base-url URL"):
        run("gpt-5")


def test_an_answer_that_is_none_is_left_to_the_run() -> None:
    assert looked_at(after(Raw(b"<html>", 200)), "n") == 1


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no.such.host.invalid/v1"])
def test_a_server_that_is_not_there_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(wq.WorldquizError, match="no server answers") as raised:
        run("m", url)
    assert url in str(raised.value)
    monkeypatch.setenv("GONE_API_KEY", "none")
    monkeypatch.setenv("GONE_BASE_URL", url)
    with pytest.raises(wq.WorldquizError, match=r"openai-api/gone/m.*no server answers"):
        run("openai-api/gone/m")
