"""A trace cut into visits: where somebody was, from which step to which, and how they got there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from worldquiz.worlds.maze.recorder.titles import dark, headed, inside, label, printed, title
from worldquiz.worlds.maze.recorder.trace import Seen, Trace
from worldquiz.worlds.maze.recorder.words import direction

Spot = tuple[int, str]
"""An object, and a title where one object stands for several places, else ""."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One stay in one place."""

    place: int  # the object
    title: str | None  # as `look` printed it, None if it printed none
    label: str | None  # the title, else the opening sentence
    look: str  # what `look` printed, "" if it was not tried
    holder: int  # what holds the object on arrival
    at_last: int  # what holds it in the end: a vehicle moves
    came: int  # the step of arrival
    left: int  # the last step of the stay
    within: bool  # it was reached from another place that is the same object


def visits(trace: Trace) -> list[Visit]:
    """Return the visits of a trace, in order. A step with the player in no object is in none."""
    found: list[Visit] = []
    now: Visit | None = None
    for seen in trace.seen:
        if not seen.place:
            now = None
            continue
        arrived = _arrival(seen)
        if now is None or seen.place != now.place:
            found.append(arrived)
        elif _other_room(now, arrived, seen):
            found.append(replace(arrived, within=True))
        else:
            found[-1] = _stayed(now, arrived)
        now = found[-1]
    return found


def _arrival(seen: Seen) -> Visit:
    name = None if seen.look is None else title(seen.look)
    tag = None if seen.look is None else label(seen.look)
    look, holder, step = seen.look or "", seen.holder, seen.step
    return Visit(seen.place, name, tag, look, holder, holder, step, step, False)


def _other_room(now: Visit, new: Visit, seen: Seen) -> bool:
    """Tell whether a direction led to a room of another label, the object being the same.

    Mazes of one object are like this. Going dark or light is no move.
    """
    if direction(seen.action) is None or now.label is None or new.label is None:
        return False
    if now.label == new.label or dark(now.label) or dark(new.label):
        return False
    said = printed if new.title is None else headed
    return said(new.label, seen.text)


def _stayed(now: Visit, new: Visit) -> Visit:
    """Return a visit one step longer; a room that was dark is named once it is light."""
    now = replace(now, at_last=new.holder, left=new.left)
    if new.title is not None and (now.title is None or dark(now.title)):
        return replace(now, title=new.title, label=new.label, look=new.look)
    return now


def spots(stays: Sequence[Visit]) -> list[Spot]:
    """Return the place of each visit.

    An object is one place, unless a move within it was seen: then each of its titles is one, and
    one that bears the title of another object is that object's.
    """
    split = {visit.place for visit in stays if visit.within}
    whole = {place: name for place, name in titles(stays).items() if place not in split}
    owners = {name.lower(): place for place, name in sorted(whole.items(), reverse=True)}
    found: list[Spot] = []
    for visit in stays:
        name = visit.label or ""
        if visit.place not in split:
            found.append((visit.place, ""))
        elif name.lower() in owners:
            found.append((owners[name.lower()], ""))
        else:
            found.append((visit.place, name))
    return found


def titles(stays: Iterable[Visit]) -> dict[int, str]:
    """Return the title of each object that was ever given one: its most frequent, then first."""
    votes: dict[int, Counter[str]] = {}
    visited = list(stays)
    holders = {visit.place for visit in visited}
    for visit in visited:
        if visit.title is not None:
            votes.setdefault(visit.place, Counter())[visit.title] += 1
    seats = {visit.place for visit in visited if visit.holder in holders}
    return {place: _title(names, seat=place in seats) for place, names in votes.items()}


def _title(names: Mapping[str, int], *, seat: bool) -> str:
    """Return one title of several; a vehicle that was in several rooms is named by itself."""
    bright = [name for name in names if not dark(name)] or list(names)
    if seat and len(bright) > 1:
        seats = {words for _, words in map(inside, bright) if words is not None}
        if len(seats) == 1:
            return seats.pop()
    return max(bright, key=lambda name: names[name])
