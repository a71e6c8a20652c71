"""TEA-Test on a folder of generated tasks: what is asked, and the rows of replies and walks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.facts.knowledge import whole
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.reply_lists import Form
from worldquiz.records import Told
from worldquiz.runs.rows import ROWS, ItemKey, RowLine, spent, status_of
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import show, walk
from worldquiz.tea.exam.sample import TASKS, TRIPS, sample
from worldquiz.tea.scoring.grade import family, grade, shape
from worldquiz.tea.scoring.tables import Stand, success
from worldquiz.tea.taskgraph import Box2, Box3, Goal, Instance
from worldquiz_scenes.view import Camera

KIND = "tea-run"
WALK = "walk"
"""The format of a task that is walked."""


@dataclass(frozen=True, slots=True)
class ExamSettings:
    """Size and seed of a test. Equal values select the same tasks of a folder."""

    tasks: int = TASKS
    trips: int = TRIPS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.tasks < 0 or self.trips < 0 or not self.tasks + self.trips:
            raise KnobError(f"{self.tasks} tasks and {self.trips} walks: give numbers from 1")


@dataclass(frozen=True)
class Exam:
    """A test drawn from a folder of generated tasks."""

    data: Path
    asked: ExamSettings

    @cached_property
    def folders(self) -> dict[str, Folder]:
        """The scenes by name."""
        return {folder.path.name: folder for folder in folders(self.data)}

    @cached_property
    def every(self) -> tuple[Instance, ...]:
        """All tasks that there are."""
        return tuple(task for folder in self.folders.values() for task in folder.tasks)

    @cached_property
    def tasks(self) -> tuple[Instance, ...]:
        """The tasks that are answered."""
        return sample(self.every, self.asked.tasks, self.asked.seed)

    @cached_property
    def walks(self) -> tuple[Instance, ...]:
        """The tasks that are walked."""
        return walk.chosen(list(self.folders.values()), self.asked.trips, self.asked.seed)

    def camera(self, task: Instance) -> Camera:
        """Return the camera that took the picture of a task."""
        return self.folders[task.scene].view[task.view].camera

    def shown(self, task: Instance) -> tuple[str, list[bytes]]:
        """Return a task that is answered as it is shown: its words, and its pictures as PNG."""
        folder = self.folders[task.scene]
        return show.prompt(task, self.camera(task)), show.pictures(folder, task)


@dataclass(frozen=True)
class ExamMeasures:
    """Form of a task, and how it was answered: the form of the reply, or the walk."""

    type: str
    form: Form | None = None
    stands: Sequence[Stand] = ()
    gave_up: bool = False
    replies: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class ExamRow(RowLine):
    """A line of ``rows.jsonl``."""

    measures: ExamMeasures  # type: ignore[assignment]  # of keys that are known


def key(task: Instance) -> ItemKey:
    """Return the key of a task's row."""
    return task.scene, family(task.type), task.id


def measures_of(row: Row, run: Path) -> Told:
    """Return the measures of a run's row, which raise `RecordError` for one that it lacks."""
    return Told({"id": row.item, **row.measures}, f"{run / ROWS}: {row.item}")


def row_of(task: Instance, line: Mapping[str, Any], who: str, chances: Mapping[str, Any]) -> Row:
    """Return the row of a reply or a walk, kept as a line; `chances` as `sample.chance`.

    A walk's score is its success, its reply the path: x, y in metres and heading in radians of
    each stand. A failed task has no score, and states the reason.
    """
    goal = task.truth if isinstance(task.truth, Goal) else None
    if line.get("status") == AnswerStatus.FAILED:
        told: dict[str, Any] = {
            "reply": "", "status": AnswerStatus.FAILED, "correct": None,
            "unscored": str(line.get("failure")), "measures": {},
        }  # fmt: skip
    else:
        told = _walked(task, line) if goal else _answered(task, line, chances)
    kind = family(task.type)
    measures = {"type": task.type, **told.pop("measures")}
    return Row(
        run="", benchmark="tea", answerer=who, world=task.scene, item=task.id, type=kind,
        format=WALK if goal else str(shape(task)),
        gold=f"{goal.thing} within {goal.within:g} m" if goal else _said(show.plain(task.truth)),
        prompt=show.command(task), shown=True, measures=measures,
        seconds=line.get("seconds"), **told, **spent(line),
    )  # fmt: skip


def _answered(
    task: Instance, line: Mapping[str, Any], chances: Mapping[str, Any]
) -> dict[str, Any]:
    text = str(line["reply"])
    found = grade(task, text, choices=show.choices(task))
    blind, said = chances[family(task.type)], found.said
    answer: object = said
    if isinstance(said, tuple):  # in the form in which it is asked for
        solid = isinstance(task.truth, Box3)
        answer = {"centre": list(said[:3]), "size": list(said[3:])} if solid else said
        answer = [whole(each) for each in said] if isinstance(task.truth, Box2) else answer
    status = status_of(line.get("status"), readable=found.form is not Form.ILL_FORMED)
    return {
        "choices": show.choices(task),
        "reply": text,
        "answer": None if said is None else _said(answer),
        "status": status,
        "correct": found.score if status is AnswerStatus.ANSWERED else None,
        "guess": blind["one_answer" if blind["words_only"] is None else "words_only"],
        "measures": {"form": str(found.form)},
    }


def _walked(task: Instance, line: Mapping[str, Any]) -> dict[str, Any]:
    trip = walk.read({**line, "id": task.id})
    arrived = success(trip)
    return {
        "reply": json.dumps([stand.at for stand in trip.stands]),
        "answer": "arrived" if arrived else "gave up" if trip.gave_up else "out of moves",
        "status": AnswerStatus.ANSWERED,
        "correct": float(arrived),
        "measures": {x: line[x] for x in ("stands", "gave_up", "replies") if x in line},
    }


def _said(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
