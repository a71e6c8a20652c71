"""Finished runs of TEA-Test set side by side: their replies, graded, and their tasks.

A run holds its tasks. Pictures, and the scenes that walks are drawn in, are in the folder of
generated tasks: where a run's manifest says it is, or where the user says. Without it there are
scores all the same.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.llm.records import used
from worldquiz.records import read_json, read_records
from worldquiz.runs.folder import HUMAN, SCORES, answered_by, told_apart
from worldquiz.runs.journal import unreached
from worldquiz.runs.losses import FAILED
from worldquiz.tea.answering import FOLDER, holds_tasks
from worldquiz.tea.data import Folder, cropped, folders, opened, pillow
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.baselines import NAMES
from worldquiz.tea.exam.exam import Exam, ExamSettings
from worldquiz.tea.exam.run import TASKS_FILE, manifest_of
from worldquiz.tea.exam.run import answers as answers_of
from worldquiz.tea.exam.sample import chance
from worldquiz.tea.exam.show import choices, crops, prompt, whole
from worldquiz.tea.rating import read_all, shares
from worldquiz.tea.scoring.contest import Answered, Contest, Contestant, Role, ShownTask
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.taskgraph import Goal, Instance
from worldquiz_scenes.view import View

WIDEST, QUALITY = 560, 72
"""Pixels and quality of a picture on a page."""
SMALL = 400
"""Pixels of a picture that a page shows of any view."""
_FLOORS = ("random", "prior", "blind")

Manifests = Mapping[Path, Mapping[str, Any]]


def read_contest(
    runs: Sequence[Path], data: Path | None = None, rated: Sequence[Path] = ()
) -> Contest:
    """Return finished runs as a contest, in order; `data` is the folder of tasks they are about.

    `rated` are folders in which people rated these tasks. Raises `RecordError` for a folder that is
    no finished run, for runs or ratings about different folders of tasks, and for a folder `data`
    that is not theirs.
    """
    manifests = {run: manifest_of(run) for run in runs}
    digest = _one_digest(manifests)
    found = _checked(data, digest) if data else _looked_for(manifests, digest)
    asked = {run: _asked(run, manifest, found, manifests) for run, manifest in manifests.items()}
    called = names(manifests)
    every = {task.id: task for tasks in asked.values() for task in tasks}
    tasks = {id: each for id, each in every.items() if not isinstance(each.truth, Goal)}
    walks = {id: each for id, each in every.items() if id not in tasks}
    gallery = Gallery(found) if found else None
    return Contest(
        dict(sorted(tasks.items())),
        dict(sorted(walks.items())),
        tuple(_contestant(run, called[run], manifests[run], asked[run]) for run in manifests),
        chance(tasks.values()),
        _there(runs),
        {name: folder.scene for name, folder in gallery.folders.items()} if gallery else {},
        gallery.look if gallery else None,
        ratings=ratings(rated, digest) if rated else {},
        views=gallery.views if gallery else {},
        photo=gallery.photo if gallery else None,
    )


def ratings(folders: Sequence[Path], digest: str) -> dict[str, Any]:
    """Return people's ratings of the tasks of a digest. Raises `RecordError` for other tasks."""
    found = read_all(folders)
    if found[0].data != digest:
        raise RecordError(
            f"{folders[0]}: rates other tasks than the runs are about: leave it out, or give runs "
            "on the folder that was rated"
        )
    return shares(found)


class Gallery:
    """Views and pictures of a folder of generated tasks."""

    def __init__(self, data: Path) -> None:
        self.folders: dict[str, Folder] = {each.path.name: each for each in folders(data)}

    @cached_property
    def views(self) -> dict[str, dict[str, View]]:
        """Each scene's views by their ids."""
        return {
            name: {view.id: view for view in folder.views} for name, folder in self.folders.items()
        }

    def look(self, task: Instance) -> ShownTask:
        """Show a task. Raises `RecordError` for a picture that is not there, `MissingExtra`."""
        folder, views = self.folders[task.scene], self.views[task.scene]
        view = views[task.view]
        told = isinstance(task.truth, Goal)
        words = task.command if told else prompt(task, view.camera)
        cuts = [cropped(folder, crop) for crop in crops(task)]
        seen = _jpeg(opened(folder, view)) if told or whole(task) else None
        return ShownTask(words, view.camera, seen, tuple(map(_jpeg, cuts)))

    def photo(self, view: View) -> bytes:
        """Return a view's picture, small. Raises as `look` does."""
        return _jpeg(opened(self.folders[view.scene], view), SMALL)


def names(manifests: Manifests) -> dict[Path, str]:
    """Call each run by its answerer, and by its folder as well where several have the same one."""
    return told_apart({run: _name(manifest) for run, manifest in manifests.items()})


def _name(manifest: Mapping[str, Any]) -> str:
    name = answered_by(manifest)
    if manifest.get("answerer") == "noisy":
        return f"{name} ({manifest['error']:g})"
    return name.replace(HUMAN, "Human", 1) if manifest.get("answerer") == HUMAN else name


def _role(manifest: Mapping[str, Any]) -> Role:
    answerer = manifest.get("answerer")
    if answerer in _FLOORS:
        return Role.FLOOR
    return Role.CEILING if answerer == NAMES[0] else Role.CONTESTANT


def _one_digest(manifests: Manifests) -> str:
    (first, manifest), *rest = manifests.items()
    for run, other in rest:
        if other.get("data") != manifest.get("data"):
            raise RecordError(
                f"{run} is about other tasks than {first}: write a page for each folder of tasks"
            )
    return str(manifest.get("data"))


def _checked(data: Path, digest: str) -> Path:
    if not holds_tasks(data, digest):
        raise RecordError(
            f"{data}: does not hold the tasks that were asked (digest {digest[:12]}...): give the "
            "folder that `worldquiz tea run` was given, or none for a page without pictures"
        )
    return data


def _looked_for(manifests: Manifests, digest: str) -> Path | None:
    """Return the folder of tasks where some run says it is, None where it is there no more."""
    named = (run / str(manifest.get(FOLDER, "")) for run, manifest in manifests.items())
    return next((data for data in named if holds_tasks(data, digest)), None)


def _asked(
    run: Path, manifest: Mapping[str, Any], data: Path | None, manifests: Manifests
) -> tuple[Instance, ...]:
    """Return a run's tasks: from its own file, else from a run of the same, else drawn again."""
    keys = ("tasks", "trips", "seed")
    alike = [each for each in manifests if all(manifests[each][k] == manifest[k] for k in keys)]
    for each in (run, *alike):
        if (each / TASKS_FILE).is_file():
            return tuple(read_records(each / TASKS_FILE, "task", Instance))
    if data is None:
        raise RecordError(
            f"{run}: holds no {TASKS_FILE}, and its tasks are not where they were: give their "
            "folder with --data DIR"
        )
    exam = Exam(data, ExamSettings(*(manifest[key] for key in keys)))
    return (*exam.tasks, *exam.walks)


def _contestant(
    run: Path, name: str, manifest: Mapping[str, Any], asked: Sequence[Instance]
) -> Contestant:
    lines = answers_of(run)
    left = unreached(run, (task.id for task in asked), lines)
    answers, trips = {}, {}
    for task in asked:
        if task.id in left or lines[task.id].get("status") == FAILED:
            continue
        line = lines[task.id]
        if isinstance(task.truth, Goal):
            trips[task.id] = walk.read(line)
        else:
            told = str(line["reply"])
            answers[task.id] = Answered(told, grade(task, told, choices=choices(task)))
    asked_model = any(line.get("usage") for line in lines.values())
    usage = used(lines.values()) if asked_model else {}
    return Contestant(name, _role(manifest), manifest, answers, trips, usage)


def _there(runs: Sequence[Path]) -> dict[str, dict[str, int]]:
    for run in runs:
        told = read_json(run / SCORES) if (run / SCORES).is_file() else {}
        if isinstance(told, dict) and isinstance(told.get("there"), dict):
            return dict(told["there"])
    return {}


def _jpeg(pixels: Any, widest: int = WIDEST) -> bytes:
    """Return pixels as JPEG, made smaller where they are wide."""
    picture = pillow().fromarray(pixels)
    if picture.width > widest:
        picture = picture.resize((widest, max(1, round(picture.height * widest / picture.width))))
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=QUALITY, optimize=True)
    return stream.getvalue()
