"""Each task where it was asked: its words beside the view's picture and the plan of the scene.

A scene's block is read by the browser when a task of it is chosen. Pictures are kept once for each
view and cut in the browser; a page takes those of the views that most tasks are about, as long as
there is room. The plan shows where the camera stood, the things that a task is about, and walks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from worldquiz.facts.row import Row
from worldquiz.tea.exam.show import crops, whole
from worldquiz.tea.report import plan
from worldquiz.tea.report.examples import overlay, uri
from worldquiz.tea.report.tables import TakerEntry
from worldquiz.tea.scoring.contest import Contest
from worldquiz.tea.taskgraph import Goal, Instance
from worldquiz_scenes.view import View

MOST_BYTES = 3_000_000
"""Of the pictures of views on a page."""


def blocks(
    contest: Contest, shown: Sequence[TakerEntry], rows: Mapping[str, Sequence[Row]]
) -> list[dict[str, Any]]:
    """Return a block for each scene, with its tasks in the order of `report.asked.of_rows`."""
    asked: dict[str, dict[str, None]] = {}
    for row in (row for some in rows.values() for row in some):
        asked.setdefault(row.world, {}).setdefault(row.question)
    every = {**contest.tasks, **contest.walks}
    pictures = _pictures(contest)
    return [
        _scene(contest, shown, scene, [every[id] for id in ids], pictures)
        for scene, ids in asked.items()
    ]


def _pictures(contest: Contest, most: int = MOST_BYTES) -> dict[tuple[str, str], str]:
    """Return pictures by scene and view, of the views that most tasks are about."""
    if contest.photo is None:
        return {}
    wanted = Counter(
        (task.scene, view)
        for task in (*contest.tasks.values(), *contest.walks.values())
        for view in dict.fromkeys(_shown(task))
    )
    found: dict[tuple[str, str], str] = {}
    for scene, view in sorted(wanted, key=lambda place: (-wanted[place], place)):
        picture = uri(contest.photo(contest.views[scene][view]))
        most -= len(picture)
        if most < 0:
            break
        found[scene, view] = picture
    return found


def _shown(task: Instance) -> Iterator[str]:
    """Yield the views that a task shows, or parts of them."""
    if _is_whole(task):
        yield task.view
    yield from (crop.view for crop in crops(task))


def _is_whole(task: Instance) -> bool:
    return isinstance(task.truth, Goal) or whole(task)


def _scene(
    contest: Contest,
    shown: Sequence[TakerEntry],
    name: str,
    tasks: Sequence[Instance],
    pictures: Mapping[tuple[str, str], str],
) -> dict[str, Any]:
    scene, views = contest.scenes.get(name), contest.views.get(name, {})
    used = sorted({view for task in tasks for view in (task.view, *_shown(task)) if view in views})
    things = sorted({each for task in tasks for each in task.bind.values()})
    box, scale = plan.sheet(scene) if scene else ("", 0.0)
    return {
        "box": box,
        "flat": plan.flat(scene) if scene else "",
        "pictures": {view: pictures[name, view] for view in used if (name, view) in pictures},
        "scale": round(scale, 2),
        "things": {
            each: [scene.thing[each].label, plan.marked(scene.thing[each])]
            for each in things
            if scene and each in scene.thing
        },
        "tasks": [_task(contest, shown, task, views.get(task.view)) for task in tasks],
        "views": {
            view: [views[view].camera.width, views[view].camera.height,
                   plan.looking(scene, views[view]) if scene else ""]
            for view in used
        },
    }  # fmt: skip


def _task(
    contest: Contest, shown: Sequence[TakerEntry], task: Instance, view: View | None
) -> dict[str, Any]:
    scene = contest.scenes.get(task.scene)
    walks = isinstance(task.truth, Goal)
    trips = [
        (entry.tag, entry.colour, entry.taker.trips[task.id])
        for entry in shown
        if task.id in entry.taker.trips and entry.taker.trips[task.id].stands[0].at is not None
    ]
    return {
        "cuts": [[crop.view, list(crop.box)] for crop in crops(task)],
        "lines": overlay(task, view.camera, shown) if view and not walks and whole(task) else "",
        "things": sorted(set(task.bind.values())),
        "view": task.view,
        "walks": plan.walked(scene, task.truth.thing, trips)
        if scene and isinstance(task.truth, Goal)
        else "",
        "whole": _is_whole(task),
    }
