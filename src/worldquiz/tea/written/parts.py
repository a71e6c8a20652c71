"""The parts of a scene's written tasks, and the requests that each of them takes.

A part has a quota of tasks and some views. Its n-th request shows its n-th view, and goes round
them again where they do not last. What is asked next follows from the replies so far and from
nothing else, so a run that was killed asks what an undisturbed one asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from worldquiz.llm.records import Status
from worldquiz.scenes.scene import Scene
from worldquiz.scenes.view import View
from worldquiz.tea.kinds.kinds import AGENT, BOX2D, OBJECT, OTHER, VIEW, key
from worldquiz.tea.kinds.navigation import WITHIN
from worldquiz.tea.taskgraph import Box2, Goal, Instance
from worldquiz.tea.written.marks import Mark, marks
from worldquiz.tea.written.read import Command, Drop, Told, read

WITHOUT, FIRST, SECOND = "without", "first", "second"
TYPE = "command"
"""What a written task is called among the types of tasks."""
TRIES = 3
"""So many times the requests that a quota takes are made at most, for replies of no use."""
Lines = Mapping[str, Mapping[str, Any]]
"""Replies by their requests' ids."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request for tasks."""

    scene: str
    part: str
    number: int  # from 1
    view: View
    marks: tuple[Mark, ...]
    batch: int  # tasks that are asked for

    @property
    def id(self) -> str:
        """What its reply is kept under."""
        return f"{self.scene}/{self.part}/{self.number:04d}"


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a part's requests."""

    tasks: tuple[Instance, ...]  # no more than the quota
    requests: tuple[str, ...]  # their ids
    dropped: Counter[Drop]
    replies: Counter[Status]  # by how they could be read


@dataclass(frozen=True, slots=True)
class Part:
    """One set of tasks that are written in a scene."""

    scene: Scene
    name: str
    quota: int
    views: tuple[View, ...]
    near: frozenset[str]  # things that can be walked to
    batch: int

    def request(self, number: int) -> Request:
        """Return its n-th request, counted from 1."""
        view = self.views[(number - 1) % len(self.views)]
        drawn = marks(self.scene, view, self.near)
        return Request(self.scene.id, self.name, number, view, drawn, self.batch)

    def missing(self, lines: Lines) -> list[Request]:
        """Return the requests that are to be made next; none if nothing is left to be asked."""
        for some in self._rounds(lines):
            left = [each for each in some if each.id not in lines]
            if left:
                return left
        return []

    def written(self, lines: Lines) -> Written:
        """Return what the replies tell; all of them must be there."""
        requests = [each for some in self._rounds(lines) for each in some]
        told = [(each, _told(each, lines)) for each in requests]
        tasks = [
            self._task(each, number, command)
            for each, found in told
            for number, command in enumerate(found.commands, start=1)
        ]
        dropped: Counter[Drop] = Counter()
        for _, found in told:
            dropped.update(found.dropped)
        return Written(
            tuple(tasks[: self.quota]),
            tuple(each.id for each in requests),
            dropped,
            Counter(found.status for _, found in told),
        )

    def _rounds(self, lines: Lines) -> Iterator[list[Request]]:
        """Yield the requests round by round, each of as many as would do if all were of use."""
        asked, found = 0, 0
        most = TRIES * ceil(self.quota / self.batch)
        while self.views and found < self.quota and asked < most:
            wanted = min(ceil((self.quota - found) / self.batch), most - asked)
            some = [self.request(asked + number) for number in range(1, wanted + 1)]
            yield some
            asked += wanted
            found += sum(len(_told(each, lines).commands) for each in some)

    def _task(self, request: Request, number: int, command: Command) -> Instance:
        bind = {VIEW.name: request.view.id, AGENT.name: AGENT.name}
        given = {}
        for vertex, mark in ((OBJECT, command.object), (OTHER, command.other)):
            if mark is not None:
                bind[vertex.name] = mark.thing
                given[key(vertex, BOX2D)] = Box2(mark.box)
        return Instance(
            f"{TYPE}/{request.id}-{number}", TYPE, request.scene, request.view.id, bind,
            command.text, Goal(command.object.thing, WITHIN), given, self.name,
            2 if self.name.startswith(SECOND) else 1,
        )  # fmt: skip


def _told(request: Request, lines: Lines) -> Told:
    return read(str(lines[request.id]["reply"]), request.marks, request.batch)


def second(number: int) -> str:
    """Return the name of the part that comes of executing the n-th chosen task, from 1."""
    return f"{SECOND}-{number}"
