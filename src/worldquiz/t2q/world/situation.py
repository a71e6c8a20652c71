"""One moment of a world: where everything is, what is open and what is locked.

A situation is a value: a change returns a new one, which shares all that stays. Values
derived from a room are computed once (`Situation.kept`), until something in that room changes.

`Texts` describes rooms and things. Wording varies by seed; the information in it never does. The
game in Python and the Inform source of the same game are both written from it. A text hangs on the
state in two ways only: how a `Lid` stands, and what is in or on a holder (`Content`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from worldquiz import rng
from worldquiz.facts import fact as facts
from worldquiz.facts.fact import DIRECTIONS, Fact, State
from worldquiz.t2q.world.commands import Scope
from worldquiz.t2q.world.spec import LIES, LOCKABLE, WorldSpec

T = TypeVar("T")
HANDS, GONE = "(carried)", "(eaten)"
"""Where a thing is that the player carries, or has eaten; no entity can have such a name."""
CHANGING = frozenset(
    ("player_at", "at", "in", "on", "carried", "eaten", "open", "shut", "locked", "unlocked")
)
"""The predicates of facts that a command can change."""


class Lid(NamedTuple):
    """One of two texts about a door or container."""

    thing: str
    open: str = "an open"
    closed: str = "a closed"


class Content(NamedTuple):
    """One of two texts about a supporter or an open container; nothing of a closed one."""

    holder: str
    before: str  # the list of what is there
    after: str
    empty: str


Text = tuple[str | Lid | Content, ...]
"""A text, piece by piece."""


class Texts:
    """The texts of one world, each written when it is first asked for."""

    def __init__(self, spec: WorldSpec) -> None:
        self._spec = spec
        self._written: dict[str, Text] = {}

    def of(self, name: str) -> Text:
        """Return the description of a room (its furniture, then its exits) or thing."""
        text = self._written.get(name)
        if text is None:
            text = self._written[name] = tuple(self._of(name))
        return text

    def _of(self, thing: str) -> Iterable[str | Lid | Content]:
        match self._spec.kinds[thing]:
            case "room":
                return *self._furniture(thing), "\n\n", *self._exits(thing)
            case "door" | "container":
                return f"The {thing} is ", Lid(thing, "open", "closed"), "."
            case "supporter":
                return (f"The {thing} looks steady.",)
        return (f"You see nothing special about the {thing}.",)

    def _furniture(self, room: str) -> Iterator[str | Lid | Content]:
        yield self._worded(
            room, "You are in the {}.", "You find yourself in the {}.", "This is the {}."
        ).format(room)
        kinds, here = self._spec.kinds, self._spec.content.get(room, [])
        for name in (name for name in here if kinds[name] == "supporter"):
            by_wall = "By the wall stands {}."
            form = self._worded(name, "You see {} here.", "There is {} here.", by_wall)
            filled = self._worded(f"on {name}", "On the {} you see", "On the {} lies")
            yield f" {form.format(article(name))}"
            yield Content(name, f" {filled.format(name)} ", ".", f" The {name} is empty.")
        for name in (name for name in here if kinds[name] == "container"):
            corner = "In the corner is {}."
            form = self._worded(name, "You see {} here.", "There is {} here.", corner)
            filled = self._worded(f"in {name}", "In the {} you see", "The {} contains")
            before, after = form.split("{}")
            yield from (f" {before}", Lid(name), f" {name}{after}")
            yield Content(name, f" {filled.format(name)} ", ".", f" The {name} is empty.")

    def _exits(self, room: str) -> Iterator[str | Lid]:
        exits, space = self._spec.exits[room], ""
        for way in (way for way in DIRECTIONS if way in exits):
            if door := exits[way]:
                yield from (f"{space}There is ", Lid(door), f" {door} leading {way}.")
            else:
                yield space + self._worded(
                    f"{room} {way}",
                    "There is an exit to the {}.",
                    "You can go {} from here.",
                    "An open passage leads {}.",
                ).format(way)
            space = " "

    def _worded(self, subject: str, *forms: str) -> str:
        """Return one of the forms, drawn by seed for this subject alone: no text shifts another."""
        return rng.child(self._spec.seed, "wording", subject).choice(forms)


@lru_cache(4096)
def article(name: str) -> str:
    """Return a name with its indefinite article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


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
    def of(cls, spec: WorldSpec, known: Iterable[Fact]) -> Situation:
        """Return the situation in which facts hold; those that cannot change are left aside."""
        room, spot, open, locked = "", {}, set(), set()
        for fact in known:
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
            new._dynamic = self._dynamic - {facts.PLAYER_AT(self.room)} | {facts.PLAYER_AT(room)}
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
            return facts.CARRIED(thing)
        return facts.EATEN(thing) if spot == GONE else LIES[self.spec.kinds[spot]](thing, spot)

    def lid(self, thing: str) -> Fact:
        """Return the fact that says whether a door or container is open."""
        return (facts.OPEN if thing in self.open else facts.SHUT)(thing)

    def lock(self, thing: str) -> Fact:
        """Return the fact that says whether a door or container is locked."""
        return (facts.LOCKED if thing in self.locked else facts.UNLOCKED)(thing)

    @property
    def dynamic(self) -> State:
        """The facts that can change."""
        if self._dynamic is None:
            lids = self.spec.of_kind(*LOCKABLE)
            self._dynamic = frozenset((
                facts.PLAYER_AT(self.room),
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
        return facts.MATCH(key, lock) in self.spec.initial

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
