"""Reading quiz questions, and answering them from the map: where the text settles the answer.

A question of no known wording is not guessed at: it reads as None and is answered by abstaining. A
question presupposes something: that exactly one choice of a `which` is right, that two rooms are
neighbours when it asks for the way between them. So all answers but one may be ruled out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from worldquiz.facts.episode import Transcript
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.question import ABSTAIN, CATEGORIES, Prompt
from worldquiz.t2q.reader.graph import Graph, Reader
from worldquiz.t2q.wordings import WORDINGS, Ask


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


def _pattern(form: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", form)
    roles = {role: _ROLES.get(role, f"(?P<{role}>.+?)") for role in parts[1::2]}
    return re.compile("".join(roles[p] if n % 2 else re.escape(p) for n, p in enumerate(parts)))


_PATTERNS = tuple(
    (wording, negated, _pattern(form))
    for wording in WORDINGS
    for negated, forms in ((True, wording.denials), (False, wording.forms))
    for form in forms
)


@lru_cache(8192)
def read_question(text: str) -> UnderstoodQuestion | None:
    """Return what a question asks, None if its wording is unknown."""
    for wording, negated, pattern in _PATTERNS:
        if match := pattern.fullmatch(text):
            names = {**match.groupdict(), **({"state": wording.state} if wording.state else {})}
            return UnderstoodQuestion(wording.ask, names, negated)
    return None


def spot_of(phrase: str) -> str:
    """Return the room or holder that a choice names: "on the floor of the attic" -> "attic"."""
    match = re.fullmatch(_ROLES["phrase"], phrase)
    return match["spot"] if match else phrase


def settled(graph: Graph, prompt: Prompt) -> str | None:
    """Return the answer that a graph settles, None if it settles none."""
    asked = read_question(prompt.text)
    if asked is None:
        return None
    if asked.ask in _TRUTHS:
        truth = _TRUTHS[asked.ask](graph, asked)
        return None if truth is None else "yes" if truth is not asked.negated else "no"
    if prompt.choices and asked.ask in _CHOICES:
        judge = _CHOICES[asked.ask]
        return only({choice: judge(graph, asked, choice) for choice in prompt.choices})
    return _OPEN[asked.ask](graph, asked)


def only(verdicts: dict[str, bool | None]) -> str | None:
    """Return the one right choice: known to be right, or the only one not known to be wrong."""
    right = [choice for choice, verdict in verdicts.items() if verdict]
    left = [choice for choice, verdict in verdicts.items() if verdict is None]
    found = right or left
    return found[0] if len(found) == 1 else None


def _is_state(graph: Graph, thing: str, state: str) -> bool | None:
    known = graph.locked(thing) if "lock" in state else graph.opened(thing)
    return None if known is None else known is (state in ("open", "locked"))


def _compass(graph: Graph, asked: UnderstoodQuestion) -> str | None:
    offset = graph.offset(asked["room"], asked["other"])
    if offset is None:
        return None
    east, north = offset
    parts = (
        "north" if north > 0 else "south" if north else "",
        "east" if east > 0 else "west" if east else "",
    )
    return "-".join(filter(None, parts))


def _categories(graph: Graph, asked: UnderstoodQuestion) -> str | None:
    things = graph.contents.get(asked["holder"])
    if things is None:
        return None
    found = {graph.kinds.get(thing, graph.category(thing)) for thing in things}
    return ", ".join(name for name in CATEGORIES if name in found) or "nothing"


def _neighbour(graph: Graph, asked: UnderstoodQuestion) -> str | None:
    """Name the neighbour that was learned first: seeing more changes no answer.

    Unless turns are missing, a room is walked to or from before a door tells what is behind it.
    """
    room = asked["room"]
    ways = (*graph.ways.get(room, {}), *DIRECTIONS)  # those walked, in the order learned
    behind = (graph.behind(room, way) for way in ways)
    return next((other for other in behind if other is not None), None)


_TRUTHS: dict[Ask, Callable[[Graph, UnderstoodQuestion], bool | None]] = {
    Ask.WAS_AT: lambda graph, q: graph.was_at(q["thing"], q["spot"]),
    Ask.JOINED: lambda graph, q: graph.adjacent(q["room"], q["other"]),
    Ask.FITS: lambda graph, q: graph.matches(q["key"], q["lock"]),
    Ask.IS_STATE: lambda graph, q: _is_state(graph, q["thing"], q["state"]),
}
_CHOICES: dict[Ask, Callable[[Graph, UnderstoodQuestion, str], bool | None]] = {
    Ask.CHOOSE_PLACE: lambda graph, q, choice: graph.was_at(q["thing"], spot_of(choice)),
    Ask.NEIGHBOUR: lambda graph, q, choice: graph.adjacent(q["room"], choice),
    Ask.KEY_OF: lambda graph, q, choice: graph.matches(choice, q["lock"]),
    Ask.CHOOSE_STATE: lambda graph, q, choice: _is_state(graph, choice, q["state"]),
}
_OPEN: dict[Ask, Callable[[Graph, UnderstoodQuestion], str | None]] = {
    Ask.PLACE: lambda graph, q: graph.where(q["thing"]),
    Ask.CATEGORIES: _categories,
    Ask.NEIGHBOUR: _neighbour,
    Ask.LIES: _compass,
}


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
