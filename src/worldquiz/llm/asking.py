"""Questions asked of a model through inspect: each once, its reply kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.client import Reach, evaluate
from worldquiz.llm.constrained import held_to
from worldquiz.llm.limits import keeping
from worldquiz.llm.records import Purpose, Usage, kept_usage
from worldquiz.llm.usage import Counter
from worldquiz.runs.journal import Lines

journal: ContextVar[Lines[Any] | None] = ContextVar("journal", default=None)
"""Where replies are kept as they come, if anywhere."""

About = Callable[[TaskState], Mapping[str, Any]]
"""Tells what the line of a sample's reply says of it."""
FormOf = Callable[[TaskState], Mapping[str, Any] | None]
"""Tells the JSON Schema that a sample's reply is held to, None for a free one."""
_STATUS = {"model_length": "overflow", "content_filter": "filtered"}


def ask(
    task: Task,
    reach: Reach,
    out: Path,
    kept: Lines[Any],
    *,
    noun: str,
    samples: list[str] | None = None,
) -> None:
    """Have inspect ask a task's samples that have no reply yet; all of them, or some by their ids.

    Those that could not be asked are among the `losses` of `kept`. Raises `WorldError` where the
    `noun` could not be asked at all, `CatalogError` for an unknown model.
    """
    token = journal.set(kept)
    try:
        spent = [
            Usage(Purpose.QUIZ, **line["usage"])
            for line in kept.lines.values()
            if line.get("usage")
        ]
        evaluate(task, reach, out, noun=noun, spent=spent, log_images=False, sample_id=samples)
    finally:
        journal.reset(token)


def ask_prompts(
    prompts: Iterable[tuple[Mapping[str, Any], str]],
    reach: Reach,
    out: Path,
    kept: Lines[Any],
) -> None:
    """Ask a model each prompt once: what its line is about (with an ``id``), and its text.

    Lines add ``reply``, ``status`` (None, or ``overflow`` or ``filtered`` where the provider gave
    no reply) and ``usage``. Raises as `ask` does.
    """
    samples = [
        Sample(input=text, id=str(number), metadata={"about": dict(about)})
        for number, (about, text) in enumerate(prompts)
    ]
    task = Task(
        dataset=MemoryDataset(samples),
        setup=shown(_about, lambda state: state.messages),
        solver=asked(_about),
        fail_on_error=True,
        continue_on_fail=True,
    )
    ask(task, reach, out, kept, noun="questions")


def of_id(state: TaskState) -> dict[str, Any]:
    """Tell that a line is about the sample of an id."""
    return {"id": str(state.sample_id)}


def _about(state: TaskState) -> Mapping[str, Any]:
    about: Mapping[str, Any] = state.metadata["about"]
    return about


@solver
def shown(about: About, messages: Callable[[TaskState], Sequence[ChatMessage]]) -> Solver:
    """Put a sample's whole prompt before its solver, whichever that is: a task's setup.

    A sample whose reply is kept already has it as its output, and is not solved.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        kept = journal.get()
        line = kept.find(about(state)) if kept is not None else None
        if line is not None:
            state.output = ModelOutput.from_content(str(state.model), str(line["reply"]))
            state.completed = True
        else:
            state.messages = list(messages(state))
        return state

    return solve


def _free(state: TaskState) -> None:
    """Hold a reply to no form."""


@solver
def asked(about: About, form: FormOf = _free) -> Solver:
    """Ask what `shown` shows, once, and keep the reply, which is held to a form if it has one."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        kept, counter = journal.get(), Counter()
        model = counter.counting(get_model(), Purpose.QUIZ)
        try:
            state.output = await model.generate(state.messages, **held_to(form(state)))
            text, status = said(state.output)
            if kept is not None:
                line = {"reply": text, "status": status, "usage": spent(counter)}
                with keeping():
                    kept.keep({**about(state), **line})
        except Exception as error:  # whatever a provider's library raises
            if kept is not None:
                kept.lose(about(state), error)
            raise
        if state.output.choices:
            state.messages.append(state.output.message)
        return state

    return solve


def said(output: ModelOutput) -> tuple[str, str | None]:
    """Return a reply, and why there is none where the provider gave none."""
    if not output.choices:  # of a log from elsewhere
        return "", None
    status = _STATUS.get(output.stop_reason)
    return "" if status else output.completion, status


def spent(counter: Counter) -> dict[str, Any]:
    """Return what a line keeps of a reply's usage."""
    return kept_usage(next(iter(counter.usage()), Usage(Purpose.QUIZ)))
