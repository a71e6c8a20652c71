"""A reader of what a walk in an apartment shows: the second road to the recall quiz's truth."""

from __future__ import annotations

import cmath
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import pi
from pathlib import Path
from typing import ClassVar

import worldquiz as wq
from worldquiz.tea.data import Folder
from worldquiz.tea.recall.shown import TELLING, Space, shares, walk
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Show, View, shown

ENOUGH, HALF = 0.9, 0.5
"""Shares of a room, and of a doorway, that the reader must have seen."""
MANY = 4


def disagreements(run: wq.Run, data: Path) -> list[str]:
    """Return the questions of a run on which the reader does not say what the run has as gold."""
    folders = {path.name: Folder(path) for path in (data / "scenes").iterdir()}
    readers = {}
    for name, folder in folders.items():
        views = walk(folder.views)[: run.manifest["views"]]
        readers[name] = ViewReader(folder.scene, views, Space(folder.scene, folder.path))
    said = {row.item: readers[row.world].answer(row.prompt, row.choices) for row in run.rows}
    right = {row.item: row.gold if row.shown else None for row in run.rows}
    return [item for item, answer in said.items() if answer != right[item]]


class ViewReader:
    """Answers from what the views of a walk show, and from questions' words.

    It knows none of the quiz's requirements and shares no code with them but how clear a thing is
    and which points a camera sees. Of a thing that was shown clearly it knows label, looks, room
    and place. It must be right on every answerable question, and have no answer to all others that
    are asked.
    """

    def __init__(self, scene: Scene, views: Sequence[View], space: Space) -> None:
        self._scene, self._views, self._space = scene, views, space
        self._known = {
            id: scene.thing[id]
            for view in views
            for id in view.seen
            if id in scene.thing and shown(view, id) is Show.CLEAR
        }
        self._things = {thing.label: thing for thing in self._known.values()}
        labels: dict[str, set[str]] = {room.name: set() for room in scene.rooms}
        for thing in self._known.values():
            labels[thing.room].add(thing.label)
        self._kinds = {
            room.name: room.kind
            for room in scene.rooms
            if any(labels[room.name].issuperset(each) for each in TELLING.get(room.kind, ()))
        }
        self._rooms = {kind: name for name, kind in self._kinds.items()}

    def answer(self, text: str, choices: Sequence[str]) -> str | None:
        """Return the answer to a question, None where it was not shown."""
        for words, rule in self.RULES.items():
            if match := re.match(words, text):
                try:
                    return rule(self, choices, *match.groups())
                except KeyError:  # a thing or a room that no view tells of
                    return None
        return None

    @cached_property
    def _viewed(self) -> dict[str, float]:
        """Share of each room that was in view."""
        *_, last = shares(self._space, [view.camera for view in self._views])
        return last

    @cached_property
    def _ways(self) -> set[frozenset[str]]:
        """The pairs of rooms whose doorway was in view or walked through."""
        space, views, found = self._space, self._views, set[frozenset[str]]()
        doors = [frozenset(door.rooms) for door in self._scene.doors]
        for before, after in pairwise(views):
            rooms = frozenset((before.room, after.room))
            if rooms in doors and space.straight(before.agent, after.agent):
                found.add(rooms)
        for view in views:
            for names, points in space.doors.items():
                if space.seen(view.camera, points).sum() >= HALF * len(points):
                    found.add(frozenset(names))
        return found

    def _count(self, choices: Sequence[str], label: str, kind: str) -> str | None:
        room = self._rooms[kind]
        count = sum(each.label == label and each.room == room for each in self._known.values())
        said = str(count) if count < MANY else f"{MANY} or more"
        return said if self._viewed[room] >= ENOUGH else None

    def _doorway(self, choices: Sequence[str], kind: str) -> str | None:
        room = self._rooms[kind]
        ends = {each: frozenset((room, self._rooms.get(each))) for each in choices}
        return next((each for each, two in ends.items() if two in self._ways), None)

    def _side(self, choices: Sequence[str], *labels: str) -> str:
        stand, face, other = (complex(*self._things[label].position[:2]) for label in labels)
        quarter = round(cmath.phase((other - stand) / (face - stand)) / (pi / 2)) % 4
        return ("ahead", "left", "behind", "right")[quarter]

    RULES: ClassVar[Mapping[str, Callable[..., str | None]]] = {
        r"In which room is the (.+)\?$": lambda self, _, it: self._kinds[self._things[it].room],
        r'How many things that one would call "(.+)" does the (.+) hold\?$': _count,
        r"Which colour has most of the (.+)\?$": lambda self, _, it: self._things[it].paint.colour,
        r"You stand at the (.+) and face the (.+)\. Where is the (.+)\?$": _side,
        r"Into which of .* a doorway lead straight from the (.+)\?": _doorway,
    }
    """How a question with some words is answered: by its choices, and the names in it."""
