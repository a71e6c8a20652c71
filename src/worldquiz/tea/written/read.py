"""Commands read from a model's reply, and bound to the things that they are about.

A thing is named by the number of its mark, by its label where one mark has it, or by a box that
overlaps a mark's. What cannot be read or bound is dropped, and counted with its reason: the
denominator of nothing shrinks in silence. A command that says again what another said is kept:
whether a writer repeats itself is what is to be measured.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from worldquiz.llm.json_replies import read_object, said
from worldquiz.llm.records import Status
from worldquiz.tea.scoring.grade import halves, overlap
from worldquiz.tea.written.marks import Mark

READ = 40_000
"""Characters of a reply that are read: the last ones."""
LONGEST = 1_200
"""Characters that a command may have."""
OVERLAP = 0.5
"""Intersection over union from which on a box means a mark's thing."""


class Drop(StrEnum):
    """Why something was dropped."""

    UNREADABLE = "no tasks in the reply"  # counts replies; all others count tasks
    ILL_FORMED = "no command of two words or more"
    TOO_LONG = "a command that is too long"
    UNBOUND = "about nothing that is marked"
    SURPLUS = "more than were asked for"


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the marked things that it is about."""

    text: str
    object: Mark
    other: Mark | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What a reply tells."""

    commands: tuple[Command, ...]
    dropped: Counter[Drop]
    status: Status


def read(reply: str, marks: Sequence[Mark], batch: int) -> Told:
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
    return Told(tuple(commands), dropped, status)


def _listed(text: str) -> tuple[list[object], Status]:
    """Return what stands for tasks in a reply, and how it could be read."""
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


def _command(told: object, marks: Sequence[Mark]) -> Command | Drop:
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
        return Command(text, first)
    other = bound(second, marks)
    if other is None:
        return Drop.UNBOUND
    return Command(text, first, None if other == first else other)


def bound(told: object, marks: Sequence[Mark]) -> Mark | None:
    """Return the mark that is meant, None where none or more than one may be."""
    match told:
        case bool():
            return None
        case int() | float():
            return next((mark for mark in marks if mark.number == told), None)
        case str():
            return _named(told, marks)
        case list():
            return _boxed(told, marks)
        case dict():
            return _described(told, marks)
    return None


def _named(text: str, marks: Sequence[Mark]) -> Mark | None:
    name = text.strip().lower().removeprefix("the ").strip(" .\"'#")
    if name.isdecimal():
        return bound(int(name), marks) if len(name) < 4 else None
    return _only([mark for mark in marks if mark.label.lower() == name])


def _described(told: dict[object, object], marks: Sequence[Mark]) -> Mark | None:
    for key in ("number", "mark", "id"):
        if key in told:
            return bound(told[key], marks)
    label, box = told.get("label", told.get("name")), told.get("box")
    if isinstance(label, str):
        same = [mark for mark in marks if mark.label.lower() == label.strip().lower()]
        marks = same or marks if box is not None else same
        return _boxed(box, marks) if box is not None else _only(same)
    return _boxed(box, marks)


def _boxed(box: object, marks: Sequence[Mark]) -> Mark | None:
    """Return the mark whose box overlaps a box most, if it does so enough."""
    if not isinstance(box, list) or len(box) != 4:
        return None
    sides = [float(each) for each in box if isinstance(each, int | float) and isfinite(each)]
    if len(sides) < 4 or not marks:
        return None
    best = max(marks, key=lambda mark: (_overlap(sides, mark.box), -mark.number))
    return best if _overlap(sides, best.box) >= OVERLAP else None


def _overlap(one: Sequence[float], two: Sequence[float]) -> float:
    return overlap(halves(one), halves(two))


def _only(found: Sequence[Mark]) -> Mark | None:
    return found[0] if len(found) == 1 else None
