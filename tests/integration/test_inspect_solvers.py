"""Solvers and agents of inspect on `worldquiz/t2q`: they play by tools, in worlds without a game.

All commands are inspect's own, run in this process. The model is a script that calls tools; its
agents are inspect's (`react`, `generate`) and one of a file of a user's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from command import inspect
from conftest import Cli
from modelserver import Failure, Reply, Request, Running, Text, Use, Uses, serving
from serving import Scripted, many_rooms
from worldquiz.serve import inspect_tools
from worldquiz.t2q import T2QSuite
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.llm.logs import read_runs
from worldquiz.t2q.store import Played, RunRecord, read_played, read_run

COMMANDS = ["go north", "take lamp", None, "go north"]
"""The first task is won, the second given up after no command; the third entry is `done`."""
FEW = COMMANDS[:3]
OWN = """
from inspect_ai.agent import AgentState, agent, as_solver, react
from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.solver import solver
from worldquiz.serve.inspect_tools import world

@agent
def walker():
    return react(prompt="Walk.", tools=[world()])

@solver
def mine():
    return as_solver(walker())

@solver
def idle():
    async def solve(state, generate):
        state.output = await get_model().generate([ChatMessageUser(content="Hello.")])
        return state
    return solve

@solver
def breaks():
    async def solve(state, generate):
        raise ZeroDivisionError("mine")
    return solve
"""


@dataclass
class Caller:
    """A model that looks, plays some commands, answers all questions alike, and submits."""

    commands: Sequence[str | None] = tuple(FEW)
    fails: bool = False
    served: list[Request] = field(default_factory=list)

    def __call__(self, request: Request) -> Reply:
        self.served.append(request)
        if self.fails:
            return Failure(500, "The server had an error while processing your request")
        names = set(request.tools)
        said = [each for each in request.messages if each.role in ("tool", "user")]
        if "look" not in names or "are kept" in said[-1].text:
            submit = Uses((Use("submit", {"answer": "played"}),))
            return submit if "submit" in names else Text("Played.")
        return Uses((self._next(len(said) - 1, said[-1].text),))

    def _next(self, made: int, told: str) -> Use:
        if not made:
            return Use("look", {})
        if re.search(r"Question \d+ of", told):
            return Use("answer", {"answer": "attic"})
        command = self.commands[made - 1] if made <= len(self.commands) else None
        return Use("done", {}) if command is None else Use("act", {"command": command})


@dataclass
class Shell:
    """Runs ``inspect`` in a folder of its own, on a suite of two worlds of two rooms."""

    home: Path
    suite: T2QSuite
    server: Running
    caller: Caller

    def __call__(self, *arguments: object, code: int = 0) -> None:
        env = {**self.server.env(), "XDG_DATA_HOME": str(self.home), "COLUMNS": "200"}
        with chdir(self.home):
            done = inspect(*arguments, "--display", "none", env=env)
        assert done.exit_code == code, (done.output, done.exception)

    def evaluate(self, *more: object, code: int = 0) -> EvalLog:
        """Evaluate one world with some more options, and return the log."""
        self("eval", "worldquiz/t2q", "-T", f"suite={self.suite.path}", "-T", "max_steps=4",
             "--model", "openai-api/test/m", "--max-retries", "0", "--log-dir", "logs",
             "--limit", "1", *more, code=code)  # fmt: skip
        return self.newest()

    def newest(self) -> EvalLog:
        return read_eval_log(list_eval_logs(str(self.home / "logs"))[0].name)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    home, caller = tmp_path_factory.mktemp("home"), Caller()
    (home / "own.py").write_text(OWN)
    with serving(caller) as server:
        yield Shell(home, many_rooms(home / "suite", 2), server, caller)


@pytest.fixture(scope="module")
def of_react(shell: Shell) -> EvalLog:
    """What inspect's `react` does with the world's tools."""
    return shell.evaluate("--solver", "worldquiz/react")


@pytest.fixture(scope="module")
def of_generate(shell: Shell) -> EvalLog:
    """What inspect's `generate` does with them."""
    return shell.evaluate("--solver", "generate")


@pytest.fixture(autouse=True)
def nothing_left(shell: Shell) -> Iterator[None]:
    """However a sample ends, its session is gone."""
    yield
    assert inspect_tools._sessions == {}
    shell.caller.fails = False


def sample_of(log: EvalLog) -> EvalSample:
    assert log.samples is not None
    (sample,) = log.samples
    return sample


def run_of(log: EvalLog) -> RunRecord:
    (run,) = read_runs(Path(log.location.removeprefix("file://")))
    return run


def played(log: EvalLog) -> Played:
    (world,) = run_of(log).worlds
    return world


def scripted(
    shell: Shell, out: Path, commands: Sequence[str | None], answers: Sequence[str]
) -> Played:
    """Return what an agent in Python makes of the first world, by the name of a model."""

    def make() -> Scripted:
        return Scripted(commands, answers)

    make.name = "claude"  # type: ignore[attr-defined]
    shell.suite.run(agent=make, answerer=make, out=out, max_steps=4)
    found = read_run(out).worlds[0]
    episodes = tuple(replace(each, agent="model") for each in found.episodes)
    return replace(found, episodes=episodes)


def asked(shell: Shell) -> int:
    return len(shell.suite.bundle("toy-0").questions)


def replies(log: EvalLog) -> list[str]:
    return [answer.reply for answer in played(log).answers]


TOOLS = "tools=[{type: tool, name: worldquiz/world, params: {}}]"
SOLVERS = {"worldquiz/react": [], "generate": [], "own.py@mine": []}


@pytest.mark.parametrize("name", SOLVERS)
def test_records_are_those_of_an_agent_in_python(
    shell: Shell, tmp_path: Path, name: str, request: pytest.FixtureRequest
) -> None:
    """Whatever solver calls the tools: inspect's own by their names, or one of a user's file."""
    known = {"worldquiz/react": "of_react", "generate": "of_generate"}.get(name)
    log: EvalLog
    if known:
        log = request.getfixturevalue(known)
    else:
        log = shell.evaluate("--solver", name, *SOLVERS[name])
    assert (log.status, log.eval.task_version) == ("success", 2)
    wanted = scripted(shell, tmp_path / "run", FEW, ["attic"] * asked(shell))
    assert played(log) == wanted
    run = run_of(log)
    assert run.manifest["solver"].endswith(name.rpartition("@")[2])
    assert run.manifest["agent"] == run.manifest["answerer"] == "model"
    assert not {"memory", "wiring", "options"} & run.manifest.keys()
    metrics = log.results.scores[0].metrics if log.results else {}
    assert metrics["accuracy"].value == metrics["eus"].value == t2q.scores(run)["eus"]


def test_the_log_holds_the_conversation(
    shell: Shell, of_react: EvalLog, cli: Cli, tmp_path: Path
) -> None:
    log, sample = of_react, sample_of(of_react)
    assert "You are a player in a text game." in str(sample.input)
    assert "Begin with `look`" in str(sample.input)
    assert str(sample.target).startswith(f"2 of 2 tasks won; {asked(shell)} of {asked(shell)}")
    said = [message for message in sample.messages if message.role == "assistant"]
    calls = [call.function for message in said for call in message.tool_calls or ()]
    assert calls[:5] == ["look", "act", "act", "done", "answer"]
    told = [message.text for message in sample.messages if message.role == "tool"]
    assert "You are in the hall." in told[0]
    assert "Question 1 of" in told[3]
    page = tmp_path / "page.html"
    assert cli("report", log.location.removeprefix("file://"), "--out", page).code == 0
    assert "worldquiz/react" in page.read_text()


@pytest.mark.parametrize("name", ["own.py@idle"])
def test_a_solver_that_touches_nothing_has_given_up_and_is_counted(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    """The cheapest contestant: it earns nothing, not even by what it abstains from."""
    log = shell.evaluate("--solver", name)
    assert log.status == "success"
    assert played(log) == scripted(shell, tmp_path / "run", [None, None], [""] * asked(shell))
    scores = t2q.scores(run_of(log))
    assert (scores["eus"], scores["tsr"]) == (0, 0)
    assert scores["counts"]["questions"] == asked(shell)
    score = (sample_of(log).scores or {})["quiz"]
    assert "given the world's as `worldquiz/react`" in str(score.explanation)


def test_a_token_limit_amid_the_quiz_keeps_its_answers(
    shell: Shell, of_generate: EvalLog, tmp_path: Path
) -> None:
    sizes = [each.usage.total_tokens for each in model_calls(of_generate)]
    most = sum(sizes[:6])  # a look, two commands, done, and two answers
    log = shell.evaluate("--solver", "generate", "--token-limit", most)
    limit = sample_of(log).limit
    assert limit is not None
    assert limit.type == "token"
    said = replies(log)
    assert said[0] == "attic"
    assert said[2:] == [""] * (asked(shell) - 2)
    commands = scripted(shell, tmp_path / "run", FEW, said)
    assert played(log).episodes == commands.episodes


def model_calls(log: EvalLog) -> list[Any]:
    events = [event for event in sample_of(log).events if event.event == "model"]
    return [event.output for event in events]


def test_a_finished_world_in_the_records_folder_is_not_played_again(shell: Shell) -> None:
    folder = shell.home / "records"
    log = shell.evaluate("--solver", "generate", "-T", f"records={folder}")
    assert read_played(folder / "worlds" / "toy-0") == played(log)
    shell.caller.served.clear()
    again = shell.evaluate("--solver", "generate", "-T", f"records={folder}")
    assert not shell.caller.served
    assert played(again) == played(log)


def test_the_tasks_own_solver_is_shown_as_a_conversation(shell: Shell) -> None:
    sample = sample_of(shell.evaluate())
    run = run_of(shell.newest())
    assert "solver" not in run.manifest
    assert run.manifest["memory"] == "in-context"
    roles = [message.role for message in sample.messages]
    assert roles[:3] == ["user", "assistant", "user"]
    assert "You are in the hall." in sample.messages[0].text
    assert sample.messages[-1].text == "Played."
    assert sum(role == "assistant" for role in roles) == len(model_calls(shell.newest()))
