"""Wordings of the quiz: questions are written from this table, and the reader reads them by it.

A question states in its own words every convention by which it is graded. Wordings are no part of
what the quiz and the reader have to find out each for itself.
"""

from __future__ import annotations

from enum import StrEnum


class Ask(StrEnum):
    """Kind of a question: its words, with the roles of the names that it is about."""

    PLACE = (
        "Where was the {thing} at the start? Name what it was in or on, or the room that it was in."
    )
    HOLDER = "In which room was the {holder} at the start?"
    DOOR = "Name one of the two rooms that the {door} joins."
    CATEGORIES = (
        "What kinds of things were {preposition} the {spot} at the start? Name each kind that was "
        "there of container, supporter, food, key, and object for all else; or nothing."
    )
    NEIGHBOUR = (
        "Name a room that a passage joins directly to the {room}, with or without a door between."
    )
    JOINED = "Does a passage, with or without a door, lead straight from the {room} to the {other}?"
    LIES = (
        "Take every passage to be one step straight in its direction. In which of the eight "
        "directions (north, north-east, east and so on) does the {other} lie from the {room}?"
    )
    KEY_OF = "Which of these keys fits the {lock}?"
    FITS = (
        "Does the {key} fit the {lock}? A key fits one lock at most, and only what was locked at "
        "the start."
    )
    LOCKED = "Was the {lock} locked at the start?"
    OPEN = "Was the {lock} open at the start?"
