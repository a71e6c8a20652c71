"""The inspect task of drawing maps: one sample is one step to read, or one whole walkthrough.

inspect eval worldquiz/mango_triplets -T data=DIR -T shots=5 --model openai/gpt-5.1
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from worldquiz.llm.asking import said
from worldquiz.mango.asking.ask import STEPS
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.games.mapping import Course, Reading, prompts, read_course, readings
from worldquiz.mango.mazes.selection import chosen
from worldquiz.mango.running.task import item_of, told


@task
def mango_triplets(
    data: str, only: str | list[str] = "", steps: int = STEPS, shots: int = 5
) -> Task:
    """MANGO's maps drawn by models (arXiv 2403.19913, appendix C.4): how right their triplets are.

    Args:
        data: A folder of published mazes (the steps70 layout, or mazes recorded into it).
        only: Games to read, by name, with commas between; all of the folder if empty.
        steps: Of the walkthrough that are read.
        shots: 5 (five examples, a step at a time) or 0 (no example, the whole walkthrough at once).
    """
    mazes = chosen(Path(data), only)
    return task_of({name: Course(maze, steps) for name, maze in mazes.items()}, shots)


def task_of(about: Mapping[str, Course], shots: int) -> Task:
    """Return the task that has some walkthroughs read."""
    asked = prompts(about, readings(about, shots), shots)
    samples = [
        Sample(id=name, input=_input(reading), target=_target(about[reading.game], reading))
        for name, reading in asked.items.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="mango_triplets"),
        solver=told(asked),
        scorer=triplets(asked, about),
        fail_on_error=True,
        continue_on_fail=True,
        name="mango_triplets",
        version=1,
    )


def _input(reading: Reading) -> str:
    if reading.step is None:
        return "Which moves does the walkthrough make?"
    return f"Where does step {reading.step} end?"


def _target(course: Course, reading: Reading) -> str:
    if reading.step is None:
        return f"{len(course.moves)} moves"
    return course.place(reading.step) or "None"


@metric
def triplet_accuracy() -> Metric:
    """Accuracy, macro-averaged over mazes (appendix C.4)."""

    def accuracy(scores: list[SampleScore]) -> float:
        games: dict[str, list[tuple[int, int]]] = {}
        for each in scores:
            about = each.score.metadata or {}
            games.setdefault(about["game"], []).append((about["right"], about["asked"]))
        shares = [
            sum(right for right, _ in each) / asked
            for each in games.values()
            if (asked := sum(asked for _, asked in each))
        ]
        return sum(shares) / len(shares) if shares else 0.0

    return accuracy


@scorer(metrics=[triplet_accuracy()])
def triplets(asked: Prompts[Reading], about: Mapping[str, Course]) -> Scorer:
    """Score a reply by how much of what it was asked is right."""

    async def score(state: TaskState, target: Target) -> Score:
        reading = item_of(asked, state)
        reply, _ = said(state.output)
        _, found = read_course(about[reading.game], {reading.step: reply})
        share = found.right / found.asked if found.asked else 0.0
        told = {"game": reading.game, "right": found.right, "asked": found.asked}
        return Score(value=share, answer=reply[:200], metadata=told)

    return score
