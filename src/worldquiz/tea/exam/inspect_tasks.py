"""TEA-Test as a task of inspect: a sample is a task with its pictures.

    inspect eval worldquiz/tea -T data=DIR -T tasks=100 --model openai/gpt-5.1

Pictures are made when a task is asked, and are not in the log. Walks are made by ``worldquiz run``,
which reaches inspect's providers too.
"""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    grouped,
    mean,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from worldquiz.facts.knowledge import counts
from worldquiz.facts.row import Row
from worldquiz.llm.inspect_model import asked, knowledge_metrics, said, shown
from worldquiz.runs.rows import kept, row_of
from worldquiz.tea.exam.exam import Exam, about
from worldquiz.tea.exam.grade import family
from worldquiz.tea.exam.show import reply
from worldquiz.tea.settings import TeaSettings


@task
def tea(data: str, tasks: int = TeaSettings.tasks, seed: int = 0) -> Task:
    """TEA-Test (arXiv 2602.05249): what a model perceives in pictures of a 3D scene.

    Args:
        data: A folder of generated tasks.
        tasks: How many are drawn, evenly over types and answers.
        seed: The random seed of the sample.
    """
    exam = Exam(Path(data), TeaSettings(tasks=tasks, walks=0, seed=seed))
    by_id = {each.id: each for each in exam.answered}
    samples = [
        Sample(
            each.command, target=reply(each.truth), id=name, metadata={"type": family(each.type)}
        )
        for name, each in by_id.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="tea"),
        setup=shown(lambda state: exam.messages(by_id[str(state.sample_id)])),
        solver=asked(), scorer=seen(exam), fail_on_error=True, continue_on_fail=True, version=2,
    )  # fmt: skip


@metric
def knowledge() -> Metric:
    """Knowledge, with its standard error over scenes."""

    def pooled(scores: list[SampleScore]) -> dict[str, float]:
        scenes: dict[str, list[Row]] = {}
        for each in scores:
            row = row_of(each.score.metadata or {}, "inspect")
            scenes.setdefault(row.world, []).append(row)
        return knowledge_metrics([counts(some) for some in scenes.values()])

    return pooled


@scorer(metrics=[knowledge(), grouped(mean(), "type", all="groups", all_label="macro")])
def seen(exam: Exam) -> Scorer:
    """Score a reply by its type's measure, 0..1 (Table 3)."""
    tasks = {each.id: each for each in exam.answered}

    async def score(state: TaskState, target: Target) -> Score:
        text = said(state.output)
        row = exam.row({**about(tasks[str(state.sample_id)]), "reply": text}, "model")
        told = {**kept(row), "prompt": ""}
        return Score(value=row.grade or 0.0, answer=text[:200], metadata=told)

    return score
