"""TEA-Test as inspect's tasks: of one, a sample is a task with its pictures; of the other, a walk.

    inspect eval worldquiz/tea -T data=DIR -T tasks=100 --model openai/gpt-5.1
    inspect eval worldquiz/tea_walks -T data=DIR -T scene=paper-01 --model openai/gpt-5.1

Pictures are made when a task is asked, and are not in the log. Walks are drawn over all scenes; a
task walks those of one, so that one scene is drawn at a time. A reply that tells no move is a move
spent standing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.errors import KnobError, did_you_mean
from worldquiz.llm.inspect_model import Inspect, messages_of, said, shown
from worldquiz.llm.inspect_model import asked as asked_once
from worldquiz.llm.reply_lists import Form
from worldquiz.serve.inspect_tools import BEGIN, SampleSession, ended, left, seated
from worldquiz.serve.session import ToolCall
from worldquiz.tea.exam.exam import Exam, ExamSettings, scored
from worldquiz.tea.exam.led_walk import LEADING, MOVE, STOP, led
from worldquiz.tea.exam.run import Begin, lead
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.exam.show import message, reply
from worldquiz.tea.exam.walk import Steps, line, read, walking
from worldquiz.tea.scoring import table
from worldquiz.tea.scoring.navigation import gain, success
from worldquiz.tea.scoring.table import Scored


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
    samples = [Sample(each.command, target=reply(each.truth), id=each.id) for each in exam.tasks]
    return Task(
        dataset=MemoryDataset(samples, name="tea"), setup=shows(exam), solver=looks(),
        scorer=seen(exam), fail_on_error=True, continue_on_fail=True, version=2,
    )  # fmt: skip


@solver
def shows(exam: Exam) -> Solver:
    """Show a task's solver its words and pictures: setup."""
    tasks = {each.id: each for each in exam.tasks}
    return shown(lambda state: [message(*exam.shown(tasks[str(state.sample_id)]))])


@solver
def looks() -> Solver:
    """Ask a task with its pictures, once: the task's own solver."""
    return asked_once()


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


@scorer(metrics=[tea_means(), accuracy(), stderr()])
def seen(exam: Exam) -> Scorer:
    """Score a reply by its type's measure, 0..1."""
    tasks = {each.id: each for each in exam.tasks}

    async def score(state: TaskState, target: Target) -> Score:
        text = said(state.output)
        found = scored(tasks[str(state.sample_id)], text)
        return Score(
            value=found.score, answer=text[:200], metadata={**asdict(found), "form": found.form}
        )

    return score


@task
def tea_walks(data: str, scene: str, walks: int = TRIPS, seed: int = 0) -> Task:
    """TEA's navigation (arXiv 2602.05249, Table 4): go to an object within ten moves.

    Args:
        data: A folder of generated tasks.
        scene: The scene whose walks are taken.
        walks: How many are drawn over all scenes.
        seed: The random seed of the sample.
    """
    exam = Exam(Path(data), ExamSettings(0, walks, seed))
    if scene not in exam.folders:
        raise KnobError(f"{data}: no scene {scene!r}{did_you_mean(scene, exam.folders)}")
    return walked(exam, scene, ExitStack())


def walked(exam: Exam, scene: str, held: ExitStack) -> Task:
    """Return the walks of one scene as a task; `held` is to close the canvas they draw with."""
    every = [each for each in exam.walks if each.scene == scene]
    opened: list[Begin] = []

    def begin(state: TaskState) -> Steps:
        if not opened:
            opened.append(held.enter_context(walking(exam.folders[scene])))
        return opened[0](tasks[str(state.sample_id)])

    tasks = {each.id: each for each in every}
    samples = [
        Sample(f"{each.command} {LEADING} {BEGIN}", target=each.bind["object"], id=each.id)
        for each in every
    ]
    return Task(
        dataset=MemoryDataset(samples, name="tea_walks"), setup=seated(partial(_led, begin)),
        solver=goes(begin), scorer=arrived(), cleanup=left, fail_on_error=True,
        continue_on_fail=True, version=2,
    )  # fmt: skip


def _led(begin: Callable[[TaskState], Steps], state: TaskState) -> SampleSession:
    """Return a walk's session, for solvers other than the task's own."""

    async def script(mine: SampleSession) -> str:
        steps = begin(state)
        mine.result = await led(steps, "A walk")
        return "This walk is finished."

    return SampleSession((MOVE, STOP), script, lambda tools: ToolCall(STOP.name, {}))


@solver
def goes(begin: Callable[[TaskState], Steps]) -> Solver:
    """Walk as the model says: the task's own solver."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        ended(state)
        steps = begin(state)
        state.messages = messages_of(await lead(steps, Inspect(get_model())))
        state.metadata["trip"] = line(steps.walk.trip)
        return state

    return solve


@scorer(metrics={"success": [accuracy(), stderr()], "gain": [mean(), stderr()]})
def arrived() -> Scorer:
    """Score a walk by its success and its gain; a walk that the solver left counts as given up."""

    async def score(state: TaskState, target: Target) -> Score:
        if led := ended(state):
            led.finish()
            state.metadata["trip"] = led.result
        trip = read(state.metadata["trip"])
        return Score(value={"success": float(success(trip)), "gain": gain(trip)})

    return score
