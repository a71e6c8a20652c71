"""The parts of a model's run: its subject, its records in a log, its complaints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import Cli
from worldquiz.errors import CatalogError, KnobError
from worldquiz.llm.client import Reach
from worldquiz.runs.settings import RunSettings
from worldquiz.t2q.llm.run import ModelRun, Subject
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.suites import Suite


def test_a_manifest_says_all_that_was_measured() -> None:
    told = Subject(memory="mem0", options=Options(laws=True)).record()
    assert told["memory"] == "mem0"
    assert told["wiring"] == {"granularity": "step", "k": 10, "query": "short", "recent": 4}
    assert told["options"] == {"laws": True}
    assert told["embedder"] == "minilm"
    assert told["versions"]["mem0"].startswith("mem0ai ")
    assert "embedder" in Subject().record()
    assert Subject().record()["embedder"] is None


def test_only_memories_that_call_a_model_name_theirs(suite: Suite) -> None:
    def named(memory: str) -> object:
        reach = Reach(RunSettings(model="mockllm/one"))
        return ModelRun(suite, Subject(memory), reach, "mockllm/two").manifest["memory_model"]

    assert named("summary") == "mockllm/two"
    assert named("in-context") is None


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"memory": "mem"}, "did you mean 'mem0'"),
        ({"agent": "human"}, "worldquiz t2q play"),
        ({"agent": "idle", "answerer": "constant"}, "leave out the model"),
    ],
)
def test_a_subject_that_cannot_be(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises((CatalogError, KnobError), match=complaint):
        Subject(**wrong)


def test_models_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(CatalogError, match="model 'gpt': "):
        Reach(RunSettings(model="gpt")).made()
    with pytest.raises(CatalogError, match=r"model 'nobody/gpt': .*nobody"):
        Reach(RunSettings(model="nobody/gpt")).made()
    with pytest.raises(CatalogError, match=r"model 'openai/gpt-5\.1': .*OPENAI_API_KEY"):
        Reach(RunSettings(model="openai/gpt-5.1")).made()
    assert str(Reach(RunSettings(model="qwen", base_url="http://localhost:1/v1")).made()) == "qwen"


@pytest.mark.parametrize("place", ["http://localhost:1/v1", None])
def test_settings_that_there_are_not(place: str | None) -> None:
    """By the names of OpenAI's protocol, and by inspect's for a model that inspect reaches."""

    def made(**settings: object) -> None:
        name = "m" if place else "mockllm/model"
        Reach(RunSettings(model=name, base_url=place, generate=settings)).made()

    made(temperature=0, max_tokens=10)
    with pytest.raises(KnobError, match=r"generate .*warmth"):
        made(warmth=1)
    with pytest.raises(KnobError, match=r"generate temperature"):
        made(temperature="hot")
    with pytest.raises(KnobError, match="--connections"):
        made(max_connections=3)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "give a model, or an agent and an answerer"),
        (("--agent", "idle"), "give a model, or an agent and an answerer"),
        (("--model", "m", "--base-url", "http://localhost:1", "--generate", "hot"), "NAME=VALUE"),
        (("--model", "m", "--base-url", "http://localhost:1", "--memory", "mind"), "no memory"),
    ],
)  # fmt: skip
def test_mistakes_on_the_command_line(
    cli: Cli, suite: Suite, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    said = cli("t2q", "run", suite.path, "--out", tmp_path / "run", *arguments)
    assert (said.code, said.out) == (2, "")
    assert complaint in said.err
    assert not (tmp_path / "run").exists()


def test_a_server_that_is_not_there_is_one_clear_line(
    cli: Cli, suite: Suite, tmp_path: Path
) -> None:
    said = cli(
        "t2q", "run", suite.path, "--out", tmp_path / "run", "--model", "m",
        "--base-url", "http://127.0.0.1:9/v1", "--retries", 0,
    )  # fmt: skip
    assert said.code == 2
    assert "http://127.0.0.1:9/v1: no server answers" in said.err
    assert not (tmp_path / "run").exists()
    assert "Traceback" not in said.err
