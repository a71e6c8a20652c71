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

from worldquiz.facts.fact import COMPASS, DIRECTIONS
from worldquiz.facts.question import CATEGORIES, Prompt
from worldquiz.t2q.reader.graph import Graph


class Ask(StrEnum):
    """Kind of a question, whatever its wording."""

    PLACE = "place"  # where a thing was
    CHOOSE_PLACE = "choose place"
    WAS_AT = "was at"
    HELD = "held"  # which of some things was in or on a holder
    CATEGORIES = "categories"  # of the things in or on a holder
    JOINED = "joined"
    NEIGHBOUR = "neighbour"  # which room, of some or of all, is one passage away
    BEHIND = "behind"  # which room an exit leads to
    CHOOSE_BEHIND = "choose behind"  # to which of some rooms an exit leads
    LEADS = "leads"  # does an exit lead to a room
    WAY = "way"  # which exit leads to a room
    LIES = "lies"  # in which direction, of some or of all, a room lies
    IS_TOWARDS = "is towards"
    KEY_OF = "key of"
    LOCK_OF = "lock of"
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
    "way": f"(?P<way>{'|'.join(DIRECTIONS)})",
    "compass": f"(?P<compass>{'|'.join(COMPASS)})",
    "state": r"(?P<state>not locked|unlocked|locked|open|closed|shut)",
    "unturned": r"(?P<state>without a turned lock)",
    **{
        role: f"(?P<{role}>.+?)"
        for role in ("thing", "spot", "holder", "room", "other", "key", "lock")
    },
}
_GRID = "Take every passage to be one step straight in its direction. "
_NOT = "not: "
_FORMS = (
    (Ask.PLACE, "Where was the {thing} at the start?"),
    (Ask.PLACE, "Where could the {thing} be found when the game began?"),
    (Ask.PLACE, "What was the initial place of the {thing}?"),
    (Ask.CHOOSE_PLACE, "Which of these was the place of the {thing} at the start?"),
    (Ask.CHOOSE_PLACE, "In which of these places was the {thing} when the game began?"),
    (Ask.IS_STATE, "Was the {thing} {state} at the start?"),
    (Ask.IS_STATE, "When the game began, was the {thing} {state}?"),
    (Ask.IS_STATE, "When the game began, was the {thing} {unturned}?"),
    (Ask.IS_STATE, "When the game began, did the {thing} stand {state}?"),
    (Ask.WAS_AT, _NOT + "Was the {thing} anywhere but {phrase} at the start?"),
    (Ask.WAS_AT, _NOT + "When the game began, was the {thing} anywhere but {phrase}?"),
    (Ask.WAS_AT, "Was the {thing} {phrase} at the start?"),
    (Ask.WAS_AT, "When the game began, was the {thing} {phrase}?"),
    (Ask.WAS_AT, "Is the {thing} in the {spot}?"),
    (Ask.WAS_AT, "Is the {spot} one of the two rooms that the {thing} joins?"),
    (Ask.WAS_AT, _NOT + "Is the {spot} without the {thing}?"),
    (Ask.WAS_AT, _NOT + "Does the {thing} join two rooms other than the {spot}?"),
    (Ask.CATEGORIES, "What kinds of things were {put} {holder} at the start?"),
    (Ask.CATEGORIES,
     "What kinds of things were in the {holder} itself at the start, leaving out what was in or on "
     "something there?"),
    (Ask.CATEGORIES,
     "Describe what was in the {holder} itself when the game began, leaving out what was in or on "
     "something there."),
    (Ask.CATEGORIES, "Describe what was {put} {holder} when the game began."),
    (Ask.HELD, "Which of these was {put} {holder} at the start?"),
    (Ask.HELD, "Which of these could be found {put} {holder} when the game began?"),
    (Ask.JOINED, "Does a passage lead straight from the {room} to the {other}?"),
    (Ask.JOINED, "Are the {room} and the {other} joined by a direct passage?"),
    (Ask.JOINED,
     _NOT + "Is it true that no passage leads straight from the {room} to the {other}?"),
    (Ask.JOINED, _NOT + "Are the {room} and the {other} without a direct passage between them?"),
    (Ask.NEIGHBOUR, "Which of these rooms does a passage join directly to the {room}?"),
    (Ask.NEIGHBOUR, "From the {room}, which of these rooms is one passage away?"),
    (Ask.NEIGHBOUR, "Name a room that a passage joins directly to the {room}."),
    (Ask.NEIGHBOUR,
     "Which room is one passage away from the {room}? If there are several, name one."),
    (Ask.BEHIND, "Which room do you enter when you leave the {room} to the {way}?"),
    (Ask.BEHIND, "Where does the {way} exit of the {room} lead?"),
    (Ask.CHOOSE_BEHIND,
     "Which of these rooms do you enter when you leave the {room} to the {way}?"),
    (Ask.CHOOSE_BEHIND, "To which of these rooms does the {way} exit of the {room} lead?"),
    (Ask.WAY, "In which direction do you leave the {room} to get straight to the {other}?"),
    (Ask.WAY, "Which way leads directly from the {room} to the {other}?"),
    (Ask.LEADS,
     _NOT + "Does the {way} exit of the {room} lead to a room other than the {other}?"),
    (Ask.LEADS,
     _NOT + "Do you come to a room other than the {other} when you go {way} from the {room}?"),
    (Ask.LEADS, "Does the {way} exit of the {room} lead to the {other}?"),
    (Ask.LEADS, "Do you come to the {other} when you go {way} from the {room}?"),
    (Ask.LIES, _GRID + "In which direction does the {other} lie from the {room}?"),
    (Ask.LIES, _GRID + "As seen from the {room}, where is the {other}?"),
    (Ask.IS_TOWARDS, _GRID + "Does the {other} lie to the {compass} of the {room}?"),
    (Ask.IS_TOWARDS,
     _NOT + _GRID + "Does the {other} lie in a direction other than {compass} from the {room}?"),
    (Ask.KEY_OF, "Which key fits the {lock}?"),
    (Ask.KEY_OF, "Which of these keys unlocks the {lock}?"),
    (Ask.LOCK_OF, "What does the {key} unlock?"),
    (Ask.LOCK_OF, "Which lock does the {key} fit?"),
    (Ask.FITS, "Does the {key} fit the {lock}?"),
    (Ask.FITS, "Is the {key} the right key for the {lock}?"),
    (Ask.FITS, _NOT + "Is the {key} the wrong key for the {lock}?"),
    (Ask.FITS, _NOT + "Would the {key} fail to fit the {lock}?"),
    (Ask.CHOOSE_STATE, "Which of these was {state} at the start?"),
    (Ask.CHOOSE_STATE, "When the game began, which of these was {state}?"),
)  # fmt: skip


def _pattern(form: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", form.removeprefix(_NOT))
    return re.compile(
        "".join(_ROLES[part] if n % 2 else re.escape(part) for n, part in enumerate(parts))
    )


_PATTERNS = tuple((ask, form.startswith(_NOT), _pattern(form)) for ask, form in _FORMS)


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


_EAST_WEST = {-1: "west", 0: "", 1: "east"}
_NORTH_SOUTH = {-1: "south", 0: "", 1: "north"}


def _compass(graph: Graph, room: str, other: str) -> str | None:
    offset = graph.offset(room, other)
    if offset is None:
        return None
    east, north = (max(-1, min(1, steps)) for steps in offset)
    return "-".join(part for part in (_NORTH_SOUTH[north], _EAST_WEST[east]) if part)


def _towards(graph: Graph, asked: UnderstoodQuestion, compass: str) -> bool | None:
    found = _compass(graph, asked["room"], asked["other"])
    return None if found is None else found == compass


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


def _way(graph: Graph, asked: UnderstoodQuestion) -> str | None:
    room, other = asked["room"], asked["other"]
    return only({way: graph.leads(room, way, other) for way in DIRECTIONS})


_TRUTHS: dict[Ask, Callable[[Graph, UnderstoodQuestion], bool | None]] = {
    Ask.WAS_AT: lambda graph, q: graph.was_at(q["thing"], q["spot"]),
    Ask.JOINED: lambda graph, q: graph.adjacent(q["room"], q["other"]),
    Ask.LEADS: lambda graph, q: graph.leads(q["room"], q["way"], q["other"]),
    Ask.IS_TOWARDS: lambda graph, q: _towards(graph, q, q["compass"]),
    Ask.FITS: lambda graph, q: graph.matches(q["key"], q["lock"]),
    Ask.IS_STATE: lambda graph, q: _is_state(graph, q["thing"], q["state"]),
}
_CHOICES: dict[Ask, Callable[[Graph, UnderstoodQuestion, str], bool | None]] = {
    Ask.CHOOSE_PLACE: lambda graph, q, choice: graph.was_at(q["thing"], spot_of(choice)),
    Ask.HELD: lambda graph, q, choice: graph.was_at(choice, q["holder"]),
    Ask.NEIGHBOUR: lambda graph, q, choice: graph.adjacent(q["room"], choice),
    Ask.LIES: _towards,
    Ask.CHOOSE_BEHIND: lambda graph, q, choice: graph.leads(q["room"], q["way"], choice),
    Ask.KEY_OF: lambda graph, q, choice: graph.matches(choice, q["lock"]),
    Ask.CHOOSE_STATE: lambda graph, q, choice: _is_state(graph, choice, q["state"]),
}
_OPEN: dict[Ask, Callable[[Graph, UnderstoodQuestion], str | None]] = {
    Ask.PLACE: lambda graph, q: graph.where(q["thing"]),
    Ask.CATEGORIES: _categories,
    Ask.NEIGHBOUR: _neighbour,
    Ask.BEHIND: lambda graph, q: graph.behind(q["room"], q["way"]),
    Ask.WAY: _way,
    Ask.LIES: lambda graph, q: _compass(graph, q["room"], q["other"]),
    Ask.LOCK_OF: lambda graph, q: graph.fits.get(q["key"]),
}
