"""An answerer that has learnt how questions are worded, and reads no transcript.

It rates each candidate answer by a linear model and gives the one rated highest, never abstaining.
The candidates are yes and no, the choices, the compass, the places or the things that the sheet
names, or the sets of categories that were right elsewhere. The weights belong to what a candidate
is like (its kind, its noun, its place among the choices, how many candidates are of its kind, which
other questions and objectives name it), alone and together with the words and word pairs of the
question, in which names are replaced by kinds, with what else is asked about the names in it, and
with what the first screen shows. They were learnt on other worlds: ``wording.json``, made by
``benchmarks/blind_table.py`` at c30a00b3, holds them and how often they were right.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp
from typing import Any, NamedTuple

from worldquiz.facts.episode import Transcript
from worldquiz.facts.fact import COMPASS
from worldquiz.facts.question import Format, Prompt
from worldquiz.t2q.agents.paper import Paper, ask_of, candidates, kind_of, masked, named
from worldquiz.t2q.agents.scripted import Constant
from worldquiz.t2q.world.spec import MOVABLE

MOST = 3
"""Counts on the sheet are told apart up to this one."""
SEVERAL = (Format.WHERE, Format.DESCRIPTION)
"""Formats of which several candidates may be right, or none."""


class Guess(NamedTuple):
    """The best candidate answer, and how likely it is right, 0..1."""

    reply: str
    trust: float


def features(paper: Paper, prompt: Prompt, offered: Sequence[str]) -> Iterator[list[str]]:
    """Yield the features of each candidate; features common to all are crossed with its kind."""
    asked = _asked(paper, prompt, offered)
    for kind, own in _offered(paper, prompt, offered):
        yield [kind, *dict.fromkeys(f"{kind} | {each}" for each in (*asked, *own))]


def _asked(paper: Paper, prompt: Prompt, offered: Sequence[str]) -> list[str]:
    """Return what is known of a question: its words, and where else its names stand."""
    words, about = masked(prompt.text), named(prompt.text)
    found = [*dict.fromkeys([*words, *(" ".join(pair) for pair in pairwise(words))])]
    found += [f"noun {_noun(name)}" for name in dict.fromkeys(about)]
    found += [f"tasks {n} {min(paper.told(name), 2)}" for n, name in enumerate(about)]
    found.append(f"together {min(paper.told(*about), 1)}")
    found += ["first room"] if paper.start in about else []
    found += [f"{n} shown {paper.shown(name)}" for n, name in enumerate(about)]
    found += [f"{n} wanted {verb}" for n, name in enumerate(about) for verb in paper.wanted(name)]
    rooms = len(paper.names["room"])
    found += [f"ways {paper.ways}", f"ways {paper.ways} of {_size(rooms)}", _first(paper)]
    found += [f"hidden {kind} {_size(len(names))}" for kind, names in paper.hidden.items()]
    found.append(f"hides {[kind for kind in MOVABLE if kind in paper.hidden]}")
    found.append(f"loose {_left(paper)}")
    found += [f"{kind} {_size(len(names))}" for kind, names in paper.names.items()]
    found.append(f"candidates {_size(len(offered))}")
    found += [f"sheet {sort} {min(count, MOST + 1)}" for sort, count in paper.sorts.items()]
    found += [f"{n} rank {paper.rank(name)}" for n, name in enumerate(about)]
    for n, name in enumerate(about):
        found += [f"{n} in {sort} {min(m, MOST)}" for sort, m in paper.mentions[name].items()]
    return list(dict.fromkeys(found))


def _offered(
    paper: Paper, prompt: Prompt, offered: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the kind of each candidate, and what else tells it from the others."""
    about = named(prompt.text)
    kinds = [" ".join(masked(one)) for one in offered]
    alike = Counter(kinds)
    wanted = [verb for name in about[:1] for verb in paper.wanted(name)]
    for place, (one, kind) in enumerate(zip(offered, kinds, strict=True)):
        own = [f"alike {alike[kind]} of {len(offered)}"] if len(offered) < len(COMPASS) else []
        own += [f"place {place}"] if prompt.choices else []
        own += [f"turn {one in paper.turns} of {len(paper.turns)}"] if paper.turns else []
        for name in named(one):
            own += [f"own noun {_noun(name)}", f"own tasks {min(paper.told(name), 2)}"]
            own.append(f"beside {min(paper.told(name, *about), 1)}")
            own += [f"own start {_first(paper)}" if name == paper.start else f"own {_first(paper)}"]
            own += [f"own shown {paper.shown(name)}", f"own rank {paper.rank(name)}"]
            own += [f"own untold {_left(paper)}"] if name in paper.untold else []
            own += [f"own wanted {verb}" for verb in paper.wanted(name)]
            own += [f"own wanted {v} with {w}" for v in paper.wanted(name) for w in wanted]
            own += [f"own in {s} {min(n, MOST)}" for s, n in paper.mentions[name].items()]
            for other in about:
                both = paper.pairs[frozenset((name, other))]
                own += [f"both in {s} {min(n, MOST)}" for s, n in both.items()]
                for mate in paper.mates[other]:
                    beside = paper.pairs[frozenset((name, mate))]
                    own += [f"mate in {s} {min(n, MOST)}" for s, n in beside.items()]
        own += [f"{each} of <{kind_of(about[0])}>" for each in own] if about else []
        yield kind, list(dict.fromkeys(own))


def _first(paper: Paper) -> str:
    """Return how many exits the first room has, of how many rooms."""
    return f"exits {len(paper.ways)} of {_size(len(paper.names['room']))}"


def _left(paper: Paper) -> str:
    """Return how many things are left to be hidden, in how many places."""
    return f"{min(paper.loose, MOST + 1)} in {min(len(paper.untold), MOST)}"


def _size(count: int) -> int:
    """Return a count, the larger the more roughly."""
    return count if count <= 10 else 10 * round(count / 10)


def _noun(name: str) -> str:
    return next(word for word in reversed(name.split()) if not word.isdigit())


def best(ratings: Sequence[float]) -> int:
    """Return the place of the highest rating, the first of equal ones."""
    return max(range(len(ratings)), key=lambda place: (ratings[place], -place))


def trust(ratings: Sequence[float], format: Format) -> float:
    """Return how likely the candidate with the highest of some log odds is right, 0..1.

    Where just one is right, the odds are shared out among all.
    """
    chances = [1 / (1 + exp(-each)) for each in ratings]
    return max(chances) / (1 if format in SEVERAL else sum(chances))


@cache
def table() -> Mapping[str, Any]:
    """Return the table that is shipped: version, rules, weights, sets, measured accuracies."""
    text = files(__package__).joinpath("wording.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _by_kind(ask: str | None) -> Mapping[str, Mapping[str, float]]:
    """Return the weights for a sort of question by kind, then by what is crossed with it.

    Under "" stands the weight of the kind alone, and of the kind "" that of all.
    """
    found: dict[str, dict[str, float]] = {}
    for name, weight in table()["weights"].get(ask, {}).items():
        kind, _, crossed = name.partition(" | ")
        found.setdefault(kind, {})[crossed] = weight
    return found


def rated(paper: Paper, prompt: Prompt) -> dict[str, float]:
    """Return the log odds of each candidate answer.

    There are none if the question is of an unknown wording, or has no candidates.
    """
    weights = _by_kind(ask_of(prompt))
    offered = candidates(paper, prompt, table()["sets"]) if weights else ()
    asked, ratings, shared = _asked(paper, prompt, offered), [], dict[str, float]()
    for kind, own in _offered(paper, prompt, offered):
        crossed = weights.get(kind, {})
        if kind not in shared:
            same = [crossed.get(each, 0.0) for each in asked]
            shared[kind] = weights[""][""] + crossed.get("", 0.0) + sum(same)
        added = [crossed.get(each, 0.0) for each in own]
        ratings.append(shared[kind] + sum(added))
    return dict(zip(offered, ratings, strict=True))


def guess(paper: Paper, prompt: Prompt) -> Guess | None:
    """Return the candidate whose wording was right most often elsewhere, if there are any."""
    odds = rated(paper, prompt)
    ratings = [*odds.values()]
    return Guess([*odds][best(ratings)], trust(ratings, prompt.format)) if odds else None


class Wording:
    """Gives the candidate answer whose wording was right most often elsewhere; never abstains."""

    def __init__(self) -> None:
        self._paper = Paper(())

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read the objectives and the first screen, and nothing else that an agent saw."""
        self._paper = self._paper.begun(transcripts)

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Take note of what the sheet says."""
        self._paper = replace(self._paper, prompts=tuple(prompts))

    async def answer(self, prompt: Prompt) -> str:
        """Return the best candidate; the constant answer to a question of unknown wording."""
        found = guess(self._paper, prompt)
        return found.reply if found else await Constant().answer(prompt)
