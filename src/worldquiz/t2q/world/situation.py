"""One moment of a world: where everything is, what is open and what is locked.

A situation is a value: a change returns a new one, which shares all that stays. Values
derived from a room are computed once (`Situation.kept`), until something in that room changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from worldquiz.facts.fact import (
    CARRIED,
    EATEN,
    LOCKED,
    MATCH,
    OPEN,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
    State,
)
from worldquiz.t2q.world.commands import Scope
from worldquiz.t2q.world.spec import LIES, LOCKABLE, WorldSpec
from worldquiz.t2q.world.texts import Texts

T = TypeVar("T")
HANDS, GONE = "(carried)", "(eaten)"
"""Where a thing is that the player carries, or has eaten; no entity can have such a name."""
CHANGING = frozenset(
    ("player_at", "at", "in", "on", "carried", "eaten", "open", "shut", "locked", "unlocked")
)
"""The predicates of facts that a command can change."""


class Situation:
    """Places of the player and all things, and the state of each lid and lock."""

    __slots__ = (
        "_dynamic", "_memo", "_scope", "content", "locked", "open", "room", "spec", "spot", "texts",
    )  # fmt: skip

    spec: WorldSpec
    texts: Texts
    room: str
    spot: Mapping[str, str]  # thing -> room, holder, HANDS or GONE
    content: Mapping[str, tuple[str, ...]]  # of those, what lies there: latest first
    open: frozenset[str]
    locked: frozenset[str]
    _memo: dict[str, dict[Callable[[Situation], Any], Any]]  # room -> what is `kept` of it
    _scope: Scope | None
    _dynamic: State | None

    def __init__(
        self,
        spec: WorldSpec,
        room: str,
        spot: Mapping[str, str],
        open: frozenset[str],
        locked: frozenset[str],
    ) -> None:
        """State it all. Things of one place are taken to lie in the order of kinds, then names."""
        content: dict[str, tuple[str, ...]] = {}
        for thing in spec.by_kind:
            if thing in spot:
                content[spot[thing]] = (*content.get(spot[thing], ()), thing)
        self.spec, self.texts = spec, Texts(spec)
        self.room, self.spot, self.content = room, spot, content
        self.open, self.locked = open, locked
        self._memo, self._scope, self._dynamic = {}, None, None

    @classmethod
    def of(cls, spec: WorldSpec, facts: Iterable[Fact]) -> Situation:
        """Return the situation in which facts hold; those that cannot change are left aside."""
        room, spot, open, locked = "", {}, set(), set()
        for fact in facts:
            match fact.predicate:
                case "player_at":
                    room = fact.args[0]
                case "at" | "in" | "on":
                    spot[fact.args[0]] = fact.args[1]
                case "carried" | "eaten":
                    spot[fact.args[0]] = HANDS if fact.predicate == "carried" else GONE
                case "open":
                    open.add(fact.args[0])
                case "locked":
                    locked.add(fact.args[0])
        return cls(spec, room, spot, frozenset(open), frozenset(locked))

    def _copy(self) -> Situation:
        new = Situation.__new__(Situation)
        new.spec, new.texts, new._memo = self.spec, self.texts, self._memo
        new.room, new.spot, new.content = self.room, self.spot, self.content
        new.open, new.locked = self.open, self.locked
        new._scope = new._dynamic = None
        return new

    def entered(self, room: str) -> Situation:
        """Return the situation with the player in another room."""
        new = self._copy()
        new.room = room
        if self._dynamic is not None:  # somebody asks for facts: these differ by one
            new._dynamic = self._dynamic - {PLAYER_AT(self.room)} | {PLAYER_AT(room)}
        return new

    def moved(self, thing: str, spot: str) -> Situation:
        """Return the situation with a thing of the player's room, or a carried one, elsewhere."""
        new, before = self._copy(), self.spot[thing]
        new.spot = {**self.spot, thing: spot}
        left = tuple([other for other in self.content[before] if other != thing])
        there = (thing, *self.content.get(spot, ()))
        new.content = {**self.content, before: left, spot: there}
        new._memo = self._memo.copy()
        new._memo.pop(self.room, None)
        if self._dynamic is not None:
            new._dynamic = self._dynamic - {self.place(thing)} | {new.place(thing)}
        return new

    def turned(self, thing: str, *, open: bool) -> Situation:
        """Return the situation with a door or container open or shut."""
        new = self._copy()
        new.open = self.open | {thing} if open else self.open - {thing}
        new._memo = self._memo.copy()
        for room, _ in self.spec.ends(thing) or [(self.room, "")]:
            new._memo.pop(room, None)
        if self._dynamic is not None:
            new._dynamic = self._dynamic - {self.lid(thing)} | {new.lid(thing)}
        return new

    def bolted(self, thing: str, *, locked: bool) -> Situation:
        """Return the situation with a door or container locked or unlocked; no room shows it."""
        new = self._copy()
        new.locked = self.locked | {thing} if locked else self.locked - {thing}
        if self._dynamic is not None:
            new._dynamic = self._dynamic - {self.lock(thing)} | {new.lock(thing)}
        return new

    @property
    def carried(self) -> tuple[str, ...]:
        """Things that the player carries, latest first."""
        return self.content.get(HANDS, ())

    def place(self, thing: str) -> Fact:
        """Return the fact that says where a thing is. Raises `KeyError` for what has no place."""
        spot = self.spot[thing]
        if spot == HANDS:
            return CARRIED(thing)
        return EATEN(thing) if spot == GONE else LIES[self.spec.kinds[spot]](thing, spot)

    def lid(self, thing: str) -> Fact:
        """Return the fact that says whether a door or container is open."""
        return (OPEN if thing in self.open else SHUT)(thing)

    def lock(self, thing: str) -> Fact:
        """Return the fact that says whether a door or container is locked."""
        return (LOCKED if thing in self.locked else UNLOCKED)(thing)

    @property
    def dynamic(self) -> State:
        """The facts that can change."""
        if self._dynamic is None:
            lids = self.spec.of_kind(*LOCKABLE)
            self._dynamic = frozenset((
                PLAYER_AT(self.room),
                *map(self.place, self.spot), *map(self.lid, lids), *map(self.lock, lids),
            ))  # fmt: skip
        return self._dynamic

    def holds(self, fact: Fact) -> bool:
        """Tell whether a fact is true now."""
        name = fact.args[0]
        match fact.predicate:
            case "player_at":
                return name == self.room
            case "open" | "shut":
                return (name in self.open) == (fact.predicate == "open")
            case "locked" | "unlocked":
                return (name in self.locked) == (fact.predicate == "locked")
            case "at" | "in" | "on" | "carried" | "eaten":
                return name in self.spot and self.place(name) == fact
        return fact in self.spec.initial

    def fits(self, key: str, lock: str) -> bool:
        """Tell whether a key fits a lock."""
        return MATCH(key, lock) in self.spec.initial

    def shows(self, holder: str) -> bool:
        """Tell whether what is in or on a thing is in sight: on supporters, in open containers."""
        kind = self.spec.kinds.get(holder)
        return kind == "supporter" or (kind == "container" and holder in self.open)

    def kept(self, told: Callable[[Situation], T]) -> T:
        """Return what a function says of the player's room; it may look at nothing else."""
        try:
            found: T = self._memo[self.room][told]
        except KeyError:
            found = self._memo.setdefault(self.room, {})[told] = told(self)
        return found

    def scope(self) -> Scope:
        """Return what the player can name here."""
        if self._scope is None:
            local, carried = self.kept(_local_scope), self.carried
            self._scope = local._replace(here=local.here.union(carried), carried=carried)
        return self._scope


def _local_scope(now: Situation) -> Scope:
    exits, floor = now.spec.exits[now.room], now.content.get(now.room, ())
    holder = {
        thing: spot for spot in floor if now.shows(spot) for thing in now.content.get(spot, ())
    }
    ways = {door: way for way, door in sorted(exits.items()) if door}
    kinds = now.spec.kinds
    lids = [*ways, *(thing for thing in floor if kinds.get(thing) == "container")]
    return Scope(
        here=frozenset((*floor, *holder, *ways)),
        holder=holder,
        lids={thing: thing in now.open for thing in lids},
        ways=ways,
        exits=tuple(exits),
        supporters=tuple(thing for thing in floor if kinds.get(thing) == "supporter"),
    )
