"""Reading quiz questions, and answering them from the map: where the text settles the answer.

A question of no known wording is not guessed at: it reads as None and is answered by abstaining. A
question presupposes something: that exactly one choice of a `which` is right, that two rooms are
neighbours when it asks for the way between them. So all answers but one may be ruled out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.question import CATEGORIES, Prompt
from worldquiz.t2q.reader.graph import Graph


class Ask(StrEnum):
    """Kind of a question, whatever its wording."""

    PLACE = "place"  # where a thing was
    CHOOSE_PLACE = "choose place"
    WAS_AT = "was at"
    CATEGORIES = "categories"  # of the things in or on a holder
    JOINED = "joined"
    NEIGHBOUR = "neighbour"  # which room, of some or of all, is one passage away
    LIES = "lies"  # in which direction a room lies
    KEY_OF = "key of"
    FITS = "fits"
    IS_STATE = "is state"
    CHOOSE_STATE = "choose state"


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
    "put": r"(?:in|on) the",
    "state": r"(?P<state>not locked|unlocked|locked|open|closed|shut)",
    **{
        role: f"(?P<{role}>.+?)"
        for role in ("thing", "spot", "holder", "room", "other", "key", "lock")
    },
}
_GRID = "Take every passage to be one step straight in its direction. "
_NOT = "not: "
_ITSELF = "leaving out what was in or on something there"
_FORMS = {
    Ask.PLACE: (
        "Where was the {thing} at the start?",
        "Where could the {thing} be found when the game began?",
        "What was the initial place of the {thing}?",
    ),
    Ask.CHOOSE_PLACE: (
        "Which of these was the place of the {thing} at the start?",
        "In which of these places was the {thing} when the game began?",
    ),
    Ask.IS_STATE: (
        "Was the {thing} {state} at the start?",
        "When the game began, was the {thing} {state}?",
        "When the game began, did the {thing} stand {state}?",
    ),
    Ask.WAS_AT: (
        _NOT + "Was the {thing} anywhere but {phrase} at the start?",
        _NOT + "When the game began, was the {thing} anywhere but {phrase}?",
        "Was the {thing} {phrase} at the start?",
        "When the game began, was the {thing} {phrase}?",
        "Is the {thing} in the {spot}?",
        "Is the {spot} one of the two rooms that the {thing} joins?",
        _NOT + "Is the {spot} without the {thing}?",
        _NOT + "Does the {thing} join two rooms other than the {spot}?",
    ),
    Ask.CATEGORIES: (
        "What kinds of things were {put} {holder} at the start?",
        "What kinds of things were in the {holder} itself at the start, " + _ITSELF + "?",
        "Describe what was in the {holder} itself when the game began, " + _ITSELF + ".",
        "Describe what was {put} {holder} when the game began.",
    ),
    Ask.JOINED: (
        "Does a passage lead straight from the {room} to the {other}?",
        "Are the {room} and the {other} joined by a direct passage?",
        _NOT + "Is it true that no passage leads straight from the {room} to the {other}?",
        _NOT + "Are the {room} and the {other} without a direct passage between them?",
    ),
    Ask.NEIGHBOUR: (
        "Which of these rooms does a passage join directly to the {room}?",
        "From the {room}, which of these rooms is one passage away?",
        "Name a room that a passage joins directly to the {room}.",
        "Which room is one passage away from the {room}? If there are several, name one.",
    ),
    Ask.LIES: (
        _GRID + "In which direction does the {other} lie from the {room}?",
        _GRID + "As seen from the {room}, where is the {other}?",
    ),
    Ask.KEY_OF: ("Which key fits the {lock}?", "Which of these keys unlocks the {lock}?"),
    Ask.FITS: (
        "Does the {key} fit the {lock}?",
        "Is the {key} the right key for the {lock}?",
        _NOT + "Is the {key} the wrong key for the {lock}?",
        _NOT + "Would the {key} fail to fit the {lock}?",
    ),
    Ask.CHOOSE_STATE: (
        "Which of these was {state} at the start?",
        "When the game began, which of these was {state}?",
    ),
}


def _pattern(form: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", form.removeprefix(_NOT))
    return re.compile(
        "".join(_ROLES[part] if n % 2 else re.escape(part) for n, part in enumerate(parts))
    )


_PATTERNS = tuple(
    (ask, form.startswith(_NOT), _pattern(form)) for ask, forms in _FORMS.items() for form in forms
)


@lru_cache(8192)
def read_question(text: str) -> UnderstoodQuestion | None:
    """Return what a question asks, None if its wording is unknown."""
    for ask, negated, pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        if match:
            return UnderstoodQuestion(ask, match.groupdict(), negated)
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
