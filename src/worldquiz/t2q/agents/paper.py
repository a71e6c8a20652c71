"""Input of guessing baselines: a world's questions, its task list and its first screen.

A guesser sees no transcript. It reads kinds off nouns, by the stock of names that text worlds draw
on. Names of other worlds stay as they are, and tell nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations, permutations

from worldquiz.facts.episode import Transcript
from worldquiz.facts.fact import COMPASS, OPPOSITE
from worldquiz.facts.question import Format, Prompt
from worldquiz.t2q.reader import Graph, Reader
from worldquiz.t2q.reader.questions import UnderstoodQuestion, read_question
from worldquiz.t2q.wordings import Ask
from worldquiz.t2q.world.config import KEY_WORDS, NOUNS, THING_WORDS, WINGS
from worldquiz.t2q.world.spec import HOLDERS, MOVABLE

SPOTS = ("room", "container", "supporter")
_PORTABLE_AND_DOORS = ("container", "supporter", "object", "food", "door", "key")
_NOUNS = {noun: kind for kind in _PORTABLE_AND_DOORS for noun in NOUNS[kind]}
_ROOMS = sorted(NOUNS["room"], key=len, reverse=True)
_NAME = re.compile(
    rf"\b(?:(?:{'|'.join((*THING_WORDS, *KEY_WORDS))}) (?:{'|'.join(_NOUNS)})(?: \d+)?"
    rf"|(?:(?:{'|'.join(WINGS)}) (?:wing \d+ )?)?(?:{'|'.join(_ROOMS)}))\b"
)


@lru_cache(8192)
def kind_of(name: str) -> str:
    """Return what a name of the stock stands for, by its noun; else "room"."""
    words = [word for word in name.split() if not word.isdigit()]
    return _NOUNS.get(words[-1], "room") if len(words) > 1 else "room"


@dataclass(frozen=True)
class Paper:
    """Questions, task list and first screen of one world, for an answerer without a transcript."""

    prompts: tuple[Prompt, ...]  # all questions of a world
    objectives: tuple[str, ...] = ()  # its task list
    first: Graph = field(default_factory=Graph)  # what the first screen shows

    def begun(self, transcripts: Sequence[Transcript]) -> Paper:
        """Return it with the tasks and the first screen, and nothing else of transcripts."""
        objectives = tuple(turns[0].observation.objective for turns in transcripts if turns)
        first = Reader.of(turns[:1] for turns in transcripts).graph
        return replace(self, objectives=objectives, first=first)

    @cached_property
    def start(self) -> str:
        """The room in which the world begins, "" if no screen was seen."""
        return next(iter(self.first.exits), "")

    @property
    def ways(self) -> tuple[str, ...]:
        """The exits of the first room, by direction."""
        return tuple(sorted(self.first.exits.get(self.start, ())))

    def shown(self, name: str) -> str:
        """Return how the first screen shows a thing, "" if it does not."""
        place = self.first.place.get(name)
        door = name in self.first.exits.get(self.start, {}).values()
        lid = {True: " open", False: " closed", None: ""}[self.first.lids.get(name)]
        return f"{'here' if door or place == self.start else 'held'}{lid}" if place or door else ""

    @cached_property
    def hidden(self) -> dict[str, list[str]]:
        """Named entities that the first screen does not show, by kind; no kind is empty."""
        left = {kind: [n for n in names if not self.shown(n)] for kind, names in self.names.items()}
        return {kind: names for kind, names in left.items() if names}

    @cached_property
    def loose(self) -> int:
        """Number of portable things that the first screen does not show."""
        return sum(len(self.hidden.get(kind, ())) for kind in MOVABLE)

    @cached_property
    def untold(self) -> set[str]:
        """Containers and supporters that neither the first screen shows nor an objective names.

        As a rule they hold something: a task that puts something there covers what is empty.
        """
        found = (name for kind in HOLDERS for name in self.hidden.get(kind, ()))
        return {name for name in found if not self.told(name)}

    @cached_property
    def turns(self) -> set[str]:
        """The directions between two rooms next to the first one, if all others are next to it."""
        if len(self.ways) != len(self.names["room"]) - 1:
            return set()
        pairs = permutations(self.ways, 2)
        order = ("north", "south", "east", "west")
        return {"-".join(way for way in order if way in (OPPOSITE[a], b)) for a, b in pairs}

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """All that is named, by kind, each sorted."""
        told = [self.start, *self.objectives, *(p.text for p in self.prompts)]
        told += [choice for p in self.prompts for choice in p.choices]
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted({name for text in told for name in named(text)}):
            found[kind_of(name)].append(name)
        return found

    @cached_property
    def read(self) -> Mapping[Prompt, UnderstoodQuestion]:
        """The questions of known wordings, understood."""
        return {p: read for p in self.prompts if (read := read_question(p.text))}

    def told(self, *names: str) -> int:
        """Return how many objectives name all of these."""
        return sum(all(name in text for name in names) for text in self.objectives)

    def rank(self, name: str) -> str:
        """Return where in the task list a name stands: first and last place, "" if nowhere.

        Tasks that cover much come first, so their order tells what they cover.
        """
        places = [place for place, text in enumerate(self.objectives) if name in text]
        if not places:
            return ""
        return f"{min(places[0], 2)} {'early' if 2 * places[-1] < len(self.objectives) else 'late'}"

    @cached_property
    def sorts(self) -> Counter[str]:
        """Number of questions of each sort."""
        return Counter(map(sort_of, self.prompts))

    def wanted(self, name: str) -> list[str]:
        """Return what objectives want with a name: their first words, sorted."""
        return sorted({text.split()[0] for text in self.objectives if name in text})

    @cached_property
    def mates(self) -> Mapping[str, set[str]]:
        """Names that one objective mentions together with a name, by that name."""
        found: dict[str, set[str]] = defaultdict(set)
        for names in map(named, self.objectives):
            for name in names:
                found[name].update(set(names) - {name})
        return found

    @cached_property
    def mentions(self) -> Mapping[str, Counter[str]]:
        """By name, how often it stands in questions of each sort, or to choose in them."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for prompt in self.prompts:
            asked, offered = _names(prompt)
            for name in asked:
                found[name][sort_of(prompt)] += 1
            for name in offered:
                found[name][f"choice, {sort_of(prompt)}"] += 1
        return found

    @cached_property
    def pairs(self) -> Mapping[frozenset[str], Counter[str]]:
        """By two names, how often they stand together in questions of each sort."""
        found: dict[frozenset[str], Counter[str]] = defaultdict(Counter)
        for prompt in self.prompts:
            asked, offered = _names(prompt)
            for pair in combinations(asked, 2):
                found[frozenset(pair)][sort_of(prompt)] += 1
            for name in offered:
                for other in asked:
                    found[frozenset((name, other))][f"choice, {sort_of(prompt)}"] += 1
        return found


def _names(prompt: Prompt) -> tuple[tuple[str, ...], list[str]]:
    """Return what a question names, and what it names as choices."""
    return named(prompt.text), [name for choice in prompt.choices for name in named(choice)]


@lru_cache(8192)
def named(text: str) -> tuple[str, ...]:
    """Return the things and rooms that a text names, in order."""
    return tuple(_NAME.findall(text))


@lru_cache(8192)
def masked(text: str) -> tuple[str, ...]:
    """Return the words of a text, names replaced by kinds."""
    plain = _NAME.sub(lambda found: f"<{kind_of(found[0])}>", text)
    return tuple(re.findall(r"<\w+>|[\w-]+", plain.lower()))


def ask_of(prompt: Prompt) -> str | None:
    """Return the sort of a question, None if its wording is unknown."""
    read = read_question(prompt.text)
    return f"{read.ask}, {prompt.format}" if read else None


def sort_of(prompt: Prompt) -> str:
    """Return the sort of a question with the kind of what is asked about, and whether of a lock."""
    read, asked = read_question(prompt.text), named(prompt.text)
    state = " lock" if read and "lock" in read.names.get("state", "") else ""
    return f"{ask_of(prompt)}, {kind_of(asked[0]) if asked else ''}{state}"


def candidates(paper: Paper, prompt: Prompt, sets: Sequence[str]) -> tuple[str, ...]:
    """Return the answers to think of; `sets` are those of descriptions."""
    read = read_question(prompt.text)
    match prompt.format, read and read.ask:
        case Format.YES_NO, _:
            return ("yes", "no")
        case Format.WHICH, _:
            return prompt.choices
        case Format.DESCRIPTION, _:
            return tuple(sets)
        case Format.WHAT, _:
            return COMPASS
        case Format.WHERE, Ask.PLACE:
            kinds: Sequence[str] = SPOTS
        case _:
            kinds = ("room",)
    asked = named(prompt.text)
    return tuple(name for kind in kinds for name in paper.names[kind] if name not in asked)
