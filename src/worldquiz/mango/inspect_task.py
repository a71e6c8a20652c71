"""The inspect task of MANGO: one sample is one question.

    inspect eval worldquiz/mango -T data=DIR -T per_maze=20 --model openai/gpt-5.1

A question needs nothing but the walkthrough, so all of them can be asked at once. The score's value
holds what the paper's metrics are means of; `mango_means` pools them over mazes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Solver, TaskState, solver

from worldquiz.llm.inspect_model import as_accuracy, asked, said, shown
from worldquiz.mango.grade import Ways, grade
from worldquiz.mango.published import chosen
from worldquiz.mango.questions import STEPS, AskingPlan, Prompts, planned
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
    if given.steps is None:
        given = replace(given, steps=STEPS)
    plan = planned(chosen(Path(data), only), given)
    prompts = plan.prompts
    samples = [
        Sample(id=name, input=plan.readings[each.game].question(each), target=each.target,
               metadata=dict(prompts.about(each)))
        for name, each in prompts.items.items()
    ]  # fmt: skip
    return Task(
        dataset=MemoryDataset(samples, name="mango"),
        setup=prompted(prompts),
        solver=told(prompts),
        scorer=routes(plan),
        fail_on_error=True,
        continue_on_fail=True,
        version=2,
        name="mango",
        metadata=plan.record(),
    )


@solver
def prompted(prompts: Prompts[Any]) -> Solver:
    """Solver that shows a sample's messages: setup."""

    return shown(lambda state: prompts.messages(prompts.items[str(state.sample_id)]))


@solver
def told(prompts: Prompts[Any]) -> Solver:
    """Solver that sends a sample's question once: the task's own solver."""
    return asked(lambda state: prompts.form(prompts.items[str(state.sample_id)]))


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
        question = plan.prompts.items[str(state.sample_id)]
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
