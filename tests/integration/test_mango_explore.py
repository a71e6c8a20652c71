"""A language model explores mazes, reached at a real server: it plays, remembers and answers.

The model explores by the systematic explorer's rules and answers by the map builder's, both from
the turns in its prompts alone. So with the whole history it equals these two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from conftest import Cli
from modelserver import Failure, Reply, Request, Running, Script, Text, serving
from modelserver.walks import asked, explores
from process import killed_after
from worldquiz.errors import KnobError, Stopped
from worldquiz.llm.limits import Limits
from worldquiz.mango.exploring.contest import explored_contest
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.report.tables import entries
from worldquiz.runs.run import Run

NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
FEW: dict[str, Any] = {"per_maze": 5, "steps": 12}


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> MazeSet:
    folder = tmp_path_factory.mktemp("exploring") / "mazes"
    return wq.mango.build(mazes=2, seed=7, out=folder, size=7)


def exploring(mazes: MazeSet, server: Running, out: Path, **more: Any) -> Run:
    every: dict[str, Any] = {"model": "m", "base_url": server.base_url, "retries": 0, **FEW, **more}
    return wq.mango.explore(mazes.path, agent="model", out=out, **every)


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a run, hidden ones too, but for inspect's logs."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] != "logs"
    }


@pytest.fixture(scope="module")
def calm(mazes: MazeSet, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, int]:
    """A run that nobody disturbed, and its calls."""
    with serving(explores(), minimum=NEVER) as server:
        run = exploring(mazes, server, tmp_path_factory.mktemp("calm") / "run")
        return run, len(server.calls)


def test_a_model_explores_and_answers_from_its_own_turns(
    calm: tuple[Run, int], mazes: MazeSet, tmp_path: Path
) -> None:
    run, calls = calm
    twin = wq.mango.explore(
        mazes.path, agent="frontier", answerer="mapper", out=tmp_path / "twin", **FEW
    )
    scores = run.scores
    for name in ("coverage", "knowledge", "knowledge_ceiling", "games"):
        assert scores[name] == twin.scores[name]
    assert scores["knowledge"] > 0.2
    used = scores["usage"]["by_purpose"]
    asked = sum(game["asked"] for game in scores["games"].values())
    assert (used["act"]["calls"], used["quiz"]["calls"]) == (24, asked)
    assert scores["usage"]["calls"] == calls
    assert (scores["commands"]["clean"], scores["commands"]["wasted"]) == (24, 0)
    assert {row.world for row in run.rows} == {f"maze-0{n} (m, in-context)" for n in (0, 1)}
    run.report(tmp_path / "report.html", beside=[twin])
    assert "m, in-context" in (tmp_path / "report.html").read_text()
    used_by = [entry.usage for entry in entries(explored_contest([run.path, twin.path]))]
    assert [each.get("calls", 0) for each in used_by] == [calls, 0]


def test_a_killed_run_makes_no_call_twice_and_ends_with_the_same_bytes(
    calm: tuple[Run, int], mazes: MazeSet, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with serving(explores(), minimum=NEVER) as server:
        reach = ("--model", "m", "--base-url", server.base_url, "--retries", 0)
        few = ("--per-maze", FEW["per_maze"], "--steps", FEW["steps"], "--agent", "model")
        assert killed_after(server, 15, "mango", "explore", mazes.path, *reach, *few, "--out", out)
        lost = len(server.calls) - 15 + 2  # those under way: two games are played at once
        exploring(mazes, server, out)
        assert len(server.calls) <= calm[1] + lost
    assert tree(out) == tree(calm[0].path)


def test_a_limit_ends_a_run_that_goes_on_later(
    calm: tuple[Run, int], mazes: MazeSet, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with serving(explores(), minimum=NEVER) as server:
        with pytest.raises(Stopped, match="--max-tokens 3000 is reached"):
            exploring(mazes, server, out, limits=Limits(tokens=3000))
        assert len(server.calls) < calm[1]
        exploring(mazes, server, out)
        assert len(server.calls) == calm[1]
    assert tree(out) == tree(calm[0].path)


def failing(script: Script, where: str) -> Script:
    """Fail whenever some words are asked."""
    return lambda request: Failure(500, "broken") if where in request.text else script(request)


def test_a_question_that_fails_is_counted_and_asked_again_on_request(
    calm: tuple[Run, int], mazes: MazeSet, tmp_path: Path
) -> None:
    out, (run, _) = tmp_path / "run", calm
    with serving(explores()) as server:
        exploring(mazes, server, tmp_path / "all")
        one = next(call.prompt for call in server.calls if "How can you go" in call.prompt)
    words = f"How can you go from {asked(one).source} to {asked(one).target}?"
    with serving(failing(explores(), words), minimum=NEVER) as server:
        failed = exploring(mazes, server, out)
    assert failed.scores["failed"]["questions"] == failed.scores["quiz"]["failed"]["questions"] == 1
    assert len([row for row in failed.rows if row.status == "failed"]) == 1
    with serving(explores(), minimum=NEVER) as server:
        mended = exploring(mazes, server, out, retry_failed=True)
        assert len([call for call in server.calls if call.status == 200]) <= 2
    assert mended.scores == run.scores


class Wordy:
    """Explores, but says nothing that can be read; held to a form, it stops at once."""

    def __init__(self) -> None:
        self.forms: list[str] = []

    def __call__(self, request: Request) -> Reply:
        self.forms += list(request.schema.get("properties", ()))
        if not request.schema:
            return Text("")
        return Text(json.dumps({"reason": "enough", "command": "done"}))


@pytest.mark.parametrize("memory", ["none", "bm25", "summary"])
def test_any_memory_will_do_and_wasted_commands_are_counted(
    mazes: MazeSet, tmp_path: Path, memory: str
) -> None:
    with serving(Wordy()) as server:
        run = exploring(mazes, server, tmp_path / "run", memory=memory, games=["maze-00"])
    assert run.scores["commands"]["wasted"] == run.scores["games"]["maze-00"]["commands"] == 12
    assert run.scores["knowledge"] == 0
    assert (run.scores["usage"]["by_purpose"]["memory"]["calls"] > 0) == (memory == "summary")


def test_a_model_may_end_its_exploring_and_be_held_to_a_form(
    mazes: MazeSet, tmp_path: Path
) -> None:
    model = Wordy()
    with serving(model) as server:
        run = exploring(mazes, server, tmp_path / "run", constrained=True)
    assert [game["commands"] for game in run.scores["games"].values()] == [0, 0]
    assert model.forms == ["reason", "command"] * 2
    assert run.manifest["constrained"]


def test_another_may_answer_about_what_a_model_explored(mazes: MazeSet, tmp_path: Path) -> None:
    with serving(explores()) as server:
        run = exploring(mazes, server, tmp_path / "run", answerer="keeper")
    assert run.scores["knowledge"] == pytest.approx(run.scores["knowledge_ceiling"])
    assert run.scores["usage"]["by_purpose"]["quiz"]["calls"] == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"agent": "model"}, "needs a language model: give --model"),
        ({"agent": "frontier", "memory": "bm25"}, "memory needs agent 'model'"),
        ({"agent": "model", "model": "m", "jobs": 2}, "give --connections"),
        ({"agent": "frontier", "model": "m", "shard": "1/2"}, "have a model explore too"),
    ],
)
def test_what_nothing_would_use_is_refused(
    mazes: MazeSet, tmp_path: Path, options: dict[str, Any], said: str
) -> None:
    reach: dict[str, Any] = {"base_url": "http://127.0.0.1:9/v1"} if "model" in options else {}
    with pytest.raises(KnobError, match=said):
        wq.mango.explore(mazes.path, out=tmp_path / "run", **options, **reach, **FEW)
    assert not (tmp_path / "run").exists()


def test_the_command_line_takes_a_model_with_a_memory(
    cli: Cli, mazes: MazeSet, tmp_path: Path
) -> None:
    few = ("--steps", 3, "--per-maze", 2, "--game", "maze-00", "--out", tmp_path / "run")
    with serving(explores()) as server:
        reach = ("--agent", "model", "--model", "m", "--base-url", server.base_url)
        said = cli("mango", "explore", mazes.path, *reach, "--memory", "bm25", *few, "--json")
    assert said.code == 0, said.err
    assert said.json["agent"] == "m, bm25"
    refused = cli("mango", "explore", mazes.path, *few, "--memory", "bm25", "--model", "m")
    assert "--memory needs --agent model" in refused.err


@pytest.mark.parametrize("agent", ["random", "model"])
def test_shards_join_to_the_bytes_of_the_whole(mazes: MazeSet, tmp_path: Path, agent: str) -> None:
    with serving(explores(), minimum=NEVER) as server:
        reach: dict[str, Any] = {"model": "m", "base_url": server.base_url}
        every: dict[str, Any] = {"agent": agent, **FEW, **(reach if agent == "model" else {})}
        whole = wq.mango.explore(mazes.path, out=tmp_path / "whole", **every)
        parts = [tmp_path / "1", tmp_path / "2"]
        for number, part in enumerate(parts, start=1):
            wq.mango.explore(mazes.path, out=part, shard=f"{number}/2", **every)
        calls = len(server.calls)
        wq.merge(parts, tmp_path / "joined")
        assert len(server.calls) == calls
    assert "quiz/answers.jsonl" in tree(whole.path)
    assert tree(tmp_path / "joined") == tree(whole.path)


def test_the_number_of_processes_changes_no_byte(mazes: MazeSet, tmp_path: Path) -> None:
    one, two = (
        wq.mango.explore(mazes.path, agent="random", jobs=jobs, out=tmp_path / str(jobs), **FEW)
        for jobs in (1, 2)
    )
    assert tree(one.path) == tree(two.path)
