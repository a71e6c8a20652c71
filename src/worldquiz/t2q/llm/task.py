"""The inspect task: one sample is one world, from the first command to the last question.

    inspect eval worldquiz/t2q -T preset=easy -T memory=mem0 --model openai/gpt-5.1

A sample's metadata carries the world's records (`pack`), so that `inspect score` calls no model.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.client import at_once as at_once_of
from worldquiz.llm.inspect_model import Inspect
from worldquiz.memory.base import Embedder, Granularity, Query, Wiring
from worldquiz.memory.setup import DEFAULT_EMBEDDER, MEMORY_ROLE
from worldquiz.records import digest, dumps
from worldquiz.runs.folder import MODEL
from worldquiz.serve.inspect_tools import SampleSession, ended, left, seated
from worldquiz.t2q import budget as budgets
from worldquiz.t2q.builder import build
from worldquiz.t2q.llm.run import longest_first
from worldquiz.t2q.llm.sample import RECORDS, report, sample, session
from worldquiz.t2q.llm.scoring import quiz as scored
from worldquiz.t2q.llm.scoring import summary
from worldquiz.t2q.llm.trial import Subject, sit
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.suites import Plan, Suite, open_suite


@task
def t2q(
    suite: str | None = None,
    preset: str = "paper",
    seed: int = 0,
    worlds: int = 10,
    memory: str = "in-context",
    granularity: str = Granularity.STEP,
    k: int = 10,
    query: str = Query.SHORT,
    recent: int = 4,
    embedder: str = DEFAULT_EMBEDDER,
    explore: bool = False,
    bonus: bool = False,
    laws: bool = False,
    confidence: bool = False,
    batch: int = 1,
    constrained: bool = False,
    agent: str = MODEL,
    answerer: str = MODEL,
    agent_seed: int = 0,
    max_steps: int | None = None,
    budget: float | None = None,
    questions_at_once: int | None = None,
    engine: str | None = None,
) -> Task:
    """Task2Quiz (arXiv 2601.09503): play every task of every world, then take its quiz.

    Args:
        suite: A folder that `worldquiz t2q build` made. Without it the suite of `preset`, `seed`
            and `worlds` is built, once, into the user's cache folder.
        preset: easy, medium, hard, paper for these three, or explore.
        seed: Random seed of the worlds.
        worlds: Worlds a level.
        memory: The model's memory; `worldquiz t2q memories` lists them.
        granularity: Size of one memory write: step or task.
        k: Pieces that memory recalls at most.
        query: Text of a memory's query: short or full.
        recent: Last turns of the task that are shown as they are, beside what memory recalls.
        embedder: For memories that embed.
        explore: Ask for exploration beside the task.
        bonus: Promise a bonus for discoveries.
        laws: State the laws under which questions count as answerable.
        confidence: Ask for the probability that an answer is right.
        batch: Questions asked at a time.
        constrained: Have the server hold replies to a JSON Schema.
        agent: The model, or a scripted agent.
        answerer: The model, or a scripted answerer.
        agent_seed: Random seed of scripted agents that draw at random.
        max_steps: Most commands in each task.
        budget: Most commands, as a multiple of the walkthroughs'; a task's rest goes to the
            next. Without either, the suite's own.
        questions_at_once: Questions of one quiz that are asked at the same time; no result depends
            on it. Without it, 4 of a server of your own, 20 of a hosted provider.
        engine: python or textworld, in which worlds are played; no result depends on it.
    """
    opened = open_suite(Path(suite)) if suite else built(Plan(preset, seed, worlds))
    subject = Subject(
        memory, Wiring.of(granularity, k, query, recent),
        Options(explore, bonus, laws, confidence, batch, constrained),
        embedder, agent, answerer, agent_seed, budgets.budget(max_steps, budget, opened.budget),
        engine,
    )  # fmt: skip
    return _task(opened, subject, questions_at_once)


def built(plan: Plan) -> Suite:
    """Return the suite of a plan from the user's cache folder, built or finished if need be.

    That is ``XDG_CACHE_HOME``, else ``~/.cache``.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = f"{plan.preset}-{plan.seed}-{digest(dumps(plan, Plan))[:12]}"
    return build(plan, cache / "worldquiz" / "suites" / name)


def _task(suite: Suite, subject: Subject, at_once: int | None) -> Task:
    worlds = longest_first(suite, suite.worlds)
    return Task(
        dataset=MemoryDataset([sample(suite, world) for world in worlds], name="t2q"),
        setup=seated(partial(_opened, suite, subject)),
        solver=sitting(suite, subject, subject.embedding(), at_once),
        scorer=scored(),
        cleanup=left,
        fail_on_error=True,  # a log that lacks worlds is no success: `eval-set` tries it again
        continue_on_fail=True,  # but the other worlds are finished first
        version=2,
        metadata={RECORDS: stated(suite, subject)},
    )


def stated(suite: Suite, subject: Subject) -> dict[str, Any]:
    """Return a run's manifest, but for what depends on the model."""
    worlds = list(suite.worlds)
    return {"kind": "run", "suite": suite.digest, **subject.record(), "worlds": worlds}


def _opened(suite: Suite, subject: Subject, state: TaskState) -> SampleSession:
    """Return a world's session."""
    return session(suite, str(state.sample_id), subject)


@solver
def sitting(
    suite: Suite, subject: Subject, embedder: Embedder | None, at_once: int | None = None
) -> Solver:
    """Play a world and take its quiz by prompts: the task's own solver, which calls no tools."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        ended(state)
        own = get_model()
        model, memory_model = Inspect(own), Inspect(get_model(role=MEMORY_ROLE, default=own))
        played = await sit(
            suite, str(state.sample_id), subject, model, memory_model, embedder,
            at_once=at_once or at_once_of(str(model)),
        )  # fmt: skip
        report(state, played, summary(played, results(played)))
        return state

    return solve
