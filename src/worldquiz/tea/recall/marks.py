"""For tasks about a thing that is elsewhere: had the agent's camera shown it before?

A walk to the fridge is one thing for who has seen the fridge and another for who has not. The mark
of a task tells how clearly the agent's own earlier views had shown its object.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.records import write_text
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.recall.quiz.shown import walk
from worldquiz.tea.taskgraph import Instance
from worldquiz_scenes.view import Show, View, reflected, shown

MARKED = ("navigation", "in-view")
_ORDER = (Show.HIDDEN, Show.VAGUE, Show.CLEAR)
WORDS = ("not shown", "shown, but not clearly", "shown")
"""What marks mean, in that order."""


@dataclass(frozen=True, slots=True)
class ShownMark:
    """Visibility of a task's object in the agent's views before the task's moment."""

    task: str
    thing: str
    show: Show  # CLEAR: it was shown; HIDDEN: it was not; VAGUE: in between, or in a mirror
    view: str | None  # the first view that showed it that well


def marks(folder: Folder) -> dict[str, ShownMark]:
    """Return the marks of a scene's navigation and in-view tasks, by id."""
    seen = dict(_best(walk(folder.views)))
    tasks = [task for task in folder.tasks if task.type.startswith(MARKED)]
    return {task.id: _mark(task, folder.view[task.view].time, seen) for task in tasks}


def summary(found: Mapping[str, ShownMark]) -> dict[str, dict[str, int]]:
    """Return how many tasks of each type have which mark, in `WORDS`."""
    counts: dict[str, dict[str, int]] = {}
    for id, mark in sorted(found.items()):
        row = counts.setdefault(id.partition("/")[0], dict.fromkeys(WORDS, 0))
        row[WORDS[_ORDER.index(mark.show)]] += 1
    return dict(sorted(counts.items()))


def write(data: Path, out: Path) -> dict[str, dict[str, int]]:
    """Write the marks of all scenes as JSONL, and return their summary. Raises `RecordError`."""
    found: dict[str, ShownMark] = {}
    for folder in folders(data):
        found |= marks(folder)
    lines = [json.dumps(plain(found[id]), sort_keys=True) for id in sorted(found)]
    write_text(out, "".join(f"{line}\n" for line in lines))
    return summary(found)


def plain(mark: ShownMark) -> dict[str, Any]:
    """Return a mark as a line of JSON."""
    show = WORDS[_ORDER.index(mark.show)]
    return {"id": mark.task, "thing": mark.thing, "show": show, "view": mark.view}


Times = dict[str, list[tuple[float, Show, str]]]


def _best(views: Sequence[View]) -> Times:
    """Return, for each thing, when it was first shown better than before, in order."""
    found: Times = {}
    for view in views:
        for thing, show in _shows(view):
            known = found.setdefault(thing, [])
            if not known or _ORDER.index(show) > _ORDER.index(known[-1][1]):
                known.append((view.time, show, view.id))
    return found


def _shows(view: View) -> Iterator[tuple[str, Show]]:
    for each in view.sightings:
        show = shown(view, each.thing)
        if show is not Show.HIDDEN:
            yield each.thing, show
    for mirrored in view.reflections:
        if reflected(view, mirrored) is not Show.HIDDEN:
            yield mirrored.thing, Show.VAGUE


def _mark(task: Instance, time: float, seen: Times) -> ShownMark:
    thing = task.bind["object"]
    before = [(show, id) for when, show, id in seen.get(thing, []) if when < time]
    show, view = before[-1] if before else (Show.HIDDEN, None)
    return ShownMark(task.id, thing, show, view)
