"""A model that no call reaches: the reason is told, and no folder is left."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz as wq
from modelserver import Failure, Raw, constant, serving


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    wq.mango.build(mazes=1, size=5, seed=3, out="mazes")


def run(model: str, base_url: str | None = None) -> None:
    mazes = wq.mango.load("mazes")
    mazes.run(model=model, base_url=base_url, per_maze=9, choice="published", out="run")


@pytest.mark.parametrize(
    "failure",
    [
        Failure(401, "Incorrect API key provided", "invalid_request_error", "invalid_api_key"),
        Failure(404, "The model `n` does not exist", "invalid_request_error", "model_not_found"),
        Failure(400, "/chat/completions: Invalid model name passed in model=n"),  # LiteLLM
        Failure(400, "litellm.BadRequestError: Invalid API key provided"),
    ],
)
def test_what_no_call_could_pass_is_told(failure: Raw) -> None:
    said = failure.body.decode().split('"')[5]  # type: ignore[union-attr]
    with serving(lambda _: failure) as server:
        with pytest.raises(wq.WorldquizError, match=said):
            run("n", server.base_url)
        assert len(server.calls) == 1
    assert not Path("run").exists()
    with serving(constant("[]")) as server:
        run("m", server.base_url)


def test_a_name_without_a_provider_says_which_forms_there_are() -> None:
    with pytest.raises(wq.WorldquizError, match=r"openai/gpt-5, .*anthropic/NAME.*--base-url URL"):
        run("gpt-5")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no.such.host.invalid/v1"])
def test_a_server_that_is_not_there_is_named(url: str) -> None:
    with pytest.raises(wq.WorldquizError, match=f"CallError: {url}: Cannot connect"):
        run("m", url)
    assert not Path("run").exists()
