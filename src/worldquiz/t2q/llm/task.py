"""The inspect task: one sample is one world, from the first command to the last question.

    inspect eval worldquiz/t2q -T preset=easy -T memory=mem0 --model openai/gpt-5.1

A sample's metadata carries the world's rows, so that `inspect score` calls no model.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.client import at_once as at_once_of
from worldquiz.llm.inspect_model import Inspect
from worldquiz.memory.base import Embedder
from worldquiz.memory.setup import MEMORY_ROLE
from worldquiz.records import digest, dumps
from worldquiz.runs.folder import MODEL
from worldquiz.runs.settings import RunSettings, declared
from worldquiz.serve.inspect_tools import SampleSession, ended, left, seated
from worldquiz.t2q import budget as budgets
from worldquiz.t2q.builder import build
from worldquiz.t2q.llm.run import longest_first
from worldquiz.t2q.llm.sample import RECORDS, leave, report, sample, session
from worldquiz.t2q.llm.scoring import quiz as scored
from worldquiz.t2q.llm.scoring import summary
from worldquiz.t2q.llm.trial import Subject, sit
from worldquiz.t2q.scoring import sitting as sitting_of
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.suites import Plan, Suite, open_suite


@dataclass(frozen=True, kw_only=True)
class TaskSettings(T2QSettings):
    """Settings of the task: those of a run but for the model, its limits and seed: inspect's."""

    LACKS: ClassVar[frozenset[str]] = frozenset(declared(RunSettings)) - {"questions_at_once"}


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
        suite: A folder that `worldquiz t2q build` made. Without it the suite of `preset`, `seed`
            and `worlds` is built, once, into the user's cache folder.
        preset: easy, medium, hard, paper for these three, or explore.
        seed: Random seed of the worlds.
        worlds: Worlds a level.
        agent: The model, or a scripted agent.
        answerer: The model, or a scripted answerer.
        agent_seed: Random seed of scripted agents that draw at random.
        settings: Settings of a run by name, such as memory, max_steps or batch; `worldquiz t2q run
            --help` lists them.
    """
    opened = open_suite(Path(suite)) if suite else built(Plan(preset, seed, worlds))
    given = TaskSettings.of(None, settings)
    allowed = budgets.budget(given.max_steps, given.budget, opened.budget)
    subject = Subject.of(given, agent, answerer, agent_seed, allowed)
    return _task(opened, subject, given.questions_at_once)


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
        world = sitting_of(played.bundle.spec.id, leave(state, played))
        report(state, played, summary(world))
        return state

    return solve
