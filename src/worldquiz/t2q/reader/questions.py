"""Reading quiz questions, and answering them from the map: where the text settles the answer.

A question of no known wording is not guessed at: it reads as None and is answered by abstaining. A
question presupposes something: that exactly one choice of a `which` is right, that two rooms are
neighbours when it asks for the way between them. So all answers but one may be ruled out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from worldquiz.facts.episode import Transcript
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.question import ABSTAIN, CATEGORIES, Prompt
from worldquiz.t2q.reader.graph import Graph, Reader
from worldquiz.t2q.wordings import WORDINGS, Ask, Wording


@dataclass(frozen=True, slots=True)
class UnderstoodQuestion:
    """A question that was understood."""

    ask: Ask
    names: Mapping[str, str]
    negated: bool = False  # asks whether something is not so

    def __getitem__(self, role: str) -> str:
        return self.names[role]


_ROLES = {
    "phrase": r"(?:in|on) (?:the floor of )?the (?P<spot>.+)",
    "preposition": r"(?:in|on)",
    "state": r"(?P<state>not locked|unlocked|locked|open|closed|shut)",
}


@cache
def _patterns() -> list[tuple[Wording, bool, re.Pattern[str]]]:
    """Return each form of words as a pattern, with its wording, and whether it is a denial."""
    found = []
    for wording in WORDINGS:
        for form in (*wording.denials, *wording.forms):
            parts = re.split(r"\{(\w+)\}", form)
            roles = {role: _ROLES.get(role, f"(?P<{role}>.+?)") for role in parts[1::2]}
            text = [roles[p] if n % 2 else re.escape(p) for n, p in enumerate(parts)]
            found.append((wording, form in wording.denials, re.compile("".join(text))))
    return found


@lru_cache(8192)
def read_question(text: str) -> UnderstoodQuestion | None:
    """Return what a question asks, None if its wording is unknown."""
    for wording, negated, pattern in _patterns():
        if match := pattern.fullmatch(text):
            names = {**match.groupdict(), **({"state": wording.state} if wording.state else {})}
            return UnderstoodQuestion(wording.ask, names, negated)
    return None


def spot_of(phrase: str) -> str:
    """Return the room or holder that a choice names: "on the floor of the attic" -> "attic"."""
    match = re.fullmatch(_ROLES["phrase"], phrase)
    return match["spot"] if match else phrase


_CHOICES = (Ask.CHOOSE_PLACE, Ask.NEIGHBOUR, Ask.KEY_OF, Ask.CHOOSE_STATE)


def settled(graph: Graph, prompt: Prompt) -> str | None:
    """Return the answer that a graph settles, None if it settles none."""
    asked = read_question(prompt.text)
    if asked is None:
        return None
    if prompt.choices and asked.ask in _CHOICES:
        # the one that is right, or the only one that is not known to be wrong
        verdicts = {choice: _truth(graph, asked, choice) for choice in prompt.choices}
        right = [choice for choice, verdict in verdicts.items() if verdict]
        found = right or [choice for choice, verdict in verdicts.items() if verdict is None]
        return found[0] if len(found) == 1 else None
    match asked.ask:
        case Ask.PLACE:
            return graph.where(asked["thing"])
        case Ask.CATEGORIES:
            return _categories(graph, asked["holder"])
        case Ask.NEIGHBOUR:
            return _neighbour(graph, asked["room"])
        case Ask.LIES:
            return _compass(graph, asked["room"], asked["other"])
    truth = _truth(graph, asked)
    return None if truth is None else "yes" if truth is not asked.negated else "no"


def _truth(graph: Graph, q: UnderstoodQuestion, choice: str = "") -> bool | None:
    """Tell whether what is asked is so, or whether a choice is right."""
    match q.ask:
        case Ask.WAS_AT | Ask.CHOOSE_PLACE:
            return graph.was_at(q["thing"], spot_of(choice) if choice else q["spot"])
        case Ask.JOINED | Ask.NEIGHBOUR:
            return graph.adjacent(q["room"], choice or q["other"])
        case Ask.FITS | Ask.KEY_OF:
            return graph.matches(choice or q["key"], q["lock"])
    thing, state = choice or q["thing"], q["state"]
    known = graph.locked(thing) if "lock" in state else graph.opened(thing)
    return None if known is None else known is (state in ("open", "locked"))


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


def _categories(graph: Graph, holder: str) -> str | None:
    things = graph.contents.get(holder)
    if things is None:
        return None
    found = {graph.kinds.get(thing, graph.category(thing)) for thing in things}
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
