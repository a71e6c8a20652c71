"""What is exported, as plain values: the caller reads it from disk, one scene at a time.

`Shown` holds a task as it is asked; its pictures are made when it comes by, so only one scene's
records and a few pictures are in memory at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.scenes.scene import Scene
from worldquiz.scenes.view import View
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Box2, Box3, Count, Goal, Instance, Metres, Truth, Word

PICTURES = 3
"""The most pictures that a task shows: its view, and one of each of two objects."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A task as it is asked."""

    task: Instance
    prompt: str  # in full, with how to reply
    question: str  # the command and what is told of the pictures, without how to reply
    choices: tuple[str, ...]  # that it chooses from; none where it does not
    pictures: tuple[bytes, ...]  # as PNG, in the order in which the command counts them

    def __post_init__(self) -> None:
        if not 1 <= len(self.pictures) <= PICTURES:
            raise RecordError(
                f"task {self.task.id!r} shows {len(self.pictures)} pictures; an export holds 1 to "
                f"{PICTURES} of each task: leave its type out"
            )


@dataclass(frozen=True)
class Flat:
    """One scene with those of its tasks that are exported."""

    scene: Scene
    views: Mapping[str, View]
    shown: Iterable[Shown] = ()  # in order of the tasks; read once
    walks: Sequence[Instance] = ()
    meshes: Path | None = None  # the folder that its meshes' names are beneath


@dataclass(frozen=True, slots=True)
class Drawn:
    """Which tasks are exported, and from where: equal values, equal bytes."""

    digest: str  # of the folder of generated tasks
    seed: int
    every: bool  # all tasks, not a sample
    tasks: int = 0  # of the sample
    walks: int = 0  # of the sample
    scenes: tuple[str, ...] = ()  # by name
    licences: tuple[str, ...] = field(default=())  # of the scenes' models, by name


def truth(task: Instance) -> str:
    """Return what a task's answer is, as the JSON value that a reply holds."""
    return json.dumps(_plain(task.truth), sort_keys=True)


def _plain(told: Truth) -> Any:
    match told:
        case Word() | Count() | Metres():
            return told.value
        case Box2():
            return list(told.value)
        case Box3():
            return {"centre": list(told.centre), "size": list(told.size)}
        case Goal():
            return {"thing": told.thing, "within": told.within}


def group(task: Instance) -> str:
    """Return the broad group of a type of task, as VLMEvalKit's tables want a second level."""
    return {
        "classification": "perception",
        "localization": "perception",
        "localization-3d": "perception",
        "depth": "perception",
        "embodied-counting": "counts",
        "mirror-counting": "counts",
        "pattern-counting": "counts",
        "relation": "relations",
        "in-view": "perspective",
        "navigation": "action",
    }.get(family(task.type), "other")
