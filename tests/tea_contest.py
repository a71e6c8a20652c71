"""Contests of TEA-Test for tests of the report: a flat made by hand, tasks and answers about it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import scenes
from worldquiz.tea.exam.baselines import Known, baseline
from worldquiz.tea.exam.sample import chance
from worldquiz.tea.exam.show import choices, crops, prompt, whole
from worldquiz.tea.scoring.contest import Answered, Contest, Contestant, Look, Role, ShownTask
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.scoring.navigation import Stand, Trip
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

NASTY = "</script><img src=x onerror=alert(document)> & \"'"
"""A reply, or a name, that would break a careless page."""
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


def contestant(
    name: str, role: Role, tasks: Sequence[Instance], says: Says, *, arrives: bool = False,
    trips: Sequence[Instance] = (), **settings: Any,
) -> Contestant:  # fmt: skip
    """Return a taker with what it says and how it walks."""
    answers = {}
    for each in tasks:
        told = says(each)
        answers[each.id] = Answered(told, grade(each, told, choices=choices(each)))
    gone = {each.id: trip(each.id, arrives=arrives) for each in trips}
    manifest = {"kind": "tea-run", "answerer": name, "seed": 0} | settings
    return Contestant(name, role, manifest, answers, gone)


def scripted(name: str, tasks: Sequence[Instance]) -> Says:
    """Return how a scripted taker answers."""
    return baseline(name, Known(tasks, frozenset()), 1, error=0.5)


def nasty(task: Instance) -> str:
    """Answer with markup: a name in tags, else nothing that can be read."""
    return json.dumps({"answer": "<b onclick=alert(document)>mug</b>"}) + NASTY


def contest(
    *, count: int = 8, flats: Sequence[str] = ("studio",), pictures: bool = True,
    more: Mapping[str, Says] | None = None,
) -> Contest:  # fmt: skip
    """Return a contest of the floors, a noisy perceiver, and the oracle; and of more, by name."""
    tasks, trips = asked(count, flats), walks()
    roles = {"random": Role.FLOOR, "prior": Role.FLOOR, "oracle": Role.CEILING}
    takers = [
        contestant(name, roles.get(name, Role.CONTESTANT), tasks, scripted(name, tasks),
                   trips=trips, arrives=name in ("oracle", "noisy"))
        for name in ("oracle", "random", "prior", "noisy")
    ]  # fmt: skip
    takers += [
        contestant(name, Role.CONTESTANT, tasks, says, trips=trips)
        for name, says in (more or {}).items()
    ]
    return Contest(
        {each.id: each for each in tasks}, {each.id: each for each in trips}, tuple(takers),
        chance(tasks), {"mirror-counting": {"tasks": 9, "matched": 0}},
        {"studio": scenes.studio()} if pictures else {}, look() if pictures else None,
    )  # fmt: skip


def look() -> Look:
    """Return what shows plain pictures."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (320, 240), (120, 90, 60)).save(stream, "JPEG")
    jpeg = stream.getvalue()

    def show(task: Instance) -> ShownTask:
        cuts = tuple(jpeg for _ in crops(task))
        return ShownTask(prompt(task, CAMERA), CAMERA, jpeg if whole(task) else None, cuts)

    return show
