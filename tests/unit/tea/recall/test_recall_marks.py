"""Marks: had the agent's camera shown a task's object before the task?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from recalls import NORTH, flat, look
from views import sighting
from worldquiz.tea.data import Folder
from worldquiz.tea.recall.marks import marks, summary
from worldquiz.tea.taskgraph import Goal, Instance, Word
from worldquiz_scenes.view import Reflection, Show, View


def task(type: str, view: str, thing: str) -> Instance:
    bind = {"view": view, "object": thing, "agent": "agent"}
    truth = Goal(thing, 1.5) if type.startswith("navigation") else Word("yes")
    return Instance(f"{type}/row/{view}/{thing}", type, "row", view, bind, "?", truth, {})


def folder(views: list[View], *tasks: Instance) -> Folder:
    made = Folder(Path("nowhere"))
    vars(made).update(scene=flat(), views=tuple(views), tasks=tasks)
    return made


def test_only_the_agents_own_earlier_views_count() -> None:
    watch = look(1, 2, 2, NORTH, "mug-1")
    watch = replace(watch, id="0001-watch", camera=replace(watch.camera, name="watch-kitchen-1-1"))
    views = [
        look(0, 2, 2, NORTH, sighting("mug-1", 90)), watch, look(2, 2, 2, NORTH, "mug-1"),
        look(3, 2, 2, NORTH, "bed-1"),
    ]  # fmt: skip
    tasks = [task("navigation", view.id, "mug-1") for view in views]
    found = list(marks(folder(views, *tasks)).values())
    assert [mark.show for mark in found] == [Show.HIDDEN, Show.VAGUE, Show.VAGUE, Show.CLEAR]
    assert [mark.view for mark in found] == [None, "0000-ego", "0000-ego", "0002-ego"]


def test_a_mirror_shows_but_not_clearly() -> None:
    mirrored = Reflection("mug-1", "mirror-1", 9000, 1.0, (0, 0, 99, 99))
    views = [look(0, 2, 2, NORTH, reflections=(mirrored,)), look(1, 2, 2, NORTH)]
    (mark,) = marks(folder(views, task("in-view", "0001-ego", "mug-1"))).values()
    assert mark.show is Show.VAGUE


def test_other_tasks_have_no_mark_and_marks_are_counted_by_type() -> None:
    views = [look(0, 2, 2, NORTH, "mug-1"), look(1, 2, 2, NORTH)]
    found = marks(
        folder(
            views,
            task("depth", "0001-ego", "mug-1"),
            task("navigation-by-picture", "0001-ego", "mug-1"),
            task("in-view", "0001-ego", "bed-1"),
        )
    )
    assert summary(found) == {
        "in-view": {"not shown": 1, "shown, but not clearly": 0, "shown": 0},
        "navigation-by-picture": {"not shown": 0, "shown, but not clearly": 0, "shown": 1},
    }
