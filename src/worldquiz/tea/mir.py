"""MIR, the share of tasks in a set that do not repeat others (arXiv 2602.05249, equations 9-11).

Two tasks are alike if their similarity is above a threshold. The maximum independent ratio (MIR) is
the size of the largest subset in which no two tasks are alike, divided by the size of the set. Each
result comes with an upper bound. The paper does not state its threshold, so MIR is also computed
for a range of thresholds.

The solver HiGHS searches for this subset, and proves that none is larger, if it can within a fixed
number of steps.

A scene's tasks form several sets: the tasks of each loop, all tasks from interaction, and these
together with evolved tasks. At most `SAMPLE` tasks are taken at random, about as many as in the
paper's sets (86 to 108), so that MIR can be proven; the last set joins two such samples.

Four statistics describe where tasks are ("Spatial Statistics", Table 2). They are computed from the
positions and axis-aligned boxes of the objects in a set's tasks; a task about two objects has the
box around both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import prod, sqrt
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any

from worldquiz import rng
from worldquiz.plugins import need
from worldquiz.runs.executor import Done, each, silent
from worldquiz.tea.data import Folder, cut, folders, opened
from worldquiz.tea.interact import embedded, modalities
from worldquiz.tea.kinds.kinds import Crop, Instance
from worldquiz_scenes.arrays import Longs, Mask, Singles, np
from worldquiz_scenes.geometry import bounds, spans
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Box

optimize = need("scipy.optimize", extra="tea")
sparse = need("scipy.sparse", extra="tea")

THRESHOLD = 0.8
"""Similarity above which two tasks are alike. The paper's own is missing from its text."""
CURVE = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""Thresholds at which MIR is reported, besides the chosen one."""
SAMPLE = 100
"""Most tasks in a set."""
ROUNDING = 1e-6
"""Tolerance for equal cosines, which depend on the machine's arithmetic."""
NODES = 200
"""Most nodes that the solver may branch on. There is no time limit, for equal results anywhere."""
SURE = 1e-6
"""Tolerance for rounding a bound to a whole number."""


@dataclass(frozen=True, slots=True)
class Independent:
    """A largest set of tasks no two of which are alike, or the largest one that was found."""

    chosen: tuple[int, ...]  # in order
    bound: int  # no set can be larger
    of: int  # tasks in all

    @property
    def optimal(self) -> bool:
        """True if it is proven that no larger set exists."""
        return len(self.chosen) == self.bound

    @property
    def ratio(self) -> float | None:
        """MIR, the share of the tasks in the largest set; None without tasks."""
        return len(self.chosen) / self.of if self.of else None

    def record(self) -> dict[str, Any]:
        """Return the result as a JSON object."""
        return {
            "tasks": self.of,
            "independent": len(self.chosen),
            "bound": self.bound,
            "optimal": self.optimal,
            "mir": self.ratio,
        }


def alike(modalities: Sequence[Singles], threshold: float) -> Longs:
    """Return the pairs of tasks whose similarity is above a threshold, the lower number first.

    Similarity is the mean over modalities of the cosine of the tasks' embeddings (equation 8).
    Raises `MissingExtra`.
    """
    total = np.float32(0)
    for part in modalities:
        like: Any = part @ part.T
        total = total + (like.toarray() if sparse.issparse(like) else like)
    pairs: Longs = np.argwhere(np.triu(total > (threshold + ROUNDING) * len(modalities), 1))
    return pairs


def independent(pairs: Longs, size: int) -> Independent:
    """Return a largest subset of the numbers 0..size-1 in which no two form a pair.

    The result is maximal: every number outside it forms a pair with a number in it. It does not
    depend on the order of the pairs. Raises `MissingExtra`.
    """
    near = np.zeros((size, size), bool)
    near[pairs[:, 0], pairs[:, 1]] = near[pairs[:, 1], pairs[:, 0]] = True
    np.fill_diagonal(near, val=False)
    best, bound, edges = _filled(near, []), size, np.argwhere(np.triu(near))
    if count := len(edges):
        ends = np.arange(0, 2 * count + 1, 2)
        rows = sparse.csr_array((np.ones(2 * count), edges.ravel(), ends), shape=(count, size))
        answer = optimize.milp(
            -np.ones(size), integrality=np.ones(size), bounds=optimize.Bounds(0, 1),
            constraints=optimize.LinearConstraint(rows, ub=1), options={"node_limit": NODES},
        )  # fmt: skip
        if answer.x is not None:
            best = max(best, _filled(near, np.flatnonzero(answer.x > 0.5).tolist()), key=len)
        if answer.mip_dual_bound is not None:
            bound = int(-answer.mip_dual_bound + SURE)
    return Independent(tuple(best), max(bound, len(best)), size)


def added(before: Independent, after: Independent, new: int) -> float | None:
    """Return MIR-e: how much `new` evolved tasks enlarge the largest set, per task (eq. 11)."""
    return (len(after.chosen) - len(before.chosen)) / new if new else None


def _filled(near: Mask, start: list[int]) -> list[int]:
    """Extend an independent set to a maximal one, adding tasks with the fewest alike first."""
    found = list(start)
    free: Mask = np.logical_not(near[found].any(axis=0))
    free[found] = False
    while free.any():
        degrees = np.where(free, near[:, free].sum(axis=1), len(near))
        found.append(int(degrees.argmin()))
        free &= ~near[found[-1]]
        free[found[-1]] = False
    return sorted(found)


def measure(data: Path, *, seed: int = 0, jobs: int = 1, done: Done = silent) -> dict[str, Any]:
    """Return how diverse each scene's tasks are (MIR, MIR-e), spatial statistics, and means.

    Raises `RecordError`, `MissingExtra`.
    """
    by_scene = {}
    for folder, found in each(partial(_scene, seed), folders(data), jobs=jobs):
        by_scene[folder.path.name] = found
        done(folder.path.name)
    every = [by_scene[name] for name in sorted(by_scene)]
    return {
        "threshold": THRESHOLD,
        "sample": SAMPLE,
        "mean": {
            name: _mean(one["sets"][name]["mir"] for one in every if name in one["sets"])
            for name in sorted({name for one in every for name in one["sets"]})
        },
        "mir_e": _mean(one["mir_e"] for one in every),
        "optimal": all(one_["optimal"] for one in every for one_ in one["sets"].values()),
        "by_scene": dict(sorted(by_scene.items())),
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _scene(seed: int, folder: Folder) -> dict[str, Any]:
    own = [task for task in folder.tasks if task.origin == "interaction"]
    grown = [task for task in folder.tasks if task.origin != "interaction"]
    loops = {f"loop {loop}": [task for task in own if task.loop == loop]
             for loop in sorted({task.loop for task in own})}  # fmt: skip

    def drawn(tasks: list[Instance]) -> list[Instance]:
        if len(tasks) <= SAMPLE:
            return tasks
        return rng.child(seed, "mir", folder.path.name).sample(tasks, SAMPLE)

    sets = {name: drawn(some) for name, some in {**loops, "interaction": own}.items()}
    new = drawn(grown)
    sets["evolved"] = [*sets["interaction"], *new]
    largest = measured(folder, sets.values())
    best = {name: largest(some) for name, some in sets.items()}
    places = {
        name: spatial(folder.scene, some)
        for name, some in sorted({**loops, "evolved": grown}.items())
    }
    return {
        "sets": {
            name: {
                **found.record(),
                "curve": {str(at): largest(sets[name], at).ratio for at in CURVE},
            }
            for name, found in best.items()
        },
        "mir_e": added(best["interaction"], best["evolved"], len(new)),
        "spatial": {name: told for name, told in places.items() if told is not None},
    }


def measured(folder: Folder, sets: Iterable[Sequence[Instance]]) -> Callable[..., Independent]:
    """Return a function that takes some tasks of `sets`, and a threshold (by default `THRESHOLD`),
    and returns the largest set of these tasks that do not repeat each other."""
    every = list({task.id: task for some in sets for task in some}.values())
    row = {task.id: number for number, task in enumerate(every)}
    vectors = described(folder, every)

    def largest(some: Sequence[Instance], threshold: float = THRESHOLD) -> Independent:
        rows = [row[task.id] for task in some]
        return independent(alike([part[rows] for part in vectors], threshold), len(some))

    return largest


def described(folder: Folder, tasks: Sequence[Instance]) -> tuple[Singles, ...]:
    """Return the embeddings of tasks' pictures, commands and subjects.

    A task's picture is that of its object, if the task gives one, otherwise that of its view.
    """
    shown: list[tuple[str, Box | None]] = []
    for task in tasks:
        crops = [told for _, told in sorted(task.given.items()) if isinstance(told, Crop)]
        shown.append((crops[0].view, crops[0].box) if crops else (task.view, None))
    pictures: dict[object, Singles] = {}
    for name, keys in groupby(sorted(set(shown), key=repr), key=itemgetter(0)):
        whole = opened(folder, folder.view[name])
        for key in keys:
            pictures[key] = embedded(whole if key[1] is None else cut(whole, key[1]))
    return modalities(folder.scene, tasks, pictures, shown)


def spatial(scene: Scene, tasks: Iterable[Instance]) -> dict[str, Any] | None:
    """Return spatial statistics of a set of tasks (m, m3), None if no task has an object.

    `volume` and `extent` are those of the axis-aligned box around all objects. `spread` is the
    standard deviation of the centres of the tasks' boxes along x, y and z. `task_volume` is the
    mean volume of these boxes. `objects` counts different objects, `tasks` the tasks that have any.
    """
    about = [[id for _, id in sorted(task.bind.items()) if id in scene.thing] for task in tasks]
    around = {id: bounds(scene.thing[id]) for ids in about for id in ids}
    boxes = [spans(tuple(corner for id in ids for corner in around[id])) for ids in about if ids]
    if not boxes:
        return None

    def deviation(values: Sequence[float]) -> float:
        mean = fmean(values)
        return sqrt(fmean((value - mean) ** 2 for value in values))

    low, high = spans(tuple(corner for id in sorted(around) for corner in around[id]))
    extent = tuple(b - a for a, b in zip(low, high, strict=True))
    middles = [[(a + b) / 2 for a, b in zip(*box, strict=True)] for box in boxes]
    x, y, z = map(deviation, zip(*middles, strict=True))
    volumes = [prod(b - a for a, b in zip(*box, strict=True)) for box in boxes]
    return {
        "volume": prod(extent),
        "extent": extent,
        "spread": (x, y, z),
        "task_volume": fmean(volumes),
        "task_volume_sd": deviation(volumes),
        "objects": len(around),
        "tasks": len(boxes),
    }
