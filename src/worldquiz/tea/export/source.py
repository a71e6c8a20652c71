"""Tasks as they are asked, with their pictures: the content of a table's rows.

Pictures are made when a task comes by, so only a few are in memory at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from worldquiz.errors import RecordError
from worldquiz.records import read_bytes
from worldquiz.tea.data import Folder
from worldquiz.tea.exam import show
from worldquiz.tea.exam.sample import NAVIGATION
from worldquiz.tea.exam.walk import journey
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Box2, Goal, Instance
from worldquiz.trust import beneath
from worldquiz_scenes.view import View

PICTURES = 3
"""The most pictures that a task shows: its view, and one of each of two objects."""
_PNG = (b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82")
"""How a whole picture begins and ends."""


@dataclass(frozen=True, slots=True)
class ExportedTask:
    """A task as it is asked."""

    task: Instance
    view: View
    prompt: str  # in full, with how to reply
    question: str  # the command and what is told of the pictures, without how to reply
    choices: tuple[str, ...]  # that it chooses from; none where it does not
    pictures: tuple[bytes, ...]  # as PNG, in the order in which the command counts them

    def __post_init__(self) -> None:
        if not 1 <= len(self.pictures) <= PICTURES:
            raise RecordError(
                f"task {self.task.id!r} shows {len(self.pictures)} pictures; an export holds 1 to "
                f"{PICTURES} of each task: leave its type out"
            )


def truth(task: Instance) -> str:
    """Return a task's answer, as the JSON value that a reply holds."""
    goal = task.truth
    plain = (
        {"thing": goal.thing, "within": goal.within} if isinstance(goal, Goal) else show.plain(goal)
    )
    return json.dumps(plain, sort_keys=True)


def shown(folder: Folder, tasks: Sequence[Instance]) -> Iterator[ExportedTask]:
    """Yield tasks as they are asked; pictures that several of them share are made once."""
    whole = lru_cache(maxsize=64)(partial(_whole, folder))
    cut = lru_cache(maxsize=4096)(partial(show.cut_out, folder))
    for task in tasks:
        view = folder.view[task.view]
        first = [whole(task.view, show.boxes(task))] if show.whole(task) else []
        pictures = (*first, *(cut(crop) for crop in show.crops(task)))
        if family(task.type) == NAVIGATION:
            yield ExportedTask(task, view, journey(task, view.camera), task.command, (), pictures)
        else:
            question = " ".join((show.command(task), *show.notes(task, view.camera)))
            asked = show.prompt(task, view.camera)
            yield ExportedTask(task, view, asked, question, show.choices(task), pictures)


def _whole(folder: Folder, view: str, boxes: tuple[tuple[str, Box2], ...]) -> bytes:
    """Return a view's picture: as it is on disk where nothing is drawn into it."""
    files = folder.view[view].files
    if boxes or "rgb" not in files:
        return show.drawn(folder, view, boxes)
    path = folder.path / beneath(files["rgb"], folder.path / "views.jsonl")
    png = read_bytes(path)
    if not (png.startswith(_PNG[0]) and png.endswith(_PNG[1])):
        raise RecordError(f"{path}: is no whole picture: generate the scene again")
    return png
