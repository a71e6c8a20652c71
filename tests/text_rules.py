"""What commands do to a state: TextWorld's rules, over facts, without a game and without text.

A command is executable exactly if TextWorld carries it out, and then has one effect. Plans and
coverage signatures are checked by it: it knows neither the planner nor the text of a command's
reply.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from worldquiz.facts.fact import (
    AT,
    CARRIED,
    DOOR_AT,
    EATEN,
    IN,
    KIND,
    LEADS,
    LOCKED,
    MATCH,
    ON,
    OPEN,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
    State,
)
from worldquiz.t2q.world.spec import LOCKABLE, MOVABLE


@dataclass(frozen=True, slots=True)
class Effect:
    """What one command changes, and the rooms and entities that it exercises."""

    removed: tuple[Fact, ...] = ()
    added: tuple[Fact, ...] = ()
    exercised: tuple[str, ...] = ()


def apply(state: State, command: str) -> State:
    """Return the state after a command. Raises `ValueError` if it cannot be carried out."""
    return replay(state, (command,))


def replay(initial: State, commands: Iterable[str]) -> State:
    """Return the state after commands. Raises `ValueError` at the first that cannot be done."""
    gone: set[Fact] = set()
    new: set[Fact] = set()
    for effect in effects(initial, commands):
        for fact in effect.removed:
            new.discard(fact) if fact in new else gone.add(fact)
        for fact in effect.added:
            gone.discard(fact) if fact in gone else new.add(fact)
    return (initial - gone) | new


def exercised(initial: State, commands: Iterable[str]) -> frozenset[str]:
    """Return the start and all that commands exercised: what a signature must name."""
    (start,) = PLAYER_AT.of(initial)
    return frozenset(start).union(*(effect.exercised for effect in effects(initial, commands)))


def effects(initial: State, commands: Iterable[str]) -> Iterator[Effect]:
    """Yield the effect of each command. Raises `ValueError` at the first that cannot be done."""
    play = _Play(_setting(initial))
    return (play.do(command) for command in commands)


class _Setting:
    """What never changes in a world, and how the rest stood."""

    def __init__(self, state: State) -> None:
        facts: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for fact in state:
            facts[fact.predicate].append(fact.args)
        self.kinds = {name: kind for name, kind in facts[KIND.name]}
        doors = {(room, way): door for door, room, way in facts[DOOR_AT.name]}
        self.exits = {
            (room, way): (other, doors.get((room, way))) for room, way, other in facts[LEADS.name]
        }
        self.ends = {(door, room) for door, room, _ in facts[DOOR_AT.name]}
        self.fits = set(facts[MATCH.name])
        self.open = {thing for (thing,) in facts[OPEN.name]}
        self.locked = {thing for (thing,) in facts[LOCKED.name]}
        self.place = {
            fact.args[0]: fact for fact in state if fact.predicate in ("at", "in", "on", "carried")
        }
        ((self.room,),) = facts[PLAYER_AT.name]


_setting = lru_cache(maxsize=4)(_Setting)
"""Many plans are played from one state, which takes longer to read than a plan to play."""


class _Refusal(Exception):
    """Why a command cannot be carried out."""


class _Play:
    """A world being played."""

    def __init__(self, setting: _Setting) -> None:
        self._world = setting
        self._room = setting.room
        self._open, self._locked = set(setting.open), set(setting.locked)
        self._place = dict(setting.place)

    def do(self, command: str) -> Effect:
        """Carry out a command. Raises `ValueError` naming it and what stands against it."""
        for form, rule in _RULES:
            if words := form.fullmatch(command):
                try:
                    return rule(self, *words.groups())
                except _Refusal as why:
                    raise ValueError(f"{command!r} cannot be done: {why}") from None
        raise ValueError(f"{command!r} is no command")

    def look(self) -> Effect:
        return Effect()

    def examine(self, thing: str) -> Effect:
        self._need(self._here(thing), f"{thing!r} is not in sight in the {self._room}")
        return Effect()

    def go(self, way: str) -> Effect:
        other, door = self._world.exits.get((self._room, way), ("", None))
        self._need(bool(other), f"no exit leads {way} from the {self._room}")
        self._need(door is None or door in self._open, f"the {door} is shut")
        before, self._room = self._room, other
        through = (other,) if door is None else (other, door)
        return Effect((PLAYER_AT(before),), (PLAYER_AT(other),), through)

    def open(self, thing: str) -> Effect:
        self._work(thing)
        self._need(thing not in self._open, f"the {thing} is open")
        self._need(thing not in self._locked, f"the {thing} is locked")
        self._open.add(thing)
        return Effect((SHUT(thing),), (OPEN(thing),), (thing,))

    def close(self, thing: str) -> Effect:
        self._work(thing)
        self._need(thing in self._open, f"the {thing} is shut")
        self._open.remove(thing)
        return Effect((OPEN(thing),), (SHUT(thing),), (thing,))

    def unlock(self, thing: str, key: str) -> Effect:
        self._turn(thing, key)
        self._need(thing in self._locked, f"the {thing} is not locked")
        self._locked.remove(thing)
        return Effect((LOCKED(thing),), (UNLOCKED(thing),), (thing, key))

    def lock(self, thing: str, key: str) -> Effect:
        self._turn(thing, key)
        self._need(thing not in self._open, f"the {thing} is open")
        self._need(thing not in self._locked, f"the {thing} is locked")
        self._locked.add(thing)
        return Effect((UNLOCKED(thing),), (LOCKED(thing),), (thing, key))

    def take(self, thing: str) -> Effect:
        return self._move(thing, AT(thing, self._room), CARRIED(thing))

    def take_from(self, thing: str, holder: str) -> Effect:
        self._reach(holder)
        link = IN if self._world.kinds[holder] == "container" else ON
        return self._move(thing, link(thing, holder), CARRIED(thing), holder)

    def put(self, thing: str, holder: str) -> Effect:
        self._need(self._world.kinds.get(holder) == "supporter", f"{holder!r} is no supporter")
        self._reach(holder)
        return self._move(thing, CARRIED(thing), ON(thing, holder), holder)

    def insert(self, thing: str, holder: str) -> Effect:
        self._need(self._world.kinds.get(holder) == "container", f"{holder!r} is no container")
        self._reach(holder)
        return self._move(thing, CARRIED(thing), IN(thing, holder), holder)

    def drop(self, thing: str) -> Effect:
        return self._move(thing, CARRIED(thing), AT(thing, self._room))

    def eat(self, thing: str) -> Effect:
        self._need(self._world.kinds.get(thing) == "food", f"{thing!r} is no food")
        effect = self._move(thing, CARRIED(thing), EATEN(thing))
        del self._place[thing]
        return effect

    def _need(self, condition: bool, why: str) -> None:
        if not condition:
            raise _Refusal(why)

    def _here(self, thing: str) -> bool:
        """Tell whether a thing is in sight: a door of this room, or something in it or carried."""
        place = self._place.get(thing)
        if place is None or place.predicate == "carried":
            return place is not None or (thing, self._room) in self._world.ends
        spot = place.args[1]
        hidden = place.predicate == "in" and spot not in self._open
        return spot == self._room or (not hidden and self._here(spot))

    def _work(self, thing: str) -> None:
        """Refuse what is not in sight or has no lid, leaf or lock."""
        self._need(self._here(thing), f"{thing!r} is not in sight in the {self._room}")
        self._need(self._world.kinds[thing] in LOCKABLE, f"the {thing} cannot be opened or shut")

    def _turn(self, thing: str, key: str) -> None:
        """Refuse what no key turns, and keys that do not fit or are not carried."""
        self._work(thing)
        self._need(self._place.get(key) == CARRIED(key), f"{key!r} is not carried")
        self._need((key, thing) in self._world.fits, f"the {key} does not fit the {thing}")

    def _reach(self, holder: str) -> None:
        """Refuse a holder that is not in sight or is shut."""
        self._need(self._here(holder), f"{holder!r} is not in sight in the {self._room}")
        shut = self._world.kinds[holder] == "container" and holder not in self._open
        self._need(not shut, f"the {holder} is shut")

    def _move(self, thing: str, before: Fact, after: Fact, *holder: str) -> Effect:
        """Move a thing from one place to another; refuse it if it is not in the first."""
        self._need(self._world.kinds.get(thing) in MOVABLE, f"{thing!r} cannot be carried")
        place = self._place.get(thing)
        self._need(place == before, f"{place or f'{thing!r} is nowhere'}, not {before}")
        self._place[thing] = after
        return Effect((before,), (after,), (thing, *holder))


_RULES: tuple[tuple[re.Pattern[str], Callable[..., Effect]], ...] = tuple(
    (re.compile(form), rule)
    for form, rule in (
        ("look|inventory", _Play.look),
        ("go (.+)", _Play.go),
        ("examine (.+)", _Play.examine),
        ("open (.+)", _Play.open),
        ("close (.+)", _Play.close),
        ("unlock (.+) with (.+)", _Play.unlock),
        ("lock (.+) with (.+)", _Play.lock),
        ("take (.+) from (.+)", _Play.take_from),
        ("take (.+)", _Play.take),
        ("put (.+) on (.+)", _Play.put),
        ("insert (.+) into (.+)", _Play.insert),
        ("drop (.+)", _Play.drop),
        ("eat (.+)", _Play.eat),
    )
)
