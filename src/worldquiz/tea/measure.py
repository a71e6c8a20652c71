"""Statistics of a folder of generated tasks: MIR, MIR-e, and task positions (Tables 1 and 2).

A scene's tasks make four sets: those of each loop, all tasks of interaction, and these with the
evolved ones. Sets are drawn down to a size at which MIR can be proven, as the paper's are (86 to
108 tasks); evolved tasks are added to the drawn ones of interaction, as many again.

Four statistics describe the positions of tasks ("Spatial Statistics", Table 2): over the positions
and upright boxes of the objects that a set's tasks are about. A task about two objects has the box
around both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from math import fsum, prod, sqrt
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from worldquiz import rng
from worldquiz.runs.executor import Done, each, silent
from worldquiz.tea import encode
from worldquiz.tea.data import Folder, cut, folders, opened
from worldquiz.tea.encode import labels, worded
from worldquiz.tea.mir import Independent, added, alike, independent
from worldquiz.tea.taskgraph import Crop, Instance
from worldquiz_scenes.geometry import bounds, spans
from worldquiz_scenes.scene import Scene, Thing, Vec
from worldquiz_scenes.view import Box

if TYPE_CHECKING:
    from worldquiz.tea.encode import Vector, Vectors

THRESHOLD = 0.8
"""Similarity above which two tasks are alike. The paper's own is lost in its text."""
CURVE = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""Thresholds that MIR is reported over beside the chosen one."""
SAMPLE = 100
"""Tasks of each set."""


def measure(
    data: Path,
    *,
    threshold: float = THRESHOLD,
    sample: int = SAMPLE,
    seed: int = 0,
    jobs: int = 1,
    done: Done = silent,
) -> dict[str, Any]:
    """Return MIR with its bound, MIR-e, curves and spatial statistics of each scene, and means.

    At most `sample` tasks are drawn of each set. Raises `RecordError`, `MissingExtra`.
    """
    by_scene = {}
    work = partial(_scene, threshold, sample, seed)
    for folder, found in each(work, folders(data), jobs=jobs):
        by_scene[folder.path.name] = found
        done(folder.path.name)
    every = [by_scene[name] for name in sorted(by_scene)]
    return {
        "threshold": threshold,
        "sample": sample,
        "mean": {
            name: _mean(one["sets"][name]["mir"] for one in every if name in one["sets"])
            for name in sorted({name for one in every for name in one["sets"]})
        },
        "mir_e": _mean(one["mir_e"] for one in every),
        "optimal": all(one_["optimal"] for one in every for one_ in one["sets"].values()),
        "by_scene": dict(sorted(by_scene.items())),
    }


def _scene(threshold: float, sample: int, seed: int, folder: Folder) -> dict[str, Any]:
    own = [task for task in folder.tasks if task.origin == "interaction"]
    grown = [task for task in folder.tasks if task.origin != "interaction"]
    loops = {f"loop {loop}": [task for task in own if task.loop == loop]
             for loop in sorted({task.loop for task in own})}  # fmt: skip

    def drawn(tasks: Sequence[Instance]) -> list[Instance]:
        if len(tasks) <= sample:
            return list(tasks)
        return rng.child(seed, "mir", folder.path.name).sample(list(tasks), sample)

    sets = {name: drawn(some) for name, some in {**loops, "interaction": own}.items()}
    new = drawn(grown)
    sets["evolved"] = [*sets["interaction"], *new]
    every = list({task.id: task for some in sets.values() for task in some}.values())
    row, parts = described(folder, every)

    def largest(some: Sequence[Instance], at: float) -> Independent:
        rows = [row[task.id] for task in some]
        return independent(alike([part[rows] for part in parts], at), len(some))

    best = {name: largest(some, threshold) for name, some in sets.items()}
    groups = {**loops, "evolved": grown}
    places = {name: spatial(folder.scene, some) for name, some in sorted(groups.items())}
    return {
        "sets": {
            name: {
                **best[name].record(),
                "curve": {str(at): largest(some, at).ratio for at in CURVE},
            }
            for name, some in sets.items()
        },
        "mir_e": added(best["interaction"], best["evolved"], len(new)),
        "spatial": {name: asdict(told) for name, told in places.items() if told is not None},
    }


def described(
    folder: Folder, tasks: Sequence[Instance]
) -> tuple[Mapping[str, int], tuple[Vectors, ...]]:
    """Return each task's row number, and the vectors of pictures, commands and labels.

    A task's picture is its object's own, where it has one, else its view's.
    """
    shown: list[tuple[str, Box | None]] = []
    for task in tasks:
        crops = [told for _, told in sorted(task.given.items()) if isinstance(told, Crop)]
        shown.append((crops[0].view, crops[0].box) if crops else (task.view, None))
    pictures: dict[object, Vector] = {}
    for name, keys in groupby(sorted(set(shown), key=repr), key=itemgetter(0)):
        whole = opened(folder, folder.view[name])
        for name_, box in keys:
            pictures[name_, box] = encode.described(whole if box is None else cut(whole, box))
    order = {key: number for number, key in enumerate(pictures)}
    rows = encode.centred(list(pictures.values()))[[order[key] for key in shown]]
    words = worded([task.command for task in tasks])
    return (
        {task.id: number for number, task in enumerate(tasks)},
        (rows, words, worded(labels(folder.scene, tasks))),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


@dataclass(frozen=True, slots=True)
class Spatial:
    """Spatial extent and spread of a set of tasks in its scene."""

    volume: float  # m3: of the upright box around all objects of all tasks
    extent: Vec  # m: its lengths along x, y and z
    spread: Vec  # m: standard deviation of the tasks' middles along x, y and z
    mean_volume: float  # m3: of one task's box
    variance_volume: float  # m6
    objects: int  # different ones
    tasks: int  # that are about an object


def spatial(scene: Scene, tasks: Iterable[Instance]) -> Spatial | None:
    """Return the statistics of a set of tasks in one scene, None if none is about an object."""
    things: dict[str, Thing] = {}
    boxes: list[tuple[Vec, Vec]] = []
    around: dict[str, tuple[Vec, Vec]] = {}
    for task in tasks:
        bound = (task.bind[name] for name in sorted(task.bind))
        mine = [scene.thing[id] for id in bound if id in scene.thing]
        if not mine:
            continue
        things.update({thing.id: thing for thing in mine})
        for thing in mine:
            if thing.id not in around:
                around[thing.id] = bounds(thing)
        boxes.append(spans(tuple(corner for thing in mine for corner in around[thing.id])))
    if not boxes:
        return None
    low, high = spans(tuple(corner for id in sorted(around) for corner in around[id]))
    extent = _between(low, high)
    volumes = [prod(_between(*box)) for box in boxes]
    mean = fsum(volumes) / len(volumes)
    variance = fsum((each - mean) ** 2 for each in volumes) / len(volumes)
    middles = [tuple((a + b) / 2 for a, b in zip(*box, strict=True)) for box in boxes]
    spread = tuple(_deviation([middle[axis] for middle in middles]) for axis in range(3))
    return Spatial(
        prod(extent), extent, (spread[0], spread[1], spread[2]), mean, variance, len(things),
        len(boxes),
    )  # fmt: skip


def _between(low: Vec, high: Vec) -> Vec:
    return high[0] - low[0], high[1] - low[1], high[2] - low[2]


def _deviation(values: list[float]) -> float:
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / len(values))
