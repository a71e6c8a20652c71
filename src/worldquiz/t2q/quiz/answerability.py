"""Requirements: conditions under which a matter is settled, built from a world's initial state.

A question is answerable as soon as *what was shown settles it* under the six laws that every text
world obeys and every quiz states (`question.LAWS`, and by their numbers here).

Hence a negative can be known in more than one way, and a question with choices can be settled by
elimination; each function below lists all the ways there are.
"""

from __future__ import annotations

from worldquiz.facts.requirement import All, AnyOf, Requirement, Seen, any_of
from worldquiz.t2q.compass import DIRECTIONS, OPPOSITE
from worldquiz.t2q.question import Question, Which
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import WorldSpec


def passage(spec: WorldSpec, room: str, way: str) -> Requirement:
    """It is known where an exit leads.

    It was walked, either way (law 2), or its door was seen from both rooms (law 3).
    """
    other, back = spec.ways[room][way], OPPOSITE[way]
    door = spec.doors.get((room, way))
    if door is None:
        return walked(room, way, other)
    both_ends = All((Seen(f.DOOR_AT(door, room, way)), Seen(f.DOOR_AT(door, other, back))))
    return any_of(walked(room, way, other), both_ends)


def walked(room: str, way: str, other: str) -> Requirement:
    """A passage was walked, either way (law 2)."""
    return any_of(Seen(f.LEADS(room, way, other)), Seen(f.LEADS(other, OPPOSITE[way], room)))


def barred(spec: WorldSpec, room: str, way: str, other: str) -> Requirement:
    """It is known that leaving a room this way does not lead straight to the other room.

    Seen from the room: no such exit, or it leads elsewhere; from the other room: no exit back
    that way, or it leads elsewhere (law 2); from both: exits that differ in their doors (law 3).
    """
    back = OPPOSITE[way]
    ways = [*_elsewhere(spec, room, way), *_elsewhere(spec, other, back)]
    both = way in spec.ways[room] and back in spec.ways[other]
    if both and spec.doors.get((room, way)) != spec.doors.get((other, back)):
        ways.append(All((Seen(f.EXIT(room, way)), Seen(f.EXIT(other, back)))))
    return AnyOf(tuple(ways))


def _elsewhere(spec: WorldSpec, room: str, way: str) -> tuple[Requirement, ...]:
    if way in spec.ways[room]:
        return (passage(spec, room, way),)
    return (Seen(f.NO_EXIT(room, way)),)


def apart(spec: WorldSpec, room: str, other: str) -> Requirement:
    """It is known that no passage joins two rooms: every direction is barred."""
    return All(tuple(barred(spec, room, way, other) for way in DIRECTIONS))


def fits(key: str, lock: str) -> Requirement:
    """It is known that a key fits a lock: it turned."""
    return Seen(f.MATCH(key, lock))


def unfit(spec: WorldSpec, key: str, lock: str) -> Requirement:
    """It is known that a key does not fit a lock: tried, or by law 4 or 6."""
    ways: list[Requirement] = [Seen(f.NO_MATCH(key, lock))]
    if f.LOCKED(lock) not in spec.initial:
        ways.append(lock_state(spec, lock))
    if key in spec.lock_of:
        ways.append(fits(key, spec.lock_of[key]))
    if lock in spec.key_of:
        ways.append(fits(spec.key_of[lock], lock))
    return any_of(*ways)


def lock_state(spec: WorldSpec, thing: str) -> Requirement:
    """It is known whether a thing was locked (law 5)."""
    if f.LOCKED(thing) in spec.initial:
        return Seen(f.LOCKED(thing))
    if f.OPEN(thing) in spec.initial:
        return any_of(Seen(f.UNLOCKED(thing)), Seen(f.OPEN(thing)))
    return Seen(f.UNLOCKED(thing))


def lid_state(spec: WorldSpec, thing: str) -> Requirement:
    """It is known whether a thing was open (law 5)."""
    if f.OPEN(thing) in spec.initial:
        return Seen(f.OPEN(thing))
    shut = Seen(f.SHUT(thing))
    return any_of(shut, Seen(f.LOCKED(thing))) if f.LOCKED(thing) in spec.initial else shut


def visited(spec: WorldSpec, question: Question) -> Requirement:
    """Return the paper's checkpoint of a question: the places of what it is about were reached.

    That of "the apple is in the kitchen" is that "the agent has reached the kitchen" (section 2.3).
    By it, the content of a closed chest there, or the lock of a door there, counts as known. A
    choice that names nothing else is about its choices.
    """
    choices = question.choices if isinstance(question, Which) else ()
    places = [
        [room for room, _ in spec.ends(name)] or [spec.room_of(name)]  # of a door either room
        for name in question.about or choices
    ]
    return All(tuple(any_of(*(Seen(f.LISTED(room)) for room in rooms)) for rooms in places))
