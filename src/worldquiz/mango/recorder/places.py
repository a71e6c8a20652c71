"""The places of a trace: the player's stays, with their first and last steps, and names of places.

No two places have one name. Places that share a title are told apart by what distinguishes them, in
this order: the exits that were seen, a sentence of their descriptions, a number. MANGO's annotators
did the same by hand (appendix A.2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, pairwise
from typing import NamedTuple

from worldquiz.mango.recorder.trace import GameTrace, ShownStep
from worldquiz.mango.recorder.words import arrival, dark, direction, label, printed, title

_LONGEST = 60
"""A sentence longer than this makes no name."""


Chain = tuple[int, ...]
"""An object, or a thing that somebody is in and the object around it."""


class Spot(NamedTuple):
    """Identity of a place: room and vehicle, and marks that tell places in one object apart."""

    chain: Chain
    title: str = ""  # "" where the object is one place
    stay: int = 0  # a stay in darkness that can't be told from others; 0: it can


@dataclass(frozen=True, slots=True)
class Visit:
    """One stay in one place."""

    chain: Chain
    look: str  # what `look` printed, "" if it was not tried
    came: int  # the step of arrival
    left: int  # the last step of the stay
    action: str  # the one that led here
    within: bool = False  # it was reached from another place that is the same object

    @property
    def title(self) -> str | None:
        """The title that `look` printed, None if it printed none."""
        return title(self.look)

    @property
    def label(self) -> str | None:
        """The title, else the opening sentence."""
        return label(self.look)

    @property
    def dark(self) -> bool:
        """Tell whether nothing was to be seen."""
        return dark(self.label or "")

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
    top = _top(trace)
    for seen in trace.seen:
        chain = _below(seen.chain, top)
        if not chain or (nowhere(seen) and (now is None or chain != now.chain)):
            now = None
            continue
        arrived = Visit(chain, seen.look or "", seen.step, seen.step, seen.action)
        if now is None or chain != now.chain:
            found.append(arrived)
        elif _moved(now, arrived, seen):
            found.append(replace(arrived, within=True))
        else:
            found[-1] = _stayed(now, arrived)
        now = found[-1]
    return found


def _top(trace: GameTrace) -> Set[int]:
    """Return the objects that hold rooms and are none: most games of Infocom's have one."""
    chains = {seen.chain for seen in trace.seen if seen.chain}
    places = {chain[0] for chain in chains}
    held: dict[int, set[int]] = defaultdict(set)
    for chain in chains:
        if len(chain) > 1 and chain[-2] in places:
            held[chain[-1]].add(chain[-2])
    return {number for number, rooms in held.items() if number not in places and len(rooms) > 1}


def _below(chain: Chain, top: Set[int]) -> Chain:
    return chain[:-1] if len(chain) > 1 and chain[-1] in top else chain


def nowhere(seen: ShownStep) -> bool:
    """Tell whether the game has ended at a step whose place, if new, is no place in its world."""
    tag = label(seen.look or "")
    return seen.over and (tag is None or not printed(tag, seen.text))


def _moved(now: Visit, new: Visit, seen: ShownStep) -> bool:
    """Tell whether a direction led to another room of the same object, as its heading says.

    Going dark or light is no move, nor is a heading that is printed once more.
    """
    lit = now.label is not None and new.label is not None and not (now.dark or new.dark)
    shown = direction(seen.action) is not None and arrival(new.look, seen.text)
    return shown and lit and now.label != new.label


def _stayed(now: Visit, new: Visit) -> Visit:
    """Return a visit that lasts longer; a room that was dark is named once it is light."""
    now = replace(now, left=new.left)
    if new.title is not None and (now.title is None or dark(now.title)):
        return replace(now, look=new.look)
    return now


def spots(found: Sequence[Visit]) -> list[Spot]:
    """Return the place of each visit.

    An object is one place, unless a move within it was seen: then each of its titles is one, and
    one that bears the title of another object is that object's. Darkness that is never lit and
    whose exits contradict each other is a place for every stay.
    """
    split = {visit.chain for visit in found if visit.within}
    whole = {chain: name for chain, name in titles(found).items() if chain not in split}
    owners = {name.lower(): chain for chain, name in sorted(whole.items(), reverse=True)}
    spots: list[Spot] = []
    for visit in found:
        name = visit.label or ""
        if visit.chain not in split:
            spots.append(Spot(visit.chain))
        elif name.lower() in owners:
            spots.append(Spot(owners[name.lower()]))
        else:
            spots.append(Spot(visit.chain, name))
    seen: dict[Spot, bool] = {}
    exits: dict[tuple[Spot, str], set[Spot]] = defaultdict(set)
    for visit, spot in zip(found, spots, strict=True):
        seen[spot] = seen.get(spot, False) or not visit.dark
    for (before, after), (source, target) in zip(pairwise(found), pairwise(spots), strict=True):
        if after.follows(before):
            exits[source, after.action].add(target)
    torn = {source for (source, _), targets in exits.items() if len(targets) > 1}
    counts: Counter[Spot] = Counter()
    separate = []
    for spot in spots:
        counts[spot] += 1
        alone = spot in torn and not seen[spot]
        separate.append(spot._replace(stay=counts[spot]) if alone else spot)
    return separate


def titles(found: Iterable[Visit]) -> dict[Chain, str]:
    """Return the title of each room and vehicle that was ever given one: the most frequent."""
    votes: dict[Chain, Counter[str]] = defaultdict(Counter)
    for visit in found:
        if visit.title is not None:
            votes[visit.chain][visit.title] += 1
    return {chain: _title(names) for chain, names in votes.items()}


def _title(names: Mapping[str, int]) -> str:
    bright = [name for name in names if not dark(name)] or list(names)
    return max(bright, key=lambda name: names[name])


class PlaceMark(StrEnum):
    """Mark that tells a place from its namesakes."""

    NONE = "none"  # nothing is needed
    EXITS = "exits"
    DESCRIPTION = "description"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Features:
    """Facts of a place from which it is named."""

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
