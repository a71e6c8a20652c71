"""The inspect task of MANGO: one sample is one question.

    inspect eval worldquiz/mango -T data=DIR -T per_maze=20 --model openai/gpt-5.1

A question does not depend on the others, so all can be asked at once. The metric `mango_means`
averages over the rows that are kept in the scores.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from inspect_ai import Task, task
from inspect_ai.scorer import Metric, SampleScore, Scorer, metric, scorer

from worldquiz.exam.inspect_task import (
    Items,
    by_sample,
    knowledge_of,
    scored_rows,
    scoring,
    task_of,
)
from worldquiz.mango.grade import SCORES
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.published import split_names
from worldquiz.mango.run import quiz_items
from worldquiz.mango.scores import counted, table
from worldquiz.mango.settings import QuizSettings
from worldquiz.runs.settings import RunSettings, declared


@dataclass(frozen=True, kw_only=True)
class MangoTaskSettings(QuizSettings):
    """Settings of a run, without the model and its limits, which inspect sets."""

    LACKS: ClassVar[frozenset[str]] = (frozenset(declared(RunSettings)) - {"seed"}) | {
        "games", "shots", "local_map",
    }  # fmt: skip


@task
def mango(data: str, only: str | list[str] = "", **settings: Any) -> Task:
    """MANGO (arXiv 2403.19913): read a walkthrough, then find destinations and routes.

    Args:
        data: A folder of published mazes (the steps70 layout, or mazes recorded into it).
        only: Names of the games to ask about, separated by commas; by default all in the folder.
        settings: Settings of a run by name, such as steps, tokens or per_maze; `worldquiz mango run
            --help` lists them. Without `steps`, 70 are read, or all for full maps.
    """
    given = replace(MangoTaskSettings.of(None, settings), games=split_names(only))
    plan = MazeSet(data).plan(given)
    items = by_sample(quiz_items(plan))
    return task_of("mango", items, routes(items), metadata=plan.record())


@metric
def mango_means() -> Metric:
    """Return knowledge, and means over mazes of the other scores (section 3.2)."""

    def pooled(scores: list[SampleScore]) -> dict[str, float]:
        rows = scored_rows(scores)
        means = {
            f"{task}_{level}_{score}": cell[score]["macro"]
            for task, cells in table(rows, resamples=0).items()
            for level, cell in cells.items()
            for score in SCORES
        }
        known = {name: mean for name, mean in means.items() if mean is not None}
        return knowledge_of(counted(rows)) | known

    return pooled


@scorer(metrics=[mango_means()])
def routes(items: Items) -> Scorer:
    """Score a reply by success, reasoning and weighted success."""
    return scoring(items, lambda row: {name: row.measures[name] for name in SCORES})
