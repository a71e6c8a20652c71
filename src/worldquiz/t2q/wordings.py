"""Wordings of the quiz: questions are written from this table, and the reader reads them by it.

Wordings are no part of what the quiz and the reader have to find out each for itself.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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


class Wording(NamedTuple):
    """Words for one kind of question, and those that ask whether it is not so."""

    ask: Ask
    forms: tuple[str, ...]
    denials: tuple[str, ...] = ()
    state: str = ""  # that both are about


WHERE = Wording(Ask.PLACE, (
    "Where was the {thing} at the start?",
    "Where could the {thing} be found when the game began?",
    "What was the initial place of the {thing}?",
))  # fmt: skip
WHICH = Wording(Ask.CHOOSE_PLACE, (
    "Which of these was the place of the {thing} at the start?",
    "In which of these places was the {thing} when the game began?",
))  # fmt: skip
IS = Wording(
    Ask.WAS_AT,
    ("Was the {thing} {phrase} at the start?", "When the game began, was the {thing} {phrase}?"),
    ("Was the {thing} anywhere but {phrase} at the start?",
     "When the game began, was the {thing} anywhere but {phrase}?"),
)  # fmt: skip
IN_ROOM = Wording(
    Ask.WAS_AT,
    ("Is the {thing} in the {spot}?", "Is the {spot} one of the two rooms that the {thing} joins?"),
    ("Is the {spot} without the {thing}?",
     "Does the {thing} join two rooms other than the {spot}?"),
)  # fmt: skip
CATEGORY = Wording(Ask.CATEGORIES, (
    "What kinds of things were {preposition} the {holder} at the start?",
    "Describe what was {preposition} the {holder} when the game began.",
))  # fmt: skip
_ITSELF = "leaving out what was in or on something there"
ROOM_CATEGORY = Wording(Ask.CATEGORIES, (
    "What kinds of things were in the {holder} itself at the start, " + _ITSELF + "?",
    "Describe what was in the {holder} itself when the game began, " + _ITSELF + ".",
))  # fmt: skip
NEXT = Wording(Ask.NEIGHBOUR, (
    "Name a room that a passage joins directly to the {room}.",
    "Which room is one passage away from the {room}? If there are several, name one.",
))  # fmt: skip
NEXT_WHICH = Wording(Ask.NEIGHBOUR, (
    "Which of these rooms does a passage join directly to the {room}?",
    "From the {room}, which of these rooms is one passage away?",
))  # fmt: skip
JOINED = Wording(
    Ask.JOINED,
    ("Does a passage lead straight from the {room} to the {other}?",
     "Are the {room} and the {other} joined by a direct passage?"),
    ("Is it true that no passage leads straight from the {room} to the {other}?",
     "Are the {room} and the {other} without a direct passage between them?"),
)  # fmt: skip
_GRID = "Take every passage to be one step straight in its direction. "
LIES = Wording(Ask.LIES, (
    _GRID + "In which direction does the {other} lie from the {room}?",
    _GRID + "As seen from the {room}, where is the {other}?",
))  # fmt: skip
KEY = Wording(Ask.KEY_OF, (
    "Which key fits the {lock}?", "Which of these keys unlocks the {lock}?",
))  # fmt: skip
FITS = Wording(
    Ask.FITS,
    ("Does the {key} fit the {lock}?", "Is the {key} the right key for the {lock}?"),
    ("Is the {key} the wrong key for the {lock}?", "Would the {key} fail to fit the {lock}?"),
)  # fmt: skip
LOCKED = Wording(
    Ask.IS_STATE,
    ("Was the {thing} locked at the start?", "When the game began, was the {thing} locked?"),
    ("Was the {thing} unlocked at the start?", "When the game began, was the {thing} not locked?"),
    "locked",
)  # fmt: skip
OPEN = Wording(
    Ask.IS_STATE,
    ("Was the {thing} open at the start?", "When the game began, did the {thing} stand open?"),
    ("Was the {thing} closed at the start?", "When the game began, was the {thing} shut?"),
    "open",
)  # fmt: skip
WHICH_IS = Wording(Ask.CHOOSE_STATE, (
    "Which of these was {state} at the start?", "When the game began, which of these was {state}?",
))  # fmt: skip
WORDINGS = (
    WHERE, WHICH, LOCKED, OPEN, IS, IN_ROOM, ROOM_CATEGORY, CATEGORY, JOINED, NEXT_WHICH, NEXT,
    LIES, KEY, FITS, WHICH_IS,
)  # fmt: skip
"""All of them. A text is of the first that it matches, denials before the others."""
