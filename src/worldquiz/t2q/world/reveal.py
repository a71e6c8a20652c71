"""Which facts an observation discloses, computed from the true state and never from text.

Seeing follows the game: a room shows its exits, doors (open or closed, never locked), furniture,
and what lies on the floor, on supporters and in open containers; it never names the neighbouring
room, which only walking there tells. A lock shows when it is tried, a match when the key turns.
The table is in docs/reference/question-rules.md; `worldquiz.t2q.memory.worldgraph` reads the same
things off the text.

`revealed` may hold facts about the moment before the command (an unlocked door was locked), and
facts about the moment after it that were not true at the start; `Evidence` keeps those about the
initial state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from worldquiz.facts.fact import (
    AT,
    CARRIED,
    DIRECTIONS,
    EATEN,
    IN,
    LEADS,
    LISTED,
    LOCKED,
    MATCH,
    NO_EXIT,
    NO_MATCH,
    ON,
    OPEN,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
)
from worldquiz.t2q.world.commands import Command
from worldquiz.t2q.world.situation import Situation


def revealed(before: Situation, command: Command, after: Situation) -> tuple[Fact, ...]:
    """Return what the reply to a command disclosed, sorted."""
    return tuple(sorted(set(_RULES[command.verb](before, command, after))))


def view(now: Situation) -> Iterator[Fact]:
    """Yield what the text of the player's room says."""
    room = now.room
    yield PLAYER_AT(room)
    yield LISTED(room)
    for way in DIRECTIONS:
        yield from now.exit_facts(way)
    for door in now.doors_here():
        yield from _lid(now, door)
    for thing in now.content(room):
        yield AT(thing, room)
        if now.kinds[thing] == "container":
            yield from _lid(now, thing)
        if now.kinds[thing] == "supporter" or now.is_open(thing):
            yield from _inside(now, thing)


def _lid(now: Situation, thing: str) -> Iterator[Fact]:
    yield (OPEN if now.is_open(thing) else SHUT)(thing)


def _inside(now: Situation, holder: str) -> Iterator[Fact]:
    yield LISTED(holder)
    relation = IN if now.kinds[holder] == "container" else ON
    yield from (relation(thing, holder) for thing in now.content(holder))


def _look(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    yield from view(after)


def _inventory(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    yield from (CARRIED(thing) for thing in after.carried())


def _go(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    way = command.noun
    if before.room != after.room:
        yield LEADS(before.room, way, after.room)
        yield from view(after)
    elif way not in before.exits:
        yield NO_EXIT(before.room, way)
    else:
        yield SHUT(before.door(way) or "")


def _examine(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if before.kinds[thing] in ("container", "door"):
        yield from _lid(before, thing)
    shown = before.kinds[thing] == "supporter" or (
        before.kinds[thing] == "container" and before.is_open(thing)
    )
    if shown and before.content(thing):
        yield from _inside(before, thing)


def _open(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if before.kinds[thing] not in ("container", "door"):
        return
    yield from _lid(before, thing)
    if before.is_locked(thing):
        yield LOCKED(thing)
    elif not before.is_open(thing):
        yield from (UNLOCKED(thing), OPEN(thing))
        if before.kinds[thing] == "container":
            yield from _inside(after, thing)


def _close(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    if before.kinds[command.noun] in ("container", "door"):
        yield from _lid(before, command.noun)
        yield SHUT(command.noun)


def _turn(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    """Yield what trying a key in a lock tells; the game checks the lock before the fit."""
    lock, key, locking = command.noun, command.second, command.verb == "lock"
    if before.kinds[lock] not in ("container", "door") or key not in before.carried():
        return
    yield (LOCKED if before.is_locked(lock) else UNLOCKED)(lock)
    if before.is_locked(lock) == locking:
        return
    if locking and before.is_open(lock):
        yield OPEN(lock)
    elif before.fits(key, lock):
        yield from (MATCH(key, lock), SHUT(lock), (LOCKED if locking else UNLOCKED)(lock))
    elif before.kinds[key] == "key":
        yield NO_MATCH(key, lock)


def _take(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if thing in before.carried():
        yield CARRIED(thing)
    elif thing in after.carried():
        yield from (before.place(thing), CARRIED(thing))


def _leave(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing, spot = command.noun, command.second
    if thing in before.carried() and thing not in after.carried():
        yield from (CARRIED(thing), after.place(thing))
    elif thing in before.carried() and spot and before.kinds[spot] == "container":
        yield from _lid(before, spot)


def _eat(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    if command.noun in before.carried():
        yield CARRIED(command.noun)
    if after.is_eaten(command.noun):
        yield EATEN(command.noun)


_RULES: dict[str, Callable[[Situation, Command, Situation], Iterable[Fact]]] = {
    "look": _look,
    "inventory": _inventory,
    "go": _go,
    "examine": _examine,
    "open": _open,
    "close": _close,
    "unlock": _turn,
    "lock": _turn,
    "take": _take,
    "put": _leave,
    "insert": _leave,
    "drop": _leave,
    "eat": _eat,
}
