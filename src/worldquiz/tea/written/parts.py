"""The parts of a scene's written tasks, the requests that each takes, and the parser of replies.

A part has a quota of tasks and some views. Its n-th request shows its n-th view; if there are more
requests than views, the views repeat in order. The next request follows from the replies so far and
from nothing else, so a resumed run asks the same as an undisturbed one.

Commands are read from replies and bound to the things that they are about. A thing is named by the
number of its mark, or by its label where one mark has it. A command that cannot be read or bound is
dropped, and counted with its reason, so that no denominator shrinks unseen. A command that repeats
another is kept: the writer's repetition is to be measured.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Any

from worldquiz.llm.json_replies import read_object, said
from worldquiz.llm.model import Status
from worldquiz.tea.kinds.kinds import AGENT, BOX2D, OBJECT, OTHER, VIEW, key
from worldquiz.tea.kinds.perception import WITHIN
from worldquiz.tea.taskgraph import Box2, Goal, Instance
from worldquiz.tea.written.marks import Mark, Request, marks
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

WITHOUT, FIRST, SECOND = "without", "first", "second"
TYPE = "command"
"""What a written task is called among the types of tasks."""
TRIES = 3
"""So many times the requests that a quota takes are made at most, for replies of no use."""
READ = 40_000
"""Characters of a reply that are read: the last ones."""
LONGEST = 1_200
"""Characters that a command may have."""
Lines = Mapping[str, Mapping[str, Any]]
"""Replies by their requests' ids."""


class Drop(StrEnum):
    """Why something was dropped."""

    UNREADABLE = "no tasks in the reply"  # counts replies; all others count tasks
    ILL_FORMED = "no command of two words or more"
    TOO_LONG = "a command that is too long"
    UNBOUND = "about nothing that is marked"
    SURPLUS = "more than were asked for"


@dataclass(frozen=True, slots=True)
class WrittenCommand:
    """A command, and the marked things that it is about."""

    text: str
    object: Mark
    other: Mark | None = None


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """Commands read from a reply, and the dropped ones."""

    commands: tuple[WrittenCommand, ...]
    dropped: Counter[Drop]
    status: Status


@dataclass(frozen=True, slots=True)
class WritingOutcome:
    """Result of a part's requests."""

    tasks: tuple[Instance, ...]  # no more than the quota
    requests: tuple[str, ...]  # their ids
    dropped: Counter[Drop]
    replies: Counter[Status]  # by how they could be read


@dataclass(frozen=True, slots=True)
class WritingPart:
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

    def written(self, lines: Lines) -> WritingOutcome:
        """Return the outcome of the replies; all of them must be there."""
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
        return WritingOutcome(
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

    def _task(self, request: Request, number: int, command: WrittenCommand) -> Instance:
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


def _told(request: Request, lines: Lines) -> WrittenReply:
    return read(str(lines[request.id]["reply"]), request.marks, request.batch)


def second(number: int) -> str:
    """Return the name of the part that comes of executing the n-th chosen task, from 1."""
    return f"{SECOND}-{number}"


def read(reply: str, marks: Sequence[Mark], batch: int) -> WrittenReply:
    """Return the commands of a reply to a request for `batch` of them about these marks."""
    listed, status = _listed(reply[-READ:])
    dropped: Counter[Drop] = Counter()
    if status is Status.UNREADABLE:
        dropped[Drop.UNREADABLE] += 1
    if len(listed) > batch:
        dropped[Drop.SURPLUS] += len(listed) - batch
    commands = []
    for each in listed[:batch]:
        found = _command(each, marks)
        if isinstance(found, Drop):
            dropped[found] += 1
        else:
            commands.append(found)
    return WrittenReply(tuple(commands), dropped, status)


def _listed(text: str) -> tuple[list[object], Status]:
    """Return a reply's list of tasks, and the form in which it could be read."""
    bare = text.strip()
    if bare.startswith("["):
        try:
            whole = json.loads(bare)
        except (ValueError, RecursionError):
            whole = None
        if isinstance(whole, list):
            return whole, Status.REPAIRED if whole else Status.UNREADABLE
    found, status = read_object(bare, "tasks")
    if status is Status.UNREADABLE:
        found, status = read_object(bare, "command")
        return ([found], Status.REPAIRED) if found else ([], Status.UNREADABLE)
    told = found["tasks"]
    return (told, status) if isinstance(told, list) and told else ([], Status.UNREADABLE)


def _command(told: object, marks: Sequence[Mark]) -> WrittenCommand | Drop:
    if not isinstance(told, dict):
        return Drop.ILL_FORMED
    text = said(told.get("command")) if isinstance(told.get("command"), str) else ""
    if len(text.split()) < 2:
        return Drop.ILL_FORMED
    if len(text) > LONGEST:
        return Drop.TOO_LONG
    first = bound(told.get("object"), marks)
    if first is None:
        return Drop.UNBOUND
    second = told.get("other")
    if second is None or second in ("", "null", "none", 0):
        return WrittenCommand(text, first)
    other = bound(second, marks)
    if other is None:
        return Drop.UNBOUND
    return WrittenCommand(text, first, None if other == first else other)


def bound(told: object, marks: Sequence[Mark]) -> Mark | None:
    """Return the mark that is meant, None where none or more than one may be."""
    if isinstance(told, str):
        name = told.strip().lower().removeprefix("the ").strip(" .\"'#")
        if not name.isdecimal():
            same = [mark for mark in marks if mark.label.lower() == name]
            return same[0] if len(same) == 1 else None
        told = int(name) if len(name) < 4 else None
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    return next((mark for mark in marks if mark.number == told), None)
