"""A flat of four rooms in a row, made by hand: walks through it, and tasks about its pictures.

Nothing is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import pairwise
from math import pi
from pathlib import Path
from typing import Any

from PIL import Image

import worldquiz as wq
from views import OAK, RED, STRIPED, sighting, thing
from worldquiz.records import digest
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.save import write_scene
from worldquiz_scenes.scene import Door, Paint, Room, Scene, Thing
from worldquiz_scenes.view import Reflection, Sighting, View

WHITE = Paint("white", (0.9, 0.9, 0.9), "stone")
BLACK = Paint("black", (0.1, 0.1, 0.1), "metal")
EAST, NORTH, WEST, SOUTH = 0.0, pi / 2, pi, -pi / 2
_ROOMS = (
    ("kitchen-1", 0.0, 4.0),
    ("hall-1", 4.1, 7.0),
    ("bedroom-1", 7.1, 11.0),
    ("bathroom-1", 11.1, 14.0),
)


def flat(*more: Thing) -> Scene:
    """Return kitchen, hall, bedroom and bathroom from west to east, doorways in between.

    Mug and kettle stand on the kitchen's cabinet, a laptop lies on the bed; two of the three chairs
    are in the kitchen. Nothing hides anything.
    """
    rooms = tuple(
        Room(name, name.rsplit("-", 1)[0], (low, 0.0), (high, 4.0), OAK, WHITE)
        for name, low, high in sorted(_ROOMS)
    )
    doors = tuple(
        Door((one[0], two[0]), (one[2] + 0.05, 2.0), 0.9, "y") for one, two in pairwise(_ROOMS)
    )
    things = (
        thing("bed-1", (9.0, 3.0, 0.3), (0.9, 0.7, 0.3), room="bedroom-1", paint=STRIPED),
        thing("cabinet-1", (2.0, 3.6, 0.5), (0.4, 0.3, 0.5), paint=OAK),
        thing("chair-1", (1.0, 1.0, 0.4), (0.2, 0.2, 0.4)),
        thing("chair-2", (3.0, 1.0, 0.4), (0.2, 0.2, 0.4)),
        thing("chair-3", (8.0, 0.5, 0.4), (0.2, 0.2, 0.4), room="bedroom-1"),
        thing("kettle-1", (2.2, 3.6, 1.1), support="cabinet-1", paint=BLACK),
        thing("laptop-1", (9.0, 3.0, 0.7), support="bed-1", room="bedroom-1", paint=WHITE),
        thing("mug-1", (1.8, 3.6, 1.1), support="cabinet-1", paint=RED),
        thing("plant-1", (6.0, 3.5, 0.5), (0.2, 0.2, 0.5), room="hall-1"),
        thing("shoe-rack-1", (5.0, 0.3, 0.3), (0.4, 0.2, 0.3), room="hall-1", paint=WHITE),
        thing("stool-1", (12.0, 3.5, 0.3), (0.2, 0.2, 0.3), room="bathroom-1", paint=RED),
        thing("stove-1", (0.4, 2.0, 0.5), (0.3, 0.3, 0.5), paint=WHITE),
        thing("toilet-1", (13.5, 1.0, 0.4), (0.3, 0.2, 0.4), room="bathroom-1", paint=WHITE),
        thing("vase-1", (10.5, 0.5, 0.3), room="bedroom-1", paint=STRIPED),
    )
    ordered = tuple(sorted((*things, *more), key=lambda each: each.id))
    return Scene("row", 0, "plain", 2.5, rooms, doors, ordered, (1.0, 2.0, 0.0))


def look(
    time: float,
    x: float,
    y: float,
    heading: float,
    *seen: str | Sighting,
    reflections: tuple[Reflection, ...] = (),
) -> View:
    """Return what the agent sees from a place; things that are named are clear."""
    room = next(name for name, low, high in _ROOMS if x <= high + 0.1 or name == "bathroom-1")
    clear = [sighting(each) if isinstance(each, str) else each for each in seen]
    ordered = tuple(sorted(clear, key=lambda each: each.thing))
    return View(
        f"{int(time):04d}-ego", time, "row", room, ego(x, y, heading), (x, y, heading), ordered,
        reflections, {},
    )  # fmt: skip


def around(time: float, x: float, y: float, *seen: str | Sighting) -> list[View]:
    """Return six views from one place, all around; the first shows what is named."""
    turns = [look(time + n, x, y, n * pi / 3) for n in range(1, 6)]
    return [look(time, x, y, 0.0, *seen), *turns]


WALK = (
    look(0, 2, 2, NORTH, "mug-1", "cabinet-1", "kettle-1", "stove-1"),
    *around(1, 1, 2, "stove-1"),
    *around(10, 3.5, 3.5),
    *around(20, 3.5, 0.5),
    look(30, 2, 3, SOUTH, "chair-1", "chair-2"),
    look(31, 2, 2, EAST, "shoe-rack-1", sighting("plant-1", 200)),
)


Task = dict[str, Any]


def task(type: str, number: int, truth: Task, scene: str = "row", **more: Any) -> Task:
    """Return a task about the first picture of a flat; `more` are its command and given values."""
    made = {
        "id": f"{type}/{scene}/{number:04d}", "type": type, "scene": scene, "view": "0000-ego",
        "command": f"What of {number}?", "given": {}, "bind": {}, "origin": "interaction",
    }  # fmt: skip
    return {**made, "truth": truth, **more}


RELATIONS = ("on", "under", "left of", "right of", "above", "below", "in front of", "behind")
SIDES = ("left", "Right_1")


def word(value: str) -> Task:
    return {"kind": "word", "value": value}


def count(value: int) -> Task:
    return {"kind": "count", "value": value}


def metres(value: float) -> Task:
    return {"kind": "metres", "value": value}


def box(*value: int) -> Task:
    return {"kind": "box2", "value": value}


def solid(*value: float) -> Task:
    return {"kind": "box3", "centre": value[:3], "size": value[3:]}


def choice(value: str) -> Task:
    return {"kind": "choice", "value": value, "among": SIDES}


def several(size: int, scenes: Sequence[str] = ("row",)) -> list[Task]:
    """Return so many tasks of each shape of answer in each flat, their answers evenly spread."""
    return [
        task(kind, n, truth, scene)
        for scene in scenes
        for n in range(size)
        for kind, truth in (
            ("relation", word(RELATIONS[n % 8])),
            ("classification", word(("mug", "sofa", "plant", "tv")[n % 4])),
            ("embodied-counting", count(n % 4)),
            ("depth", metres(1 + n % 40 / 4)),
            ("localization", box(n, n, n + 40, n + 60)),
            ("localization-3d", solid(n / 100, 0, 2, 1, 1, 1)),
            ("which", choice(SIDES[n % 2])),
        )
    ]


def read_lines(path: Path) -> list[Task]:
    """Return the records of a file of views or tasks."""
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def write_lines(path: Path, records: Sequence[Task]) -> None:
    """Write the records of `views.jsonl` or `tasks.jsonl`."""
    head = {"records": len(records), "schema": f"worldquiz/{path.stem[:-1]}", "version": 1}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (head, *records)))


def walked(
    folder: Path,
    views: Iterable[View] = WALK,
    scenes: Iterable[Scene] = (),
    tasks: Iterable[Task] = (),
) -> Path:
    """Write a folder in which some flats (one, if none is given) are walked alike; return it."""
    lines, names = [asdict(view) for view in views], []
    for line in lines:
        line["files"] = {"rgb": f"views/{line['id']}.rgb.png"}
    for scene in scenes or (flat(),):
        place = folder / "scenes" / scene.id
        (place / "views").mkdir(parents=True)
        write_scene(place, scene)
        for line in lines:
            picture = Image.new("RGB", (640, 480), (int(line["time"]), 0, 0))
            picture.save(place / line["files"]["rgb"], compress_level=1)
        write_lines(place / "tasks.jsonl", [each for each in tasks if each["scene"] == scene.id])
        write_lines(place / "views.jsonl", [{**line, "scene": scene.id} for line in lines])
        names.append(scene.id)
    told = {"kind": "tea", "digest": "d16e57", "scenes": {name: {"files": {}} for name in names}}
    (folder / "manifest.json").write_text(json.dumps(told))
    return folder


def signed(data: Path) -> Path:
    """State the digests of changed files in the manifest, as who made such data would."""
    told = json.loads((data / "manifest.json").read_text())
    for scene, entry in told["scenes"].items():
        for name in entry["files"]:
            entry["files"][name] = digest((data / "scenes" / scene / name).read_bytes())
    (data / "manifest.json").write_text(json.dumps(told))
    return data


def walk_row(
    number: int, stands: Sequence[Task], *, gave_up: bool = False, answerer: str = "oracle"
) -> Task:
    """Return the row of a walk as a run keeps it."""
    arrived = stands[-1]["away"] == 0
    return {
        "benchmark": "tea", "answerer": answerer, "world": "row", "shown": True,
        "item": f"navigation/row/{number:04d}", "type": "navigation", "format": "walk",
        "status": "answered",
        "prompt": "Go to the plant.", "gold": "plant-1 within 1 m", "guess": None,
        "reply": json.dumps([each.get("at") for each in stands]), "correct": float(arrived),
        "answer": "arrived" if arrived else "gave up" if gave_up else "out of moves",
        "measures": {"type": "navigation", "stands": stands, "gave_up": gave_up},
    }  # fmt: skip


def asked(folder: Path, answerer: Any = "oracle", *, name: str = "run", **more: Any) -> wq.Run:
    """Ask about the walks of a folder, as many questions as there are if nothing else is said."""
    given: dict[str, Any] = {"views": 99, "each": 99, "seed": 1, **more}
    return wq.tea.load(folder).recall(answerer, out=folder.with_name(name), **given)
