"""The inspect task of TEA-Test: one sample is one task with its pictures.

    inspect eval worldquiz/tea -T data=DIR -T tasks=100 --model openai/gpt-5.1

Pictures are made when a task is asked, and are not in the log.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.asking import once, said
from worldquiz.llm.reply_lists import Form
from worldquiz.tea.exam.exam import Exam, ExamSettings, scored
from worldquiz.tea.exam.sample import TASKS
from worldquiz.tea.exam.show import pictures, uri
from worldquiz.tea.exam.words import prompt, reply
from worldquiz.tea.scoring import table
from worldquiz.tea.scoring.table import Scored
from worldquiz.tea.taskgraph import Instance


@task
def tea(data: str, tasks: int = TASKS, seed: int = 0) -> Task:
    """TEA-Test (arXiv 2602.05249): what a model perceives in pictures of a 3D scene.

    Args:
        data: A folder of generated tasks.
        tasks: How many are drawn, evenly over types and answers.
        seed: The random seed of the sample.
    """
    return asked(Exam(Path(data), ExamSettings(tasks, 0, seed)))


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
        id = str(state.sample_id)
        return await once(
            state, {"id": id}, lambda: [ChatMessageUser(content=content(exam, tasks[id]))]
        )

    return solve


def content(exam: Exam, this: Instance) -> list[Content]:
    """Return a task as it is shown: its pictures, then its words."""
    views = exam.views[this.scene]
    shown = pictures(exam.folders[this.scene], views, this)
    words = prompt(this, views[this.view].camera)
    return [*(ContentImage(image=uri(each)) for each in shown), ContentText(text=words)]


@metric
def tea_means() -> Metric:
    """Each type's mean, and the mean of those (Table 3)."""

    def means(scores: list[SampleScore]) -> dict[str, float]:
        told = [each.score.metadata or {} for each in scores]
        found = table.table(
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
