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

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from worldquiz.export.columns import IMAGE, Columns, pyarrow, schema
from worldquiz.records import dumps, whole_file
from worldquiz.scenes.scene import Scene, Thing
from worldquiz.scenes.view import View
from worldquiz.tea.export.source import PICTURES, Flat, Shown, truth
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Box2, Box3, Count, Given, Goal, Metres, Truth, Word

TASK_FILES, SCENE_FILES = "tasks", "scenes"
ROWS = 256
"""Tasks of a row group."""
SHARD = 1024 * 640 * 480
"""Pixels of the pictures of a file's tasks, at most: below 200 MB as PNG."""
_NAMES = (IMAGE, *(f"image_{number}" for number in range(2, PICTURES + 1)))

TASKS: Columns = {
    "id": "string",
    "type": "string",
    "family": "string",
    "scene": "string",
    "view": "string",
    **dict.fromkeys(_NAMES, IMAGE),
    "command": "string",
    "prompt": "string",
    "choices": ["string"],
    "answer": "string",
    "word": "string",
    "count": "int",
    "metres": "double",
    "box2d": ["int"],
    "box3d_centre": ["double"],
    "box3d_size": ["double"],
    "goal": "string",
    "within": "double",
    "given": "string",
    "bind": "string",
    "origin": "string",
    "loop": "int",
    "room": "string",
    "time": "double",
    "camera": "string",
    "camera_at": ["double"],
    "camera_forward": ["double"],
    "camera_up": ["double"],
    "fovy": "double",
    "agent": ["double"],
}
TOLD = {
    "id": "unique",
    "type": "what is asked, and how its object is told of (after -by-)",
    "family": "what is asked",
    "view": "whose picture is given; a walk starts there",
    "image": "picture 1: the view, with given boxes drawn in, or an object's own picture",
    "image_2": "picture 2, if there is one: an object's own",
    "image_3": "picture 3, if there is one: another object's own",
    "command": "the task in words",
    "prompt": "the task as a model is asked, with how to reply",
    "choices": "what it chooses from; empty where it does not",
    "answer": "the answer as JSON; exactly one of the columns from word to goal holds it typed",
    "word": "a label, a relation, or yes and no",
    "metres": "along the camera's axis",
    "box2d": "x0, y0, x1, y1 in pixels from the upper left corner; x1 and y1 outside",
    "box3d_centre": "metres in the camera's frame: x right, y down, z ahead",
    "box3d_size": "full lengths along those axes, metres",
    "goal": "the id of the thing to be reached",
    "within": "metres from it that count as being there",
    "given": "what is told of objects, as JSON by VERTEX.ATTRIBUTE",
    "bind": "things, views and mirrors by the vertices of the task's graph, as JSON",
    "origin": "interaction, reuse or recombination",
    "loop": "the loop of interaction that its views come from",
    "time": "seconds since the walk's start",
    "camera": "ego, or the name of a camera that watches",
    "camera_at": "metres; x east, y north, z up",
    "camera_forward": "a unit vector",
    "camera_up": "a unit vector",
    "fovy": "degrees from top to bottom",
    "agent": "where the agent is: x, y, heading in radians (0 looks east, growing to the left)",
}
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


def write_tasks(folder: Path, flat: Flat, number: int) -> str:
    """Write some of a scene's tasks as its file of a number, and return the file's name."""
    name = f"{TASK_FILES}/{flat.scene.id}-{number:05}.parquet"
    rows = iter(flat.shown)
    with whole_file(folder / name) as stream, _writer(stream, TASKS) as writer:
        while some := list(islice(rows, ROWS)):
            found = [_row(shown, flat.views[shown.task.view]) for shown in some]
            writer.write_table(pyarrow().Table.from_pylist(found, schema=schema(TASKS)))
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


def _row(shown: Shown, view: View) -> dict[str, Any]:
    task, camera = shown.task, view.camera
    pictures = [{"bytes": png, "path": None} for png in shown.pictures]
    return {
        "id": task.id,
        "type": task.type,
        "family": family(task.type),
        "scene": task.scene,
        "view": task.view,
        **dict(zip(_NAMES, pictures, strict=False)),
        "command": task.command,
        "prompt": shown.prompt,
        "choices": list(shown.choices),
        "answer": truth(task),
        **_typed(task.truth),
        "given": dumps(task.given, Mapping[str, Given]),
        "bind": dumps(task.bind, Mapping[str, str]),
        "origin": task.origin,
        "loop": task.loop,
        "room": view.room,
        "time": view.time,
        "camera": camera.name,
        "camera_at": camera.at,
        "camera_forward": camera.forward,
        "camera_up": camera.up,
        "fovy": camera.fovy,
        "agent": view.agent,
    }


def _typed(told: Truth) -> dict[str, Any]:
    match told:
        case Word(value):
            return {"word": value}
        case Count(value):
            return {"count": value}
        case Metres(value):
            return {"metres": value}
        case Box2(value):
            return {"box2d": value}
        case Box3(centre, size):
            return {"box3d_centre": centre, "box3d_size": size}
        case Goal(thing, within):
            return {"goal": thing, "within": within}


def _scene(scene: Scene) -> dict[str, Any]:
    rooms = [{"name": r.name, "kind": r.kind, "low": r.low, "high": r.high} for r in scene.rooms]
    doors = [
        {"one": door.rooms[0], "other": door.rooms[1], "at": door.at, "width": door.width}
        for door in scene.doors
    ]
    return {
        "id": scene.id,
        "seed": str(scene.seed),
        "style": scene.style,
        "height": scene.height,
        "start": scene.start,
        "rooms": rooms,
        "doors": doors,
        "things": [_thing(each) for each in scene.things],
        "json": dumps(scene, Scene),
    }


def _thing(thing: Thing) -> dict[str, Any]:
    return {
        "id": thing.id,
        "label": thing.label,
        "category": thing.category,
        "room": thing.room,
        "position": thing.position,
        "rotation": thing.rotation,
        "half": thing.half,
        "colour": thing.paint.colour,
        "material": thing.paint.material,
        "support": thing.support,
        "mirror": thing.mirror is not None,
        "credit": thing.credit,
    }
