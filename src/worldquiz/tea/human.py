"""TEA-Test for a person: the tasks about pictures, which are those of a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.human.sheet import (
    Item,
    Key,
    Line,
    QuizPart,
    Sheet,
    Shown,
    number,
    numbers,
    one_of,
    text_of,
)
from worldquiz.records import read_json
from worldquiz.report.labels import decimal
from worldquiz.runs.folder import FOLDER, MANIFEST, OF_ANSWERER, answered_by, begin, by_person
from worldquiz.runs.rows import write_rows
from worldquiz.tea.exam.exam import Exam, row_of
from worldquiz.tea.exam.run import exam_of, keep, rescored
from worldquiz.tea.exam.sample import chance
from worldquiz.tea.exam.show import choices, command, field, pictures, whole
from worldquiz.tea.scoring.grade import family, shape
from worldquiz.tea.scoring.parse import AnswerShape
from worldquiz.tea.taskgraph import Instance
from worldquiz.version import own_version

_FARTHEST = 100.0
"""Metres beyond which no answer is."""
_MANY = 999
TITLES = {
    "classification": "What is it?", "depth": "How far ahead?", "localization": "Where in the "
    "picture?", "localization-3d": "Where in space?", "embodied-counting": "Counting",
    "mirror-counting": "Counting in mirrors", "pattern-counting": "Counting by pattern",
    "relation": "How do they stand?", "in-view": "Who sees what?", "navigation": "Walks",
}  # fmt: skip


def sheet_of_run(run: Path, name: str, data: Path | None) -> Tasks:
    """Return the tasks about pictures that a run asked. Raises `RecordError` where it has none."""
    exam = exam_of(run, data)
    if not exam.tasks:
        raise RecordError(f"{exam.data}: the run has walks only, and the page shows pictures")
    only = replace(exam, asked=replace(exam.asked, trips=0))
    return Tasks(only, read_json(run / MANIFEST) | {"trips": 0}, name)


class Tasks(Sheet):
    """The tasks of an exam without walks."""

    def __init__(self, exam: Exam, manifest: Mapping[str, Any], name: str) -> None:
        self.exam = exam
        self._told = by_person(manifest, name, without={*OF_ANSWERER, FOLDER})
        self._drawn: tuple[Key, list[bytes]] | None = None
        self._ask({(task.id,): task for task in exam.tasks})

    def _ask(self, tasks: dict[Key, Instance]) -> None:
        """Lay items out: those of a type together."""
        self._tasks, self.order = tasks, tuple(tasks)
        types = list(dict.fromkeys(family(task.type) for task in tasks.values()))
        self.parts = tuple(QuizPart(TITLES.get(name, name)) for name in types)
        found = [Item(key, types.index(family(task.type))) for key, task in tasks.items()]
        self.items = tuple(sorted(found, key=lambda item: item.part))

    title = "TEA-Test"
    passing = "I cannot tell"
    about = (
        "You are shown pictures of rooms, and asked about what is in them: what a thing is, where "
        "it is, how far away, how many there are.",
        "Things that pictures are about are framed in yellow and cyan, or have a picture of their "
        "own. Answer as well as you can see; nobody knows distances to the centimetre.",
    )

    def key(self, line: Mapping[str, Any]) -> Key:
        """Return which task a line answers."""
        return (line["id"],)

    def begin(self, out: Path) -> None:
        """Begin or resume a run on the same tasks."""
        begin(out, MANIFEST, {**self._told, "versions": own_version()})
        keep(self.exam, out)

    def shown(self, item: Item) -> Shown:
        """Return a task without its answer."""
        return {**self._pictured(item), **_form(self._tasks[item.key])}

    def _pictured(self, item: Item) -> Shown:
        """Return a task's words and pictures."""
        task = self._tasks[item.key]
        camera = self.exam.camera(task)
        lens = {"width": camera.width, "height": camera.height, "fovy": camera.fovy}
        return {
            "words": " ".join((words(task), *field(task, camera))),
            "pictures": len(self._pictures(item)),
            "whole": whole(task),
            **lens,
        }

    def _pictures(self, item: Item) -> list[bytes]:
        """Return a task's pictures; those of the last one are kept."""
        if self._drawn is None or self._drawn[0] != item.key:
            self._drawn = item.key, self._made(self._tasks[item.key])
        return self._drawn[1]

    def _made(self, task: Instance) -> list[bytes]:
        return pictures(self.exam.folders[task.scene], task)

    def picture(self, item: Item, number: int) -> bytes:
        """Return a picture of a task."""
        return self._pictures(item)[number]

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        """Return an answer as a line: its reply has the form of a model's."""
        task = self._tasks[item.key]
        reply = "" if said is None else json.dumps({"answer": self._value(task, said)})
        return {"id": task.id, "reply": reply, "said": said, "seconds": seconds}

    def _value(self, task: Instance, said: Any) -> Any:
        match shape(task):
            case AnswerShape.NAME:
                return text_of(said)
            case AnswerShape.CHOICE:
                return one_of(said, choices(task))
            case AnswerShape.COUNT:
                told = number(said, 0, _MANY)
                if told != int(told):
                    raise ValueError("give a whole number")
                return int(told)
            case AnswerShape.METRES:
                return number(said, 0.01, _FARTHEST, " metres")
            case AnswerShape.BOX2:
                camera = self.exam.camera(task)
                sides = numbers(said, 4, 0, max(camera.width, camera.height), " pixels")
                x0, y0, x1, y1 = map(round, sides)
                if x0 >= x1 or y0 >= y1:
                    raise ValueError("draw a box first: drag from one corner to the other")
                return [x0, y0, x1, y1]
            case _:
                if not isinstance(said, dict) or set(said) != {"centre", "size"}:
                    raise ValueError("give all six lengths")
                centre = numbers(said["centre"], 3, -_FARTHEST, _FARTHEST, " metres")
                size = numbers(said["size"], 3, 0.001, _FARTHEST, " metres")
                return {"centre": centre, "size": size}

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        """Write the rows, and score the run as any other."""
        who, chances = answered_by(self._told), chance(self.exam.tasks)
        write_rows(out, (row_of(self._tasks[key], lines[key], who, chances) for key in self.order))
        return rescored(out)

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the mean of each type."""
        return [
            (f"{TITLES.get(name, name)} ({cell['asked']} asked)", decimal(cell["mean"]))
            for name, cell in scores["types"].items()
        ]


def words(task: Instance) -> str:
    """Return a command for who sees the boxes drawn and the choices beneath it."""
    return command(task).partition(" Answer with ")[0]


def _form(task: Instance) -> Shown:
    """Return in which form a task is answered."""
    match shape(task):
        case AnswerShape.NAME:
            return {"form": "text", "hint": "its name, in one to three words"}
        case AnswerShape.CHOICE:
            return {"form": "choice", "choices": list(choices(task))}
        case AnswerShape.COUNT:
            return {"form": "number", "unit": "", "step": 1, "most": _MANY}
        case AnswerShape.METRES:
            return {"form": "number", "unit": "metres", "step": 0.1, "most": _FARTHEST}
        case AnswerShape.BOX2:
            return {"form": "box"}
        case _:
            return {"form": "solid"}
