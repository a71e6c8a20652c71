"""Take TEA-Test, as ``worldquiz tea run`` does: a scripted taker, or a model through inspect.

A run's folder holds ``manifest.json`` (which tells where the tasks' folder is from there),
``tasks.jsonl`` (what is asked, with its truth), ``answers.jsonl`` (each reply as it was given, each
walk as it went), ``scores.json``, and inspect's logs in ``logs`` where a model was asked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import worldquiz
from worldquiz.errors import KnobError, WorldError
from worldquiz.llm.client import Reach
from worldquiz.records import read_json, write_json, write_records
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.runs.journal import Lines, by_id
from worldquiz.scenes.view import View
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.chance import chance
from worldquiz.tea.exam.sample import TASKS, TRIPS, families, matched, sample
from worldquiz.tea.exam.takers import ERROR, Known, taker
from worldquiz.tea.exam.words import choices
from worldquiz.tea.scoring import navigation
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.scoring.table import Scored, table
from worldquiz.tea.taskgraph import Instance

SCORES, TASKS_FILE = "scores.json", "tasks.jsonl"
FOLDER = "folder"
"""Where a manifest says that the tasks' folder is, from the run's own."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked. Equal values ask the same of the same tasks."""

    tasks: int = TASKS
    trips: int = TRIPS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.tasks < 0 or self.trips < 0 or not self.tasks + self.trips:
            raise KnobError(f"{self.tasks} tasks and {self.trips} walks: give numbers from 1")


@dataclass(frozen=True, slots=True)
class Scripted:
    """A taker that is no model."""

    name: str  # of `takers.NAMES`
    error: float = ERROR  # of the noisy one: how often it perceives amiss, 0..1

    def __post_init__(self) -> None:
        if not 0 <= self.error <= 1:
            raise KnobError(f"an error rate of {self.error}: give one from 0 to 1")


@dataclass(frozen=True)
class Exam:
    """What is asked of a folder of generated tasks."""

    data: Path
    asked: Asked

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

    @cached_property
    def views(self) -> dict[str, dict[str, View]]:
        """Each scene's views by id."""
        return {
            name: {view.id: view for view in folder.views} for name, folder in self.folders.items()
        }


def run(
    data: Path, asked: Asked, who: Scripted | Reach, out: Path, done: Done = silent
) -> dict[str, Any]:
    """Ask everything that was not asked before, and return the scores.

    Raises `RecordError` where `out` holds anything else, `CatalogError` for an unknown taker or
    model, `WorldError` where questions could not be asked, `MissingExtra`.
    """
    exam = Exam(data, asked)
    with claimed(out):
        begin(out, MANIFEST, _manifest(exam, who))
        keep(exam, out)
        kept = Lines(out, by_id, done)
        if isinstance(who, Scripted):
            _take(exam, who, kept)
        else:
            _ask(exam, who, out, kept)
        kept.settle([task.id for task in (*exam.tasks, *exam.walks)])
        found = scores(exam, kept.lines)
        write_json(out / SCORES, found)
    return found


def keep(exam: Exam, out: Path) -> None:
    """Write down beside a begun run what is asked and where that comes from.

    A run is resumed wherever its tasks have gone, so the folder is no part of what must be equal.
    """
    manifest = dict(read_json(out / MANIFEST))
    folder = os.path.relpath(exam.data.resolve(), out.resolve())
    if manifest.get(FOLDER) != folder:
        write_json(out / MANIFEST, manifest | {FOLDER: folder})
    if not (out / TASKS_FILE).is_file():
        write_records(out / TASKS_FILE, "task", Instance, (*exam.tasks, *exam.walks))


def scores(exam: Exam, lines: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return Table 3, with what can be earned unseen and how many tasks there were, and Table 4."""
    graded = [scored(task, str(lines[task.id]["reply"])) for task in exam.tasks]
    walked = [walk.read(dict(lines[task.id])) for task in exam.walks]
    return {
        **table(graded),
        "chance": chance(exam.tasks),
        "there": _there(exam),
        "navigation": navigation.table(walked),
    }


def scored(task: Instance, reply: str) -> Scored:
    """Return what the reply to a task is worth."""
    found = grade(task, reply, choices=choices(task))
    return Scored(task.id, task.type, task.scene, found.score, found.form)


def _there(exam: Exam) -> dict[str, dict[str, int]]:
    """Return how many tasks each type has, and how many with the same words and other answers."""
    types = families(exam.every)
    return {
        name: {"tasks": len(types[name]), "matched": sum(forms.values())}
        for name, forms in matched(exam.every, exam.asked.seed).items()
    }


def _take(exam: Exam, who: Scripted, kept: Lines[str]) -> None:
    asked = frozenset(task.id for task in exam.tasks)
    take = taker(who.name, Known(exam.every, asked), exam.asked.seed, who.error)
    for task in _left(exam.tasks, kept):
        kept.keep({"id": task.id, "reply": take(task)})
    every = list(exam.folders.values())
    left = _left(exam.walks, kept)
    for trip in walk.trips(every, left, who.name, exam.asked.seed, who.error):
        kept.keep(walk.line(trip))


def _left(tasks: Sequence[Instance], kept: Lines[str]) -> list[Instance]:
    return [task for task in tasks if task.id not in kept.lines]


def _ask(exam: Exam, reach: Reach, out: Path, kept: Lines[str]) -> None:
    """Ask a model all tasks at once, then walk scene by scene."""
    from worldquiz.llm.client import check_settings
    from worldquiz.tea.asking import ask
    from worldquiz.tea.exam.guided import walked
    from worldquiz.tea.exam.task import asked

    check_settings(reach.generate)
    if _left(exam.tasks, kept):
        ask(asked(exam), reach, out, kept, noun="tasks")
    for scene in sorted({task.scene for task in _left(exam.walks, kept)}):
        with ExitStack() as held:
            ask(walked(exam, scene, held), reach, out, kept, noun="walks")
    left = _left([*exam.tasks, *exam.walks], kept)
    if left:
        raise WorldError(f"{len(left)} tasks have no reply; give the command again")


def _manifest(exam: Exam, who: Scripted | Reach) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": "tea-run",
        "data": str(read_json(exam.data / MANIFEST).get("digest")) if exam.folders else "",
        "tasks": exam.asked.tasks,
        "trips": exam.asked.trips,
        "seed": exam.asked.seed,
        "versions": {"worldquiz": worldquiz.__version__},
    }
    if isinstance(who, Scripted):
        error = {"error": who.error} if who.name == "noisy" else {}
        return record | {"taker": who.name, **error}
    from worldquiz.llm.client import model_of

    name = str(model_of(who.model, who.base_url))
    return record | {"model": name, "generate": json.loads(json.dumps(dict(who.generate)))}
