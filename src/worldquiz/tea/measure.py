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
from worldquiz.tea.mir import EXACT, Independent, added, alike, independent
from worldquiz.tea.taskgraph import Crop, Instance
from worldquiz_scenes.geometry import bounds, spans
from worldquiz_scenes.scene import Scene, Thing, Vec

if TYPE_CHECKING:
    from worldquiz.tea.encode import Vector, Vectors

THRESHOLD = 0.8
"""Similarity above which two tasks are alike. The paper's own is lost in its text."""
CURVE = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""Thresholds that MIR is reported over beside the chosen one."""
SAMPLE = 100
"""Tasks of each set."""
PARTS = 200
"""Tasks of a part up to which curves are proven; sets of SAMPLE are wholly."""


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

    `sample` tasks are drawn of each set; 0 takes all. Raises `RecordError`, `MissingExtra`.
    """
    by_scene = {}
    work = partial(_scene, threshold, sample, seed)
    for folder, found in each(work, folders(data), jobs=jobs, places=[data]):
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
    sets = _sets(folder, sample, seed)
    every = list({task.id: task for some in sets.values() for task in some}.values())
    rows = described(folder, every)
    found: dict[str, Any] = {}
    best: dict[str, Independent] = {}
    for name, some in sets.items():
        numbers = [rows[0][task.id] for task in some]
        modalities = [part[numbers] for part in rows[1]]
        best[name] = _largest(modalities, threshold)
        found[name] = {
            **best[name].record(),
            "curve": {str(each_): _largest(modalities, each_, PARTS).ratio for each_ in CURVE},
        }
    new = len(sets["evolved"]) - len(sets["interaction"])
    return {
        "sets": found,
        "mir_e": added(best["interaction"], best["evolved"], new),
        "spatial": _statistics(folder),
    }


def _statistics(folder: Folder) -> dict[str, Any]:
    """Return the spatial statistics of all tasks of each loop, and of the evolved ones."""
    groups: dict[str, list[Instance]] = {}
    for task in folder.tasks:
        grown = task.origin != "interaction"
        groups.setdefault("evolved" if grown else f"loop {task.loop}", []).append(task)
    found = {name: spatial(folder.scene, some) for name, some in sorted(groups.items())}
    return {name: asdict(each_) for name, each_ in found.items() if each_ is not None}


def _sets(folder: Folder, sample: int, seed: int) -> dict[str, list[Instance]]:
    own = [task for task in folder.tasks if task.origin == "interaction"]
    grown = [task for task in folder.tasks if task.origin != "interaction"]
    loops = sorted({task.loop for task in own})
    draw = partial(_drawn, sample=sample, seed=seed, scene=folder.path.name)
    sets = {f"loop {loop}": draw([t for t in own if t.loop == loop]) for loop in loops}
    sets["interaction"] = draw(own)
    sets["evolved"] = [*sets["interaction"], *draw(grown)]
    return sets


def _drawn(tasks: Sequence[Instance], *, sample: int, seed: int, scene: str) -> list[Instance]:
    if not sample or len(tasks) <= sample:
        return list(tasks)
    return rng.child(seed, "mir", scene).sample(list(tasks), sample)


def _largest(modalities: Sequence[Vectors], threshold: float, exact: int = EXACT) -> Independent:
    return independent(alike(modalities, threshold), modalities[0].shape[0], exact=exact)


def described(
    folder: Folder, tasks: Sequence[Instance]
) -> tuple[Mapping[str, int], tuple[Vectors, ...]]:
    """Return each task's row number, and the vectors of pictures, commands and labels."""
    shown = [_shown(task) for task in tasks]
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


def _shown(task: Instance) -> tuple[str, tuple[int, int, int, int] | None]:
    """Return the picture that a task is mostly about: an object's own, else its view's."""
    crops = [told for _, told in sorted(task.given.items()) if isinstance(told, Crop)]
    return (crops[0].view, crops[0].box) if crops else (task.view, None)


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
        mine = _things(scene, task.bind)
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


def _things(scene: Scene, bind: Mapping[str, str]) -> list[Thing]:
    return [scene.thing[bind[name]] for name in sorted(bind) if bind[name] in scene.thing]


def _between(low: Vec, high: Vec) -> Vec:
    return high[0] - low[0], high[1] - low[1], high[2] - low[2]


def _deviation(values: list[float]) -> float:
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / len(values))
