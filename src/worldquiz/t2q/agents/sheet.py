"""Baseline that answers from a world's question sheet and task list alone, and never abstains.

It reads no transcript, so its score measures how much the sheet gives away.

It uses every leak that was ever found in a sheet, closed ones too, so that one that opens again
shows in its score:

- what a question takes for granted: locks that "which key fits?" presupposes; kinds of things in
  the places that stand to choose;
- what the task list says: a thing to be opened is closed, one to be put somewhere is elsewhere, a
  place that an objective tells; a key that two tasks name fits something, and a container that
  something is to be put into was locked, more often than not;
- that the sheet agrees with itself: questions with the same choices have different answers, of two
  about one place one is true;
- and where nothing is known, what holders, positions and kinds made likely once, or a constant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from math import factorial

from worldquiz.facts.episode import Transcript
from worldquiz.facts.fact import COMPASS
from worldquiz.facts.question import CATEGORIES, Prompt
from worldquiz.t2q.agents.paper import SPOTS, Paper, kind_of, named
from worldquiz.t2q.agents.scripted import Constant
from worldquiz.t2q.agents.wording import best
from worldquiz.t2q.reader.questions import UnderstoodQuestion, spot_of
from worldquiz.t2q.reader.text import read_objective
from worldquiz.t2q.wordings import Ask

SURE = 10.0
"""Rating of what follows; what is merely likely has about 1."""
MOST = 720
"""How many ways to share choices out are tried."""
_ORDERED = (Ask.JOINED, Ask.NEIGHBOUR)
"""What was asked in a fixed order once: a question's place among them told its truth."""
_CHOSEN = (Ask.CHOOSE_PLACE, Ask.NEIGHBOUR, Ask.KEY_OF)
_FLOOR = "on the floor of"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question of the sheet, understood, with its place among those of connectivity."""

    prompt: Prompt
    read: UnderstoodQuestion
    place: int

    def __getitem__(self, role: str) -> str:
        return self.read[role]


@dataclass
class Clues:
    """Facts that the question sheet and the task list presuppose."""

    joined: Counter[frozenset[str]] = field(default_factory=Counter)  # how sure, by pair of rooms
    sorts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # what is in spots
    locks: set[str] = field(default_factory=set)  # which key fits them is asked
    keyed: set[str] = field(default_factory=set)  # named together with a key
    shut: set[str] = field(default_factory=set)  # to be opened
    told: dict[str, str] = field(default_factory=dict)  # where a thing is
    goals: set[tuple[str, str]] = field(default_factory=set)  # what is to be put where

    @property
    def filled(self) -> set[str]:
        """Holders that a task puts something into or on."""
        return {spot for _, spot in self.goals}


def clues(sheet: Iterable[Asked], objectives: Iterable[str]) -> Clues:
    """Collect what questions and objectives take for granted."""
    found = Clues()
    for asked in sheet:
        _note(found, asked)
    for objective in objectives:
        for said in read_objective(objective):
            found.shut.update([said.thing] if said.shut else [])
            found.told.update({said.thing: said.spot} if said.spot else {})
        names = named(objective)
        if "then put it" in objective and len(names) == 2:
            found.goals.add((names[0], names[1]))
    return found


def _note(found: Clues, asked: Asked) -> None:
    names = asked.read.names
    match asked.read.ask:
        case Ask.JOINED:
            found.joined[frozenset((names["room"], names["other"]))] += 1
        case Ask.KEY_OF:
            found.locks.add(names["lock"])
            found.keyed.add(names["lock"])
        case Ask.FITS:
            found.keyed.add(names["lock"])
        case Ask.WAS_AT:
            found.sorts[names["spot"]].add(_sort(names["thing"]))
        case Ask.CHOOSE_PLACE if kind_of(names["thing"]) != "door":
            for choice in asked.prompt.choices:
                found.sorts[spot_of(choice)].add(_sort(names["thing"]))


def _sort(thing: str) -> str:
    """Return the sort of things that are asked about together."""
    kind = kind_of(thing)
    return "holder" if kind in SPOTS else "object" if kind == "food" else kind


class SheetReader:
    """Answers from the questions and objectives of a world, all at once."""

    def __init__(self) -> None:
        self._paper = Paper(())
        self._replies: dict[Prompt, str] = {}

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read the objectives and the first screen, and nothing else that an agent saw."""
        self._paper = self._paper.begun(transcripts)

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Answer the whole sheet."""
        self._paper = replace(self._paper, prompts=tuple(prompts))
        self._replies = _Solver(self._paper).replies()

    async def answer(self, prompt: Prompt) -> str:
        """Return what the sheet suggests, or a constant."""
        return self._replies.get(prompt) or await Constant().answer(prompt)


class _Solver:
    """Answers one sheet."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        place = 0
        self._sheet: list[Asked] = []
        for prompt, understood in paper.read.items():
            self._sheet.append(Asked(prompt, understood, place))
            place += understood.ask in _ORDERED
        self._clues = clues(self._sheet, paper.objectives)

    def replies(self) -> dict[Prompt, str]:
        """Return an answer to each question that was understood."""
        found: dict[Prompt, str] = {}
        for group in self._alike():
            found |= self._shared_out(group)
        for asked in self._sheet:
            reply = None if asked.prompt in found else self._open(asked)
            found |= {asked.prompt: reply} if reply else {}
        return found | self._truths()

    def _alike(self) -> Iterable[list[Asked]]:
        """Return the questions with choices, those of the same sort and choices together."""
        groups: dict[object, list[Asked]] = defaultdict(list)
        for asked in self._sheet:
            if asked.prompt.choices:
                groups[asked.read.ask, frozenset(asked.prompt.choices)].append(asked)
        return groups.values()

    def _shared_out(self, group: Sequence[Asked]) -> dict[Prompt, str]:
        """Give questions with the same choices different answers, the likeliest in all."""
        choices = group[0].prompt.choices
        rated = {(asked, choice): self._rating(asked, choice) for asked in group
                 for choice in choices}  # fmt: skip
        ways = factorial(len(choices)) // factorial(max(0, len(choices) - len(group)))
        if len(group) > len(choices) or ways > MOST or group[0].read.ask not in _CHOSEN:
            return {a.prompt: max(a.prompt.choices, key=lambda c: rated[a, c]) for a in group}
        order = max(
            permutations(choices, len(group)),
            key=lambda order: sum(rated[pair] for pair in zip(group, order, strict=True)),
        )
        return {asked.prompt: choice for asked, choice in zip(group, order, strict=True)}

    def _rating(self, asked: Asked, choice: str) -> float:
        """Rate a choice."""
        match asked.read.ask:
            case Ask.CHOOSE_PLACE:
                return self._at(asked["thing"], spot_of(choice)) + 0.1 * (_FLOOR not in choice)
            case Ask.KEY_OF:
                return float(min(self._paper.told(choice), 2))
            case Ask.NEIGHBOUR:
                return self._next(asked["room"], choice)
            case Ask.CHOOSE_STATE:
                lock = "lock" in asked["state"]
                rating = self._locked(choice) if lock else -self._locked(choice)
                return rating if asked["state"] in ("locked", "open") else -rating
        return 0.0

    def _open(self, asked: Asked) -> str | None:
        """Return the answer to a question without choices that is not to be answered yes or no."""
        rooms = self._paper.names["room"]
        match asked.read.ask:
            case Ask.PLACE:
                spots = [name for kind in SPOTS for name in self._paper.names[kind]]
                return self._likeliest(spots, lambda spot: self._place(asked["thing"], spot))
            case Ask.NEIGHBOUR:
                others = [room for room in rooms if room != asked["room"]]
                return self._likeliest(others, lambda other: self._next(asked["room"], other))
            case Ask.LIES:
                return self._likeliest(COMPASS, lambda way: float("-" in way))
            case Ask.CATEGORIES:
                return self._categories(asked["holder"])
        return None

    def _likeliest(self, names: Sequence[str], rating: Callable[[str], float]) -> str | None:
        return names[best([rating(name) for name in names])] if names else None

    def _truths(self) -> dict[Prompt, str]:
        """Answer the questions of yes or no; of two that are about one place, one is true."""
        rated = {asked: self._truth(asked) for asked in self._sheet}
        pairs: dict[object, list[Asked]] = defaultdict(list)
        found: dict[Prompt, str] = {}
        for asked, rating in rated.items():
            if rating is not None:
                pairs[self._twin(asked)].append(asked)
        for key, group in pairs.items():
            order = sorted(group, key=lambda asked: -(rated[asked] or 0))
            for place, asked in enumerate(order):
                likely = (rated[asked] or 0) > 0
                one_of_two = key is not None and len(group) == 2
                truth = place == 0 if one_of_two else likely
                found[asked.prompt] = "yes" if truth is not self._denied(asked) else "no"
        return found

    @staticmethod
    def _twin(asked: Asked) -> object:
        """Return what two questions share of which one is true, and the other is not."""
        match asked.read.ask:
            case Ask.WAS_AT:
                return "at", asked["spot"], _sort(asked["thing"])
            case Ask.FITS:
                return "fits", asked["key"]
        return None

    @staticmethod
    def _denied(asked: Asked) -> bool:
        states = ("not locked", "unlocked", "closed", "shut")
        return asked.read.negated or asked.read.names.get("state") in states

    def _truth(self, asked: Asked) -> float | None:
        """Rate whether a fact holds: above 0, likely; None for what is not asked by yes or no."""
        known = self._clues
        match asked.read.ask:
            case Ask.WAS_AT:
                floor = _FLOOR in asked.prompt.text
                return self._at(asked["thing"], asked["spot"]) + (-0.1 if floor else 0.1)
            case Ask.JOINED:
                pair = frozenset((asked["room"], asked["other"]))
                if known.joined[pair] > 1:
                    return SURE
                return -0.1 if asked.place % 4 == 1 else 0.1
            case Ask.FITS:
                told = self._paper.told(asked["key"])
                return (told > 1) - 0.5 + self._locked(asked["lock"])
            case Ask.IS_STATE:
                locked = self._locked(asked["thing"])
                return locked if "lock" in asked["state"] else -locked
        return None

    def _at(self, thing: str, spot: str) -> float:
        """Rate whether a thing was in, on or on the floor of a spot."""
        known = self._clues
        if thing in known.told:
            return SURE if known.told[thing] == spot else -SURE
        return -SURE if (thing, spot) in known.goals else 0.0

    def _place(self, thing: str, spot: str) -> float:
        """Rate a spot as the answer to where a thing was: rooms count for all that is in them."""
        kind, of = kind_of(thing), kind_of(spot)
        if thing == spot or (kind in (*SPOTS, "door") and of != "room"):
            return -SURE
        return self._at(thing, spot) + (1 if of == "room" else 0)

    def _locked(self, thing: str) -> float:
        """Rate whether a door or container was locked; below 0: it stood open."""
        known = self._clues
        if thing in known.locks:
            return SURE
        return (
            1.0
            if thing in known.shut or thing in known.filled
            else 0.1 * (1 if thing in known.keyed else -1)
        )

    def _next(self, room: str, other: str) -> float:
        """Rate whether a passage joins two rooms; from where a world begins, many lead."""
        known = float(self._clues.joined[frozenset((room, other))])
        return known + 0.5 * (other == self._paper.start)

    def _categories(self, spot: str) -> str:
        """Return the kinds of things in a spot: those that stand to choose there, or the usual."""
        sorts = self._clues.sorts.get(spot, set())
        found = {sort for sort in sorts if sort in CATEGORIES}
        found |= {"container"} if "holder" in sorts else set()
        usual = "nothing" if kind_of(spot) == "room" else "object"
        return ", ".join(name for name in CATEGORIES if name in found) or usual
