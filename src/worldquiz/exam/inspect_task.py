"""Inspect task from the questions of a run: each sample is one question.

The task's setup puts the text or pictures to be read before a question, so samples hold only the
question. A score's metadata is the question's row. Questions with several turns (walks) need
``worldquiz run``, which can also use inspect's model providers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import SampleScore, Score, Scorer, Target
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.exam.asking import messages
from worldquiz.facts.knowledge import counts
from worldquiz.facts.row import Row
from worldquiz.llm.inspect_model import knowledge_metrics, messages_of, read_output
from worldquiz.runs.items import RunItem
from worldquiz.runs.losses import unit_name
from worldquiz.runs.rows import about_item, kept, row_of

Items = Mapping[str, RunItem]
"""Items by the ids of their samples."""


def by_sample(items: Iterable[RunItem]) -> Items:
    """Return a mapping from the ids of inspect's samples to items."""
    return {unit_name(item.key): item for item in items}


def task_of(name: str, items: Items, scorer: Scorer, **more: Any) -> Task:
    """Return a task that asks items and scores the replies; `more` goes to inspect's `Task`."""
    blank = ((id, item.row({"reply": ""}, "")) for id, item in items.items())
    samples = [
        Sample(row.prompt, target=row.gold, id=id, metadata={"world": row.world, "type": row.type})
        for id, row in blank
    ]
    return Task(
        dataset=MemoryDataset(samples, name=name),
        setup=shown(items), solver=asked(items),
        scorer=scorer, fail_on_error=True, continue_on_fail=True, version=2, name=name, **more,
    )  # fmt: skip


@solver
def shown(items: Items) -> Solver:
    """Setup step of a task: set a sample's messages to the whole prompt."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = messages_of(messages(items[str(state.sample_id)]))
        return state

    return solve


@solver
def asked(items: Items) -> Solver:
    """Solver of a task: send the messages that `shown` has set to the model, once."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = await get_model().generate(state.messages)
        if state.output.choices:
            state.messages.append(state.output.message)
        return state

    return solve


def scoring(items: Items, value: Callable[[Row], Any]) -> Scorer:
    """Return the scorer, which turns a reply into a row and computes the row's `value`."""

    async def score(state: TaskState, target: Target) -> Score:
        given, item = read_output(state.output), items[str(state.sample_id)]
        reply = given.text if given.given else ""
        row = item.row({**about_item(item.key), "reply": reply}, "model")
        return Score(value=value(row), answer=reply[:200], metadata={**kept(row), "prompt": ""})

    return score


def scored_rows(scores: Iterable[SampleScore]) -> list[Row]:
    """Return the rows that are stored in inspect's scores."""
    return [row_of(each.score.metadata or {}, "inspect") for each in scores]


def knowledge_of(rows: Iterable[Row]) -> dict[str, float]:
    """Return the knowledge score, its standard error over worlds, and the false-answer rate."""
    worlds: dict[str, list[Row]] = {}
    for row in rows:
        worlds.setdefault(row.world, []).append(row)
    return knowledge_metrics([counts(some) for some in worlds.values()])
