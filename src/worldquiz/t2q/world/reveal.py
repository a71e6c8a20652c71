"""Facts that an observation discloses, computed from the true state and never from text.

Seeing follows the game: a room shows its exits, doors (open or closed, never locked), furniture,
and what lies on the floor, on supporters and in open containers; it never names the neighbouring
room, which only walking there tells. A lock shows when it is tried, a match when the key turns.
The table is in docs/reference/question-rules.md; `worldquiz.t2q.reader` reads the same
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
    DOOR_AT,
    EATEN,
    EXIT,
    LEADS,
    LISTED,
    LOCKED,
    MATCH,
    NO_EXIT,
    NO_MATCH,
    OPEN,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
)
from worldquiz.t2q.world.commands import Command
from worldquiz.t2q.world.situation import GONE, Situation
from worldquiz.t2q.world.spec import LIES, LOCKABLE, WorldSpec


def revealed(before: Situation, command: Command, after: Situation) -> tuple[Fact, ...]:
    """Return what the reply to a command disclosed, sorted."""
    return tuple(sorted(set(_RULES[command.verb](before, command, after))))


def first_screen(spec: WorldSpec) -> tuple[Fact, ...]:
    """Return what is shown before the first command, objectives aside."""
    return view(Situation.of(spec, spec.facts))


def view(now: Situation) -> tuple[Fact, ...]:
    """Return what the text of the player's room says, sorted."""
    return now.kept(_view)


def _view(now: Situation) -> tuple[Fact, ...]:
    return tuple(sorted(_shown(now, now.room)))


def _shown(now: Situation, room: str) -> Iterator[Fact]:
    exits, kinds = now.spec.exits[room], now.spec.kinds
    yield PLAYER_AT(room)
    yield LISTED(room)
    for way in DIRECTIONS:
        yield (EXIT if way in exits else NO_EXIT)(room, way)
        if door := exits.get(way):
            yield DOOR_AT(door, room, way)
            yield now.lid(door)
    for thing in now.content.get(room, ()):
        yield AT(thing, room)
        if kinds.get(thing) == "container":
            yield now.lid(thing)
        if now.shows(thing):
            yield from _inside(now, thing)


def _inside(now: Situation, holder: str) -> Iterator[Fact]:
    yield LISTED(holder)
    lies = LIES[now.spec.kinds[holder]]
    yield from (lies(thing, holder) for thing in now.content.get(holder, ()))


def _look(before: Situation, command: Command, after: Situation) -> Iterable[Fact]:
    return view(after)


def _inventory(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    yield from (CARRIED(thing) for thing in after.carried)


def _go(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    way, exits = command.noun, before.spec.exits[before.room]
    if before.room != after.room:
        yield LEADS(before.room, way, after.room)
        yield from view(after)
    elif way not in exits:
        yield NO_EXIT(before.room, way)
    else:
        yield SHUT(exits[way])


def _examine(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if before.spec.kinds[thing] in LOCKABLE:
        yield before.lid(thing)
    if before.shows(thing) and before.content.get(thing):
        yield from _inside(before, thing)


def _open(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if before.spec.kinds[thing] not in LOCKABLE:
        return
    yield before.lid(thing)
    if thing in before.locked:
        yield LOCKED(thing)
    elif thing not in before.open:
        yield from (UNLOCKED(thing), OPEN(thing))
        if before.spec.kinds[thing] == "container":
            yield from _inside(after, thing)


def _close(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    if before.spec.kinds[command.noun] in LOCKABLE:
        yield before.lid(command.noun)
        yield SHUT(command.noun)


def _turn(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    """Yield what trying a key in a lock tells; the game checks the lock before the fit."""
    lock, key, locking = command.noun, command.second, command.verb == "lock"
    if before.spec.kinds[lock] not in LOCKABLE or key not in before.carried:
        return
    yield before.lock(lock)
    if (lock in before.locked) == locking:
        return
    if locking and lock in before.open:
        yield OPEN(lock)
    elif before.fits(key, lock):
        yield from (MATCH(key, lock), SHUT(lock), (LOCKED if locking else UNLOCKED)(lock))
    elif before.spec.kinds[key] == "key":
        yield NO_MATCH(key, lock)


def _take(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if thing in before.carried:
        yield CARRIED(thing)
    elif thing in after.carried:
        yield from (before.place(thing), CARRIED(thing))


def _leave(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing, spot = command.noun, command.second
    if thing in before.carried and thing not in after.carried:
        yield from (CARRIED(thing), after.place(thing))
    elif thing in before.carried and spot and before.spec.kinds[spot] == "container":
        yield before.lid(spot)


def _eat(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    if command.noun in before.carried:
        yield CARRIED(command.noun)
    if after.spot.get(command.noun) == GONE:
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
