"""Task2Quiz in Python: names and objects, blocking or not, resumed, with nothing left behind."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import command
import worldquiz
from modelserver import perfect, serving
from played import tree
from worldquiz import WorldquizError
from worldquiz.t2q import T2QSuite

ROOMS = "own_world:TwoRooms"


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> T2QSuite:
    """Two copies of a world without a simulator, so that nothing needs compiling."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "examples"))
    return worldquiz.t2q.suite(worlds=[ROOMS], out=tmp_path / "suite")


class Climber:
    """Goes north, then takes the lamp; counts its moves over the worlds that it is used in."""

    def __init__(self) -> None:
        self.moves: list[str] = []

    def act(self, observation: Any) -> str | None:
        self.moves.append("take lamp" if self.moves else "go north")
        return self.moves[-1] if len(self.moves) < 3 else None


class Reader:
    """Says yes to whatever has a long word in common with what was seen."""

    name = "my reader"

    async def study(self, transcripts: Sequence[Any]) -> None:
        turns = [turn for transcript in transcripts for turn in transcript]
        self.seen = " ".join(turn.observation.text for turn in turns)

    def answer(self, prompt: Any) -> str:
        return "yes" if "attic" in self.seen else "non-answerable"


def test_no_module_hides_a_public_name() -> None:
    for name in worldquiz.t2q.__all__:
        assert importlib.util.find_spec(f"worldquiz.t2q.{name}") is None
        assert callable(getattr(worldquiz.t2q, name))


def test_build_opens_again_and_says_what_it_is(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"rooms": (4, 4), "doors": 1.0}
    out = tmp_path / "suite"
    suite = worldquiz.t2q.build("easy", worlds=1, seed=3, out=out, parameters=settings)
    assert repr(suite) == f"T2QSuite({str(out)!r}, 1 world)"
    assert suite.manifest["worlds"][0]["rooms"] == 4
    again = worldquiz.load(out)
    assert (type(again), again.digest, again.path) == (T2QSuite, suite.digest, out)


@pytest.mark.parametrize("agent", [Climber, Climber()], ids=["class", "instance"])
def test_objects_run_like_names(rooms: T2QSuite, tmp_path: Path, agent: object) -> None:
    run = rooms.run(agent=agent, answerer=Reader, out=tmp_path / "run")
    assert isinstance(run, worldquiz.Run)
    assert (run.manifest["agent"], run.manifest["answerer"]) == ("Climber", "my reader")
    assert run.scores["tsr"] == 1.0
    frame = run.frame()
    assert set(frame.agent) == {"Climber"}
    assert len(frame) == run.scores["counts"]["questions"]
    assert "my reader" in run.report(tmp_path / "page.html").read_text()
    before = tree(run.path)
    again = rooms.run(agent=agent, answerer=Reader, out=tmp_path / "run")
    assert tree(again.path) == before


def test_an_instance_is_copied_for_each_world(rooms: T2QSuite, tmp_path: Path) -> None:
    climber = Climber()
    for name in "ab":
        rooms.run(agent=climber, answerer="constant", out=tmp_path / name)
    assert climber.moves == []
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_one_object_acts_and_answers(rooms: T2QSuite, tmp_path: Path) -> None:
    class Both(Climber):
        def answer(self, prompt: Any) -> str:
            return " ".join(self.moves)

    both = Both()
    run = rooms.run(agent=both, answerer=both, out=tmp_path / "run")
    assert {row.reply for row in run.rows} == {"go north take lamp"}


@pytest.mark.parametrize(
    ("who", "complaint"),
    [
        ({}, "choose a model, or both an agent and an answerer"),
        ({"agent": "idle"}, "choose a model, or both an agent and an answerer"),
        ({"agent": "idel", "answerer": "constant"}, "did you mean 'idle'"),
        ({"agent": "constant", "answerer": "constant"}, "no agent 'constant'"),
        ({"agent": "random", "answerer": "constnat"}, "no answerer .*did you mean 'constant'"),
        ({"agent": object(), "answerer": "constant"}, "object has no method 'act'"),
        ({"agent": "idle", "answerer": Climber}, "Climber has no method 'answer'"),
        ({"agent": "human", "answerer": "constant"}, "no agent 'human'"),
        ({"agent": "random", "answerer": "human"}, "no answerer 'human'"),
        ({"agent": "idle", "answerer": "constant", "max_steps": 1, "budget": 1.5}, "one of them"),
        ({"agent": "idle", "answerer": "constant", "budget": 0.0}, "number above 0"),
        ({"agent": "idle", "answerer": "constant", "budget": float("nan")}, "above 0"),
        ({"agent": "no_such_module:A", "answerer": "constant"}, "cannot import"),
        ({"agent": "idle", "answerer": "constant", "model": "m"}, "no model: leave `model` out"),
        ({"model": "nobody/m"}, "nobody"),
        ({"model": "m", "base_url": "http://127.0.0.1:9/v1"}, "Cannot connect"),
        ({"model": "mockllm/model", "generate": {"warmth": 1}}, "warmth"),
        ({"model": "mockllm/model", "memory": "men0"}, "did you mean 'mem0'"),
        ({"model": "mockllm/model", "granularity": "taks"}, "did you mean 'task'"),
    ],
)
def test_what_cannot_start_leaves_nothing_behind(
    rooms: T2QSuite, tmp_path: Path, who: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(WorldquizError, match=complaint):
        rooms.run(**who, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


class Tired:
    """Breaks in the world of one seed, until it has slept."""

    def __init__(self, seed: int) -> None:
        self.seed = os.environ["SEED"] = str(seed)

    def act(self, observation: Any) -> str | None:
        if self.seed == os.environ["BREAKS"]:
            raise ValueError("too tired")
        return None


def test_an_agent_that_fails_is_named_and_its_run_goes_on(
    suite: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = worldquiz.load(suite.path)
    monkeypatch.setenv("BREAKS", "")
    whole = worlds.run(agent=Tired, answerer="constant", out=tmp_path / "whole" / "run")
    monkeypatch.setenv("BREAKS", os.environ["SEED"])  # of the second world
    failed = worlds.run(agent=Tired, answerer="constant", out=tmp_path / "run").scores["failed"]
    told = "agent 'Tired' failed in world 'easy-01': ValueError: too tired"
    assert list(failed["reasons"]) == [told]
    assert 0 < failed["questions"] < failed["of"]
    assert failed["score_with"] < failed["score_without"]
    monkeypatch.setenv("BREAKS", "")
    again = worlds.run(agent=Tired, answerer="constant", out=tmp_path / "run", retry_failed=True)
    assert tree(again.path) == tree(whole.path)


def test_the_command_line_shows_where_an_agent_failed(
    suite: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tired.py").write_text(
        "class Tired:\n    def act(self, observation):\n        raise ValueError('too tired')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    said = command.worldquiz(
        "t2q", "run", suite.path, "--agent", "tired:Tired", "--answerer", "constant",
        "--jobs", 2, "--out", tmp_path / "run",
    )  # fmt: skip
    assert (said.code, said.out) == (2, "")
    assert said.err.count("Traceback") == 1
    lines = said.err.splitlines()
    assert any(line.endswith('tired.py", line 3, in act') for line in lines)
    assert lines[-1].startswith("worldquiz: agent 'tired:Tired' failed in world 'easy-0")


def test_an_object_may_not_be_called_like_one_of_ours(rooms: T2QSuite, tmp_path: Path) -> None:
    climber = Climber()
    climber.name = "random"  # type: ignore[attr-defined]
    with pytest.raises(WorldquizError, match="give the object another `name`"):
        rooms.run(agent=climber, answerer="constant", out=tmp_path / "run")


def test_an_object_that_no_process_can_be_sent_is_refused(rooms: T2QSuite, tmp_path: Path) -> None:
    class Local(Climber):
        pass

    with pytest.raises(WorldquizError, match="jobs=1"):
        rooms.run(agent=Local, answerer="constant", out=tmp_path / "run", jobs=2)


def test_it_works_where_an_event_loop_runs(rooms: T2QSuite, tmp_path: Path) -> None:
    async def notebook() -> tuple[worldquiz.Run, worldquiz.Run]:
        blocked = rooms.run(agent=Climber, answerer="constant", out=tmp_path / "a")
        return blocked, await rooms.arun(agent=Climber, answerer="constant", out=tmp_path / "b")

    one, other = asyncio.run(notebook())
    assert tree(one.path) == tree(other.path)


class LastWords:
    """Remembers the last thing that it was told; needs nothing."""

    def __init__(self) -> None:
        self.text = ""

    def add(self, entry: Any) -> None:
        self.text = entry.text

    def recall(self, query: str) -> str:
        return self.text


@pytest.mark.slow
def test_a_model_runs_with_a_memory_of_ones_own(
    rooms: T2QSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with serving(perfect()) as server:
        run = rooms.run(
            model="m", base_url=server.base_url, memory=LastWords, out=tmp_path / "run", max_steps=2
        )
    assert run.manifest["memory"] == "LastWords"
    assert (run.manifest["embedder"], run.manifest["memory_model"]) == (None, None)
    assert {row.answerer for row in run.rows} == {"LastWords"}
    assert run.scores["usage"]["by_purpose"]["act"]["calls"] == 2
