"""The inspect task: one sample is one world, from the first command to the last question.

    inspect eval worldquiz/t2q -T preset=easy -T memory=mem0 --model openai/gpt-5.1

A sample's metadata holds the graded rows of its world, so `inspect score` calls no model.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.errors import KnobError, RecordError
from worldquiz.facts.knowledge import SIGNED
from worldquiz.facts.row import Row
from worldquiz.llm.inspect_model import Inspect, knowledge_metrics
from worldquiz.memory.catalog import MEMORY_ROLE
from worldquiz.records import check, digest, dumps
from worldquiz.runs.folder import MODEL
from worldquiz.runs.rows import RowLine, kept, row_of
from worldquiz.runs.settings import MEMORY, PROMPTS, RunSettings, declared
from worldquiz.runs.settings import MODEL as MODEL_PANEL
from worldquiz.serve.inspect_tools import BEGIN, SampleSession, ended, left, seated
from worldquiz.serve.session import Script
from worldquiz.stats.intervals import ratios
from worldquiz.t2q.agents.remote import ANSWER, INSTRUCTIONS, TOOLS, leaves
from worldquiz.t2q.builder import Plan, finish
from worldquiz.t2q.rollout import Played, rows_of
from worldquiz.t2q.run import WorldsRun, longest_first
from worldquiz.t2q.scores import COUNTED, counted
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.suites import Suite

RECORDS = "worldquiz"
"""Key of a sample's metadata for its rows."""
LEFT = "left"
"""Key of a sample's metadata for how its solver ended."""
EARLY = (
    "The solver stopped with {} questions unanswered, which count as wrong. Give the world's tools "
    "to an agent that takes tools as an argument, such as `react`: use `worldquiz/react`, or pass "
    "`tools=[world()]`."
)


@dataclass(frozen=True, kw_only=True)
class TaskSettings(T2QSettings):
    """Settings of a run, without those that inspect sets itself: model, limits and seed."""

    LACKS: ClassVar[frozenset[str]] = frozenset(declared(RunSettings))


@task
def t2q(
    suite: str | None = None,
    preset: str = "paper",
    seed: int = 0,
    worlds: int = 10,
    agent: str = MODEL,
    answerer: str = MODEL,
    agent_seed: int = 0,
    **settings: Any,
) -> Task:
    """Task2Quiz (arXiv 2601.09503): play every task of every world, then take its quiz.

    Args:
        suite: A folder that `worldquiz t2q build` made. Without it, the suite of `preset`, `seed`
            and `worlds` is built once, in the user's cache folder.
        preset: One of easy, medium, hard, explore, infer, change; or paper for the first three.
        seed: Random seed of the worlds.
        worlds: Worlds per level.
        agent: The model, or a scripted agent.
        answerer: The model, or a scripted answerer.
        agent_seed: Random seed of scripted agents that draw at random.
        settings: Settings of a run by name, such as memory or max_steps; `worldquiz t2q run --help`
            lists them.
    """
    given = TaskSettings.of(None, settings)
    opened = Suite.load(Path(suite)) if suite else built(Plan(preset, seed, worlds))
    work = WorldsRun(opened, agent, answerer, replace(given, seed=agent_seed))
    samples = [sample(opened, world) for world in longest_first(opened, opened.worlds)]
    return Task(
        dataset=MemoryDataset(samples, name="t2q"),
        setup=seated(lambda state: session(work, str(state.sample_id))),
        solver=sitting(work),
        scorer=quiz(),
        cleanup=left,
        fail_on_error=True,  # a log with missing worlds has failed: `eval-set` tries it again
        continue_on_fail=True,  # but the other worlds are finished first
        version=2,
        metadata={RECORDS: work.manifest},
    )


def built(plan: Plan) -> Suite:
    """Return the suite of a plan from the user's cache folder, built or finished if need be.

    The cache folder is ``XDG_CACHE_HOME``, else ``~/.cache``.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = f"{plan.preset}-{plan.seed}-{digest(dumps(plan, Plan))[:12]}"
    suite = cache / "worldquiz" / "suites" / name
    finish(plan, suite)
    return Suite.load(suite)


def sample(suite: Suite, world: str) -> Sample:
    """Return a world as a sample, with the agent's instructions and a perfect result as target."""
    entry = suite.entry(world)
    tasks, questions = entry["tasks"], entry["questions"]
    return Sample(
        id=world,
        input=f"{INSTRUCTIONS} {BEGIN}",
        target=f"{tasks} of {tasks} tasks won; {questions} of {questions} answers right",
        metadata={"level": entry["level"], "rooms": entry["rooms"], "objects": entry["objects"]},
    )


@solver
def sitting(work: WorldsRun) -> Solver:
    """Solver of the task, which plays a world and takes its quiz by prompts, without tools."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        ended(state)
        own = get_model()
        models = Inspect(own), Inspect(get_model(role=MEMORY_ROLE, default=own))
        played = await work.sit(str(state.sample_id), models)
        rows = leave(state, played)
        state.output = ModelOutput.from_content(str(state.model), summary(rows))
        state.completed = True
        return state

    return solve


def session(work: WorldsRun, world: str) -> SampleSession:
    """Return a world's session for solvers other than the task's own.

    The session's first call raises `KnobError` if the task's arguments name an agent or answerer,
    or set their memory or prompts.
    """

    async def script(mine: SampleSession) -> str:
        mine.result, farewell = await work.by_tools(world)
        return farewell

    def begin(mine: SampleSession) -> Script:
        said = {"agent": (work.agent, MODEL), "answerer": (work.answerer, MODEL)}
        for name, (_, about) in declared(TaskSettings).items():
            if about.panel in (MODEL_PANEL, MEMORY, PROMPTS):
                said[name] = getattr(work.given, name), getattr(T2QSettings, name)
        unused = [f"-T {name}={value}" for name, (value, usual) in said.items() if value != usual]
        if unused:
            given = " ".join(sorted(unused))
            raise KnobError(f"{given} has no effect with your own solver: leave it out")
        return script(mine)

    return SampleSession(TOOLS, begin, leaves)


def leave(state: TaskState, played: Played) -> list[Row]:
    """Store a world's rows in its sample, so that it can be scored again without a model."""
    rows = rows_of(played, str(state.model), MODEL)
    state.metadata[RECORDS] = [kept(row) for row in rows]
    return rows


def rows_left(state: TaskState) -> list[Row]:
    """Return a sample's rows; a session that its solver left open is ended first.

    Raises `RecordError` if there are none because the task's own solver was stopped.
    """
    mine = ended(state)
    if mine is not None:
        unanswered = mine.finish().count(ANSWER.name)
        leave(state, mine.result)
        if unanswered:
            state.metadata[LEFT] = EARLY.format(unanswered)
    where = f"world {state.sample_id}"
    lines = state.metadata.get(RECORDS)
    if not isinstance(lines, list):
        raise RecordError(f"{where} was not finished and has no rows: run the sample again")
    return [row_of(check(json.dumps(line), RowLine, where), "") for line in lines]


@metric
def shares() -> Metric:
    """Metrics: knowledge, false answers, task success, environment understanding, their parts."""

    def pooled(scores: list[SampleScore]) -> dict[str, float]:
        rows = [score.score.as_dict() for score in scores]
        counts = [{name: float(value or 0) for name, value in row.items()} for row in rows]
        found = {key: each.value for key, each in ratios(counts, COUNTED, signed=SIGNED).items()}
        values = {key: each for key, each in found.items() if each is not None}
        return knowledge_metrics(counts) | values

    return pooled


@scorer(metrics=[shares()])
def quiz() -> Scorer:
    """Grade the quiz and count the tasks won."""

    async def score(state: TaskState, target: Target) -> Score:
        rows = rows_left(state)
        return Score(
            value=counted(rows), answer=summary(rows), explanation=state.metadata.get(LEFT)
        )

    return score


def summary(rows: Sequence[Row]) -> str:
    """Return a one-line summary of the results in a world."""
    found = counted(rows)
    right, asked = found["correct"], found["questions"]
    return (
        f"{found['won']} of {found['tasks']} tasks won; {found['points']:.1f} of "
        f"{found['worth']:.1f} points of knowledge; {right:g} of {asked} answers right "
        f"(EUS {right / asked if asked else 0:.2f})"
    )
