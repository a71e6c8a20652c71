"""Where tasks are: the four spatial statistics of arXiv 2602.05249 ("Spatial Statistics", Table 2).

They are taken over the positions and upright boxes of the objects that the tasks of a set are
about. A task about two objects has the box around both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum, prod, sqrt

from worldquiz.scenes.geometry import bounds, spans
from worldquiz.scenes.scene import Scene, Thing, Vec
from worldquiz.tea.taskgraph import Instance


@dataclass(frozen=True, slots=True)
class Spatial:
    """How a set of tasks fills its scene."""

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
