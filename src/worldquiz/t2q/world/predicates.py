"""Predicates of text worlds: what can be true of rooms, passages, things, doors and keys.

Explicit negatives (``no_exit``, ``no_match``) say that something is false; a missing fact says
nothing, because absence cannot be seen.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from worldquiz.facts.fact import Fact, Predicate

KIND = Predicate("kind", ("entity", "kind"))
PLAYER_AT = Predicate("player_at", ("room",))

AT = Predicate("at", ("thing", "room"))
"""On the floor of a room, or standing in it. ``in`` and ``on`` say what is in or on a holder."""
IN = Predicate("in", ("thing", "container"))
ON = Predicate("on", ("thing", "supporter"))
CARRIED = Predicate("carried", ("thing",))
EATEN = Predicate("eaten", ("food",))
LISTED = Predicate("listed", ("holder",))
"""All things directly in or on a holder, or on a room's floor, are known; no others are there."""

EXIT = Predicate("exit", ("room", "direction"))
NO_EXIT = Predicate("no_exit", ("room", "direction"))
LEADS = Predicate("leads", ("room", "direction", "other room"))
DOOR_AT = Predicate("door_at", ("door", "room", "direction"))

OPEN = Predicate("open", ("thing",))
SHUT = Predicate("shut", ("thing",))
LOCKED = Predicate("locked", ("thing",))
UNLOCKED = Predicate("unlocked", ("thing",))
MATCH = Predicate("match", ("key", "lock"))
NO_MATCH = Predicate("no_match", ("key", "lock"))

PREDICATES = {
    predicate.name: predicate
    for predicate in (
        KIND, PLAYER_AT, AT, IN, ON, CARRIED, EATEN, LISTED, EXIT, NO_EXIT, LEADS, DOOR_AT,
        OPEN, SHUT, LOCKED, UNLOCKED, MATCH, NO_MATCH,
    )
}  # fmt: skip

PLACE = ("at", "in", "on")


def known(fact: Fact) -> Fact:
    """Return a valid fact. Raises `ValueError` for an unknown predicate or number of arguments."""
    if fact.predicate not in PREDICATES:
        raise ValueError(f"{str(fact)!r} has a predicate that text worlds do not have")
    return PREDICATES[fact.predicate](*fact.args)


KnownFact = Annotated[Fact, AfterValidator(known)]
"""A fact that is checked when it is read from a file."""
