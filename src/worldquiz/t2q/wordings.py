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


Forms = tuple[str, ...]

WHERE = (
    "Where was the {thing} at the start?",
    "Where could the {thing} be found when the game began?",
    "What was the initial place of the {thing}?",
)
WHICH = (
    "Which of these was the place of the {thing} at the start?",
    "In which of these places was the {thing} when the game began?",
)
IS = ("Was the {thing} {phrase} at the start?", "When the game began, was the {thing} {phrase}?")
IS_NOT = (
    "Was the {thing} anywhere but {phrase} at the start?",
    "When the game began, was the {thing} anywhere but {phrase}?",
)
IN_ROOM = (
    "Is the {thing} in the {spot}?",
    "Is the {spot} one of the two rooms that the {thing} joins?",
)
NOT_IN_ROOM = (
    "Is the {spot} without the {thing}?",
    "Does the {thing} join two rooms other than the {spot}?",
)
CATEGORY = (
    "What kinds of things were {preposition} the {holder} at the start?",
    "Describe what was {preposition} the {holder} when the game began.",
)
ROOM_CATEGORY = (
    "What kinds of things were in the {holder} itself at the start, leaving out what was in or on "
    "something there?",
    "Describe what was in the {holder} itself when the game began, leaving out what was in or on "
    "something there.",
)

NEXT = (
    "Name a room that a passage joins directly to the {room}.",
    "Which room is one passage away from the {room}? If there are several, name one.",
)
NEXT_WHICH = (
    "Which of these rooms does a passage join directly to the {room}?",
    "From the {room}, which of these rooms is one passage away?",
)
JOINED = (
    "Does a passage lead straight from the {room} to the {other}?",
    "Are the {room} and the {other} joined by a direct passage?",
)
JOINED_NOT = (
    "Is it true that no passage leads straight from the {room} to the {other}?",
    "Are the {room} and the {other} without a direct passage between them?",
)
_GRID = "Take every passage to be one step straight in its direction. "
LIES = (
    _GRID + "In which direction does the {other} lie from the {room}?",
    _GRID + "As seen from the {room}, where is the {other}?",
)

KEY = ("Which key fits the {lock}?", "Which of these keys unlocks the {lock}?")
FITS = ("Does the {key} fit the {lock}?", "Is the {key} the right key for the {lock}?")
UNFIT = ("Is the {key} the wrong key for the {lock}?", "Would the {key} fail to fit the {lock}?")

LOCKED = ("Was the {thing} locked at the start?", "When the game began, was the {thing} locked?")
UNLOCKED = (
    "Was the {thing} unlocked at the start?",
    "When the game began, was the {thing} not locked?",
)
OPEN = ("Was the {thing} open at the start?", "When the game began, did the {thing} stand open?")
CLOSED = ("Was the {thing} closed at the start?", "When the game began, was the {thing} shut?")
WHICH_IS = (
    "Which of these was {state} at the start?",
    "When the game began, which of these was {state}?",
)


class Wording(NamedTuple):
    """Words for one kind of question, and those that ask whether it is not so."""

    ask: Ask
    forms: Forms
    denials: Forms = ()
    state: str = ""  # that both are about


WORDINGS = (
    Wording(Ask.PLACE, WHERE),
    Wording(Ask.CHOOSE_PLACE, WHICH),
    Wording(Ask.IS_STATE, LOCKED, UNLOCKED, "locked"),
    Wording(Ask.IS_STATE, OPEN, CLOSED, "open"),
    Wording(Ask.WAS_AT, IS + IN_ROOM, IS_NOT + NOT_IN_ROOM),
    Wording(Ask.CATEGORIES, ROOM_CATEGORY + CATEGORY),
    Wording(Ask.JOINED, JOINED, JOINED_NOT),
    Wording(Ask.NEIGHBOUR, NEXT_WHICH + NEXT),
    Wording(Ask.LIES, LIES),
    Wording(Ask.KEY_OF, KEY),
    Wording(Ask.FITS, FITS, UNFIT),
    Wording(Ask.CHOOSE_STATE, WHICH_IS),
)
"""All of them. A text is of the first that it matches, denials before the others."""
