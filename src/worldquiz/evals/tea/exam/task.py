"""The inspect task of TEA-Test: one sample is one task with its pictures.

    inspect eval worldquiz/tea -T data=DIR -T tasks=100 --model openai/gpt-5.1

Pictures are made when a task is asked, and are not in the log.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import asdict
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.evals._journal import Lines
from worldquiz.evals.llm.usage import Counter
from worldquiz.evals.tea.exam.run import Asked, Exam, scored
from worldquiz.evals.tea.exam.sample import TASKS
from worldquiz.evals.tea.exam.show import pictures, uri
from worldquiz.evals.tea.exam.words import prompt, reply
from worldquiz.metrics.mango.parse import Form
from worldquiz.metrics.scene import table as tea_table
from worldquiz.metrics.scene.table import Scored
from worldquiz.model.llm import Purpose, Usage
from worldquiz.model.taskgraph import Instance

journal: ContextVar[Lines[str] | None] = ContextVar("journal", default=None)
"""Where replies are kept as they come, if anywhere."""

_STATUS = {"model_length": "overflow", "content_filter": "filtered"}
USED = ("calls", "input", "cached", "output", "cost")
"""What is kept of a reply's usage."""


@task
def tea(data: str, tasks: int = TASKS, seed: int = 0) -> Task:
    """TEA-Test (arXiv 2602.05249): what a model perceives in pictures of a 3D scene.

    Args:
        data: A folder of generated tasks.
        tasks: How many are drawn, evenly over types and answers.
        seed: Of the sample.
    """
    return asked(Exam(Path(data), Asked(tasks, 0, seed)))


def asked(exam: Exam) -> Task:
    """Return the tasks that are answered as a task of inspect."""
    return Task(
        dataset=MemoryDataset(
            [Sample(id=each.id, input=each.command, target=reply(each.truth))
             for each in exam.tasks],
            name="tea",
        ),
        solver=looks(exam),
        scorer=seen(exam),
        fail_on_error=True,
        continue_on_fail=True,
        version=1,
    )  # fmt: skip


@solver
def looks(exam: Exam) -> Solver:
    """Ask a task with its pictures, unless its reply is kept already."""
    tasks = {each.id: each for each in exam.tasks}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        this, kept = tasks[str(state.sample_id)], journal.get()
        if kept is not None and this.id in kept.lines:
            state.output = ModelOutput.from_content(
                str(state.model), str(kept.lines[this.id]["reply"])
            )
            return state
        counter = Counter()
        model = counter.counting(get_model(), Purpose.QUIZ)
        state.output = await model.generate([ChatMessageUser(content=content(exam, this))])
        text, status = said(state.output)
        if kept is not None:
            used = asdict(next(iter(counter.usage()), Usage(Purpose.QUIZ)))
            kept.keep({"id": this.id, "reply": text, "status": status,
                      "usage": {name: used[name] for name in USED}})  # fmt: skip
        return state

    return solve


def content(exam: Exam, this: Instance) -> list[Content]:
    """Return a task as it is shown: its pictures, then its words."""
    views = exam.views[this.scene]
    shown = pictures(exam.folders[this.scene], views, this)
    words = prompt(this, views[this.view].camera)
    return [*(ContentImage(image=uri(each)) for each in shown), ContentText(text=words)]


def said(output: ModelOutput) -> tuple[str, str | None]:
    """Return a reply, and why there is none where the provider gave none."""
    status = _STATUS.get(output.stop_reason)
    return "" if status else output.completion, status


@metric
def tea_means() -> Metric:
    """Each type's mean, and the mean of those (Table 3)."""

    def means(scores: list[SampleScore]) -> dict[str, float]:
        told = [each.score.metadata or {} for each in scores]
        found = tea_table.table(
            Scored(each["id"], each["type"], each["scene"], each["score"], Form(each["form"]))
            for each in told
        )
        types = {name: cell["mean"] for name, cell in found["types"].items()}
        return {**types, "macro": found["all"]["macro"]}

    return means


@scorer(metrics=[tea_means()])
def seen(exam: Exam) -> Scorer:
    """Score a reply by its type's measure, 0..1."""
    tasks = {each.id: each for each in exam.tasks}

    async def score(state: TaskState, target: Target) -> Score:
        text, _ = said(state.output)
        found = scored(tasks[str(state.sample_id)], text)
        return Score(
            value=found.score, answer=text[:200], metadata={**asdict(found), "form": found.form}
        )

    return score
