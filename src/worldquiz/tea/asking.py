"""Requests to a model with pictures: each is asked once, and its reply kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.model import ChatMessageUser, Content, ModelOutput, get_model
from inspect_ai.solver import TaskState

from worldquiz.llm.client import Reach, evaluate
from worldquiz.llm.records import Purpose, Usage
from worldquiz.llm.usage import Counter
from worldquiz.runs.journal import Lines

journal: ContextVar[Lines[str] | None] = ContextVar("journal", default=None)
"""Where replies are kept as they come, if anywhere."""

_STATUS = {"model_length": "overflow", "content_filter": "filtered"}
_USED = ("calls", "input", "cached", "output", "cost")


def ask(task: Task, reach: Reach, out: Path, kept: Lines[str], *, noun: str) -> None:
    """Have inspect ask a task's samples that have no reply yet.

    Raises `WorldError` where some of the `noun` could not be asked, `CatalogError` for an unknown
    model.
    """
    token = journal.set(kept)
    try:
        evaluate(task, reach, out, noun=noun, log_images=False)
    finally:
        journal.reset(token)


async def once(state: TaskState, shown: Callable[[], Sequence[Content]]) -> TaskState:
    """Ask a sample by what is shown, unless its reply is kept already."""
    id, kept = str(state.sample_id), journal.get()
    if kept is not None and id in kept.lines:
        state.output = ModelOutput.from_content(str(state.model), str(kept.lines[id]["reply"]))
        return state
    counter = Counter()
    model = counter.counting(get_model(), Purpose.QUIZ)
    state.output = await model.generate([ChatMessageUser(content=list(shown()))])
    text, status = said(state.output)
    if kept is not None:
        kept.keep({"id": id, "reply": text, "status": status, "usage": used(counter)})
    return state


def said(output: ModelOutput) -> tuple[str, str | None]:
    """Return a reply, and why there is none where the provider gave none."""
    status = _STATUS.get(output.stop_reason)
    return "" if status else output.completion, status


def used(counter: Counter) -> dict[str, Any]:
    """Return what is kept of a reply's usage."""
    whole = asdict(next(iter(counter.usage()), Usage(Purpose.QUIZ)))
    return {name: whole[name] for name in _USED}
