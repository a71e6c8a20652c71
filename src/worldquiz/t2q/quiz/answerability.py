"""When is a matter settled? Requirements, built from a world's initial state.

A question is answerable as soon as *what was shown settles it* under five laws that every text
world obeys and every quiz states (docs/reference/question-rules.md):

1. a thing is in one place only;
2. a passage leads back the way it came;
3. a passage has one door or none, the same from both of its rooms;
4. a key fits one lock at most, and a lock takes one key;
5. an open thing is not locked, and a locked one is not open.

Hence a negative can be known in more than one way, and a question with choices can be settled by
elimination; each function below lists all the ways there are.
"""

from __future__ import annotations

from worldquiz.facts.fact import (
    DIRECTIONS,
    DOOR_AT,
    EXIT,
    LISTED,
    LOCKED,
    MATCH,
    NO_EXIT,
    NO_MATCH,
    OPEN,
    SHUT,
    UNLOCKED,
)
from worldquiz.facts.requirement import All, AnyOf, Requirement, Seen, all_of, any_of, walked
from worldquiz.t2q.quiz.world_index import Atlas


def placed(atlas: Atlas, thing: str) -> Requirement:
    """It is known where a thing was."""
    return Seen(atlas.place[thing])


def absent(atlas: Atlas, thing: str, spot: str) -> Requirement:
    """It is known that a thing was not on this floor or in or on this holder (law 1)."""
    return any_of(placed(atlas, thing), Seen(LISTED(spot)))


def away(atlas: Atlas, door: str, room: str) -> Requirement:
    """It is known that a door is not in a room: the room was seen, or both of its ends were."""
    ends = tuple(Seen(DOOR_AT(door, at, way)) for at, way in atlas.ends(door))
    return any_of(Seen(LISTED(room)), All(ends))


def passage(atlas: Atlas, room: str, way: str) -> Requirement:
    """It is known where an exit leads.

    It was walked, either way (law 2), or its door was seen from both rooms (law 3).
    """
    other, back = atlas.ways[room][way], atlas.back(way)
    door = atlas.door(room, way)
    if door is None:
        return walked(room, way, other)
    both_ends = All((Seen(DOOR_AT(door, room, way)), Seen(DOOR_AT(door, other, back))))
    return any_of(walked(room, way, other), both_ends)


def barred(atlas: Atlas, room: str, way: str, other: str) -> Requirement:
    """It is known that leaving a room this way does not lead straight to the other room.

    Seen from the room: no such exit, or it leads elsewhere; from the other room: no exit back
    that way, or it leads elsewhere (law 2); from both: exits that differ in their doors (law 3).
    """
    back = atlas.back(way)
    ways = [*_elsewhere(atlas, room, way), *_elsewhere(atlas, other, back)]
    both = way in atlas.ways[room] and back in atlas.ways[other]
    if both and atlas.door(room, way) != atlas.door(other, back):
        ways.append(All((Seen(EXIT(room, way)), Seen(EXIT(other, back)))))
    return AnyOf(tuple(ways))


def _elsewhere(atlas: Atlas, room: str, way: str) -> tuple[Requirement, ...]:
    if way in atlas.ways[room]:
        return (passage(atlas, room, way),)
    return (Seen(NO_EXIT(room, way)),)


def apart(atlas: Atlas, room: str, other: str) -> Requirement:
    """It is known that no passage joins two rooms: every direction is barred."""
    return All(tuple(barred(atlas, room, way, other) for way in DIRECTIONS))


def fits(key: str, lock: str) -> Requirement:
    """It is known that a key fits a lock: it turned."""
    return Seen(MATCH(key, lock))


def unfit(atlas: Atlas, key: str, lock: str) -> Requirement:
    """It is known that a key does not fit a lock: tried, or by law 4."""
    ways: list[Requirement] = [Seen(NO_MATCH(key, lock))]
    if key in atlas.lock_of:
        ways.append(fits(key, atlas.lock_of[key]))
    if lock in atlas.key_of:
        ways.append(fits(atlas.key_of[lock], lock))
    return any_of(*ways)


def lock_state(atlas: Atlas, thing: str) -> Requirement:
    """It is known whether a thing was locked (law 5)."""
    if atlas.is_("locked", thing):
        return Seen(LOCKED(thing))
    if atlas.is_("open", thing):
        return any_of(Seen(UNLOCKED(thing)), Seen(OPEN(thing)))
    return Seen(UNLOCKED(thing))


def lid_state(atlas: Atlas, thing: str) -> Requirement:
    """It is known whether a thing was open (law 5)."""
    if atlas.is_("open", thing):
        return Seen(OPEN(thing))
    return any_of(Seen(SHUT(thing)), *([Seen(LOCKED(thing))] if atlas.is_("locked", thing) else []))


def chosen(right: Requirement, *wrong: Requirement) -> Requirement:
    """The right choice is known, or every wrong one is known to be wrong (elimination)."""
    return any_of(right, all_of(*wrong)) if wrong else right
