"""Question sheets: what a world's questions, tasks and first screen give away by themselves.

Somebody who saw nothing else of a world may read these (the world's sheet). We assume that this
reader knows how worlds are made (how many locks there are, how things are placed) and infers kinds
from nouns. From that, each family of questions guesses answers and says how sure it is (`trust`).
The share of such guesses that are right in other worlds is the guessing rate (`quiz.ask`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations, product
from typing import NamedTuple

from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.world.config import NOUNS
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE

_NOUNS = {noun: kind for kind, nouns in NOUNS.items() if kind != "room" for noun in nouns}
_FETCH = re.compile(r"Recover the (.+) and the (.+)\.")
_DROP = re.compile(r"Take the (.+), then drop it in the (.+)\.")
FEW = 5
"""Most rooms of a world in which pairs of rooms are not asked about in fours."""
MOST = 7
"""Most doors and containers in a world for which all combinations of states are tried."""
LOCKED, OPEN = 0.4, 0.55
"""Share of doors and containers that are locked, and share of the unlocked ones that are open."""


class Guess(NamedTuple):
    """An answer, and how sure the reader is of it, 0..1."""

    reply: str
    trust: float


class Asked(NamedTuple):
    """A question that was understood."""

    wording: str  # by name
    names: tuple[str, ...]  # what it is about, in the order of the words
    choices: tuple[str, ...]


def kind_of(name: str) -> str:
    """Return the kind of thing that a generated name denotes, by its noun; else "room"."""
    words = [word for word in name.split() if not word.isdigit()]
    return _NOUNS.get(words[-1], "room") if len(words) > 1 else "room"


@dataclass(frozen=True)
class Sheet:
    """Questions, task list and first screen of one world."""

    asked: tuple[Asked, ...] = ()  # the questions of known wordings
    objectives: tuple[str, ...] = ()  # its task list
    first: Graph = field(default_factory=Graph)  # what the first screen shows

    def named(self, wording: str) -> Iterator[tuple[str, ...]]:
        """Yield the names that each question of a wording is about."""
        return (each.names for each in self.asked if each.wording == wording)

    @cached_property
    def start(self) -> str:
        """The room in which the world begins, "" if no screen was seen."""
        return next(iter(self.first.exits), "")

    @property
    def ways(self) -> Sequence[str]:
        """The exits of the first room."""
        return sorted(self.first.exits.get(self.start, ()))

    @cached_property
    def names(self) -> Mapping[str, list[str]]:
        """All names in the questions and on the first screen, by kind, sorted."""
        named = {name for each in self.asked for name in (*each.names, *each.choices)}
        named |= {*self.first.place, *self.first.lids, self.start} - {""}
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(named):
            found[kind_of(name)].append(name)
        return found

    @cached_property
    def far(self) -> Sequence[str]:
        """The rooms other than the first; those that an objective names come last.

        An objective mostly names a room because there is nothing else to do there.
        """
        rooms = [room for room in self.names["room"] if room != self.start]
        return sorted(rooms, key=self.told)

    def told(self, name: str) -> bool:
        """Return whether an objective contains a name."""
        return any(name in text for text in self.objectives)

    @cached_property
    def dealt(self) -> bool:
        """True if questions about pairs of rooms come in fours, of which two pairs are joined."""
        return len(self.far) >= FEW

    @cached_property
    def paired(self) -> Mapping[str, list[str]]:
        """For each room, the two rooms that questions pair it with; it is joined to one of them."""
        found: dict[str, list[str]] = defaultdict(list)
        for names in self.named("joined") if self.dealt else ():
            for room, other in permutations(names):
                found[room].append(other)
        return found

    @cached_property
    def dropped(self) -> Mapping[str, tuple[str, int]]:
        """The things that a task says to drop in a room, each with the room and the task's number.

        If an early task drops a key that fits nothing, it is mostly in the room where the key was.
        For a key that fits a lock, this holds of late tasks.
        """
        told = enumerate(map(_DROP.fullmatch, self.objectives), start=1)
        return {match[1]: (match[2], number) for number, match in told if match}

    @cached_property
    def fetched(self) -> Mapping[str, tuple[tuple[str, ...], int]]:
        """The things that a task fetches in pairs, each with the pair and the task's number.

        Such things lie in the open more often than things that are fetched alone.
        """
        told = enumerate(map(_FETCH.fullmatch, self.objectives), start=1)
        pairs = [(match.groups(), number) for number, match in told if match]
        return {thing: (pair, number) for pair, number in pairs for thing in pair}

    @cached_property
    def near(self) -> Mapping[str, bool]:
        """The rooms that tasks show to be next to the first room, and whether a late task does.

        A task shows it by dropping a key from the first room's floor, always in a room next to it.
        """
        return {
            room: 2 * number > len(self.objectives)
            for key, (room, number) in self.dropped.items()
            if kind_of(key) == "key" and self.first.place.get(key) == self.start != room
        }

    @cached_property
    def tried(self) -> set[str]:
        """The keys that some question asks about, alone or among its choices."""
        return {*self.keys, *(choice for each in self.asked for choice in each.choices)}

    @cached_property
    def hidden(self) -> Sequence[str]:
        """The portable things that are not shown."""
        return [n for kind in MOVABLE for n in self.names[kind] if n not in self.first.place]

    @cached_property
    def spots(self) -> Sequence[str]:
        """The containers and supporters whose content is not shown, and that no task names.

        Most hold something, since an empty one is covered by a task that puts a thing there.
        """
        holders = [name for kind in HOLDERS for name in self.names[kind] if not self.told(name)]
        shut = [each for each in holders if self.first.lids.get(each) is False]
        return [each for each in holders if each in shut or each not in self.first.place]

    @cached_property
    def keys(self) -> Mapping[str, set[str]]:
        """The locks that yes-or-no questions name with a key, by key; and the keys, by lock."""
        found: dict[str, set[str]] = defaultdict(set)
        for key, lock in self.named("fits"):
            found[key].add(lock)
            found[lock].add(key)
        return found

    @cached_property
    def locks(self) -> Mapping[str, tuple[float, float]]:
        """The probabilities that each door and container was locked, and that it was open."""
        things = [name for kind in LOCKABLE for name in self.names[kind]]
        weighed = list(self._states(things) if len(things) <= MOST else self._pairs())
        found: dict[str, tuple[float, float]] = defaultdict(lambda: (LOCKED / 2, 0.33))
        for thing in {thing for states, _ in weighed for thing in states}:
            worlds = [(states[thing], weight) for states, weight in weighed if thing in states]
            total = sum(weight for _, weight in worlds) or 1
            locked, is_open = (
                sum(weight for state, weight in worlds if state == wanted) / total
                for wanted in ("locked", "open")
            )
            found[thing] = locked, is_open
        return found

    def _states(self, things: Sequence[str]) -> Iterator[tuple[Mapping[str, str], float]]:
        """Yield each combination of states of all locks in a small world, with its odds."""
        wanted = round(LOCKED * len(things))
        ajar = round(OPEN * (len(things) - wanted))
        for some in product(("locked", "open", "closed"), repeat=len(things)):
            states = dict(zip(things, some, strict=True))
            if some.count("locked") == wanted and some.count("open") <= ajar:
                yield states, self._odds(states) * 0.05 ** (ajar - some.count("open"))

    def _pairs(self) -> Iterator[tuple[Mapping[str, str], float]]:
        """Yield each combination of states of two locks named with one key, with its odds."""
        for key, two in self.keys.items():
            if kind_of(key) == "key":
                for some in product(("locked", "open", "closed"), repeat=len(two)):
                    states = dict(zip(sorted(two), some, strict=True))
                    yield states, self._odds(states)

    def _odds(self, states: Mapping[str, str]) -> float:
        """Return the relative odds of a combination of states, 0 if the first screen differs."""
        odds = 1.0
        for thing, state in states.items():
            shown = self.first.lids.get(thing)
            if shown is not None and shown is not (state == "open"):
                return 0.0
            opened = any("open" in text and thing in text for text in self.objectives)
            if state == "locked":
                odds *= (2.5 if kind_of(thing) == "container" else 1) * (4 if opened else 1)
            elif opened and state == "open":
                return 0.0
        for two in (two for key, two in self.keys.items() if kind_of(key) == "key"):
            if two <= states.keys():
                odds *= (0.0, 1.0, 0.1)[sum(states[lock] == "locked" for lock in two)]
        return odds
