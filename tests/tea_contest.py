"""Tasks and walks of TEA-Test in an apartment made by hand, and replies to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from worldquiz.tea.exam.baselines import baseline
from worldquiz.tea.scoring.tables import Stand, Trip
from worldquiz.tea.taskgraph import (
    Box2,
    Box3,
    Count,
    Crop,
    Given,
    Goal,
    Instance,
    Metres,
    Truth,
    Word,
)
from worldquiz_scenes.view import Camera

CAMERA = Camera("ego", (0, 0, 1), (1, 0, 0), (0, 0, 1), 60.0, 320, 240)
Says = Callable[[Instance], str]


def task(
    type: str, number: int, truth: Truth, scene: str, given: dict[str, Given] | None = None
) -> Instance:
    """Return a task of a scene."""
    view = f"{number:04d}-ego"
    words = " ".join(f"the box {list(each.value)}" for each in (given or {}).values()
                     if isinstance(each, Box2))  # fmt: skip
    return Instance(
        f"{type}/{scene}/{view}/x", type, scene, view, {"view": view}, f"What of {words}?", truth,
        given or {},
    )  # fmt: skip


def asked(count: int = 8, flats: Sequence[str] = ("studio",)) -> list[Instance]:
    """Return tasks of every shape of answer, so many of each in each flat."""
    found = []
    for scene in flats:
        for n in range(count):
            box: dict[str, Given] = {"object.box2d": Box2((20 + n, 30, 90 + n, 120))}
            crop: dict[str, Given] = {"object.picture": Crop(f"{n:04d}-ego", (5, 5, 60, 60))}
            mug: dict[str, Given] = {"class.label": Word("mug")}
            found += [
                task("classification", n, Word(("mug", "sofa")[n % 2]), scene, crop),
                task("embodied-counting", n, Count(n % 3), scene, mug),
                task("depth-by-box2d", n, Metres(1 + n / 4), scene, box),
                task("localization", n, Box2((10 * n, 20, 10 * n + 80, 90)), scene, mug),
                task("localization-3d", n, Box3((0.2, 0.1, 2 + n / 4), (0.5, 0.4, 0.3)), scene),
                task("in-view", n, Word(("yes", "no")[n % 2]), scene, mug),
            ]
    return found


def walks(count: int = 3, scene: str = "studio") -> list[Instance]:
    """Return walks to the plant of a flat."""
    goal = Goal("plant-1", 1.0)
    given: dict[str, Given] = {"object.label": Word("plant")}
    return [
        replace(task("navigation", n, goal, scene, given), command="Go to the plant.")
        for n in range(count)
    ]


def trip(id: str, *, arrives: bool) -> Trip:
    """Return a walk that takes two moves, or gives up after one; a mirror shows the goal first."""
    first = Stand(3.5, False, {"mirror-1": 3.8}, ("mirror-1",), (1.2, 2.0, 0.0))
    middle = Stand(2.0, True, {"mirror-1": 2.0}, (), (2.4, 1.2, -0.5))
    last = Stand(0.0, True, {"mirror-1": 1.5}, (), (3.7, 0.7, -0.5))
    stands = (first, middle, last) if arrives else (first, middle)
    return Trip(id, stands, not arrives)


def scripted(name: str, tasks: Sequence[Instance]) -> Says:
    """Return how a scripted taker answers."""
    return baseline(name, tasks, 1, error=0.5)
