"""Answerers of TEA-Test, the scores of their replies, and data of the tasks.

A contest is some answerers' answers and walks. They need not have been asked the same; two are
compared on the tasks that both were asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from worldquiz.tea.scoring.grade import Grade
from worldquiz.tea.scoring.navigation import Trip
from worldquiz.tea.scoring.table import Scored
from worldquiz.tea.taskgraph import Instance
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Camera, View


class Role(StrEnum):
    """Role of an answerer in the comparison."""

    FLOOR = "floor"  # sees nothing
    CONTESTANT = "contestant"  # a model, a person, or a perceiver that errs
    CEILING = "ceiling"  # knows the truth


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply and its grade."""

    reply: str
    grade: Grade


@dataclass(frozen=True, slots=True)
class Contestant:
    """An answerer, with its answers and walks by the id of their task."""

    name: str
    role: Role
    settings: Mapping[str, Any]  # how it was run, as its manifest says
    answers: Mapping[str, Answered]
    trips: Mapping[str, Trip]
    usage: Mapping[str, float] = field(default_factory=dict)  # calls and tokens, if any

    def scored(self, tasks: Mapping[str, Instance]) -> tuple[Scored, ...]:
        """Return the scores of its answers, by id."""
        return tuple(
            Scored(id, tasks[id].type, tasks[id].scene, each.grade.score, each.grade.form)
            for id, each in sorted(self.answers.items())
        )


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as an answerer is shown it."""

    words: str
    camera: Camera
    view: bytes | None  # the view's picture as JPEG, without boxes; None where it is not given
    cuts: tuple[bytes, ...]  # the objects' own pictures, as JPEG


Look = Callable[[Instance], ShownTask]
"""Shows a task. Raises `RecordError` for a picture that is not there."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Answerers, and the tasks and walks that any of them was asked, by id."""

    tasks: Mapping[str, Instance]
    walks: Mapping[str, Instance]
    contestants: tuple[Contestant, ...]
    chance: Mapping[str, Mapping[str, float | None]]  # by type: `one_answer` and `words_only`
    there: Mapping[str, Mapping[str, int]]  # by type: how many `tasks` there were, and `matched`
    scenes: Mapping[str, Scene]  # by name; none where the tasks' folder was not found
    look: Look | None = None  # none where the tasks' folder was not found
    views: Mapping[str, Mapping[str, View]] = field(default_factory=dict)  # by scene and id
    photo: Callable[[View], bytes] | None = None  # a view's picture as a small JPEG
    ratings: Mapping[str, Any] = field(default_factory=dict)  # as `rating.shares` has them, if any


def shared(one: Iterable[Scored], two: Iterable[Scored]) -> list[tuple[Scored, Scored]]:
    """Return the scores of two answerers on the same tasks, by id."""
    theirs = {each.id: each for each in two}
    found = [(each, theirs[each.id]) for each in one if each.id in theirs]
    return sorted(found, key=lambda both: both[0].id)
