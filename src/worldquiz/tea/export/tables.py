"""Tasks and scenes as Parquet: a folder that `datasets.load_dataset` reads with typed features.

    OUT/README.md                       the card: configs, licence, what a column means
    OUT/croissant.json                  the same for machines (Croissant 1.1)
    OUT/CREDITS.md                      who made the scenes' models, under which licence
    OUT/tasks/SCENE-00000.parquet       the tasks of a scene, pictures and all
    OUT/scenes/SCENE.parquet            the scene: rooms, doorways, things

A task's pictures are those that a model is shown. Rows are in order of views, so that a picture
that many tasks share stands once in a row group (Parquet's dictionary). A row group has `ROWS`
tasks, and a file as many groups as `SHARD` allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from worldquiz.export.columns import IMAGE, Columns, Kind, pyarrow, schema
from worldquiz.records import dumps, whole_file
from worldquiz.tea.export.source import PICTURES, ExportedTask, truth
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Box2, Box3, Choice, Count, Given, Goal, Metres, Truth, Word
from worldquiz_scenes.scene import Scene, Thing
from worldquiz_scenes.view import View

TASK_FILES, SCENE_FILES = "tasks", "scenes"
ROWS = 256
"""Tasks of a row group."""
SHARD = 1024 * 640 * 480
"""Pixels of the pictures of a file's tasks, at most: below 200 MB as PNG."""
_NAMES = (IMAGE, *(f"image_{number}" for number in range(2, PICTURES + 1)))

_TASKS: Mapping[str, tuple[Kind, str]] = {
    "id": ("string", "unique"),
    "type": ("string", "what is asked, and how its object is told of (after -by-)"),
    "family": ("string", "what is asked"),
    "scene": ("string", ""),
    "view": ("string", "whose picture is given; a walk starts there"),
    "image": (
        IMAGE,
        "picture 1: the view, with given boxes drawn in, or an object's own picture",
    ),
    "image_2": (IMAGE, "picture 2, if there is one: an object's own"),
    "image_3": (IMAGE, "picture 3, if there is one: another object's own"),
    "command": ("string", "the task in words"),
    "prompt": ("string", "the task as a model is asked, with how to reply"),
    "choices": (["string"], "what it chooses from; empty where it does not"),
    "answer": (
        "string",
        "the answer as JSON; exactly one of the columns from word to goal holds it typed",
    ),
    "word": ("string", "a label, a relation, yes and no, or another choice"),
    "count": ("int", ""),
    "metres": ("double", "along the camera's axis"),
    "box2d": (
        ["int"],
        "x0, y0, x1, y1 in pixels from the upper left corner; x1 and y1 outside",
    ),
    "box3d_centre": (["double"], "metres in the camera's frame: x right, y down, z ahead"),
    "box3d_size": (["double"], "full lengths along those axes, metres"),
    "goal": ("string", "the id of the thing to be reached"),
    "within": ("double", "metres from it that count as being there"),
    "given": ("string", "what is told of objects, as JSON by VERTEX.ATTRIBUTE"),
    "bind": ("string", "things, views and mirrors by the vertices of the task's graph, as JSON"),
    "origin": ("string", "interaction, reuse or recombination"),
    "loop": ("int", "the loop of interaction that its views come from"),
    "room": ("string", ""),
    "time": ("double", "seconds since the walk's start"),
    "camera": ("string", "ego, or the name of a camera that watches"),
    "camera_at": (["double"], "metres; x east, y north, z up"),
    "camera_forward": (["double"], "a unit vector"),
    "camera_up": (["double"], "a unit vector"),
    "fovy": ("double", "degrees from top to bottom"),
    "agent": (
        ["double"],
        "where the agent is: x, y, heading in radians (0 looks east, growing to the left)",
    ),
}
"""The kind of each column of a task, and what it means where its name does not say so."""
TASKS: Columns = {name: kind for name, (kind, _) in _TASKS.items()}
TOLD = {name: meaning for name, (_, meaning) in _TASKS.items() if meaning}
SCENES: Columns = {
    "id": "string",
    "seed": "string",
    "style": "string",
    "height": "double",
    "start": ["double"],
    "rooms": [{"name": "string", "kind": "string", "low": ["double"], "high": ["double"]}],
    "doors": [{"one": "string", "other": "string", "at": ["double"], "width": "double"}],
    "things": [
        {
            "id": "string",
            "label": "string",
            "category": "string",
            "room": "string",
            "position": ["double"],
            "rotation": ["double"],
            "half": ["double"],
            "colour": "string",
            "material": "string",
            "support": "string",
            "mirror": "bool",
            "credit": "string",
        }
    ],
    "json": "string",
}
SCENE_TOLD = {
    "seed": "in digits: it may be larger than 64 bits",
    "height": "of the rooms, metres",
    "start": "where an agent begins: x, y, heading",
    "rooms": "rectangles of floor, by their south-west and north-east corners",
    "doors": "open doorways between two rooms",
    "things": "position is the middle of the box, half its half lengths along its own axes, "
    "rotation w, x, y, z",
    "json": "the whole scene as worldquiz reads it, with every part's shape and paint",
}


def most(view: View) -> int:
    """Return how many tasks a file holds at most: fewer where pictures are larger."""
    return max(SHARD // (view.camera.width * view.camera.height), 1)


def write_tasks(folder: Path, scene: str, number: int, shown: Iterable[ExportedTask]) -> str:
    """Write some of a scene's tasks as its file of a number, and return the file's name."""
    name = f"{TASK_FILES}/{scene}-{number:05}.parquet"
    rows = map(_row, shown)
    with whole_file(folder / name) as stream, _writer(stream, TASKS) as writer:
        while some := list(islice(rows, ROWS)):
            writer.write_table(pyarrow().Table.from_pylist(some, schema=schema(TASKS)))
    return name


def write_scene(folder: Path, scene: Scene) -> str:
    """Write a scene as a table of one row, and return the file's name beneath the folder."""
    name = f"{SCENE_FILES}/{scene.id}.parquet"
    table = pyarrow().Table.from_pylist([_scene(scene)], schema=schema(SCENES))
    with whole_file(folder / name) as stream, _writer(stream, SCENES) as writer:
        writer.write_table(table)
    return name


def _writer(stream: Any, columns: Columns) -> Any:
    from pyarrow import parquet

    return parquet.ParquetWriter(
        stream, schema(columns), compression="zstd", dictionary_pagesize_limit=1 << 30
    )


def _row(shown: ExportedTask) -> dict[str, Any]:
    task, view, camera = shown.task, shown.view, shown.view.camera
    pictures = [{"bytes": png, "path": None} for png in shown.pictures]
    return {
        **_same(task, "id", "type", "scene", "view", "command", "origin", "loop"),
        **_same(view, "room", "time", "agent"),
        "family": family(task.type),
        **dict(zip(_NAMES, pictures, strict=False)),
        "prompt": shown.prompt,
        "choices": list(shown.choices),
        "answer": truth(task),
        **_typed(task.truth),
        "given": dumps(task.given, Mapping[str, Given]),
        "bind": dumps(task.bind, Mapping[str, str]),
        "camera": camera.name,
        "camera_at": camera.at,
        "camera_forward": camera.forward,
        "camera_up": camera.up,
        "fovy": camera.fovy,
    }


def _same(record: object, *names: str) -> dict[str, Any]:
    """Return the columns that are called and told as parts of a record are."""
    return {name: getattr(record, name) for name in names}


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


def _scene(scene: Scene) -> dict[str, Any]:
    doors = [
        {"one": door.rooms[0], "other": door.rooms[1], **_same(door, "at", "width")}
        for door in scene.doors
    ]
    return {
        **_same(scene, "id", "style", "height", "start"),
        "seed": str(scene.seed),
        "rooms": [_same(room, "name", "kind", "low", "high") for room in scene.rooms],
        "doors": doors,
        "things": [_thing(each) for each in scene.things],
        "json": dumps(scene, Scene),
    }


def _thing(thing: Thing) -> dict[str, Any]:
    return {
        **_same(thing, "id", "label", "category", "room", "position", "rotation", "half"),
        **_same(thing, "support", "credit"),
        **_same(thing.paint, "colour", "material"),
        "mirror": thing.mirror is not None,
    }
