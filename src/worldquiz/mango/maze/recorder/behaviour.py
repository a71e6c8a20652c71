"""Places told apart by the results of the same commands there.

Rooms may be one object to the game and read alike, in darkness above all. If some commands lead
from one stay to one place and from another stay to another, the stays were in two places. A way
that changes while somebody stays, or by waiting, is no evidence: a lift leads elsewhere each time
and is one place. Nor is a way that is shut at one time, unless moves within the object itself show
that it is several rooms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from worldquiz.mango.maze.recorder.trace import End, Word
from worldquiz.mango.maze.recorder.words import dark

Rooms = Set[tuple[int, ...]]
"""Objects that are several rooms, which their labels tell apart."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """Results of commands during one stay: at its start and its end, at once and after waiting."""

    ends: tuple[tuple[Word, End | None], ...]  # None where some command does not lead on
    dark: bool = False  # nothing was to be seen


def places(stays: Sequence[Conduct], rooms: Rooms, *, shut: bool) -> list[int]:
    """Return the number of the place of each stay, from 0 in the order of first stays.

    A stay joins the place that it contradicts in nothing and agrees with in most. Two stays of no
    way in common, each with one that the other lacks, contradict each other. With `shut`, any way
    that only one of them has does; else it may be a shut door.
    """
    steady = _steady(stays, rooms)
    known = [sum(end is not None for end in ends.values()) for ends in steady]
    groups: list[list[int]] = []
    for number in sorted(range(len(stays)), key=lambda stay: (-known[stay], stay)):
        best, most = None, -1
        for group in groups:
            agreed = [
                _agreement((stays[number], steady[number]), (stays[one], steady[one]), rooms, shut)
                for one in group
            ]
            if None not in agreed and (total := sum(filter(None, agreed))) > most:
                best, most = group, total
        if best is None:
            groups.append(best := [])
        best.append(number)
    groups.sort(key=min)
    return [
        next(n for n, group in enumerate(groups) if stay in group) for stay in range(len(stays))
    ]


def differ(one: End, other: End, rooms: Rooms) -> bool:
    """Tell whether two ends are two places."""
    return one.chain != other.chain or (one.chain in rooms and one.label != other.label)


def _steady(stays: Sequence[Conduct], rooms: Rooms) -> list[Mapping[Word, End | None]]:
    """Return where words lead from each stay, without those that a stay itself changes."""
    found: list[dict[Word, End | None]] = []
    changing = set()
    for stay in stays:
        ends: dict[Word, End | None] = {}
        for word, end in stay.ends:
            before = ends.get(word)
            if before is None:
                ends[word] = end
            elif end is not None and differ(before, end, rooms):
                changing.add(word)
        found.append(ends)
    return [{word: end for word, end in ends.items() if word not in changing} for ends in found]


def _agreement(
    one: tuple[Conduct, Mapping[Word, End | None]],
    other: tuple[Conduct, Mapping[Word, End | None]],
    rooms: Rooms,
    shut: bool,
) -> int | None:
    """Return how many words lead from both stays to one place; None if some contradict."""
    in_the_dark = one[0].dark and other[0].dark
    agreed, lacking = 0, set()
    for word in one[1].keys() & other[1].keys():
        ends = one[1][word], other[1][word]
        if ends[0] is None or ends[1] is None:
            lacking |= {ends.index(None)} if ends[0] != ends[1] else set()
        elif in_the_dark or _unlit(ends[0]) == _unlit(ends[1]):  # a lamp may have come meanwhile
            if differ(ends[0], ends[1], rooms):
                return None
            agreed += 1
    strangers = not agreed and len(lacking) > 1
    return None if strangers or (shut and lacking) else agreed


def _unlit(end: End) -> bool:
    return dark(end.label or "")
