"""What a look at a model finds before its run: only what no call could pass is an error."""

from __future__ import annotations

import pytest

pytest.importorskip("inspect_ai")

from modelserver import Failure, Raw, Reply, Request, Script, constant, serving
from worldquiz.errors import CatalogError, KnobError, WorldError
from worldquiz.llm.client import Reach

REFUSED = Failure(401, "Incorrect API key provided", "invalid_request_error", "invalid_api_key")
UNKNOWN = Failure(404, "The model `n` does not exist", "invalid_request_error", "model_not_found")


def looked_at(script: Script, model: str) -> int:
    """Look at a model, and return how many calls that took."""
    with serving(script) as server:
        Reach(model, server.base_url).preflight()
        return len(server.calls)


def test_a_model_that_its_server_lists_takes_no_call() -> None:
    assert looked_at(constant("ok"), "m") == 0


def test_a_model_that_no_list_names_is_asked_for_one_token() -> None:
    asked: list[int | None] = []

    def script(request: Request) -> Reply:
        asked.append(request.max_tokens)
        return constant("ok")(request)

    assert looked_at(script, "n") == 1
    assert asked == [1]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (REFUSED, "model 'n' at http.*: the key is refused"),
        (UNKNOWN, "model 'n' at http.*: not known"),
    ],
)
def test_what_no_call_could_pass_is_an_error(failure: Raw, told: str) -> None:
    with pytest.raises(CatalogError, match=told):
        looked_at(lambda _: failure, "n")


@pytest.mark.parametrize("status", [400, 402, 429, 500, 503])
def test_what_the_run_may_pass_is_left_to_it(status: int) -> None:
    assert looked_at(lambda _: Failure(status, "not now", retry_after=0.01), "n") >= 1


def test_an_answer_that_is_none_is_left_to_the_run() -> None:
    assert looked_at(lambda _: Raw(b"<html>", 200), "n") == 1


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no.such.host.invalid/v1"])
def test_a_server_that_is_not_there_is_named(url: str) -> None:
    with pytest.raises(WorldError, match="no server answers") as raised:
        Reach("m", url).preflight()
    assert url in str(raised.value)


def test_a_provider_behind_a_variable_is_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GONE_API_KEY", "none")
    monkeypatch.setenv("GONE_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(WorldError, match=r"openai-api/gone/m.*no server answers"):
        Reach("openai-api/gone/m").preflight()


def test_models_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(CatalogError, match="model 'gpt': "):
        Reach("gpt").made()
    with pytest.raises(CatalogError, match=r"model 'nobody/gpt': .*nobody"):
        Reach("nobody/gpt").made()
    with pytest.raises(CatalogError, match=r"model 'openai/gpt-5\.1': .*OPENAI_API_KEY"):
        Reach("openai/gpt-5.1").made()
    assert str(Reach("qwen", "http://localhost:1/v1").made()) == "qwen"


@pytest.mark.parametrize("place", ["http://localhost:1/v1", None])
def test_settings_that_there_are_not(place: str | None) -> None:
    """By the names of OpenAI's protocol, and by inspect's for a model that inspect reaches."""

    def made(**settings: object) -> None:
        Reach("m" if place else "mockllm/model", place, settings).made()

    made(temperature=0, max_tokens=10)
    with pytest.raises(KnobError, match=r"generate .*warmth"):
        made(warmth=1)
    with pytest.raises(KnobError, match=r"generate temperature"):
        made(temperature="hot")
    with pytest.raises(KnobError, match="--connections"):
        made(max_connections=3)
