"""The commands of inspect itself (eval, score, eval-retry), and its solvers and agents by tools.

The first command is a process of its own, as users start it; the others run in this one, which
saves the time to start them. One model server serves the first half; it fails where a test says so,
and counts who called. In the second half a script calls tools, in worlds without a game.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from command import inspect
from conftest import Cli
from modelserver import Failure, Reply, Request, Running, Text, Use, Uses, perfect, serving
from modelserver.prompts import role_of
from serving import Scripted, many_rooms
from worldquiz.facts.row import Row
from worldquiz.runs.rows import read_rows, row_of
from worldquiz.serve import inspect_tools
from worldquiz.t2q import T2QSuite
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.llm.sample import RECORDS
from worldquiz.t2q.llm.task import built
from worldquiz.t2q.scoring import COUNTED
from worldquiz.t2q.suites import Plan, Suite

SERVER_FAILS = Failure(500, "The server had an error while processing your request")
TASK = (
    "worldquiz/t2q",
    "-T",
    "preset=easy",
    "-T",
    "worlds=2",
    "-T",
    "max_steps=4",
    "-T",
    "batch=9",
)
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before


@dataclass
class Provider:
    """The perfect reader, which fails wherever a prompt with some text asks for a command."""

    failing: str | None = None
    served: list[Request] = field(default_factory=list)

    def __call__(self, request: Request) -> Reply:
        self.served.append(request)
        if self.failing and role_of(request) == "act" and self.failing in request.text:
            return SERVER_FAILS
        return perfect()(request)

    @contextmanager
    def failing_at(self, text: str) -> Iterator[None]:
        self.failing = text
        try:
            yield
        finally:
            self.failing = None


@dataclass
class Shell:
    """Runs ``inspect``; what it may write to lies under `home`."""

    home: Path
    server: Running
    provider: Provider

    @property
    def env(self) -> dict[str, str]:
        where = {"XDG_CACHE_HOME": str(self.home), "XDG_DATA_HOME": str(self.home)}
        return {**self.server.env(), **where, "COLUMNS": "200"}

    def process(self, *arguments: object) -> None:
        """Run a command as users do."""
        done = subprocess.run(
            [Path(sys.executable).with_name("inspect"), *map(str, arguments)],
            env={**os.environ, **self.env}, cwd=self.home, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    def __call__(self, *arguments: object, code: int = 0) -> None:
        """Run a command in this process."""
        with chdir(self.home):
            done = inspect(*arguments, env=self.env)
        assert done.exit_code == code, (done.output, done.exception)

    def evaluate(self, logs: str, *more: object, memory: str = "worldgraph") -> Path:
        """Evaluate two easy worlds with some more options; return the log."""
        self(*evaluation(logs, memory), *more)
        return self.newest(logs)

    def newest(self, logs: str) -> Path:
        """Return the log of a folder that was written last."""
        return Path(list_eval_logs(str(self.home / logs))[0].name.removeprefix("file://"))

    def calls(self) -> int:
        """Return how many calls the server has served."""
        return len(self.provider.served)


REACHING = ("--model", "openai-api/test/m", "--display", "plain", "--max-retries", "0")


def evaluation(logs: str, memory: str) -> tuple[str, ...]:
    return ("eval", *TASK, "-T", f"memory={memory}", *REACHING, "--log-dir", logs)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    provider = Provider()
    with serving(provider, minimum=NEVER) as server:
        yield Shell(tmp_path_factory.mktemp("home"), server, provider)


@pytest.fixture(scope="module")
def log(shell: Shell) -> Path:
    shell.process(*evaluation("logs", "worldgraph"))
    return shell.newest("logs")


@pytest.fixture
def suite(shell: Shell, log: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """Return the suite that the task built for itself."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(shell.home))
    return built(Plan("easy", seed=0, worlds=2))


def rows_in(log: EvalLog) -> list[Row]:
    """Return the rows that a log's samples hold, world by world."""
    held = sorted(log.samples or (), key=lambda sample: str(sample.id))
    return [row_of(line, "") for sample in held for line in sample.metadata.get(RECORDS, ())]


def run_in(log: Path) -> list[Row]:
    return rows_in(read_eval_log(log))


def unnamed(rows: Iterable[Row]) -> list[Row]:
    return [replace(row, run="", agent=None, answerer="") for row in rows]


def figures(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: metric.value for score in log.results.scores for name, metric in
            score.metrics.items()}  # fmt: skip


def shares(scores: dict[str, Any]) -> dict[str, float]:
    """Return what a log's figures must be, of a run's scores."""
    found = {name: scores[name] for name in COUNTED if scores[name] is not None}
    for name in ("knowledge", "tsr", "eus", "known"):
        if scores["ci"][name]:  # knowledge has none where worlds do not differ
            found |= dict(zip((f"{name}_low", f"{name}_high"), scores["ci"][name], strict=True))
    return found


def named_by_inspect(found: dict[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Return figures without, and with nothing but, those that inspect names."""
    theirs = {name: found[name] for name in ("accuracy", "stderr")}
    return {name: value for name, value in found.items() if name not in theirs}, theirs


def test_inspect_finds_the_task_and_its_figures_are_ours(shell: Shell, log: Path) -> None:
    told = read_eval_log(log)
    assert (told.status, told.eval.task) == ("success", "worldquiz/t2q")
    scores = t2q.scores(run_in(log))
    ours, theirs = named_by_inspect(figures(told))
    assert ours == pytest.approx(shares(scores))
    assert theirs == {"accuracy": scores["eus"], "stderr": 0}
    assert scores["eus"] == 1


def test_both_roads_lead_to_the_same_records_and_figures(
    shell: Shell, log: Path, suite: Suite, cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in shell.server.env().items():
        monkeypatch.setenv(name, value)
    out = tmp_path / "run"
    said = cli("t2q", "run", suite.path, "--model", "openai-api/test/m", "--memory", "worldgraph",
               "--max-steps", 4, "--batch", 9, "--out", out, "--json")  # fmt: skip
    assert said.code == 0, said.err
    theirs = run_in(log)
    assert unnamed(read_rows(out)) == unnamed(theirs)
    reached = ("folder", "generate", "memory_model", "model")  # which inspect's own log says
    told = (read_eval_log(log, header_only=True).eval.metadata or {})[RECORDS]
    ours = json.loads((out / "manifest.json").read_text())
    assert {k: v for k, v in ours.items() if k not in reached} == told
    assert said.json == json.loads(json.dumps(t2q.scores(theirs)))


def test_scoring_again_calls_no_model_and_finds_the_same(shell: Shell, log: Path) -> None:
    before = shell.calls()
    target = shell.home / "scored.eval"
    shell("score", log, "--scorer", "worldquiz/quiz", "--action", "overwrite",
          "--output-file", target, "--display", "plain")  # fmt: skip
    assert figures(read_eval_log(target)) == pytest.approx(figures(read_eval_log(log)))
    assert run_in(target) == run_in(log)
    assert shell.calls() == before


def openings(suite: Suite) -> dict[str, str]:
    """Return what is read first in each world, which every in-context prompt holds."""
    first = {}
    for world in suite.worlds:
        bundle = suite.bundle(world)
        with suite.opened(bundle) as game:
            first[world] = game.reset(bundle.tasks[0]).observation.text.strip()
    return first


def test_only_worlds_that_were_not_finished_are_played_again(
    shell: Shell, log: Path, suite: Suite
) -> None:
    evaluate = ("eval-set", *TASK, "-T", "memory=in-context", *REACHING, "--log-dir", "set",
                "--retry-attempts", "0")  # fmt: skip
    victim, text = list(openings(suite).items())[1]
    with shell.provider.failing_at(text):
        shell(*evaluate, code=1)
    failed = shell.newest("set")
    assert read_eval_log(failed, header_only=True).status == "error"
    assert victim not in {row.world for row in run_in(failed)}
    retry = ("eval-retry", failed, "--log-dir", "retried", "--display", "plain")
    for again, folder in ((retry, "retried"), (evaluate, "set")):
        before = shell.calls()
        shell(*again)
        found = run_in(shell.newest(folder))
        fresh = shell.provider.served[before:]
        assert fresh, "nothing is played again"
        assert all(text in request.text for request in fresh)
        assert {row.world for row in found} == {*suite.worlds}
        assert t2q.scores(found)["eus"] == 1


# Solvers and agents of inspect


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
class Tools:
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
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    home, caller = tmp_path_factory.mktemp("home"), Caller()
    (home / "own.py").write_text(OWN)
    with serving(caller) as server:
        yield Tools(home, many_rooms(home / "suite", 2), server, caller)


@pytest.fixture(scope="module")
def of_react(tools: Tools) -> EvalLog:
    """What inspect's `react` does with the world's tools."""
    return tools.evaluate("--solver", "worldquiz/react")


@pytest.fixture(scope="module")
def of_generate(tools: Tools) -> EvalLog:
    """What inspect's `generate` does with them."""
    return tools.evaluate("--solver", "generate")


@pytest.fixture(autouse=True)
def nothing_left(tools: Tools) -> Iterator[None]:
    """However a sample ends, its session is gone."""
    yield
    assert inspect_tools._sessions == {}
    tools.caller.fails = False


def sample_of(log: EvalLog) -> EvalSample:
    assert log.samples is not None
    (sample,) = log.samples
    return sample


def scripted(
    tools: Tools, out: Path, commands: Sequence[str | None], answers: Sequence[str]
) -> list[Row]:
    """Return what an agent in Python makes of the first world, by the name of a model."""

    def make() -> Scripted:
        return Scripted(commands, answers)

    make.name = "claude"  # type: ignore[attr-defined]
    tools.suite.run(agent=make, answerer=make, out=out, max_steps=4)
    return unnamed(row for row in read_rows(out) if row.world == "toy-0")


def asked(tools: Tools) -> int:
    return len(tools.suite.bundle("toy-0").questions)


SOLVERS: dict[str, list[str]] = {"worldquiz/react": [], "generate": [], "own.py@mine": []}


@pytest.mark.parametrize("name", SOLVERS)
def test_records_are_those_of_an_agent_in_python(
    tools: Tools, tmp_path: Path, name: str, request: pytest.FixtureRequest
) -> None:
    """Whatever solver calls the tools: inspect's own by their names, or one of a user's file."""
    known = {"worldquiz/react": "of_react", "generate": "of_generate"}.get(name)
    log: EvalLog
    if known:
        log = request.getfixturevalue(known)
    else:
        log = tools.evaluate("--solver", name, *SOLVERS[name])
    assert (log.status, log.eval.task_version) == ("success", 2)
    wanted = scripted(tools, tmp_path / "run", FEW, ["attic"] * asked(tools))
    assert unnamed(rows_in(log)) == wanted
    metrics = log.results.scores[0].metrics if log.results else {}
    assert metrics["accuracy"].value == metrics["eus"].value == t2q.scores(rows_in(log))["eus"]


@pytest.mark.parametrize("name", ["own.py@idle"])
def test_a_solver_that_touches_nothing_has_given_up_and_is_counted(
    tools: Tools, tmp_path: Path, name: str
) -> None:
    """The cheapest contestant: it earns nothing, not even by what it abstains from."""
    log = tools.evaluate("--solver", name)
    assert log.status == "success"
    wanted = scripted(tools, tmp_path / "run", [None, None], [""] * asked(tools))
    assert unnamed(rows_in(log)) == wanted
    scores = t2q.scores(rows_in(log))
    assert (scores["eus"], scores["tsr"]) == (0, 0)
    assert scores["counts"]["questions"] == asked(tools)
    score = (sample_of(log).scores or {})["quiz"]
    assert "given the world's as `worldquiz/react`" in str(score.explanation)
