"""One moment of a world: where everything is, what is open and what is locked.

A situation is a value: a change returns a new one, which shares all that stays. What a room shows
is computed once (`Situation.kept`), until something in that room changes.

`Texts` describes rooms and things. Wording varies by seed; the information in it never does. The
game in Python and the Inform source of the same game are both written from it. A text hangs on the
state in two ways only: how a `Lid` stands, and what is in or on a holder (`Content`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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


def article(name: str) -> str:
    """Return a name with its indefinite article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


class Situation:
    """Places of the player and all things, and the state of each lid and lock."""

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
        self.spec, self.texts, self.room = spec, Texts(spec), room
        self.spot = spot  # thing -> room, holder, HANDS or GONE
        self.content: Mapping[str, tuple[str, ...]] = content  # what lies there, latest first
        self.open, self.locked = open, locked
        self._memo: dict[str, dict[Callable[[Situation], Any], Any]] = {}  # by room
        self._state: State | None = None

    @classmethod
    def of(cls, spec: WorldSpec, known: Iterable[Fact]) -> Situation:
        """Return the situation in which facts hold; those that cannot change are left aside."""
        room, spot, open, locked = "", {}, set(), set()
        for predicate, args in known:
            match predicate:
                case "player_at":
                    room = args[0]
                case "at" | "in" | "on":
                    spot[args[0]] = args[1]
                case "carried" | "eaten":
                    spot[args[0]] = HANDS if predicate == "carried" else GONE
                case "open":
                    open.add(args[0])
                case "locked":
                    locked.add(args[0])
        return cls(spec, room, spot, frozenset(open), frozenset(locked))

    def _with(self, old: Fact, new: Fact, *rooms: str, **values: Any) -> Situation:
        """Return the situation with one fact for another, and other values; `rooms` show it."""
        after = Situation.__new__(Situation)
        after.__dict__ = {**self.__dict__, **values}
        if rooms:
            after._memo = {room: kept for room, kept in self._memo.items() if room not in rooms}
        if self._state is not None:
            after._state = self._state - {old} | {new}
        return after

    def entered(self, room: str) -> Situation:
        """Return the situation with the player in another room."""
        return self._with(facts.PLAYER_AT(self.room), facts.PLAYER_AT(room), room=room)

    def moved(self, thing: str, spot: str) -> Situation:
        """Return the situation with a thing of the player's room, or a carried one, elsewhere."""
        before = self.spot[thing]
        left = tuple([other for other in self.content[before] if other != thing])
        there = (thing, *self.content.get(spot, ()))
        return self._with(
            self._placed(thing, before), self._placed(thing, spot), self.room,
            spot={**self.spot, thing: spot},
            content={**self.content, before: left, spot: there},
        )  # fmt: skip

    def turned(self, thing: str, *, open: bool) -> Situation:
        """Return the situation with a door or container open or shut."""
        rooms = [room for room, _ in self.spec.ends(thing)] or [self.room]
        opened = self.open | {thing} if open else self.open - {thing}
        new = (facts.OPEN if open else facts.SHUT)(thing)
        return self._with(self.lid(thing), new, *rooms, open=opened)

    def bolted(self, thing: str, *, locked: bool) -> Situation:
        """Return the situation with a door or container locked or unlocked; no room shows it."""
        bolts = self.locked | {thing} if locked else self.locked - {thing}
        new = (facts.LOCKED if locked else facts.UNLOCKED)(thing)
        return self._with(self.lock(thing), new, locked=bolts)

    @property
    def carried(self) -> tuple[str, ...]:
        """Things that the player carries, latest first."""
        return self.content.get(HANDS, ())

    def place(self, thing: str) -> Fact:
        """Return the fact that says where a thing is. Raises `KeyError` for what has no place."""
        return self._placed(thing, self.spot[thing])

    def _placed(self, thing: str, spot: str) -> Fact:
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
    def state(self) -> State:
        """All that is true now; the same object until it changes."""
        if self._state is None:
            lids = self.spec.of_kind(*LOCKABLE)
            self._state = frozenset((
                *(fact for fact in self.spec.initial if fact.predicate not in CHANGING),
                facts.PLAYER_AT(self.room),
                *map(self.place, self.spot), *map(self.lid, lids), *map(self.lock, lids),
            ))  # fmt: skip
        return self._state

    def shows(self, holder: str) -> bool:
        """Tell whether what is in or on a thing is in sight: on supporters, in open containers."""
        kind = self.spec.kinds.get(holder)
        return kind == "supporter" or (kind == "container" and holder in self.open)

    def kept(self, told: Callable[[Situation], T]) -> T:
        """Return what a function says of the player's room; it may look at nothing else."""
        memo = self._memo.setdefault(self.room, {})
        if told not in memo:
            memo[told] = told(self)
        found: T = memo[told]
        return found

    def scope(self) -> Scope:
        """Return what the player can name here."""
        local, carried = self.kept(_local_scope), self.carried
        return local._replace(here=local.here.union(carried), carried=carried)


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
