"""The places of a trace: the player's stays, with their first and last steps, and names of places.

No two places have one name. Places that share a title are told apart by the exits that were seen,
else by a number. MANGO's annotators did the same by hand (appendix A.2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from worldquiz.mango.recorder.trace import GameTrace, ShownStep
from worldquiz.mango.recorder.words import arrival, dark, direction, label, printed, title

Chain = tuple[int, ...]
"""An object, or a thing that somebody is in and the object around it."""


class Spot(NamedTuple):
    """Identity of a place: room and vehicle, and a title where an object is several places."""

    chain: Chain
    title: str = ""  # "" where the object is one place


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
    one that bears the title of another object is that object's.
    """
    split = {visit.chain for visit in found if visit.within}
    whole = {chain: name for chain, name in titles(found).items() if chain not in split}
    owners = {name.lower(): chain for chain, name in sorted(whole.items(), reverse=True)}
    places = []
    for visit in found:
        name = visit.label or ""
        if visit.chain not in split:
            places.append(Spot(visit.chain))
        elif name.lower() in owners:
            places.append(Spot(owners[name.lower()]))
        else:
            places.append(Spot(visit.chain, name))
    return places


def titles(found: Iterable[Visit]) -> dict[Chain, str]:
    """Return the title of each room and vehicle that was ever given one: the most frequent."""
    votes: dict[Chain, Counter[str]] = defaultdict(Counter)
    for visit in found:
        if visit.title is not None:
            votes[visit.chain][visit.title] += 1
    return {
        chain: max(names, key=lambda name: (not dark(name), names[name]))
        for chain, names in votes.items()
    }


def named(places: Mapping[Spot, tuple[str, Sequence[str]]]) -> dict[Spot, str]:
    """Return a name for each place by its title and its exits, all different and in lower case."""
    groups: dict[str, list[Spot]] = defaultdict(list)
    for spot, (shared, _) in places.items():
        groups[shared.lower()].append(spot)
    found = {group[0]: shared for shared, group in groups.items() if len(group) == 1}
    taken = set(found.values())
    words = {0: "no exit seen", 1: "exit "}
    for shared, group in groups.items():
        if len(group) > 1:
            exits = (places[spot][1] for spot in group)
            names = [
                f"{shared} ({words.get(len(some), 'exits ')}{', '.join(some)})" for some in exits
            ]
            if len({*names} - taken) < len(group):
                free = (name for n in count(1) if (name := f"{shared} ({n})") not in taken)
                names = [next(free) for _ in group]
            found |= zip(group, names, strict=True)
            taken.update(names)
    return found
