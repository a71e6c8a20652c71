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
from functools import cache, partial
from pathlib import Path
from statistics import fmean

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
from worldquiz.llm.inspect_asking import asked, said, shown
from worldquiz.llm.inspect_model import Inspect, messages_of
from worldquiz.serve.inspect_tools import BEGIN, SampleSession, ended, left, seated
from worldquiz.serve.session import ToolCall
from worldquiz.tea.exam.exam import Exam, ExamSettings
from worldquiz.tea.exam.led_walk import LEADING, MOVE, STOP, led
from worldquiz.tea.exam.run import lead
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.exam.show import choices, message, reply
from worldquiz.tea.exam.walk import Walk, line, read, walking
from worldquiz.tea.scoring.grade import family, grade
from worldquiz.tea.scoring.tables import gain, success

Begin = Callable[[TaskState], Walk]


@task
def tea(data: str, tasks: int = TASKS, seed: int = 0) -> Task:
    """TEA-Test (arXiv 2602.05249): what a model perceives in pictures of a 3D scene.

    Args:
        data: A folder of generated tasks.
        tasks: How many are drawn, evenly over types and answers.
        seed: The random seed of the sample.
    """
    exam = Exam(Path(data), ExamSettings(tasks, 0, seed))
    samples = [Sample(each.command, target=reply(each.truth), id=each.id) for each in exam.tasks]
    return Task(
        dataset=MemoryDataset(samples, name="tea"), setup=shows(exam), solver=asked(),
        scorer=seen(exam), fail_on_error=True, continue_on_fail=True, version=2,
    )  # fmt: skip


@solver
def shows(exam: Exam) -> Solver:
    """Show a task's solver its words and pictures: setup."""
    tasks = {each.id: each for each in exam.tasks}
    return shown(lambda state: [message(*exam.shown(tasks[str(state.sample_id)]))])


@metric
def tea_means() -> Metric:
    """Each type's mean, and the mean of those (Table 3)."""

    def means(scores: list[SampleScore]) -> dict[str, float]:
        types: dict[str, list[float]] = {}
        for each in scores:
            name = str((each.score.metadata or {})["type"])
            types.setdefault(name, []).append(each.score.as_float())
        found = {name: fmean(values) for name, values in sorted(types.items())}
        return {**found, "macro": fmean(found.values())}

    return means


@scorer(metrics=[tea_means(), accuracy(), stderr()])
def seen(exam: Exam) -> Scorer:
    """Score a reply by its type's measure, 0..1."""
    tasks = {each.id: each for each in exam.tasks}

    async def score(state: TaskState, target: Target) -> Score:
        text, mine = said(state.output), tasks[str(state.sample_id)]
        found = grade(mine, text, choices=choices(mine))
        told = {"type": family(mine.type), "form": found.form}
        return Score(value=found.score, answer=text[:200], metadata=told)

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
    tasks = {each.id: each for each in exam.walks if each.scene == scene}
    held = ExitStack()  # of the canvas, for as long as the task is there
    opened = cache(lambda: held.enter_context(walking(exam.folders[scene])))

    def begin(state: TaskState) -> Walk:
        return opened()(tasks[str(state.sample_id)])

    samples = [
        Sample(f"{each.command} {LEADING} {BEGIN}", target=each.bind["object"], id=each.id)
        for each in tasks.values()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="tea_walks"), setup=seated(partial(_led, begin)),
        solver=goes(begin), scorer=arrived(), cleanup=left, fail_on_error=True,
        continue_on_fail=True, version=2,
    )  # fmt: skip


def _led(begin: Begin, state: TaskState) -> SampleSession:
    """Return a walk's session, for solvers other than the task's own."""

    async def script(mine: SampleSession) -> str:
        mine.result = await led(begin(state), "A walk")
        return "This walk is finished."

    return SampleSession((MOVE, STOP), script, lambda tools: ToolCall(STOP.name, {}))


@solver
def goes(begin: Begin) -> Solver:
    """Walk as the model says: the task's own solver."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        ended(state)
        steps = begin(state)
        state.messages = messages_of(await lead(steps, Inspect(get_model())))
        state.metadata["trip"] = line(steps.trip)
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
