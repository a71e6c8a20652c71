"""A task of inspect of a run's items: one sample is one question.

The task's setup puts a question's walkthrough or pictures before it; no log holds them. A score's
metadata is the question's row. Walks are made by ``worldquiz run``, which reaches inspect's
providers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import SampleScore, Score, Scorer, Target
from inspect_ai.solver import TaskState

from worldquiz.exam.asking import messages
from worldquiz.facts.knowledge import counts
from worldquiz.facts.row import Row
from worldquiz.llm.inspect_model import asked, knowledge_metrics, said, shown
from worldquiz.runs.items import RunItem
from worldquiz.runs.losses import unit_name
from worldquiz.runs.rows import about_item, kept, row_of

Items = Mapping[str, RunItem]
"""Items by the ids of their samples."""


def by_sample(items: Iterable[RunItem]) -> Items:
    """Return items by the ids of their samples."""
    return {unit_name(item.key): item for item in items}


def task_of(name: str, items: Items, scorer: Scorer, **more: Any) -> Task:
    """Return the task that asks items and scores the replies; `more` is for inspect's `Task`."""
    blank = ((id, item.row({"reply": ""}, "")) for id, item in items.items())
    samples = [
        Sample(row.prompt, target=row.gold, id=id, metadata={"world": row.world, "type": row.type})
        for id, row in blank
    ]
    return Task(
        dataset=MemoryDataset(samples, name=name),
        setup=shown(lambda state: messages(items[str(state.sample_id)])),
        solver=asked(lambda state: items[str(state.sample_id)].form),
        scorer=scorer, fail_on_error=True, continue_on_fail=True, version=2, name=name, **more,
    )  # fmt: skip


def scoring(items: Items, value: Callable[[Row], Any]) -> Scorer:
    """Return what makes a row of a reply, and of the row a score's value."""

    async def score(state: TaskState, target: Target) -> Score:
        reply, item = said(state.output), items[str(state.sample_id)]
        row = item.row({**about_item(item.key), "reply": reply}, "model")
        return Score(value=value(row), answer=reply[:200], metadata={**kept(row), "prompt": ""})

    return score


def scored_rows(scores: Iterable[SampleScore]) -> list[Row]:
    """Return the rows that scores were made of."""
    return [row_of(each.score.metadata or {}, "inspect") for each in scores]


def knowledge_of(rows: Iterable[Row]) -> dict[str, float]:
    """Return knowledge with its standard error over worlds, and false answers."""
    worlds: dict[str, list[Row]] = {}
    for row in rows:
        worlds.setdefault(row.world, []).append(row)
    return knowledge_metrics([counts(some) for some in worlds.values()])
