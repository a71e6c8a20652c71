"""The commands of inspect itself (eval, score, eval-retry), and its solvers and agents by tools.

They run in this process, which saves the time to start them. In the first half the perfect reader
takes a quiz, and fails where a test says so; in the second half a script calls tools, in worlds
without a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

import worldquiz as wq
from command import inspect
from conftest import Cli
from modelserver import Failure, Reply, Request, Running, Script, Text, Use, Uses, perfect, serving
from modelserver.prompts import role_of
from scored import kept
from serving import Scripted, many_rooms
from worldquiz import Row
from worldquiz.serve import inspect_tools


class Shell:
    """Runs ``inspect`` in a folder of its own, against a server with a script."""

    def __init__(self, home: Path, server: Running) -> None:
        self.home, self.server = home, server
        where = {"XDG_CACHE_HOME": str(home), "XDG_DATA_HOME": str(home)}
        self.env = {**server.env(), **where, "COLUMNS": "200"}

    def __call__(self, *words: object, code: int = 0) -> None:
        with chdir(self.home):
            done = inspect(*words, "--display", "none", env=self.env)
        assert done.exit_code == code, (done.output, done.exception)

    def evaluate(self, logs: str, *more: object, verb: str = "eval", code: int = 0) -> EvalLog:
        """Evaluate worlds of Task2Quiz with some more options; return the log."""
        self(verb, "worldquiz/t2q", *more, "--model", "openai-api/test/m", "--max-retries", "0",
             "--log-dir", logs, code=code)  # fmt: skip
        return self.newest(logs)

    def newest(self, logs: str) -> EvalLog:
        """Return the log of a folder that was written last."""
        return read_eval_log(list_eval_logs(str(self.home / logs))[0].name)


def serves(script: Script, home: Path) -> Iterator[Shell]:
    with serving(script, minimum=10**9) as server:  # what is cached depends on who asked before
        yield Shell(home, server)


def run_of(log: EvalLog) -> wq.Run:
    """Return the rows that a log's samples hold, world by world, as a run of ours beside it."""
    held = sorted(log.samples or (), key=lambda sample: str(sample.id))
    lines = [line for sample in held for line in sample.metadata.get("worldquiz", ())]
    return kept(lines, Path(log.location.removeprefix("file://")).with_suffix(".run"))


def rows_in(log: EvalLog) -> list[Row]:
    """Return the tasks and questions that a log holds."""
    run = run_of(log)
    return [*run.tasks, *run.rows]


def unnamed(rows: Iterable[Row]) -> list[Row]:
    return [replace(row, run="", agent=None, answerer="") for row in rows]


def place(row: Row) -> tuple[str, bool, str]:
    return row.world, row.asked, row.item


def figures(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    (score,) = log.results.scores
    return {name: metric.value for name, metric in score.metrics.items()}


# A quiz after play

SUITE = ("-T", "preset=easy", "-T", "worlds=2", "-T", "max_steps=4")
failing: list[str] = []
"""A text: where a prompt that asks for a command holds it, the server fails."""
served: list[Request] = []


def provider(request: Request) -> Reply:
    served.append(request)
    if role_of(request) == "act" and any(text in request.text for text in failing):
        return Failure(500, "The server had an error while processing your request")
    return perfect()(request)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    yield from serves(provider, tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def log(shell: Shell) -> EvalLog:
    return shell.evaluate("logs", *SUITE, "-T", "memory=in-context")


def test_inspect_finds_the_task_and_its_figures_are_ours(log: EvalLog) -> None:
    assert (log.status, log.eval.task) == ("success", "worldquiz/t2q")
    scores = run_of(log).scores
    wanted = {name: scores[name] for name in scores["ci"] if scores[name] is not None}
    assert figures(log) == pytest.approx(wanted)  # two worlds: no interval, no error
    assert scores["eus"] == 1


def test_both_roads_lead_to_the_same_records_and_figures(
    shell: Shell, log: EvalLog, cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in shell.server.env().items():
        monkeypatch.setenv(name, value)
    suite = wq.t2q.build("easy", worlds=2, seed=0, out=tmp_path / "suite")
    said = cli("t2q", "run", suite.path, "--model", "openai-api/test/m", "--memory", "in-context",
               "--max-steps", 4, "--out", tmp_path / "run", "--json")  # fmt: skip
    assert said.code == 0, said.err
    run, theirs = wq.load(tmp_path / "run"), rows_in(log)
    assert unnamed(sorted((*run.tasks, *run.rows), key=place)) == unnamed(sorted(theirs, key=place))
    reached = ("folder", "generate", "memory_model", "model", "reader")  # or inspect's log says
    told = (log.eval.metadata or {})["worldquiz"]
    assert {k: v for k, v in run.manifest.items() if k not in reached} == told
    ours = run_of(log).scores
    assert {k: v for k, v in said.json.items() if k != "records"}.items() <= ours.items()


def test_scoring_again_calls_no_model_and_finds_the_same(shell: Shell, log: EvalLog) -> None:
    before, target = len(served), shell.home / "scored.eval"
    shell("score", Path(log.location.removeprefix("file://")), "--scorer", "worldquiz/quiz",
          "--action", "overwrite", "--output-file", target)  # fmt: skip
    again = read_eval_log(target)
    assert figures(again) == pytest.approx(figures(log))
    assert unnamed(rows_in(again)) == unnamed(rows_in(log))
    assert len(served) == before


def test_only_worlds_that_were_not_finished_are_played_again(
    shell: Shell, log: EvalLog, tmp_path: Path
) -> None:
    suite = wq.t2q.build("easy", worlds=2, seed=0, out=tmp_path / "suite")
    bundle = suite.bundle(suite.worlds[1])
    with suite.opened(bundle) as game:
        text = game.reset(bundle.tasks[0]).observation.text.strip()
    evaluate = (*SUITE, "-T", "memory=in-context", "--retry-attempts", 0)
    failing.append(text)
    failed = shell.evaluate("set", *evaluate, verb="eval-set", code=1)
    failing.clear()
    assert failed.status == "error"
    assert {row.world for row in rows_in(failed)} == {suite.worlds[0]}
    for folder in ("retried", "set"):
        before = len(served)
        if folder == "set":
            again = shell.evaluate("set", *evaluate, verb="eval-set")
        else:
            shell("eval-retry", failed.location.removeprefix("file://"), "--log-dir", folder)
            again = shell.newest(folder)
        assert served[before:], "nothing is played again"
        assert all(text in request.text for request in served[before:])
        assert {row.world for row in rows_in(again)} == {*suite.worlds}
        assert run_of(again).scores["eus"] == 1


# Solvers and agents of inspect

COMMANDS = ["go north", "take lamp", None]
"""The first task is won, the second given up after no command; the third entry is `done`."""
OWN = """
from inspect_ai.agent import agent, as_solver, react
from inspect_ai.model import ChatMessageUser, execute_tools, get_model
from inspect_ai.solver import solver
from worldquiz.serve.inspect_tools import world

@agent
def walker():
    return react(prompt="Walk.", tools=[world()])

@solver
def mine():
    return as_solver(walker())

@agent
def endless():
    async def go(state):
        while True:
            state.output = await get_model().generate(state.messages, await world().tools())
            state.messages.append(state.output.message)
            found = await execute_tools(state.messages, await world().tools())
            state.messages.extend(found.messages)
    return go

@solver
def idle():
    async def solve(state, generate):
        state.output = await get_model().generate([ChatMessageUser(content="Hello.")])
        return state
    return solve
"""


stubborn: list[Request] = []
"""Requests to a model that goes on after the end; none where the list was not begun by a test."""


def caller(request: Request) -> Reply:
    """Look, play the commands, answer all questions alike, and submit."""
    said = [each for each in request.messages if each.role in ("tool", "user")]
    if "are kept" in str(request.messages) and stubborn:
        stubborn.append(request)
        return Uses((Use("look", {}),))
    if "look" not in request.tools or "are kept" in said[-1].text:
        submit = Uses((Use("submit", {"answer": "played"}),))
        return submit if "submit" in request.tools else Text("Played.")
    if len(said) == 1:
        return Uses((Use("look", {}),))
    if re.search(r"Question \d+ of", said[-1].text):
        return Uses((Use("answer", {"answer": "attic"}),))
    command = COMMANDS[len(said) - 2]
    return Uses((Use("act", {"command": command}) if command else Use("done", {}),))


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    home = tmp_path_factory.mktemp("tools")
    (home / "own.py").write_text(OWN)
    many_rooms(home / "suite", 2)
    yield from serves(caller, home)


def scripted(out: Path, suite: Any, commands: Sequence[str | None], answer: str) -> list[Row]:
    """Return what an agent in Python makes of the first world, by the name of a model."""

    def make() -> Scripted:
        return Scripted(commands, [answer] * len(suite.bundle("toy-0").questions))

    make.name = "claude"  # type: ignore[attr-defined]
    run = suite.run(agent=make, answerer=make, out=out, max_steps=4)
    return unnamed(row for row in (*run.tasks, *run.rows) if row.world == "toy-0")


@pytest.mark.parametrize("name", ["worldquiz/react", "generate", "own.py@mine", "own.py@idle"])
def test_records_are_those_of_an_agent_in_python(tools: Shell, tmp_path: Path, name: str) -> None:
    """Whatever solver calls the tools: inspect's own by their names, or one of a user's file.

    One that touches nothing has given up: it earns nothing, not even by what it abstains from.
    """
    suite = tools.home / "suite"
    log = tools.evaluate("logs", "-T", f"suite={suite}", "-T", "max_steps=4", "--limit", 1,
                         "--solver", name)  # fmt: skip
    assert inspect_tools._sessions == {}
    assert (log.status, log.eval.task_version) == ("success", 2)
    idle, rows = name == "own.py@idle", rows_in(log)
    made = ([None, None], "") if idle else (COMMANDS, "attic")
    assert unnamed(rows) == scripted(tmp_path / "run", wq.t2q.load(suite), *made)
    scores = run_of(log).scores
    assert figures(log)["eus"] == scores["eus"]
    if idle:
        assert scores["eus"] == scores["tsr"] == 0
        assert scores["counts"]["questions"] > 0


@pytest.mark.parametrize("name", ["worldquiz/react", "generate", "own.py@mine", "own.py@endless"])
def test_a_model_that_goes_on_after_the_end_is_stopped(tools: Shell, name: str) -> None:
    stubborn.append(Request("", ()))
    log = tools.evaluate("stubborn", "-T", f"suite={tools.home / 'suite'}", "-T", "max_steps=4",
                         "--limit", 1, "--solver", name)  # fmt: skip
    assert (log.status, len(stubborn) - 1 <= 3) == ("success", True)
    stubborn.clear()
    assert run_of(log).scores["counts"]["questions"] == len(rows_in(log)) - 2
