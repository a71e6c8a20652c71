"""Answering a quiz from the map: where the text settles the answer, and only there.

A question presupposes something: that exactly one choice of a `which` is right, that two rooms are
neighbours when it asks for the way between them. So all answers but one may be ruled out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from worldquiz.facts.episode import Transcript
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.question import ABSTAIN, CATEGORIES, Prompt
from worldquiz.t2q.memory.worldgraph.graph import Graph
from worldquiz.t2q.memory.worldgraph.questions import Ask, Asked, read_question, spot_of
from worldquiz.t2q.memory.worldgraph.reader import Reader

_EAST_WEST = {-1: "west", 0: "", 1: "east"}
_NORTH_SOUTH = {-1: "south", 0: "", 1: "north"}


class WorldGraph:
    """The ceiling without privilege: right wherever the text settles the answer, else silent."""

    def __init__(self) -> None:
        self._graph = Graph()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read all that a player saw in this world, in the order played."""
        self._graph = Reader.of(transcripts).graph

    async def answer(self, prompt: Prompt) -> str:
        """Return the answer that the text settles, else "non-answerable"."""
        return settled(self._graph, prompt) or ABSTAIN


def settled(graph: Graph, prompt: Prompt) -> str | None:
    """Return the answer that a graph settles, None if it settles none."""
    asked = read_question(prompt.text)
    if asked is None:
        return None
    if asked.ask in _TRUTHS:
        truth = _TRUTHS[asked.ask](graph, asked)
        return None if truth is None else "yes" if truth is not asked.negated else "no"
    if asked.ask in _CHOICES:
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
    match state:
        case "open":
            return graph.opened(thing)
        case "closed" | "shut":
            return _not(graph.opened(thing))
        case "locked":
            return graph.locked(thing)
    return _not(graph.locked(thing))


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _compass(graph: Graph, room: str, other: str) -> str | None:
    offset = graph.offset(room, other)
    if offset is None:
        return None
    east, north = (max(-1, min(1, steps)) for steps in offset)
    return "-".join(part for part in (_NORTH_SOUTH[north], _EAST_WEST[east]) if part)


def _towards(graph: Graph, asked: Asked, compass: str) -> bool | None:
    found = _compass(graph, asked["room"], asked["other"])
    return None if found is None else found == compass


def _categories(graph: Graph, asked: Asked) -> str | None:
    things = graph.contents.get(asked["holder"])
    if things is None:
        return None
    found = {graph.category(thing) for thing in things}
    return ", ".join(name for name in CATEGORIES if name in found) or "nothing"


def _way(graph: Graph, asked: Asked) -> str | None:
    room, other = asked["room"], asked["other"]
    return only({way: graph.leads(room, way, other) for way in DIRECTIONS})


_TRUTHS: dict[Ask, Callable[[Graph, Asked], bool | None]] = {
    Ask.WAS_AT: lambda graph, q: graph.was_at(q["thing"], q["spot"]),
    Ask.JOINED: lambda graph, q: graph.adjacent(q["room"], q["other"]),
    Ask.LEADS: lambda graph, q: graph.leads(q["room"], q["way"], q["other"]),
    Ask.IS_TOWARDS: lambda graph, q: _towards(graph, q, q["compass"]),
    Ask.FITS: lambda graph, q: graph.matches(q["key"], q["lock"]),
    Ask.IS_STATE: lambda graph, q: _is_state(graph, q["thing"], q["state"]),
}
_CHOICES: dict[Ask, Callable[[Graph, Asked, str], bool | None]] = {
    Ask.CHOOSE_PLACE: lambda graph, q, choice: graph.was_at(q["thing"], spot_of(choice)),
    Ask.HELD: lambda graph, q, choice: graph.was_at(choice, q["holder"]),
    Ask.NEIGHBOUR: lambda graph, q, choice: graph.adjacent(q["room"], choice),
    Ask.LIES: _towards,
    Ask.KEY_OF: lambda graph, q, choice: graph.matches(choice, q["lock"]),
    Ask.CHOOSE_STATE: lambda graph, q, choice: _is_state(graph, choice, q["state"]),
}
_OPEN: dict[Ask, Callable[[Graph, Asked], str | None]] = {
    Ask.PLACE: lambda graph, q: graph.where(q["thing"]),
    Ask.CATEGORIES: _categories,
    Ask.BEHIND: lambda graph, q: graph.behind(q["room"], q["way"]),
    Ask.WAY: _way,
    Ask.LOCK_OF: lambda graph, q: graph.fits.get(q["key"]),
}
