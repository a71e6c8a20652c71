"""The inspect task of navigation: one sample is one walk of a scene, picture by picture.

    inspect eval worldquiz/tea_walks -T data=DIR -T scene=paper-01 --model openai/gpt-5.1

A reply that tells no move is a move spent standing. Walks are drawn over all scenes; a task walks
those of one, so that one scene is drawn at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    ContentImage,
    ContentText,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.errors import KnobError, did_you_mean
from worldquiz.llm.asking import journal, said, spent
from worldquiz.llm.records import Purpose
from worldquiz.llm.usage import Counter
from worldquiz.scenes.render import Canvas
from worldquiz.tea.exam.exam import Exam, ExamSettings
from worldquiz.tea.exam.sample import TRIPS
from worldquiz.tea.exam.show import uri
from worldquiz.tea.exam.steps import Steps, begun, canvas
from worldquiz.tea.exam.walk import Ways, line, read
from worldquiz.tea.scoring.navigation import gain, success
from worldquiz.tea.taskgraph import Instance


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
    """Return the walks of one scene as a task; `held` is to close what they are drawn with."""
    every = [each for each in exam.walks if each.scene == scene]
    return Task(
        dataset=MemoryDataset(
            [Sample(id=each.id, input=each.command, target=each.bind["object"]) for each in every],
            name="tea_walks",
        ),
        solver=goes(exam, scene, every, held),
        scorer=arrived(),
        fail_on_error=True,
        continue_on_fail=True,
        version=1,
    )


@solver
def goes(exam: Exam, scene: str, every: Sequence[Instance], held: ExitStack) -> Solver:
    """Walk as the model says, unless the walk is kept already."""
    tasks = {each.id: each for each in every}
    ways = Ways(exam.folders[scene].scene)
    drawn: list[Canvas] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        asked, kept = tasks[str(state.sample_id)], journal.get()
        known = kept.find({"id": asked.id}) if kept is not None else None
        if known is not None:
            state.metadata["trip"] = known
            return state
        if not drawn:
            drawn.append(held.enter_context(canvas(exam, asked)))
        counter, steps = Counter(), Steps(exam, begun(exam, drawn[0], ways, asked))
        await _walk(steps, counter.counting(get_model(), Purpose.QUIZ), state)
        told = line(steps.walk.trip)
        state.metadata["trip"] = told
        if kept is not None:
            kept.keep({**told, "replies": steps.replies, "usage": spent(counter)})
        return state

    return solve


async def _walk(steps: Steps, model: Any, state: TaskState) -> None:
    """Ask for moves until the walk is over."""
    talk: list[ChatMessage] = [_shown(steps)]
    while not steps.walk.over:
        output: ModelOutput = await model.generate(talk)
        text, _ = said(output)
        moved = steps.go(text)
        state.output = output
        if moved is not None:
            talk += [output.message, _shown(steps)]


def _shown(steps: Steps) -> ChatMessageUser:
    pictures = [ContentImage(image=uri(each)) for each in steps.pictures]
    return ChatMessageUser(content=[*pictures, ContentText(text=steps.words)])


@scorer(metrics={"success": [mean()], "gain": [mean()]})
def arrived() -> Scorer:
    """Score a walk by its success and its gain."""

    async def score(state: TaskState, target: Target) -> Score:
        trip = read(state.metadata["trip"])
        return Score(value={"success": float(success(trip)), "gain": gain(trip)})

    return score
