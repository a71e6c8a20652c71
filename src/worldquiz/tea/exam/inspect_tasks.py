"""TEA-Test as a task of inspect: a sample is a task with its pictures.

inspect eval worldquiz/tea -T data=DIR -T tasks=100 --model openai/gpt-5.1
"""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.scorer import Metric, SampleScore, Scorer, grouped, mean, metric, scorer

from worldquiz.exam.inspect_task import (
    Items,
    by_sample,
    knowledge_of,
    scored_rows,
    scoring,
    task_of,
)
from worldquiz.tea.exam.exam import TeaRun
from worldquiz.tea.settings import TeaSettings


@task
def tea(data: str, tasks: int = TeaSettings.tasks, seed: int = 0) -> Task:
    """TEA-Test (arXiv 2602.05249): what a model perceives in pictures of a 3D scene.

    Args:
        data: A folder of generated tasks.
        tasks: Number of tasks to sample, evenly over types and answers.
        seed: The random seed of the sample.
    """
    work = TeaRun(Path(data), TeaSettings(tasks=tasks, walks=0, seed=seed))
    items = by_sample(work.items.values())
    return task_of("tea", items, seen(items))


@metric
def knowledge() -> Metric:
    """Knowledge (the score corrected for guessing), with its standard error over scenes."""

    def pooled(scores: list[SampleScore]) -> dict[str, float]:
        return knowledge_of(scored_rows(scores))

    return pooled


@scorer(metrics=[knowledge(), grouped(mean(), "type", all="groups", all_label="macro")])
def seen(items: Items) -> Scorer:
    """Score a reply by its type's measure, 0..1 (Table 3)."""
    return scoring(items, lambda row: row.grade or 0.0)
