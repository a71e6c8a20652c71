"""Questions asked of a model through inspect: each once, its reply kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageUser, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.client import Reach, evaluate
from worldquiz.llm.limits import keeping
from worldquiz.llm.records import Purpose, Usage, kept_usage
from worldquiz.llm.usage import Counter
from worldquiz.runs.journal import Lines

journal: ContextVar[Lines[Any] | None] = ContextVar("journal", default=None)
"""Where replies are kept as they come, if anywhere."""

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
    *,
    noun: str = "questions",
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
        dataset=MemoryDataset(samples), solver=_asked(), fail_on_error=True, continue_on_fail=True
    )
    ask(task, reach, out, kept, noun=noun)


@solver
def _asked() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        prompt = ChatMessageUser(content=state.input_text)
        return await once(state, state.metadata["about"], lambda: [prompt])

    return solve


async def once(
    state: TaskState, about: Mapping[str, Any], messages: Callable[[], Sequence[ChatMessage]]
) -> TaskState:
    """Ask a sample, unless its reply is kept already; `about` says what its line is about."""
    kept = journal.get()
    line = kept.find(about) if kept is not None else None
    if line is not None:
        state.output = ModelOutput.from_content(str(state.model), str(line["reply"]))
        return state
    counter = Counter()
    model = counter.counting(get_model(), Purpose.QUIZ)
    try:
        state.output = await model.generate(list(messages()))
        text, status = said(state.output)
        if kept is not None:
            with keeping():
                kept.keep({**about, "reply": text, "status": status, "usage": spent(counter)})
    except Exception as error:  # whatever a provider's library raises
        if kept is not None:
            kept.lose(about, error)
        raise
    return state


def said(output: ModelOutput) -> tuple[str, str | None]:
    """Return a reply, and why there is none where the provider gave none."""
    if not output.choices:  # of a log from elsewhere
        return "", None
    status = _STATUS.get(output.stop_reason)
    return "" if status else output.completion, status


def spent(counter: Counter) -> dict[str, Any]:
    """Return what a line keeps of a reply's usage."""
    return kept_usage(next(iter(counter.usage()), Usage(Purpose.QUIZ)))
