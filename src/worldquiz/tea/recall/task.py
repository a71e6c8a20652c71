"""The inspect task of the quiz: a sample is one sheet of questions after an apartment's pictures.

    inspect eval worldquiz/tea_recall -T data=DIR -T views=32 --model openai/gpt-5.1

Pictures come first and are the same for all sheets of an apartment, so providers that cache prompts
read them once. They are made when a sheet is asked, and are not in the log.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import reduce
from operator import add
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Solver, TaskState, solver

from worldquiz.facts.knowledge import Knowledge, of
from worldquiz.facts.question import gold
from worldquiz.llm.inspect_asking import asked as asked_once
from worldquiz.llm.inspect_asking import said, shown
from worldquiz.tea.recall.quiz.exam import results
from worldquiz.tea.recall.walked import VIEWS, Recall, RecallSettings
from worldquiz.tea.recall.words import message, questions, read


@task
def tea_recall(data: str, views: int = VIEWS, loop: int | None = None, seed: int = 0) -> Task:
    """Quiz on apartments after the pictures of a walk: to answer, or to abstain if not shown.

    Args:
        data: A folder of generated tasks, with pictures.
        views: Pictures of a walk that are shown, from its start.
        loop: The loop whose views are shown, instead of the walk from its start.
        seed: The random seed of the draw of questions.
    """
    return asked(Recall(Path(data), RecallSettings(views, loop, seed=seed)))


def asked(recall: Recall) -> Task:
    """Return the sheets as a task of inspect."""
    samples = [
        Sample(questions(sheet), target=[gold(item.question) for item in sheet.items], id=sheet.id)
        for _, sheet in recall.sheets.values()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="tea_recall"), setup=walked(recall), solver=recalls(),
        scorer=known(recall), fail_on_error=True, continue_on_fail=True, version=2,
    )  # fmt: skip


@solver
def walked(recall: Recall) -> Solver:
    """Show a sheet's solver the pictures and the questions: setup."""
    return shown(lambda state: [message(recall, str(state.sample_id))])


@solver
def recalls() -> Solver:
    """Ask a sheet after its pictures, once: the task's own solver."""
    return asked_once()


@metric
def recall_shares() -> Metric:
    """Task2Quiz's shares over all sheets; those that are undefined are left out."""

    def shares(scores: list[SampleScore]) -> dict[str, float]:
        parts = [Knowledge(**(each.score.metadata or {})) for each in scores]
        every = reduce(add, parts) if parts else of(())
        told = every.shares()
        return {name: value for name, value in told.items() if value is not None}

    return shares


@scorer(metrics=[recall_shares(), accuracy(), stderr()])
def known(recall: Recall) -> Scorer:
    """Score a sheet by its share of right replies (EUS), with the counts that all shares need."""

    async def score(state: TaskState, target: Target) -> Score:
        text = said(state.output)
        flat, sheet = recall.sheets[str(state.sample_id)]
        counts = of(results(sheet.scene, sheet.items, flat.evidence, read(sheet, text)))
        return Score(value=counts.share("eus") or 0.0, answer=text[:200], metadata=asdict(counts))

    return score
