"""TEA in the browser, for people: answering TEA-Test's tasks about pictures, and rating tasks.

For TEA (arXiv 2602.05249, "TEA-Data-88k"), people rated a random tenth of its test: all tasks were
valid, 90.8 % "provide meaningful assistance at home", 84.9 % "are closely related to daily
routines". `Ratings` asks the same three questions, to be answered with yes or no; unlike a quiz, it
shows each task's answer. A folder of ratings is a run: `score` prints the share of yes for each
question with a confidence interval, and `compare` compares two people.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, cast

from worldquiz import rng
from worldquiz.errors import RecordError
from worldquiz.facts.knowledge import whole
from worldquiz.facts.row import Row
from worldquiz.human.quiz import Asked, ItemsQuiz
from worldquiz.records import Told, read_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.items import Line
from worldquiz.runs.rows import ItemKey, row_fields
from worldquiz.tea.exam import show
from worldquiz.tea.exam.exam import TeaRun
from worldquiz.tea.exam.grade import YES_NO, family, read, shape
from worldquiz.tea.exam.sample import families
from worldquiz.tea.kinds.kinds import Box2, Instance
from worldquiz.tea.settings import RatingSettings

HINTS = {
    "name": "its name, in one to three words",
    "count": "a whole number",
    "metres": "metres",
    "box2": "drag over the picture from one corner to the other; or left, top, right and bottom in "
    "pixels",
    "box3": "six lengths in metres, from the camera: how far its middle is to the right "
    "of the axis, down from it, and ahead; then how wide, high and deep it is",
}
DRAWN = {"box2": "box", "box3": "solid"}
KIND = "tea-ratings"
QUESTIONS = {
    "valid": "Is it valid? It makes sense in this scene, can be done, and the answer is right.",
    "helpful": "Would an agent that can do this be of help at home?",
    "everyday": "Is this close to what people do every day?",
}


class Tasks(ItemsQuiz):
    """Quiz for a person, with the tasks of a TEA-Test except walks."""

    title = "TEA-Test"
    passing, passed = "I cannot tell", ""
    about = (
        "You are shown pictures of rooms, and asked about what is in them: what a thing is, where "
        "it is, how far away, how many there are.",
        "Things that pictures are about are framed in yellow and cyan, or have a picture of their "
        "own. Answer as well as you can see; nobody knows distances to the centimetre.",
    )
    work: TeaRun

    def ask(self, row: Row) -> Asked:
        """Return a task as it is shown to a person."""
        task = self.work.tasks[row.world, row.type, row.item]
        form, camera = shape(task), self.work.folders[task.scene].view[task.view].camera
        command = show.command(task).partition(" Answer with ")[0]  # the choices are below it
        return Asked(
            key=(row.world, row.type, row.item), part=family(task.type),
            words=" ".join((command, *show.field(task, camera))),
            choices=row.choices, hint=HINTS.get(form, ""),
            pictures=show.whole(task) + len(show.crops(task)),
            view=(camera.width, camera.height, camera.fovy) if show.whole(task) else None,
            draw=DRAWN.get(form),
        )  # fmt: skip

    def reading(self, part: str) -> str:
        """Return an empty text: people see pictures instead."""
        return ""

    def picture(self, asked: Asked, number: int) -> bytes:
        """Return a picture of a task."""
        return self._pictures(self.work.tasks[asked.key])[number]

    def _pictures(self, task: Instance) -> list[bytes]:
        return show.pictures(self.work.folders[task.scene], task)

    def reply(self, asked: Asked, said: str) -> str:
        """Return a person's answer as a model would reply. Raises `ValueError` if invalid."""
        task = self.work.tasks[asked.key]
        form, value = shape(task), cast("Any", said)
        if form not in ("name", "choice"):
            numbers = re.findall(r"-?\d+(?:[.,]\d+)?", said)
            value = [whole(float(each.replace(",", "."))) for each in numbers]
            if form in ("count", "metres") and len(value) == 1:
                [value] = value
        reply = json.dumps({"answer": value})
        if read(reply, form, asked.choices) is None:
            raise ValueError(f"cannot read the answer; expected: {HINTS.get(form, 'a choice')}")
        return reply


class Rated(TeaRun):
    """Ratings as a run: three questions about each task in a share of a test, including walks.

    At least one task of each type is chosen, at random. A larger share includes a smaller one.
    """

    kind, of, told = KIND, RatingSettings, (*TeaRun.told, "share")

    @cached_property
    def tasks(self) -> dict[ItemKey, Instance]:
        """The rated tasks, by the keys of the questions about them."""
        every = list[Instance]()
        for name, some in chain(*(families(each).items() for each in (self.answered, self.walks))):
            rng.child(self.settings.seed, "ratings", name).shuffle(some)
            size = max(1, round(self.settings.share * len(some)))
            every += sorted(some[:size], key=lambda task: task.id)
        return {(task.scene, asked, task.id): task for task in every for asked in QUESTIONS}

    def graded(self, task: Instance, line: Line, who: str) -> Row:
        """Return a person's rating as a row; yes counts as right, so the score is the yes share."""
        answer, asked = line["reply"] or None, line["type"]
        return Row(
            run="", benchmark="tea", answerer=who, world=task.scene, level=family(task.type),
            item=task.id, shown=True, type=asked, format="yes_no", choices=YES_NO,
            prompt=f"{task.command} {QUESTIONS[asked]}", gold="yes",
            correct=None if answer is None else float(answer == "yes"),
            unscored="not judged" if answer is None else None, **row_fields(line, answer),
        )  # fmt: skip


class Ratings(Tasks):
    """Page that asks a person three questions about each task, shown with its answer."""

    title = "TEA: rate tasks"
    passing = "I cannot judge"
    about = (
        "You judge tasks that a program made of pictures of rooms; you see them together with "
        "their answers. Say of each whether it is valid, would help at home, and belongs to "
        "everyday life.",
        "There are no right answers: what you think is what we want to know.",
    )

    def ask(self, row: Row) -> Asked:
        """Return a task with its answer, and one of the three questions about it."""
        made, task = super().ask(row), self.work.tasks[row.world, row.type, row.item]
        words = f"“{made.words}” Its answer: {show.gold(task.truth)}. {QUESTIONS[row.type]}"
        return replace(made, words=words, choices=YES_NO, hint="", draw=None)

    def _pictures(self, task: Instance) -> list[bytes]:
        """Return a task's pictures, with the true answer drawn in if it is a box."""
        found = super()._pictures(task)
        if isinstance(task.truth, Box2):
            framed = (*show.boxes(task), ("green", task.truth))
            found[0] = show.drawn(self.work.folders[task.scene], task.view, framed)
        return found

    def reply(self, asked: Asked, said: str) -> str:
        """Return yes or no."""
        return said


def quiz_of_run(run: Path, name: str, data: Path | None) -> Tasks:
    """Return a quiz with the tasks about pictures from a run. Raises `RecordError` without any."""
    exam = TeaRun.of_run(run, data)
    if not exam.answered:
        raise RecordError(f"{exam.data}: the run has only walks: choose a run with other tasks")
    only = TeaRun(exam.data, replace(exam.settings, walks=0))
    return Tasks(only, read_json(run / MANIFEST) | {"walks": 0}, name)


def ratings_of_test(data: Path, asked: RatingSettings, name: str) -> Ratings:
    """Return a page for rating a share of the test drawn from a folder of tasks.

    Raises `RecordError` without a finished folder of tasks.
    """
    rated = Rated(data, asked)
    return Ratings(rated, rated.manifest, name)


def ratings_again(folder: Path, name: str, data: Path | None) -> Ratings:
    """Return a page for rating the tasks that another person rated. Raises `RecordError`."""
    told = Told(read_json(folder / MANIFEST), folder / MANIFEST)
    return Ratings(Rated.of_run(folder, data), {**told, "share": told["share"]}, name)
