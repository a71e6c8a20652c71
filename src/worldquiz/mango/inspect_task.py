"""The inspect task of MANGO: one sample is one question.

    inspect eval worldquiz/mango -T data=DIR -T per_maze=20 --model openai/gpt-5.1

A question needs nothing but the walkthrough, so all of them can be asked at once. A score's
metadata is the question's row, of which `mango_means` takes the means.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from worldquiz.facts.knowledge import counts
from worldquiz.llm.inspect_model import asked, knowledge_metrics, said, shown
from worldquiz.llm.model import user
from worldquiz.mango.maze_set import quiz_items
from worldquiz.mango.published import STEPS, chosen
from worldquiz.mango.questions import planned
from worldquiz.mango.rows import MazeItem
from worldquiz.mango.scores import SCORES, of, table, value
from worldquiz.mango.settings import QuizSettings
from worldquiz.runs.rows import kept, row_of
from worldquiz.runs.settings import RunSettings, declared


@dataclass(frozen=True, kw_only=True)
class MangoTaskSettings(QuizSettings):
    """Settings of the task: those of a run but for the model and its limits: inspect's."""

    LACKS: ClassVar[frozenset[str]] = (frozenset(declared(RunSettings)) - {"seed"}) | {
        "games", "shots", "local_map",
    }  # fmt: skip


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
    items = {f"{each.key[0]}-{each.key[1]}-{each.key[2][:16]}": each for each in quiz_items(plan)}
    samples = [
        Sample(id=name, input=plan.readings[each.key[0]].question(each.asked),
               target=each.asked.target, metadata={"game": each.key[0], "task": each.key[1]})
        for name, each in items.items()
    ]  # fmt: skip
    return Task(
        dataset=MemoryDataset(samples, name="mango"),
        setup=shown(lambda state: [user(items[str(state.sample_id)].text())]),
        solver=asked(lambda state: items[str(state.sample_id)].form),
        scorer=routes(items),
        fail_on_error=True,
        continue_on_fail=True,
        version=2,
        name="mango",
        metadata=plan.record(),
    )


@metric
def mango_means() -> Metric:
    """Knowledge; success, reasoning and weighted success, as means over mazes (section 3.2)."""

    def pooled(scores: list[SampleScore]) -> dict[str, float]:
        rows = [row_of(each.score.metadata or {}, "inspect") for each in scores]
        means = {
            f"{task}_{level}_{score}": cell[score]["macro"]
            for task, cells in table(rows, resamples=0).items()
            for level, cell in cells.items()
            for score in SCORES
        }
        first = knowledge_metrics([counts(some) for some in of(rows).values()])
        return first | {name: mean for name, mean in means.items() if mean is not None}

    return pooled


@scorer(metrics=[mango_means()])
def routes(items: dict[str, MazeItem]) -> Scorer:
    """Score a reply by the paper's definitions."""

    async def score(state: TaskState, target: Target) -> Score:
        reply = said(state.output)
        row = items[str(state.sample_id)].row({"reply": reply}, "model")
        values = {name: value(row, name) for name in SCORES}
        return Score(value=values, answer=reply[:200], metadata={**kept(row), "prompt": ""})

    return score
