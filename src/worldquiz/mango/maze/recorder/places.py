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

from worldquiz.mango.maze.recorder.trace import End, GameTrace, ShownStep, Word
from worldquiz.mango.maze.recorder.words import arrival, dark, direction, label, printed, title

_LONGEST = 60
"""A sentence longer than this makes no name."""


Chain = tuple[int, ...]
"""An object, or a thing that somebody is in and the object around it."""


class Spot(NamedTuple):
    """Identity of a place: room and vehicle, and marks that tell places in one object apart."""

    chain: Chain
    title: str = ""  # "" where the object is one place
    cell: tuple[int, ...] = ()  # what the memory holds that says where in the object one is
    kind: int = 0  # which of the places that commands tell apart; 0 where they tell of one only
    stay: int = 0  # a stay in darkness that can't be told from others; 0: it can


@dataclass(frozen=True, slots=True)
class Visit:
    """One stay in one place."""

    chain: Chain
    look: str  # what `look` printed, "" if it was not tried
    came: int  # the step of arrival
    left: int  # the last step of the stay
    action: str  # the one that led here
    cell: tuple[int, ...] = ()  # as in `Spot`
    ends: tuple[tuple[Word, End | None], ...] = ()  # where words led, at its start and its end
    within: bool = False  # it was reached from another place that is the same object
    alike: bool = False  # perhaps so: the same label was printed once more

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
    text describes as a place. A direction that prints the place's heading once more begins a visit:
    whether it was a move is for `stays` to say.
    """
    found: list[Visit] = []
    now: Visit | None = None
    top = _top(trace)
    for seen in trace.seen:
        chain = _below(seen.chain, top)
        if not chain or (nowhere(seen) and (now is None or chain != now.chain)):
            now = None
            continue
        step, look = seen.step, seen.look or ""
        ends = tuple((word, end and End(_below(end.chain, top), end.label))
                     for word, end in seen.ends)  # fmt: skip
        arrived = Visit(chain, look, step, step, seen.action, seen.cell, ends)
        if now is None or chain != now.chain:
            found.append(arrived)
        elif mark := _moved(now, arrived, seen):
            found.append(replace(arrived, within=mark == "within", alike=mark == "alike"))
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


def _moved(now: Visit, new: Visit, seen: ShownStep) -> str | None:
    """Return the mark of a new visit that a direction led to in one object, None if it stayed.

    Mazes of one object are like this. Its rooms differ in what the memory keeps of them, or else in
    their labels (going dark or light is no move); or they read alike, and the next one printed its
    heading once more.
    """
    if direction(seen.action) is None:
        return None
    if now.cell and new.cell:
        return "within" if now.cell != new.cell else None
    if not arrival(new.look, seen.text):
        return None
    if now.label == new.label:
        return "alike"
    lit = now.label is not None and new.label is not None and not (now.dark or new.dark)
    return "within" if lit else None


def _stayed(now: Visit, new: Visit) -> Visit:
    """Return a visit that lasts longer; a room that was dark is named once it is light."""
    now = replace(now, left=new.left, ends=now.ends + new.ends)
    if new.title is not None and (now.title is None or dark(now.title)):
        return replace(now, look=new.look)
    return now


def stays(found: Sequence[Visit]) -> list[tuple[Visit, Spot]]:
    """Return visits with the place of each; those that turn out to be one stay are joined."""
    joined: list[tuple[Visit, Spot]] = []
    for visit, spot in zip(found, spots(found), strict=True):
        if visit.alike and joined and joined[-1][1] == spot and visit.follows(joined[-1][0]):
            joined[-1] = _stayed(joined[-1][0], visit), spot
        else:
            joined.append((visit, spot))
    return joined


def spots(found: Sequence[Visit]) -> list[Spot]:
    """Return the place of each visit, told apart by what commands do there.

    Darkness that is never lit and whose exits contradict each other even so is a place for every
    stay.
    """
    rooms = {visit.chain for visit in found if visit.within}
    groups: dict[Spot, list[int]] = defaultdict(list)
    spots = plain_spots(found)
    for number, spot in enumerate(spots):
        groups[spot].append(number)
    for spot, members in groups.items():
        mine = [found[number] for number in members]
        kinds = _kinds(mine, rooms, shut=any(visit.alike for visit in mine))
        for number, kind in zip(members, kinds, strict=True):
            spots[number] = spot._replace(kind=kind + (max(kinds) > 0))
    return _unlit(found, spots)


def _kinds(stays: Sequence[Visit], rooms: Set[Chain], *, shut: bool) -> list[int]:
    """Return the number of the place of each stay in one object, from 0 in the order of stays.

    If some commands lead from one stay to one place and from another stay to another, the stays
    were in two places. A way that changes while somebody stays, or by waiting, is no evidence. A
    stay joins the place that it contradicts in nothing and agrees with in most. Two stays of no way
    in common, each with one that the other lacks, contradict each other. With `shut`, any way that
    only one of them has does; else it may be a shut door.
    """
    steady = [_steady(stay, rooms) for stay in stays]
    known = [sum(end is not None for end in ends.values()) for ends in steady]
    groups: list[list[int]] = []
    for number in sorted(range(len(stays)), key=lambda stay: (-known[stay], stay)):
        best, most = None, -1
        for group in groups:
            agreed = []
            for one in group:
                dark_both = stays[number].dark and stays[one].dark
                agreed.append(_agreement(steady[number], steady[one], rooms, dark_both, shut))
            if None not in agreed and (total := sum(filter(None, agreed))) > most:
                best, most = group, total
        if best is None:
            groups.append(best := [])
        best.append(number)
    groups.sort(key=min)
    return [next(n for n, group in enumerate(groups) if at in group) for at in range(len(stays))]


def _differ(one: End, other: End, rooms: Set[Chain]) -> bool:
    """Tell whether two ends are two places."""
    return one.chain != other.chain or (one.chain in rooms and one.label != other.label)


def _steady(stay: Visit, rooms: Set[Chain]) -> dict[Word, End | None]:
    """Return where words lead from a stay, without those that it changes itself."""
    found: dict[Word, End | None] = {}
    changing = set()
    for word, end in stay.ends:
        before = found.get(word)
        if before is None:
            found[word] = end
        elif end is not None and _differ(before, end, rooms):
            changing.add(word)
    return {word: end for word, end in found.items() if word not in changing}


def _agreement(
    one: Mapping[Word, End | None],
    other: Mapping[Word, End | None],
    rooms: Set[Chain],
    dark_both: bool,
    shut: bool,
) -> int | None:
    """Return how many words lead from both stays to one place; None if some contradict."""
    agreed, lacking = 0, set()
    for word in one.keys() & other.keys():
        first, second = one[word], other[word]
        if first is None or second is None:
            lacking |= {first is None} if first != second else set()
        elif dark_both or dark(first.label or "") == dark(second.label or ""):  # a lamp may come
            if _differ(first, second, rooms):
                return None
            agreed += 1
    strangers = not agreed and len(lacking) > 1
    return None if strangers or (shut and lacking) else agreed


def _unlit(found: Sequence[Visit], spots: Sequence[Spot]) -> list[Spot]:
    """Return the places with each stay for itself where one darkness can't be one place."""
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


def plain_spots(found: Sequence[Visit]) -> list[Spot]:
    """Return the place of each visit as far as it shows by itself.

    An object is one place, unless a move within it was seen: then each of its cells is one, or else
    each of its titles, and one that bears the title of another object is that object's.
    """
    split = {visit.chain for visit in found if visit.within}
    whole = {chain: name for chain, name in titles(found).items() if chain not in split}
    owners = {name.lower(): chain for chain, name in sorted(whole.items(), reverse=True)}
    lit = _cell_titles(found)
    spots: list[Spot] = []
    for visit in found:
        name = visit.label or ""
        if visit.chain not in split:
            spots.append(Spot(visit.chain))
        elif visit.cell:
            spots.append(Spot(visit.chain, lit[visit.chain, visit.cell], visit.cell))
        elif name.lower() in owners:
            spots.append(Spot(owners[name.lower()]))
        else:
            spots.append(Spot(visit.chain, name))
    return spots


def _cell_titles(found: Sequence[Visit]) -> dict[tuple[Chain, tuple[int, ...]], str]:
    """Return the label of each cell: its most frequent, then first, rather than darkness."""
    votes: dict[tuple[Chain, tuple[int, ...]], Counter[str]] = defaultdict(Counter)
    for visit in found:
        votes[visit.chain, visit.cell][visit.label or ""] += 1
    return {
        cell: max(names, key=lambda name: (bool(name) and not dark(name), names[name]))
        for cell, names in votes.items()
    }


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
