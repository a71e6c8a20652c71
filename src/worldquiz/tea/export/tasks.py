"""Tasks as they are asked, one row each: words, pictures, typed answer, camera.

The pictures are those that a model is shown, made when a task comes by, so only a few are in memory
at once. Rows are in order of views: a picture that many tasks share stands once in a row group
(Parquet's dictionary).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.export.rows import IMAGE, Columns, Kind, pyarrow, schema
from worldquiz.records import dumps, whole_file
from worldquiz.tea.data import Folder, picture
from worldquiz.tea.exam import show
from worldquiz.tea.exam.walk import journey
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import (
    Box2,
    Box3,
    Choice,
    Count,
    Given,
    Goal,
    Instance,
    Metres,
    Truth,
    Word,
)
from worldquiz_scenes.view import View

PICTURES = (IMAGE, "image_2", "image_3")
"""Columns of a task's pictures: its view, and one of each of two objects."""
ROWS = 256
"""Tasks of a row group."""
_PNG = (b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82")
"""How a whole picture begins and ends."""

MEANING: Mapping[str, tuple[Kind, str]] = {
    "id": ("string", "unique"),
    "type": ("string", "what is asked, and how its object is told of (after -by-)"),
    "family": ("string", "what is asked"),
    "scene": ("string", "the apartment"),
    "view": ("string", "whose picture is given; a walk starts there"),
    "image": (IMAGE, "picture 1: the view with given boxes drawn in, or an object's own picture"),
    "image_2": (IMAGE, "picture 2, if there is one: an object's own"),
    "image_3": (IMAGE, "picture 3, if there is one: another object's own"),
    "command": ("string", "the task in words"),
    "prompt": ("string", "the task as a model is asked, with how to reply"),
    "choices": (["string"], "what it chooses from; empty where it does not"),
    "answer": ("string", "the answer as JSON; one of the columns from word to goal has it typed"),
    "word": ("string", "a label, a relation, yes and no, or another choice"),
    "count": ("int", "a number of things"),
    "metres": ("double", "along the camera's axis"),
    "box2d": (["int"], "x0, y0, x1, y1 in pixels from the upper left; x1 and y1 outside"),
    "box3d_centre": (["double"], "metres in the camera's frame: x right, y down, z ahead"),
    "box3d_size": (["double"], "full lengths along those axes, metres"),
    "goal": ("string", "the id of the thing to be reached"),
    "within": ("double", "metres from it that count as being there"),
    "given": ("string", "what is told of objects, as JSON by VERTEX.ATTRIBUTE"),
    "bind": ("string", "things, views and mirrors by the vertices of the task's graph, as JSON"),
    "origin": ("string", "interaction, reuse or recombination"),
    "loop": ("int", "the loop of interaction that its views come from"),
    "room": ("string", "where the agent is"),
    "time": ("double", "seconds since the walk's start"),
    "camera": ("string", "ego, or the name of a camera that watches"),
    "camera_at": (["double"], "metres; x east, y north, z up"),
    "camera_forward": (["double"], "a unit vector"),
    "camera_up": (["double"], "a unit vector"),
    "fovy": ("double", "degrees from top to bottom"),
    "agent": (["double"], "x, y, heading in radians (0 looks east, growing to the left)"),
}
"""The kind of each column, and what it means."""
COLUMNS: Columns = {name: kind for name, (kind, _) in MEANING.items()}


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
        if not 1 <= len(self.pictures) <= len(PICTURES):
            raise RecordError(
                f"task {self.task.id!r} shows {len(self.pictures)} pictures; an export holds 1 to "
                f"{len(PICTURES)} of each task: leave its type out"
            )

    @property
    def answer(self) -> str:
        """The answer, as the JSON value that a reply holds."""
        match self.task.truth:
            case Goal(thing, within):
                return json.dumps({"thing": thing, "within": within})
            case truth:
                return json.dumps(show.plain(truth), sort_keys=True)

    def row(self) -> dict[str, Any]:
        """Return it by columns; those that it has nothing for are left out."""
        task, view, camera = self.task, self.view, self.view.camera
        named = ("id", "type", "scene", "view", "command", "origin", "loop")
        return {
            **{name: getattr(task, name) for name in named},
            **{name: getattr(view, name) for name in ("room", "time", "agent")},
            **dict(zip(PICTURES, ({"bytes": png} for png in self.pictures), strict=False)),
            **_typed(task.truth),
            "family": family(task.type),
            "prompt": self.prompt,
            "choices": list(self.choices),
            "answer": self.answer,
            "given": dumps(task.given, Mapping[str, Given]),
            "bind": dumps(task.bind, Mapping[str, str]),
            "camera": camera.name,
            "camera_at": camera.at,
            "camera_forward": camera.forward,
            "camera_up": camera.up,
            "fovy": camera.fovy,
        }


def _typed(told: Truth) -> dict[str, Any]:
    match told:
        case Word(value) | Choice(value):
            return {"word": value}
        case Count() | Metres():
            return {told.kind: told.value}
        case Box2(value):
            return {"box2d": value}
        case Box3(centre, size):
            return {"box3d_centre": centre, "box3d_size": size}
        case Goal(thing, within):
            return {"goal": thing, "within": within}


def shown(folder: Folder, tasks: Sequence[Instance]) -> Iterator[ExportedTask]:
    """Yield tasks of a scene as they are asked; pictures that several share are made once.

    Raises `RecordError` for a picture that is missing or broken off.
    """

    @lru_cache(maxsize=64)
    def whole(name: str, boxes: tuple[tuple[str, Box2], ...]) -> bytes:
        view = folder.view[name]
        if boxes:
            return show.drawn(folder, name, boxes)
        png = picture(folder, view)
        if not (png.startswith(_PNG[0]) and png.endswith(_PNG[1])):
            raise RecordError(
                f"{folder.path / view.files['rgb']}: is no whole picture: generate the scene again"
            )
        return png

    cut = lru_cache(maxsize=4096)(lambda crop: show.cut_out(folder, crop))
    for task in tasks:
        view = folder.view[task.view]
        first = [whole(task.view, show.boxes(task))] if show.whole(task) else []
        pictures = (*first, *map(cut, show.crops(task)))
        if isinstance(task.truth, Goal):
            asked = journey(task, view.camera)
            yield ExportedTask(task, view, asked, task.command, (), pictures)
        else:
            question = " ".join((show.command(task), *show.notes(task, view.camera)))
            asked = show.prompt(task, view.camera)
            yield ExportedTask(task, view, asked, question, show.choices(task), pictures)


def write(path: Path, tasks: Iterable[ExportedTask]) -> None:
    """Write tasks as a Parquet file that `datasets.load_dataset` reads with typed features."""
    pyarrow()
    from pyarrow import Table, parquet

    rows, columns = (task.row() for task in tasks), schema(COLUMNS)
    with (
        whole_file(path) as stream,
        parquet.ParquetWriter(
            stream, columns, compression="zstd", dictionary_pagesize_limit=1 << 30
        ) as writer,
    ):
        while some := list(islice(rows, ROWS)):
            writer.write_table(Table.from_pylist(some, schema=columns))
