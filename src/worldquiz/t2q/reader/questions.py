"""Reading quiz questions, and answering them from the map: where the text settles the answer.

A question of no known wording is not guessed at: it reads as None and is answered by abstaining. A
question with choices presupposes that exactly one is right, so all but one may be ruled out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from worldquiz.facts.episode import Transcript
from worldquiz.facts.row import ABSTAIN
from worldquiz.t2q.compass import DIRECTIONS
from worldquiz.t2q.question import CATEGORIES, Ask, Prompt
from worldquiz.t2q.reader.graph import Graph, Reader, category


class UnderstoodQuestion(NamedTuple):
    """A question that was understood, and the names that it is about, in order."""

    ask: Ask
    names: tuple[str, ...]


@cache
def _patterns() -> Mapping[Ask, re.Pattern[str]]:
    """Return each kind's words as a pattern."""

    def role(name: str) -> str:
        return "(?:in|on)" if name == "preposition" else "(.+)"

    parts = {ask: re.split(r"\{(\w+)\}", ask) for ask in Ask}
    return {
        ask: re.compile("".join(role(p) if n % 2 else re.escape(p) for n, p in enumerate(some)))
        for ask, some in parts.items()
    }


@lru_cache(8192)
def read_question(text: str) -> UnderstoodQuestion | None:
    """Return what a question asks, None if its wording is unknown."""
    for ask, pattern in _patterns().items():
        if match := pattern.fullmatch(text):
            return UnderstoodQuestion(ask, match.groups())
    return None


def settled(graph: Graph, prompt: Prompt) -> str | None:
    """Return the answer that a graph settles, None if it settles none."""
    asked = read_question(prompt.text)
    if asked is None:
        return None
    match asked:
        case (Ask.KEY_OF, (lock,)):
            fits = {each: graph.matches(each, lock) for each in prompt.choices}
            right = [each for each in fits if fits[each]]
            found = right or [each for each in fits if fits[each] is None]  # by elimination
            return found[0] if len(found) == 1 else None
        case (Ask.PLACE | Ask.HOLDER | Ask.DOOR, (thing,)):
            return graph.where(thing)
        case (Ask.CATEGORIES, (spot,)):
            return _categories(graph, spot)
        case (Ask.NEIGHBOUR, (room,)):
            return _neighbour(graph, room)
        case (Ask.LIES, (other, room)):
            return _compass(graph, room, other)
    truth = _truth(graph, asked)
    return None if truth is None else "yes" if truth else "no"


def _truth(graph: Graph, asked: UnderstoodQuestion) -> bool | None:
    match asked:
        case (Ask.JOINED, (room, other)):
            return graph.adjacent(room, other)
        case (Ask.FITS, (key, lock)):
            return graph.matches(key, lock)
    (lock,) = asked.names
    return graph.locked(lock) if asked.ask is Ask.LOCKED else graph.opened(lock)


def _compass(graph: Graph, room: str, other: str) -> str | None:
    offset = graph.offset(room, other)
    if offset is None:
        return None
    east, north = offset
    parts = (
        "north" if north > 0 else "south" if north else "",
        "east" if east > 0 else "west" if east else "",
    )
    return "-".join(filter(None, parts))


def _categories(graph: Graph, spot: str) -> str | None:
    things = graph.contents.get(spot)
    if things is None:
        return None
    found = {graph.kinds.get(thing, category(thing)) for thing in things}
    return ", ".join(name for name in CATEGORIES if name in found) or "nothing"


def _neighbour(graph: Graph, room: str) -> str | None:
    """Name the neighbour that was learned first: seeing more changes no answer.

    Unless turns are missing, a room is walked to or from before a door tells what is behind it.
    """
    ways = (*graph.ways.get(room, {}), *DIRECTIONS)  # those walked, in the order learned
    behind = (graph.behind(room, way) for way in ways)
    return next((other for other in behind if other is not None), None)


class WorldGraph:
    """Upper bound without privilege: right wherever the text settles the answer, else silent."""

    def __init__(self) -> None:
        self._graph = Graph()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read all that a player saw in this world, in the order played."""
        self._graph = Reader.of(transcripts).graph

    async def answer(self, prompt: Prompt) -> str:
        """Return the answer that the text settles, else "non-answerable"."""
        return settled(self._graph, prompt) or ABSTAIN
