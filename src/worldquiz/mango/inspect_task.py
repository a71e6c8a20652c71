"""The inspect task of MANGO: one sample is one question.

    inspect eval worldquiz/mango -T data=DIR -T per_maze=20 --model openai/gpt-5.1

A question needs nothing but the walkthrough, so all of them can be asked at once. The score's value
holds what the paper's metrics are means of; `mango_means` pools them over mazes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Solver, TaskState, solver

from worldquiz.llm.accuracy import as_accuracy
from worldquiz.llm.inspect_asking import asked, said, shown
from worldquiz.mango.grade import Question, Ways, grade
from worldquiz.mango.grade import Task as Kind
from worldquiz.mango.published import chosen
from worldquiz.mango.questions import STEPS, AskingPlan, I, Prompts, planned
from worldquiz.mango.scores import SCORES
from worldquiz.mango.settings import QuizSettings
from worldquiz.runs.settings import RunSettings, declared
from worldquiz.stats.intervals import Ratio


@dataclass(frozen=True, kw_only=True)
class MangoTaskSettings(QuizSettings):
    """Settings of the task: those of a run but for the model and its limits: inspect's."""

    LACKS: ClassVar[frozenset[str]] = (frozenset(declared(RunSettings)) - {"seed"}) | {"games"}


@task
def mango(data: str, only: str | list[str] = "", **settings: Any) -> Task:
    """MANGO (arXiv 2403.19913): read a walkthrough, then find destinations and routes.

    Args:
        data: A folder of published mazes (the steps70 layout, or mazes recorded into it).
        only: Games to ask about, by name, with commas between; all of the folder if empty.
        settings: Settings of a run by name, such as steps, tokens or per_maze; `worldquiz mango run
            --help` lists them. Without `steps`, 70 are read.
    """
    given = MangoTaskSettings.of(None, settings)
    asked = replace(given, steps=STEPS) if given.steps is None else given
    return asking(planned(chosen(Path(data), only), asked))


def asking(plan: AskingPlan) -> Task:
    """Return the task that asks the questions of a plan."""
    return Task(
        dataset=MemoryDataset(
            [
                _sample(name, each, plan.prompts.about(each))
                for name, each in plan.prompts.items.items()
            ],
            name="mango",
        ),
        setup=prompted(plan.prompts),
        solver=told(plan.prompts),
        scorer=routes(plan),
        fail_on_error=True,
        continue_on_fail=True,
        version=2,
        name="mango",
        metadata=plan.record(),
    )


def _sample(name: str, question: Question, about: Mapping[str, Any]) -> Sample:
    moves = ", ".join(question.actions)
    text = (
        f"Where does one come from {question.source} by {moves}?"
        if question.task is Kind.DF
        else f"How does one go from {question.source} to {question.target}?"
    )
    return Sample(id=name, input=text, target=question.target, metadata=dict(about))


def item_of(prompts: Prompts[I], state: TaskState) -> I:
    """Return the item of a sample."""
    return prompts.items[str(state.sample_id)]


@solver
def prompted(prompts: Prompts[Any]) -> Solver:
    """Solver that shows a sample's messages: setup."""

    return shown(lambda state: prompts.messages(item_of(prompts, state)))


@solver
def told(prompts: Prompts[Any]) -> Solver:
    """Solver that sends a sample's question once: the task's own solver."""
    return asked(lambda state: prompts.form(item_of(prompts, state)))


@metric
def mango_means() -> Metric:
    """Success, reasoning accuracy and weighted success, macro-averaged over mazes (section 3.2).

    `accuracy` is the success of all questions together.
    """

    def pooled(scores: list[SampleScore]) -> dict[str, float]:
        rates: dict[str, dict[str, list[float]]] = {}
        right: dict[str, list[float]] = {}
        for about in (each.score.metadata or {} for each in scores):
            right.setdefault(about["game"], []).append(about["success"])
            for level in ("all", about["level"]):
                for name in SCORES:
                    games = rates.setdefault(f"{about['task']}_{level}_{name}", {})
                    games.setdefault(about["game"], []).append(about[name])
        found = {name: fmean(map(fmean, games.values())) for name, games in rates.items()}
        asked = tuple(float(len(each)) for each in right.values())
        return found | as_accuracy(Ratio(tuple(map(sum, right.values())), asked))

    return pooled


@scorer(metrics=[mango_means()])
def routes(plan: AskingPlan) -> Scorer:
    """Score a reply by the paper's definitions."""
    ways = {name: Ways(maze) for name, maze in plan.mazes.items()}

    async def score(state: TaskState, target: Target) -> Score:
        question = item_of(plan.prompts, state)
        reply = said(state.output)
        found = grade(ways[question.game], question, reply)
        values = {
            "success": found.success, "reasoning": found.reasoning, "weighted": found.weighted,
        }  # fmt: skip
        level = question.level(plan.steps(question.game))
        about = {
            "game": question.game, "id": question.id, "task": str(question.task),
            "level": str(level), "form": str(found.form),
        }  # fmt: skip
        return Score(value=dict(values), answer=reply[:200], metadata={**about, **values})

    return score
