"""Which facts an observation discloses, computed from the true state and never from text.

Seeing follows the game: a room shows its exits, doors (open or closed, never locked), furniture,
and what lies on the floor, on supporters and in open containers; it never names the neighbouring
room, which only walking there tells. A lock shows when it is tried, a match when the key turns.
The table is in docs/reference/question-rules.md; `worldquiz.memory.worldgraph` reads the same
things off the text.

`revealed` may hold facts about the moment before the command (an unlocked door was locked), and
facts about the moment after it that were not true at the start; `Evidence` keeps those about the
initial state. Both moments are given as a `Situation`: the state at one moment, indexed for
questions such as "what is on the table?".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

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
    State,
)
from worldquiz.t2q.world.commands import Command, Scope
from worldquiz.t2q.world.spec import LIES, LOCKABLE, WorldSpec


class Situation:
    """One moment: where everything is, what is open and what is locked."""

    def __init__(self, spec: WorldSpec, dynamic: State) -> None:
        """Index the facts that change: player_at, at/in/on, carried, eaten, open.. and locked.."""
        self.kinds = spec.kinds
        self._spec = spec
        self.dynamic = dynamic
        self.room = ""
        self._place: dict[str, Fact] = {}
        self._content: dict[str, list[str]] = defaultdict(list)
        self._flags: set[Fact] = set()
        for fact in sorted(dynamic):
            match fact.predicate:
                case "player_at":
                    self.room = fact.args[0]
                case "at" | "in" | "on":
                    self._place[fact.args[0]] = fact
                    self._content[fact.args[1]].append(fact.args[0])
                case _:
                    self._flags.add(fact)

    @property
    def exits(self) -> Mapping[str, str]:
        """Directions that lead out of the player's room, each with its door or ""."""
        doors = self._spec.doors
        return {way: doors.get((self.room, way), "") for way in self._spec.ways[self.room]}

    def content(self, spot: str) -> list[str]:
        """Return what is directly in a room or in or on a holder, sorted."""
        return self._content.get(spot, [])

    def place(self, thing: str) -> Fact:
        """Return the fact that says where a thing is (KeyError if carried or eaten)."""
        return self._place[thing]

    def carried(self) -> list[str]:
        """Return what the player carries, sorted."""
        return sorted(fact.args[0] for fact in self._flags if fact.predicate == "carried")

    def holds(self, fact: Fact) -> bool:
        """Tell whether a fact of those that change is true now."""
        return fact in self._flags

    def fits(self, key: str, lock: str) -> bool:
        """Tell whether a key fits a lock."""
        return MATCH(key, lock) in self._spec.initial

    def scope(self) -> Scope:
        """Return what the player can name here."""
        holder = {
            thing: spot
            for spot in self.content(self.room)
            if self.kinds[spot] == "supporter" or self.holds(OPEN(spot))
            for thing in self.content(spot)
        }
        ways = {door: way for way, door in sorted(self.exits.items()) if door}
        here = {*self.content(self.room), *holder, *ways, *self.carried()}
        containers = frozenset(thing for thing in here if self.kinds[thing] == "container")
        return Scope(frozenset(here), holder, containers, ways)


def revealed(before: Situation, command: Command, after: Situation) -> tuple[Fact, ...]:
    """Return what the reply to a command disclosed, sorted."""
    return tuple(sorted(set(_RULES[command.verb](before, command, after))))


def first_screen(spec: WorldSpec) -> tuple[Fact, ...]:
    """Return what is shown before the first command, objectives aside."""
    return tuple(view(Situation(spec, spec.initial)))


def view(now: Situation) -> Iterator[Fact]:
    """Yield what the text of the player's room says."""
    room = now.room
    yield PLAYER_AT(room)
    yield LISTED(room)
    for way in DIRECTIONS:
        yield (EXIT if way in now.exits else NO_EXIT)(room, way)
        if door := now.exits.get(way):
            yield DOOR_AT(door, room, way)
            yield from _lid(now, door)
    for thing in now.content(room):
        yield AT(thing, room)
        if now.kinds.get(thing) == "container":
            yield from _lid(now, thing)
        if now.kinds.get(thing) == "supporter" or now.holds(OPEN(thing)):
            yield from _inside(now, thing)


def _lid(now: Situation, thing: str) -> Iterator[Fact]:
    yield (OPEN if now.holds(OPEN(thing)) else SHUT)(thing)


def _inside(now: Situation, holder: str) -> Iterator[Fact]:
    yield LISTED(holder)
    yield from (LIES[now.kinds[holder]](thing, holder) for thing in now.content(holder))


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
        yield SHUT(before.exits[way])


def _examine(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if before.kinds[thing] in LOCKABLE:
        yield from _lid(before, thing)
    shown = before.kinds[thing] == "supporter" or (
        before.kinds[thing] == "container" and before.holds(OPEN(thing))
    )
    if shown and before.content(thing):
        yield from _inside(before, thing)


def _open(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    thing = command.noun
    if before.kinds[thing] not in LOCKABLE:
        return
    yield from _lid(before, thing)
    if before.holds(LOCKED(thing)):
        yield LOCKED(thing)
    elif not before.holds(OPEN(thing)):
        yield from (UNLOCKED(thing), OPEN(thing))
        if before.kinds[thing] == "container":
            yield from _inside(after, thing)


def _close(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    if before.kinds[command.noun] in LOCKABLE:
        yield from _lid(before, command.noun)
        yield SHUT(command.noun)


def _turn(before: Situation, command: Command, after: Situation) -> Iterator[Fact]:
    """Yield what trying a key in a lock tells; the game checks the lock before the fit."""
    lock, key, locking = command.noun, command.second, command.verb == "lock"
    if before.kinds[lock] not in LOCKABLE or key not in before.carried():
        return
    yield (LOCKED if before.holds(LOCKED(lock)) else UNLOCKED)(lock)
    if before.holds(LOCKED(lock)) == locking:
        return
    if locking and before.holds(OPEN(lock)):
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
    if after.holds(EATEN(command.noun)):
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
