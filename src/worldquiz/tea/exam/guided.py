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
from worldquiz.llm.records import Purpose
from worldquiz.llm.usage import Counter
from worldquiz.scenes.build import build
from worldquiz.scenes.episode import Walker, png
from worldquiz.scenes.locomotion import Move
from worldquiz.scenes.render import Canvas
from worldquiz.tea.asking import journal, said, used
from worldquiz.tea.encode import cut
from worldquiz.tea.exam.run import Asked, Exam
from worldquiz.tea.exam.sample import TRIPS
from worldquiz.tea.exam.show import uri
from worldquiz.tea.exam.walk import LONGEST, Walk, Ways, line, read, start
from worldquiz.tea.exam.words import crops, journey, onward
from worldquiz.tea.pictures import opened
from worldquiz.tea.scoring.navigation import LIMIT, gain, success
from worldquiz.tea.scoring.parse import read_step
from worldquiz.tea.taskgraph import Instance


@task
def tea_walks(data: str, scene: str, walks: int = TRIPS, seed: int = 0) -> Task:
    """TEA's navigation (arXiv 2602.05249, Table 4): go to an object within ten moves.

    Args:
        data: A folder of generated tasks.
        scene: The scene whose walks are taken.
        walks: How many are drawn over all scenes.
        seed: Of the sample.
    """
    exam = Exam(Path(data), Asked(0, walks, seed))
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
    folder, ways = exam.folders[scene], Ways(exam.folders[scene].scene)
    drawn: list[Canvas] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        asked, kept = tasks[str(state.sample_id)], journal.get()
        if kept is not None and asked.id in kept.lines:
            state.metadata["trip"] = kept.lines[asked.id]
            return state
        size = _size(exam, asked)
        if not drawn:
            drawn.append(held.enter_context(Canvas(build(folder.scene, folder.path), size=size)))
        walker = Walker(drawn[0], ground=ways.ground, start=start(folder, asked), size=size)
        counter, walk = Counter(), Walk(walker, ways, asked)
        replies = await _walk(walk, exam, counter.counting(get_model(), Purpose.QUIZ), state)
        state.metadata["trip"] = line(walk.trip)
        if kept is not None:
            kept.keep({**line(walk.trip), "replies": replies, "usage": used(counter)})
        return state

    return solve


async def _walk(walk: Walk, exam: Exam, model: Any, state: TaskState) -> list[str]:
    """Ask for moves until the walk is over, and return the replies."""
    replies: list[str] = []
    camera = walk.shot.view.camera
    words = journey(walk.task, camera, LONGEST, LIMIT)
    talk: list[ChatMessage] = [_shown(_pictures(walk, exam), words)]
    while not walk.over:
        output: ModelOutput = await model.generate(talk)
        text, _ = said(output)
        replies.append(text)
        step = read_step(text)
        move = None if step.stop else Move(step.turn, min(step.walk, LONGEST))
        moved = walk.go(move)
        state.output = output
        if moved is not None:
            words = onward(
                len(replies) + 1, LIMIT, moved.walked, stopped=moved.stopped_by is not None
            )
            talk += [output.message, _shown(_pictures(walk, exam)[:1], words)]
    return replies


def _pictures(walk: Walk, exam: Exam) -> list[bytes]:
    """Return what the agent sees, then the pictures that denote its goal."""
    assert walk.shot.images.rgb is not None
    folder, views = exam.folders[walk.task.scene], exam.views[walk.task.scene]
    goals = [cut(opened(folder, views[each.view]), each.box) for each in crops(walk.task)]
    return [png(each) for each in (walk.shot.images.rgb, *goals)]


def _shown(pictures: Sequence[bytes], words: str) -> ChatMessageUser:
    return ChatMessageUser(
        content=[*(ContentImage(image=uri(each)) for each in pictures), ContentText(text=words)]
    )


def _size(exam: Exam, asked: Instance) -> tuple[int, int]:
    camera = exam.views[asked.scene][asked.view].camera
    return camera.width, camera.height


@scorer(metrics={"success": [mean()], "gain": [mean()]})
def arrived() -> Scorer:
    """Score a walk by its success and its gain."""

    async def score(state: TaskState, target: Target) -> Score:
        trip = read(state.metadata["trip"])
        return Score(value={"success": float(success(trip)), "gain": gain(trip)})

    return score
