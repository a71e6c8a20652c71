"""An answerer that has learnt how questions are worded, and reads no transcript.

It rates each candidate answer by a linear model and gives the one rated highest, never abstaining.
The candidates are yes and no, the choices, the compass, the places or the things that the sheet
names, or the sets of categories that were right elsewhere. The weights belong to what a candidate
is like (its kind, its noun, its place among the choices, how many candidates are of its kind,
whether an objective names it), alone and together with the words and word pairs of the question, in
which names are replaced by kinds. They were learnt on other worlds: ``wording.json``, made by
``benchmarks/blind_table.py``, holds them and how often they were right.

Kinds are read off nouns, by the stock of names that text worlds draw on. Names of other worlds
stay as they are, and tell nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from worldquiz.facts.episode import Transcript
from worldquiz.facts.fact import COMPASS
from worldquiz.facts.question import Format, Prompt
from worldquiz.t2q.agents.scripted import Constant
from worldquiz.t2q.memory.worldgraph.questions import Ask, read_question
from worldquiz.t2q.world.names import KEY_WORDS, THEMES, THING_WORDS, WINGS
from worldquiz.t2q.world.spec import LOCKABLE

SPOTS = ("room", "container", "supporter")
_PORTABLE_AND_DOORS = ("container", "supporter", "object", "food", "door", "key")
_NOUNS = {
    noun: kind
    for theme in THEMES.values()
    for kind in _PORTABLE_AND_DOORS
    for noun in getattr(theme, kind)
}
_ROOMS = sorted({room for theme in THEMES.values() for room in theme.rooms}, key=len, reverse=True)
_NAME = re.compile(
    rf"\b(?:(?:{'|'.join((*THING_WORDS, *KEY_WORDS))}) (?:{'|'.join(_NOUNS)})(?: \d+)?"
    rf"|(?:(?:{'|'.join(WINGS)}) (?:wing \d+ )?)?(?:{'|'.join(_ROOMS)}))\b"
)


def kind_of(name: str) -> str:
    """Return what a name of the stock stands for, by its noun; else "room"."""
    words = [word for word in name.split() if not word.isdigit()]
    return _NOUNS.get(words[-1], "room") if len(words) > 1 else "room"


def objectives_of(transcripts: Sequence[Transcript]) -> tuple[str, ...]:
    """Return the tasks as they were stated, and nothing else of what was seen."""
    return tuple(turns[0].observation.objective for turns in transcripts if turns)


@dataclass(frozen=True)
class Paper:
    """What somebody holds who saw no transcript: all questions of a world and its task list."""

    prompts: tuple[Prompt, ...]
    objectives: tuple[str, ...] = ()

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """All that is named, by kind, each sorted."""
        told = [*self.objectives, *(p.text for p in self.prompts)]
        told += [choice for p in self.prompts for choice in p.choices]
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted({name for text in told for name in named(text)}):
            found[kind_of(name)].append(name)
        return found

    def told(self, *names: str) -> int:
        """Return how many objectives name all of these."""
        return sum(all(name in text for name in names) for text in self.objectives)


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
        case Format.WHAT, Ask.LOCK_OF:
            kinds: Sequence[str] = LOCKABLE
        case Format.WHAT, _:
            return COMPASS
        case Format.WHERE, Ask.PLACE:
            kinds = SPOTS
        case _:
            kinds = ("room",)
    asked = named(prompt.text)
    return tuple(name for kind in kinds for name in paper.names[kind] if name not in asked)


def features(paper: Paper, prompt: Prompt, offered: Sequence[str]) -> Iterator[list[str]]:
    """Yield what is known of each candidate; what is the same for all is crossed with its kind."""
    words, about = masked(prompt.text), named(prompt.text)
    asked = [*dict.fromkeys([*words, *(" ".join(pair) for pair in pairwise(words))])]
    asked += [f"noun {_noun(name)}" for name in dict.fromkeys(about)]
    asked += [f"tasks {n} {min(paper.told(name), 2)}" for n, name in enumerate(about)]
    asked.append(f"together {min(paper.told(*about), 1)}")
    kinds = [" ".join(masked(one)) for one in offered]
    alike = Counter(kinds)
    for place, (one, kind) in enumerate(zip(offered, kinds, strict=True)):
        own = [f"alike {alike[kind]} of {len(offered)}"] if len(offered) < len(COMPASS) else []
        own += [f"place {place}"] if prompt.choices else []
        for name in named(one):
            own += [f"noun {_noun(name)}", f"tasks {min(paper.told(name), 2)}"]
            own.append(f"beside {min(paper.told(name, *about), 1)}")
        yield [kind, *dict.fromkeys(f"{kind} | {each}" for each in (*asked, *own))]


def _noun(name: str) -> str:
    return next(word for word in reversed(name.split()) if not word.isdigit())


def best(ratings: Sequence[float]) -> int:
    """Return the place of the highest rating, the first of equal ones."""
    return max(range(len(ratings)), key=lambda place: (ratings[place], -place))


@cache
def table() -> Mapping[str, Any]:
    """Return the table that is shipped: version, rules, weights, sets, measured accuracies."""
    text = files(__package__).joinpath("wording.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


class Wording:
    """Gives the candidate answer whose wording was right most often elsewhere; never abstains."""

    def __init__(self) -> None:
        self._paper = Paper(())

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read the objectives, and nothing that an agent saw."""
        self._paper = Paper(self._paper.prompts, objectives_of(transcripts))

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Take note of what the sheet names."""
        self._paper = Paper(tuple(prompts), self._paper.objectives)

    async def answer(self, prompt: Prompt) -> str:
        """Return the best candidate; the constant answer to a question of unknown wording."""
        weights = table()["weights"].get(ask_of(prompt))
        offered = candidates(self._paper, prompt, table()["sets"])
        if weights is None or not offered:
            return await Constant().answer(prompt)
        rated = [
            sum(weights.get(feature, 0.0) for feature in found)
            for found in features(self._paper, prompt, offered)
        ]
        return offered[best(rated)]
