"""Baseline that answers from a world's question sheet and first screen alone, and never abstains.

It reads no transcript beyond what stands there before the first command, so its score measures how
much these give away. It knows how worlds are made (how many locks there are, how things are dealt
out), reads kinds off nouns, and says how sure it is. How often it is right in other worlds when it
is so sure is the guessing rate of a question (`quiz.guess`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations, product
from typing import NamedTuple

from worldquiz.facts.episode import Transcript
from worldquiz.t2q.agents.scripted import Constant
from worldquiz.t2q.compass import COMPASS, OPPOSITE
from worldquiz.t2q.question import Ask, Prompt
from worldquiz.t2q.reader import Graph, Reader
from worldquiz.t2q.reader.questions import UnderstoodQuestion, read_question
from worldquiz.t2q.world.config import NOUNS
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE

_NOUNS = {noun: kind for kind, nouns in NOUNS.items() if kind != "room" for noun in nouns}
_FETCH = re.compile(r"Recover the (.+) and the (.+)\.")
_DROP = re.compile(r"Take the (.+), then drop it in the (.+)\.")
_DROPPED = {True: (0.3, 0.4, 0.8, 0.6), False: (0.9, 0.9, 0.7, 0.65)}
"""How sure it is that a key lies where it is to be dropped, by the quarter of its task.

A key that a question tries on a lock most likely fits one."""
MOST = 7
"""Doors and containers of which all states are tried."""
LOCKED, OPEN = 0.4, 0.55
"""Shares of doors and containers that are locked, and of the others that are open."""


class Guess(NamedTuple):
    """An answer, and how sure the reader is of it, 0..1."""

    reply: str
    trust: float


def kind_of(name: str) -> str:
    """Return what a name of the stock stands for, by its noun; else "room"."""
    words = [word for word in name.split() if not word.isdigit()]
    return _NOUNS.get(words[-1], "room") if len(words) > 1 else "room"


@dataclass(frozen=True)
class Sheet:
    """Questions, task list and first screen of one world."""

    prompts: tuple[Prompt, ...] = ()  # all questions of a world
    objectives: tuple[str, ...] = ()  # its task list
    first: Graph = field(default_factory=Graph)  # what the first screen shows

    @cached_property
    def read(self) -> Mapping[Prompt, UnderstoodQuestion]:
        """The questions of known wordings, understood."""
        return {p: read for p in self.prompts if (read := read_question(p.text))}

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
        """All that is named or shown, by kind, each sorted."""
        named = {name for read in self.read.values() for name in read.names}
        named |= {choice for prompt in self.prompts for choice in prompt.choices}
        named |= {*self.first.place, *self.first.lids, self.start} - {""}
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(named):
            found[kind_of(name)].append(name)
        return found

    @cached_property
    def far(self) -> Sequence[str]:
        """The rooms other than the first, those last that a task is to go to.

        Nothing else is to be done there, as a rule.
        """
        rooms = [room for room in self.names["room"] if room != self.start]
        return sorted(rooms, key=self.told)

    def told(self, name: str) -> bool:
        """Tell whether an objective names something."""
        return any(name in text for text in self.objectives)

    def guess(self, prompt: Prompt) -> Guess | None:
        """Return the likeliest answer, None to a question of no known wording."""
        asked = self.read.get(prompt)
        if asked is None:
            return None
        if prompt.choices:
            return Guess(prompt.choices[0], 1 / len(prompt.choices))
        match asked:
            case (Ask.NEIGHBOUR, (room,)):
                return self._neighbour(room)
            case (Ask.LIES, (other, room)):
                return self._way(room, other)
            case (Ask.PLACE, (thing,)):
                return self._place(thing)
            case (Ask.HOLDER, _):
                rooms = [room for room in self.far if not self.told(room)]
                return Guess(rooms[0], 1 / len(rooms)) if rooms else self._behind()
            case (Ask.DOOR, (door,)):
                return self._behind(door)
            case (Ask.CATEGORIES, (spot,)):
                return self._content(spot)
        likely = self._truth(asked)
        return Guess("yes" if likely > 0.5 else "no", max(likely, 1 - likely))

    # Passages

    def _joined(self, room: str, other: str) -> float:
        """Return how likely a passage joins two rooms: few are closed to a ring, but small ones."""
        rooms, ways = len(self.far), len(self.ways)
        if self.start in (room, other):
            near = min(0.85 * ways, len(self.paired) / 2)  # of two joined, one is next to the first
            if {room, other} & self.paired.keys():
                return near / len(self.paired)
            return min(1, (ways - near) / max(1, rooms - len(self.paired)))
        turns = any(OPPOSITE[a] != b for a, b in permutations(self.ways, 2))
        ring = 0.8 if turns and ways < rooms < FEW else 0
        return min(1, (rooms - ways + ring) / max(1, rooms * (rooms - 1) / 2))

    @cached_property
    def dealt(self) -> bool:
        """True where pairs of rooms are asked about in fours, two of which are joined."""
        return len(self.far) >= FEW

    @cached_property
    def paired(self) -> Mapping[str, list[str]]:
        """The rooms of such pairs, with the two that each is asked with: one is joined to it."""
        found: dict[str, list[str]] = defaultdict(list)
        for ask, names in self.read.values():
            if ask is Ask.JOINED and self.dealt:
                for room, other in permutations(names):
                    found[room].append(other)
        return found

    def _neighbour(self, room: str) -> Guess | None:
        others = [each for each in (*self.far, self.start) if each not in (room, "")]
        if not others:
            return None
        likely = {each: self._joined(room, each) for each in others}
        likely |= dict.fromkeys(self.paired.get(room, ()), 0.5)
        if room == self.start:  # near which most is to be dropped
            much = Counter(spot for spot, _ in self.dropped.values() if spot in self.paired)
            likely |= {
                each: min(1, likely[each] + 0.2 * (n - 1)) for each, n in much.items() if n > 1
            }
            likely |= {each: 0.95 if late else 0.9 for each, late in self.near.items()}
        elif room in self.near:
            likely[self.start] = 0.95 if self.near[room] else 0.9
        best = max(others, key=likely.__getitem__)
        return Guess(best, likely[best])

    def _behind(self, door: str = "") -> Guess | None:
        """Name a room of a door that the first screen does not show.

        Best is one where the task beside that of the door drops something; then one to go to, or
        one of those pairs, which have passages to others than the first.
        """
        told = [n for n, text in enumerate(self.objectives, start=1) if door and door in text]
        for room, number in self.dropped.values():
            if self.dealt and room != self.start and {number - 1, number + 1} & {*told}:
                return Guess(room, 0.35)
        rooms = sorted(self.paired) or self.far
        if not rooms:
            return None
        likely = 2.8 if self.told(rooms[-1]) and len(self.far) < FEW else 2
        return Guess(rooms[-1], min(1, likely / len(self.far)))

    def _way(self, room: str, other: str) -> Guess:
        """Return a way from one room to another: along an exit, or from one exit to another."""
        rooms, ways = len(self.far), self.ways
        if self.start in (room, other) and ways:
            return Guess(ways[0] if room == self.start else OPPOSITE[ways[0]], 1 / rooms)
        turns = Counter(
            "-".join(way for way in ("north", "south", "east", "west") if way in (OPPOSITE[a], b))
            for a, b in permutations(ways, 2)
        )
        turns.update(dict.fromkeys(COMPASS, 0))
        if not +turns and ways:  # behind the one exit, as likely to this side as to that
            return Guess(COMPASS[(COMPASS.index(ways[0]) + 2) % 8], max(1 / 8, 0.7 / rooms))
        way = max(COMPASS, key=lambda way: (turns[way], "-" in way))
        return Guess(way, max(1 / 8, turns[way] / max(1, rooms * (rooms - 1))))

    # Things

    def _place(self, thing: str) -> Guess | None:
        """Name a holder whose content is not shown, or a room if there are fewer of these."""
        lies = kind_of(thing) == "key"  # open to see, rather than shut in; or on a floor
        if lies and thing in self.dropped:
            room, number = self.dropped[thing]
            quarter = min(3, 4 * (number - 1) // len(self.objectives))
            return Guess(room, _DROPPED[thing in self.tried][quarter])
        if lies and thing in self.tried and len(self.near) == 1 and self.dealt:
            return Guess(next(iter(self.near)), 0.45 if len(self.ways) == 1 else 0.35)
        tops = [each for each in self.names["supporter"] if each not in self.first.place]
        pair, number = self.fetched.get(thing, ((), 0))
        if self.dealt and tops and pair:  # what lies open, beside another thing
            top = max(tops, key=self.told)  # and is put on what lies near
            if number <= 4 and {*pair} & self.first.place.keys():
                return Guess(top, 0.05)
            return Guess(top, 0.35 if self.told(top) else 0.45 if number > 6 else 0.25)
        spots, open_ = self._spots, lies or bool(pair)
        dealt = max(len(spots), len(self._hidden) if lies else 0)
        if spots and dealt <= len(self.far):
            best = max(spots, key=lambda spot: (kind_of(spot) == "supporter") is open_)
            alone = any(text == f"Recover the {thing}." for text in self.objectives)
            sure = 0.6 if lies and self.dealt else 0.9 if alone or pair else 1
            return Guess(best, sure / dealt)
        return Guess(self.far[0], 1 / len(self.far)) if self.far else None

    @cached_property
    def dropped(self) -> Mapping[str, tuple[str, int]]:
        """The things to be dropped in a room, that room, and the task's number.

        A key that fits nothing is mostly dropped where it lies, in an early task: that is short and
        covers much. Of keys that fit, those of late tasks are.
        """
        told = enumerate(map(_DROP.fullmatch, self.objectives), start=1)
        return {match[1]: (match[2], number) for number, match in told if match}

    @cached_property
    def fetched(self) -> Mapping[str, tuple[tuple[str, ...], int]]:
        """The things of tasks that ask for two, near each other, with both and the task's number.

        Such a thing lies open more often; one that is fetched alone is rather shut in.
        """
        told = enumerate(map(_FETCH.fullmatch, self.objectives), start=1)
        pairs = [(match.groups(), number) for number, match in told if match]
        return {thing: (pair, number) for pair, number in pairs for thing in pair}

    @cached_property
    def near(self) -> Mapping[str, bool]:
        """The rooms beside the first one, and whether a late task tells it.

        A key on the first room's floor is dropped in the next room.
        """
        return {
            room: 2 * number > len(self.objectives)
            for key, (room, number) in self.dropped.items()
            if kind_of(key) == "key" and self.first.place.get(key) == self.start != room
        }

    @cached_property
    def tried(self) -> set[str]:
        """The keys of which a question asks if they fit, or which of them fits."""
        return {*self.keys, *(choice for prompt in self.prompts for choice in prompt.choices)}

    @cached_property
    def _hidden(self) -> Sequence[str]:
        """The portable things that are not shown."""
        return [n for kind in MOVABLE for n in self.names[kind] if n not in self.first.place]

    @cached_property
    def _spots(self) -> Sequence[str]:
        """The containers and supporters whose content is not shown, and that no task names.

        As a rule each holds something: what is empty, a task covers by putting something there.
        """
        holders = [name for kind in HOLDERS for name in self.names[kind] if not self.told(name)]
        shut = [each for each in holders if self.first.lids.get(each) is False]
        return [each for each in holders if each in shut or each not in self.first.place]

    def _content(self, spot: str) -> Guess:
        """Name the commonest kind of the portable things that are not shown: keys lie open."""
        if self.told(spot):
            return Guess("nothing", 1)
        hidden, kinds = len(self._hidden), Counter(map(kind_of, self._hidden))
        holds = min(1, hidden / max(1, len(self._spots)))
        lies = kind_of(spot) == "supporter"
        kind = max(MOVABLE, key=lambda kind: (kinds[kind], (kind == "key") is lies, kind))
        share = holds * kinds[kind] / max(1, hidden)
        return Guess(kind, share) if share >= 1 - holds else Guess("nothing", 1 - holds)

    # Locks

    def _truth(self, asked: UnderstoodQuestion) -> float:
        """Return how likely what is asked is so."""
        match asked:
            case (Ask.JOINED, (room, other)):
                return 0.5 if self.dealt else self._joined(room, other)
            case (Ask.FITS, (key, lock)):
                odds = {each: self._locks[each][0] for each in self.keys[key]}
                spare = min(self.keys[lock], key=lambda each: self.dropped.get(each, ("", 99))[1])
                real = {
                    each: (10 if each in self.first.place else 1)
                    * (0.3 if each == spare and each in self.dropped else 1)  # an early task's
                    for each in self.keys[lock]
                }
                share = odds[lock] / (sum(odds.values()) or 1)
                return share * real[key] / sum(real.values())
        (lock,) = asked.names
        return self._locks[lock][asked.ask is Ask.OPEN]

    @cached_property
    def keys(self) -> Mapping[str, set[str]]:
        """The keys that questions of yes or no name with each lock, and the locks with each key."""
        found: dict[str, set[str]] = defaultdict(set)
        for ask, names in self.read.values():
            if ask is Ask.FITS:
                key, lock = names
                found[key].add(lock)
                found[lock].add(key)
        return found

    @cached_property
    def _locks(self) -> Mapping[str, tuple[float, float]]:
        """The odds, 0..1, that each door and container was locked, and that it was open."""
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
        """Yield the states that all doors and containers of a small world may be in, with odds."""
        wanted = round(LOCKED * len(things))
        ajar = round(OPEN * (len(things) - wanted))
        for some in product(("locked", "open", "closed"), repeat=len(things)):
            states = dict(zip(things, some, strict=True))
            if some.count("locked") == wanted and some.count("open") <= ajar:
                yield states, self._odds(states) * 0.05 ** (ajar - some.count("open"))

    def _pairs(self) -> Iterator[tuple[Mapping[str, str], float]]:
        """Yield the states of the two things that a question names with one key, with odds."""
        for key, two in self.keys.items():
            if kind_of(key) == "key":
                for some in product(("locked", "open", "closed"), repeat=len(two)):
                    states = dict(zip(sorted(two), some, strict=True))
                    yield states, self._odds(states)

    def _odds(self, states: Mapping[str, str]) -> float:
        """Return how likely states are beside others, 0 if they contradict what is shown."""
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


FEW = 5
"""Rooms beside the first from which pairs of rooms are asked about in fours."""


class SheetReader:
    """Answers from the questions, objectives and first screen of a world."""

    def __init__(self) -> None:
        self._sheet = Sheet()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read the objectives and the first screen, and nothing else that an agent saw."""
        objectives = tuple(turns[0].observation.objective for turns in transcripts if turns)
        first = Reader.of(turns[:1] for turns in transcripts).graph
        self._sheet = replace(self._sheet, objectives=objectives, first=first)

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Take note of the whole sheet."""
        self._sheet = replace(self._sheet, prompts=tuple(prompts))

    async def answer(self, prompt: Prompt) -> str:
        """Return the likeliest answer; the constant one to a question of no known wording."""
        found = self._sheet.guess(prompt)
        return found.reply if found else await Constant().answer(prompt)
