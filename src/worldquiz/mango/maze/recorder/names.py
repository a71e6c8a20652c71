"""Names for places: a name each, and no two places of one name.

Places that share a title are told apart by what distinguishes them, in this order: the exits that
were seen, a sentence of their descriptions, a number. MANGO's annotators did the same by hand
(appendix A.2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

_LONGEST = 60
"""A sentence longer than this makes no name."""


class Mark(StrEnum):
    """What tells a place from its namesakes."""

    NONE = "none"  # nothing is needed
    EXITS = "exits"
    DESCRIPTION = "description"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of a place when it is named."""

    title: str
    exits: tuple[str, ...]  # sorted
    sentences: tuple[str, ...]  # of its description


@dataclass(frozen=True, slots=True)
class Name:
    """A place's name, and how it came to be another than its title."""

    name: str
    mark: Mark


def named(sights: Sequence[Sight]) -> list[Name]:
    """Return a name for each place, all different and in lower case."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, sight in enumerate(sights):
        groups[sight.title.lower()].append(number)
    found: dict[int, Name] = {}
    taken = {title for title, group in groups.items() if len(group) == 1}
    for title, group in groups.items():
        if len(group) == 1:
            found[group[0]] = Name(title, Mark.NONE)
            continue
        for number, name in _told_apart(title, {n: sights[n] for n in group}, taken).items():
            found[number] = name
            taken.add(name.name)
    return [found[number] for number in range(len(sights))]


def _told_apart(title: str, group: Mapping[int, Sight], taken: Iterable[str]) -> dict[int, Name]:
    used = set(taken)
    for mark, tell in ((Mark.EXITS, _by_exits), (Mark.DESCRIPTION, _by_description)):
        marks = tell(group)
        names = {number: f"{title} ({words})" for number, words in marks.items()}
        if len(set(names.values()) - used) == len(group):
            return {number: Name(name, mark) for number, name in names.items()}
    numbered, count = {}, 0
    for number in group:
        count = _free(title, used, count + 1)
        numbered[number] = Name(f"{title} ({count})", Mark.NUMBER)
    return numbered


def _free(title: str, used: set[str], count: int) -> int:
    while f"{title} ({count})" in used:
        count += 1
    return count


def _by_exits(group: Mapping[int, Sight]) -> dict[int, str]:
    words = {0: "no exit seen", 1: "exit "}
    return {
        number: words.get(len(sight.exits), "exits ") + ", ".join(sight.exits)
        for number, sight in group.items()
    }


def _by_description(group: Mapping[int, Sight]) -> dict[int, str]:
    """Return for each place its first short sentence that no namesake's description holds."""
    shared = Counter(
        sentence for sight in group.values() for sentence in dict.fromkeys(sight.sentences)
    )
    found = {}
    for number, sight in group.items():
        short = (sentence for sentence in sight.sentences if len(sentence) <= _LONGEST)
        own = next((sentence for sentence in short if shared[sentence] == 1), None)
        if own is not None:
            found[number] = own.rstrip(".!?").lower()
    return found
