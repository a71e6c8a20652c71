"""The places of a trace: where somebody was, from which step to which, and what it is called.

No two places have one name. Places that share a title are told apart by what distinguishes them, in
this order: the exits that were seen, a sentence of their descriptions, a number. MANGO's annotators
did the same by hand (appendix A.2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, pairwise
from typing import NamedTuple

from worldquiz.mango.maze.recorder.trace import GameTrace, ShownStep
from worldquiz.mango.maze.recorder.words import (
    dark,
    direction,
    headed,
    inside,
    label,
    printed,
    title,
)

_LONGEST = 60
"""A sentence longer than this makes no name."""


class Spot(NamedTuple):
    """What makes a place: an object, and what tells the places apart that are one object."""

    place: int
    title: str = ""  # "" where the object is one place
    cell: tuple[int, ...] = ()  # what the memory holds that says where in the object one is
    stay: int = 0  # a stay in darkness that can't be told from others; 0: it can


@dataclass(frozen=True, slots=True)
class Visit:
    """One stay in one place."""

    place: int  # the object
    look: str  # what `look` printed, "" if it was not tried
    holder: int  # what holds the object on arrival
    at_last: int  # what holds it in the end: a vehicle moves
    came: int  # the step of arrival
    left: int  # the last step of the stay
    action: str  # the one that led here
    cell: tuple[int, ...] = ()  # as in `Spot`
    within: bool = False  # it was reached from another place that is the same object

    @property
    def title(self) -> str | None:
        """The title that `look` printed, None if it printed none."""
        return title(self.look)

    @property
    def label(self) -> str | None:
        """The title, else the opening sentence."""
        return label(self.look)

    def follows(self, other: Visit) -> bool:
        """Tell whether it began right when another ended."""
        return self.came == other.left + 1


def visits(trace: GameTrace) -> list[Visit]:
    """Return the visits of a trace, in order.

    In none is a step with the player in no object, nor one that ends the game by going to what no
    text describes as a place.
    """
    found: list[Visit] = []
    now: Visit | None = None
    for seen in trace.seen:
        if not seen.place:
            now = None
            continue
        look, holder, step = seen.look or "", seen.holder, seen.step
        arrived = Visit(seen.place, look, holder, holder, step, step, seen.action, seen.cell)
        if nowhere(seen) and (now is None or seen.place != now.place):
            now = None
            continue
        if now is None or seen.place != now.place:
            found.append(arrived)
        elif _other_room(now, arrived, seen):
            found.append(replace(arrived, within=True))
        else:
            found[-1] = _stayed(now, arrived)
        now = found[-1]
    return found


def nowhere(seen: ShownStep) -> bool:
    """Tell whether the game has ended at a step whose place, if new, is no place in its world."""
    tag = label(seen.look or "")
    return seen.over and (tag is None or not printed(tag, seen.text))


def _other_room(now: Visit, new: Visit, seen: ShownStep) -> bool:
    """Tell whether a direction led to another room, the object being the same.

    Mazes of one object are like this. Its rooms differ in what the memory keeps of them, or else in
    their labels. Going dark or light is no move, nor is riding in a thing that moves.
    """
    if direction(seen.action) is None or now.at_last != new.holder:
        return False
    if now.cell and new.cell:
        return now.cell != new.cell
    if now.label is None or new.label is None:
        return False
    if now.label == new.label or dark(now.label) or dark(new.label):
        return False
    said = printed if new.title is None else headed
    return said(new.label, seen.text)


def _stayed(now: Visit, new: Visit) -> Visit:
    """Return a visit one step longer; a room that was dark is named once it is light."""
    now = replace(now, at_last=new.holder, left=new.left)
    if new.title is not None and (now.title is None or dark(now.title)):
        return replace(now, look=new.look)
    return now


def spots(stays: Sequence[Visit]) -> list[Spot]:
    """Return the place of each visit.

    An object is one place, unless a move within it was seen: then each of its cells is one, or else
    each of its titles, and one that bears the title of another object is that object's. Darkness
    that is never lit and whose exits contradict each other is a place for every stay.
    """
    split = {visit.place for visit in stays if visit.within}
    whole = {place: name for place, name in titles(stays).items() if place not in split}
    owners = {name.lower(): place for place, name in sorted(whole.items(), reverse=True)}
    lit = _cell_titles(stays)
    found: list[Spot] = []
    for visit in stays:
        name = visit.label or ""
        if visit.place not in split:
            found.append(Spot(visit.place))
        elif visit.cell:
            found.append(Spot(visit.place, lit[visit.place, visit.cell], visit.cell))
        elif name.lower() in owners:
            found.append(Spot(owners[name.lower()]))
        else:
            found.append(Spot(visit.place, name))
    return _unlit(stays, found)


def _cell_titles(stays: Sequence[Visit]) -> dict[tuple[int, tuple[int, ...]], str]:
    """Return the label of each cell: its most frequent, then first, rather than darkness."""
    votes: dict[tuple[int, tuple[int, ...]], Counter[str]] = defaultdict(Counter)
    for visit in stays:
        votes[visit.place, visit.cell][visit.label or ""] += 1
    return {
        cell: max(names, key=lambda name: (bool(name) and not dark(name), names[name]))
        for cell, names in votes.items()
    }


def _unlit(stays: Sequence[Visit], places: Sequence[Spot]) -> list[Spot]:
    """Return the places with each stay for itself where one darkness can't be one place."""
    seen: dict[Spot, bool] = {}
    exits: dict[tuple[Spot, str], set[Spot]] = defaultdict(set)
    for visit, place in zip(stays, places, strict=True):
        seen[place] = seen.get(place, False) or not dark(visit.label or "")
    for (before, after), (source, target) in zip(pairwise(stays), pairwise(places), strict=True):
        if after.follows(before):
            exits[source, after.action].add(target)
    torn = {source for (source, _), targets in exits.items() if len(targets) > 1}
    counts: Counter[Spot] = Counter()
    found = []
    for place in places:
        counts[place] += 1
        alone = place in torn and not seen[place]
        found.append(place._replace(stay=counts[place]) if alone else place)
    return found


def titles(stays: Iterable[Visit]) -> dict[int, str]:
    """Return the title of each object that was ever given one: its most frequent, then first."""
    votes: dict[int, Counter[str]] = {}
    holders: dict[int, set[int]] = defaultdict(set)
    for visit in stays:
        holders[visit.place] |= {visit.holder, visit.at_last}
        if visit.title is not None:
            votes.setdefault(visit.place, Counter())[visit.title] += 1
    return {place: _title(names, moved=len(holders[place]) > 1) for place, names in votes.items()}


def _title(names: Mapping[str, int], *, moved: bool) -> str:
    """Return one title of several; a vehicle that was in several rooms is named by itself."""
    bright = [name for name in names if not dark(name)] or list(names)
    if moved:
        seats = {words for _, words in map(inside, bright) if words is not None}
        if len(seats) == 1:
            return seats.pop()
    return max(bright, key=lambda name: names[name])


class PlaceMark(StrEnum):
    """What tells a place from its namesakes."""

    NONE = "none"  # nothing is needed
    EXITS = "exits"
    DESCRIPTION = "description"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of a place when it is named."""

    title: str
    exits: tuple[str, ...]  # sorted
    sentences: tuple[str, ...]  # of its description


class Name(NamedTuple):
    """A place's name, and how it came to be another than its title."""

    name: str
    mark: PlaceMark


def named(places: Sequence[Features]) -> list[Name]:
    """Return a name for each place, all different and in lower case."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, place in enumerate(places):
        groups[place.title.lower()].append(number)
    found: dict[int, Name] = {}
    taken = {shared for shared, group in groups.items() if len(group) == 1}
    for shared, group in groups.items():
        if len(group) == 1:
            found[group[0]] = Name(shared, PlaceMark.NONE)
            continue
        for number, name in _told_apart(shared, {n: places[n] for n in group}, taken).items():
            found[number] = name
            taken.add(name.name)
    return [found[number] for number in range(len(places))]


def _told_apart(title: str, group: Mapping[int, Features], taken: Iterable[str]) -> dict[int, Name]:
    used = set(taken)
    for mark, tell in ((PlaceMark.EXITS, _by_exits), (PlaceMark.DESCRIPTION, _by_description)):
        marks = tell(group)
        names = {number: f"{title} ({words})" for number, words in marks.items()}
        if len(set(names.values()) - used) == len(group):
            return {number: Name(name, mark) for number, name in names.items()}
    free = (name for n in count(1) if (name := f"{title} ({n})") not in used)
    return {number: Name(name, PlaceMark.NUMBER) for number, name in zip(group, free, strict=False)}


def _by_exits(group: Mapping[int, Features]) -> dict[int, str]:
    words = {0: "no exit seen", 1: "exit "}
    return {
        number: words.get(len(place.exits), "exits ") + ", ".join(place.exits)
        for number, place in group.items()
    }


def _by_description(group: Mapping[int, Features]) -> dict[int, str]:
    """Return for each place its first short sentence that no namesake's description holds."""
    shared = Counter(
        sentence for place in group.values() for sentence in dict.fromkeys(place.sentences)
    )
    found = {}
    for number, place in group.items():
        short = (sentence for sentence in place.sentences if len(sentence) <= _LONGEST)
        own = next((sentence for sentence in short if shared[sentence] == 1), None)
        if own is not None:
            found[number] = own.rstrip(".!?").lower()
    return found
