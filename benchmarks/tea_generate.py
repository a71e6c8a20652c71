"""What a generated task costs, as scenes and their objects grow, and what plainer ways would cost.

Each row generates a plan in a process of its own: CPU seconds, milliseconds a task, the most memory
and the disk that it took. Beside it, in the same run: a thing's whole mask drawn in its own part of
the picture, against a drawing of the whole picture for each thing; and evolution that looks up who
else tells of a thing, against a search through all tasks for each.

Scenes grow in number (of the preset tiny), by rooms as full as ever, and by what is in six rooms.

    uv run python benchmarks/tea_generate.py [--scenes 1 3 10] [--larger 30 100 300]
        [--fuller 30 100 300] [--json]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from worldquiz.rng import child_seed
from worldquiz.scenes.build import build
from worldquiz.scenes.config import Knobs
from worldquiz.scenes.generate import generate as flat
from worldquiz.scenes.generate import suite
from worldquiz.scenes.render import Canvas
from worldquiz.scenes.scene import Scene
from worldquiz.scenes.sight import look, sightings
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.encode import described, worded
from worldquiz.tea.generate import Plan, generate
from worldquiz.tea.interact import Loops
from worldquiz.tea.kinds.evolve import after, evolve
from worldquiz.tea.kinds.kinds import kinds
from worldquiz.tea.taskgraph import Crop, Instance

LARGER = {
    30: Knobs(rooms=(2, 2), most=30),
    100: Knobs(rooms=(6, 6), most=100),
    300: Knobs(rooms=(18, 18), most=300),
}
"""Knobs of flats that have so many objects: the more, the more rooms."""
FULLER = {
    30: Knobs(rooms=(6, 6), furniture=0.2, small=(0, 0), most=30, mirrors=(1, 1), lights=(1, 1)),
    100: LARGER[100],
    300: Knobs(rooms=(6, 6), furniture=1.0, small=(8, 12), most=300, mirrors=(1, 3)),
}
"""Knobs of flats of six rooms that have about so many objects: the more, the fuller."""
GROWN = {"larger": LARGER, "fuller": FULLER}
WIDE = 130
"""Characters of a table that is no terminal's."""
VIEWS, TRIED = 8, 400
"""Views and tasks that the plainer ways are tried on."""


def scenes(grown: str, size: int, seed: int) -> tuple[Scene, ...]:
    """Return so many flats of the preset tiny, or one grown to so many objects."""
    if grown == "scenes":
        return tuple(suite("tiny", seed, size))
    return (flat(GROWN[grown][size], child_seed(seed, "scene", 1), "flat-01"),)


def warm() -> None:
    """Load what is loaded once, whatever is generated."""
    described(np.zeros((48, 64, 3), np.uint8))
    worded(["warm"])
    with Canvas(build(suite("tiny", 0, 1)[0])):
        pass


def generated(grown: str, size: int, options: argparse.Namespace, out: Path) -> dict[str, Any]:
    flats = scenes(grown, size, options.seed)
    loops = Loops(2, options.trajectories, options.looks)
    wide, high = options.size
    started, began = time.process_time(), time.perf_counter()
    found = generate(Plan(options.seed, flats, loops, (wide, high)), out)
    cpu = time.process_time() - started
    return {
        "grown": grown,
        "scenes": len(flats),
        "rooms": sum(len(each.rooms) for each in flats),
        "objects": sum(len(each.things) for each in flats),
        "views": found["views"],
        "tasks": found["tasks"],
        "cpu_s": round(cpu, 2),
        "wall_s": round(time.perf_counter() - began, 2),
        "ms_a_task": round(1000 * cpu / found["tasks"], 2),
        "ms_a_view": round(1000 * cpu / found["views"], 1),
        "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
        "disk_mb": round(sum(p.stat().st_size for p in out.rglob("*")) / 1e6, 1),
    }


def plainer(folder: Folder) -> dict[str, Any]:
    """Return what masks and evolution cost, ours and plainly, and their ratios."""
    return {"masks": masks(folder), "evolution": evolution(folder)}


def masks(folder: Folder) -> dict[str, float]:
    built = build(folder.scene)
    ours = plain = 0.0
    things = 0
    views = folder.views[:: max(1, len(folder.views) // VIEWS)][:VIEWS]
    size = (views[0].camera.width, views[0].camera.height)
    with Canvas(built, size=size) as canvas:
        for view in views:
            built.stand(*view.agent)
            images = look(canvas, view.camera, room=view.room, colours=False)
            started = time.process_time()
            seen, _ = sightings(canvas, view.camera, images)
            ours += time.process_time() - started
            started = time.process_time()
            for index in np.unique(images.instances[images.instances >= 0]):
                owners, _ = canvas.owners(view.camera, built.thing == index)
                (owners >= 0).sum()
            plain += time.process_time() - started
            things += len(seen)
    return _ratio(ours, plain, things)


def evolution(folder: Folder) -> dict[str, float]:
    own = [task for task in folder.tasks if task.origin == "interaction"]
    every = kinds()
    started = time.process_time()
    made = evolve(folder.scene, folder.views, every, own)
    ours = time.process_time() - started
    told = {task.id: after(task, every) for task in own}
    tried = own[:: max(1, len(own) // TRIED)][:TRIED]
    started = time.process_time()
    for task in tried:
        for thing in task.bind.values():
            searched(thing, own, told)
    plain = (time.process_time() - started) * len(own) / len(tried)
    return _ratio(ours, plain, len(made))


def searched(thing: str, tasks: Sequence[Instance], told: dict[str, Any]) -> list[Crop]:
    """Return every picture of a thing that some task tells of, by a search through them all."""
    return [
        value
        for task in tasks
        for name, value in told[task.id].items()
        if isinstance(value, Crop) and task.bind.get(name.partition(".")[0]) == thing
    ]


def _ratio(ours: float, plain: float, count: int) -> dict[str, float]:
    return {
        "of": count,
        "ours_ms": round(1000 * ours / max(count, 1), 3),
        "plain_ms": round(1000 * plain / max(count, 1), 3),
        "ratio": round(plain / max(ours, 1e-9), 2),
    }


def alone(grown: str, size: int, options: argparse.Namespace) -> dict[str, Any]:
    """Run one row in a process of its own, so that its memory is its own."""
    wide, high = options.size
    command = [
        "--one", grown, size, "--seed", options.seed, "--trajectories", options.trajectories,
        "--looks", options.looks, "--size", wide, high,
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, __file__, *map(str, command)], check=True, capture_output=True, text=True
    )
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def one(options: argparse.Namespace) -> dict[str, Any]:
    grown, size = options.one
    warm()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "data"
        row = generated(grown, int(size), options, out)
        return {**row, **plainer(folders(out)[0])}


def printed(rows: Sequence[dict[str, Any]]) -> None:
    names = [name for name in rows[0] if name not in ("masks", "evolution")]
    table = Table(*(name.replace("_", " ") for name in names), "masks x", "evolution x", box=None)
    for row in rows:
        ratios = (str(row[name]["ratio"]) for name in ("masks", "evolution"))
        table.add_row(
            *(row[name] if name == "grown" else f"{row[name]:,}" for name in names), *ratios
        )
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, nargs="*", default=[1, 3, 10])
    for name, knobs in GROWN.items():
        parser.add_argument(f"--{name}", type=int, nargs="*", default=[*knobs], choices=knobs)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--trajectories", type=int, default=3)
    parser.add_argument("--looks", type=int, default=6)
    parser.add_argument("--size", type=int, nargs=2, default=[320, 240])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options)))
        return
    rows = [
        alone(grown, size, options)
        for grown in ("scenes", *GROWN)
        for size in getattr(options, grown)
    ]
    if options.json:
        print(json.dumps(rows))
    else:
        printed(rows)


if __name__ == "__main__":
    main()
