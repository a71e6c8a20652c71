"""A text world to be played: TextWorld's game as a pure function of a world and a command.

    outcome(situation, command) -> text, situation, facts

A situation is a value: where everything is, what is open and what is locked. A change returns a
new situation, which shares all unchanged parts.

The game has a dozen fixed rules, and prints the same texts as the game that TextWorld compiles for
the Z-machine from the same world: `tests/fidelity/test_engines.py` plays both games and compares
every text and state (docs/decisions/0058-game-in-python.md).

The facts are those that the text discloses, taken from the true state and never from the text. A
room shows its exits, doors (open or closed, never locked), furniture, and what lies on the floor,
on supporters and in open containers. It never names a neighbouring room, which shows only by
walking there. A lock's state shows when it is tried, and its key when that turns (see the table in
docs/reference/question-rules.md). Some facts are about the moment before the command (an unlocked
door was locked), some about the moment after; `Evidence` keeps those about the initial state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any, TypeVar

from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import Fact, State
from worldquiz.t2q.compass import DIRECTIONS
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import CHANGING, LIES, LOCKABLE, MOVABLE, Task, Transition, WorldSpec
from worldquiz.t2q.world.words import (
    Command,
    Lid,
    Refusal,
    Scope,
    Texts,
    admissible,
    article,
    understand,
)

T = TypeVar("T")
HANDS, GONE = "(carried)", "(eaten)"
"""Places of things that the player carries or has eaten; no entity can have such a name."""


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
        """Set all values. Things in one place are listed by kind, then by name."""
        content: dict[str, tuple[str, ...]] = {}
        for thing in sorted(spot, key=lambda thing: (spec.kinds[thing], thing)):
            content[spot[thing]] = (*content.get(spot[thing], ()), thing)
        self.spec, self.texts, self.room = spec, Texts(spec), room
        self.spot = spot  # thing -> room, holder, HANDS or GONE
        self.content: Mapping[str, tuple[str, ...]] = content  # what lies there, latest first
        self.open, self.locked = open, locked
        self._memo: dict[str, dict[Callable[[Situation], Any], Any]] = {}  # by room
        self._state: State | None = None

    @classmethod
    def at_start(cls, spec: WorldSpec) -> Situation:
        """Return the situation in which a world begins."""
        spot = {thing: fact.args[1] for thing, fact in spec.place.items()}
        spot |= {thing: HANDS for (thing,) in f.CARRIED.of(spec.facts)}
        open, locked = (
            frozenset(thing for (thing,) in predicate.of(spec.facts))
            for predicate in (f.OPEN, f.LOCKED)
        )
        return cls(spec, spec.start, spot, open, locked)

    def _with(self, old: Fact, new: Fact, *rooms: str, **values: Any) -> Situation:
        """Return a changed copy, with fact `new` for `old` and no cached texts of `rooms`."""
        after = Situation.__new__(Situation)
        after.__dict__ = {**self.__dict__, **values}
        if rooms:
            after._memo = {room: kept for room, kept in self._memo.items() if room not in rooms}
        if self._state is not None:
            after._state = self._state - {old} | {new}
        return after

    def entered(self, room: str) -> Situation:
        """Return the situation with the player in another room."""
        return self._with(f.PLAYER_AT(self.room), f.PLAYER_AT(room), room=room)

    def moved(self, thing: str, spot: str) -> Situation:
        """Return the situation with a thing, carried or in the player's room, moved to a spot."""
        before = self.spot[thing]
        left = tuple([other for other in self.content[before] if other != thing])
        there = (thing, *self.content.get(spot, ()))
        return self._with(
            self.place(thing, before), self.place(thing, spot), self.room,
            spot={**self.spot, thing: spot},
            content={**self.content, before: left, spot: there},
        )  # fmt: skip

    def turned(self, thing: str, *, open: bool) -> Situation:
        """Return the situation with a door or container open or shut."""
        rooms = [room for room, _ in self.spec.ends(thing)] or [self.room]
        opened = self.open | {thing} if open else self.open - {thing}
        new = (f.OPEN if open else f.SHUT)(thing)
        return self._with(self.lid(thing), new, *rooms, open=opened)

    def bolted(self, thing: str, *, locked: bool) -> Situation:
        """Return the situation with a door or container locked or unlocked; no text changes."""
        bolts = self.locked | {thing} if locked else self.locked - {thing}
        new = (f.LOCKED if locked else f.UNLOCKED)(thing)
        return self._with(self.lock(thing), new, locked=bolts)

    @property
    def carried(self) -> tuple[str, ...]:
        """Things that the player carries, latest first."""
        return self.content.get(HANDS, ())

    def place(self, thing: str, spot: str | None = None) -> Fact:
        """Return the fact that says where a thing is, or that it is in a given spot."""
        spot = spot or self.spot[thing]
        if spot == HANDS:
            return f.CARRIED(thing)
        return f.EATEN(thing) if spot == GONE else LIES[self.spec.kinds[spot]](thing, spot)

    def lid(self, thing: str) -> Fact:
        """Return the fact that says whether a door or container is open."""
        return (f.OPEN if thing in self.open else f.SHUT)(thing)

    def lock(self, thing: str) -> Fact:
        """Return the fact that says whether a door or container is locked."""
        return (f.LOCKED if thing in self.locked else f.UNLOCKED)(thing)

    @property
    def state(self) -> State:
        """All facts that are true now; the same object until one changes."""
        if self._state is None:
            lids = self.spec.of_kind(*LOCKABLE)
            self._state = frozenset((
                *(fact for fact in self.spec.initial if fact.predicate not in CHANGING),
                f.PLAYER_AT(self.room),
                *map(self.place, self.spot), *map(self.lid, lids), *map(self.lock, lids),
            ))  # fmt: skip
        return self._state

    def shows(self, holder: str) -> bool:
        """Return whether a holder shows its content: supporters and open containers do."""
        kind = self.spec.kinds.get(holder)
        return kind == "supporter" or (kind == "container" and holder in self.open)

    def kept(self, told: Callable[[Situation], T]) -> T:
        """Return a function's result, cached by room; it may depend only on the player's room."""
        memo = self._memo.setdefault(self.room, {})
        if told not in memo:
            memo[told] = told(self)
        found: T = memo[told]
        return found

    def scope(self) -> Scope:
        """Return the entities that the player can name here."""
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


Outcome = tuple[str, Situation, Iterable[Fact]]


class Game:
    """One world, played in this process. A `Situation` holds its present state."""

    def __init__(self, spec: WorldSpec) -> None:
        """Open a world; call `reset` to begin a task."""
        self.spec = spec
        self.situation = self._start = Situation.at_start(spec)
        self._task: Task | None = None

    @cached_property
    def _later(self) -> Situation:
        return Situation.at_start(self.spec.later)

    @property
    def state(self) -> State:
        """All facts that are true now; the same object until one changes."""
        return self.situation.state

    @property
    def admissible(self) -> tuple[str, ...]:
        """The commands that make sense, given what is in sight or carried."""
        return admissible(self.situation.scope())

    def reset(self, task: Task) -> Transition:
        """Return to the start and announce the task; the observation includes its objective."""
        self._task, self.situation = task, self._later if task.later else self._start
        text = f"{task.objective}\n\n{self.situation.kept(_room)}"
        shown = tuple(sorted({*view(self.situation), *task.discloses}))
        return Transition(self._observe(text), shown, None)

    def step(self, action: str) -> Transition:
        """Carry out a command, or refuse it with one of the game's messages."""
        if self._task is None:
            raise ValueError("reset the world before its first step")
        command = understand(action, self.situation.scope())
        if isinstance(command, Refusal):
            return Transition(self._observe(command.text), (), None)
        text, self.situation, shown = outcome(self.situation, command)
        return Transition(self._observe(text), tuple(sorted(set(shown))), str(command))

    def close(self) -> None:
        """Do nothing: the world holds only memory."""

    def _observe(self, text: str) -> Observation:
        assert self._task is not None
        won = self._task.won(self.situation.state)
        carried = inventory(self.situation.carried)
        return Observation(text, carried, int(won), won, self._task.objective)


def outcome(now: Situation, command: Command) -> Outcome:
    """Return the game's reply to a command, the situation after it, and the facts shown."""
    return _RULES[command.verb](now, command.noun, command.second)


@lru_cache(4096)
def inventory(carried: tuple[str, ...]) -> str:
    """Return the game's text about the things that the player carries."""
    return f"You are carrying: {_listed(carried)}." if carried else "You are carrying nothing."


def _listed(things: tuple[str, ...]) -> str:
    *before, last = map(article, things)
    return f"{', '.join(before)} and {last}" if before else last


def _told(now: Situation, name: str) -> str:
    """Return the description of a room or thing as it reads now."""
    told = []
    for piece in now.texts.of(name):
        if isinstance(piece, str):
            told.append(piece)
        elif isinstance(piece, Lid):
            told.append(piece.open if piece.thing in now.open else piece.closed)
        elif now.shows(piece.holder):
            things = now.content.get(piece.holder)
            told += (piece.before, _listed(things), piece.after) if things else (piece.empty,)
    return "".join(told)


def _room(now: Situation) -> str:
    told = f"-= {now.room.title()} =-\n{_told(now, now.room)}"
    kinds = now.spec.kinds
    lying = tuple([name for name in now.content.get(now.room, ()) if kinds[name] in MOVABLE])
    return f"{told}\n\nOn the floor you see {_listed(lying)}." if lying else told


def first_screen(spec: WorldSpec) -> tuple[Fact, ...]:
    """Return the facts shown before the first command, objectives aside."""
    return view(Situation.at_start(spec))


def view(now: Situation) -> tuple[Fact, ...]:
    """Return the facts in the text of the player's room, sorted."""
    return now.kept(_view)


def _view(now: Situation) -> tuple[Fact, ...]:
    room, exits = now.room, now.spec.exits[now.room]
    found = [f.PLAYER_AT(room), f.LISTED(room)]
    for way in DIRECTIONS:
        found.append((f.EXIT if way in exits else f.NO_EXIT)(room, way))
        if door := exits.get(way):
            found += f.DOOR_AT(door, room, way), now.lid(door)
    for thing in now.content.get(room, ()):
        found.append(f.AT(thing, room))
        if now.spec.kinds.get(thing) == "container":
            found.append(now.lid(thing))
        if now.shows(thing):
            found += _inside(now, thing)
    return tuple(sorted(found))


def _inside(now: Situation, holder: str) -> list[Fact]:
    lies = LIES[now.spec.kinds[holder]]
    return [f.LISTED(holder), *(lies(thing, holder) for thing in now.content.get(holder, ()))]


def _go(now: Situation, way: str, _: str) -> Outcome:
    exits = now.spec.exits[now.room]
    if way not in exits:
        return "You can't go that way.", now, [f.NO_EXIT(now.room, way)]
    door = exits[way]
    if door and door not in now.open:
        return f"You have to open the {door} first.", now, [f.SHUT(door)]
    after = now.entered(now.spec.ways[now.room][way])
    return after.kept(_room), after, [f.LEADS(now.room, way, after.room), *view(after)]


def _examine(now: Situation, thing: str, _: str) -> Outcome:
    told, content = _told(now, thing), now.content.get(thing)
    shown = [now.lid(thing)] if now.spec.kinds[thing] in LOCKABLE else []
    if content and now.shows(thing):
        where = "On" if now.spec.kinds[thing] == "supporter" else "In"
        verb = "is" if len(content) == 1 else "are"
        told += f"\n\n{where} the {thing} {verb} {_listed(content)}."
        shown += _inside(now, thing)
    return told, now, shown


def _open(now: Situation, thing: str, _: str) -> Outcome:
    if now.spec.kinds[thing] not in LOCKABLE:
        return "It isn't something you can open.", now, ()
    if thing in now.locked:
        return f"The {thing} is locked.", now, (now.lid(thing), f.LOCKED(thing))
    if thing in now.open:
        return "That's already open.", now, [now.lid(thing)]
    after = now.turned(thing, open=True)
    shown, told = [now.lid(thing), f.UNLOCKED(thing), f.OPEN(thing)], "."
    if now.spec.kinds[thing] == "container":
        content = now.content.get(thing)
        told = f", revealing {_listed(content)}." if content else ". It is empty."
        shown += _inside(after, thing)
    return f"You open the {thing}{told}", after, shown


def _close(now: Situation, thing: str, _: str) -> Outcome:
    if now.spec.kinds[thing] not in LOCKABLE:
        return "It isn't something you can close.", now, ()
    if thing not in now.open:
        return "That's already closed.", now, [f.SHUT(thing)]
    shown = f.OPEN(thing), f.SHUT(thing)
    return f"You close the {thing}.", now.turned(thing, open=False), shown


def _turned(now: Situation, lock: str, key: str, *, locking: bool) -> Outcome:
    """Try a key in a lock; the game checks the lock's state before the key's fit."""
    verb = "lock" if locking else "unlock"
    if missing := _not_in_hand(now, key):
        return missing, now, ()
    if now.spec.kinds[lock] not in LOCKABLE:
        return f"That doesn't seem to be something you can {verb}.", now, ()
    shown = [now.lock(lock)]
    if (lock in now.locked) == locking:
        return f"That's {verb}ed at the moment.", now, shown
    if locking and lock in now.open:
        return f"First you would have to close the {lock}.", now, [*shown, f.OPEN(lock)]
    if f.MATCH(key, lock) not in now.spec.initial:
        shown += [f.NO_MATCH(key, lock)] if now.spec.kinds[key] == "key" else []
        return "That doesn't seem to fit the lock.", now, shown
    after = now.bolted(lock, locked=locking)
    shown += f.MATCH(key, lock), f.SHUT(lock), after.lock(lock)
    return f"You {verb} the {lock}.", after, shown


def _not_in_hand(now: Situation, thing: str) -> str:
    """Return the game's refusal if a thing is not carried, else ""."""
    if now.spec.kinds[thing] not in MOVABLE:
        return f"The {thing} is fixed in place."
    return "" if now.spot[thing] == HANDS else f"You need to take the {thing} first."


def _take(now: Situation, thing: str, _: str) -> Outcome:
    if now.spec.kinds[thing] not in MOVABLE:
        return "That's fixed in place.", now, ()
    spot = now.spot[thing]
    if spot == HANDS:
        return "You already have that.", now, [f.CARRIED(thing)]
    after, shown = now.moved(thing, HANDS), (now.place(thing), f.CARRIED(thing))
    if spot == now.room:
        return f"You pick up the {thing} from the floor.", after, shown
    return f"You take the {thing} from the {spot}.", after, shown


def _left(now: Situation, thing: str, spot: str, told: str) -> Outcome:
    """Return the outcome of leaving a carried thing somewhere."""
    after = now.moved(thing, spot)
    return told, after, (f.CARRIED(thing), after.place(thing))


def _put(now: Situation, thing: str, spot: str) -> Outcome:
    """Put a thing on a supporter or into a container (commands "put" and "insert")."""
    if missing := _not_in_hand(now, thing):
        return missing, now, ()
    if now.spec.kinds[spot] == "container":
        if spot not in now.open:
            return f"The {spot} is closed.", now, [f.SHUT(spot)]
        return _left(now, thing, spot, f"You put the {thing} into the {spot}.")
    if thing == spot:
        return "You can't put something on top of itself.", now, ()
    if now.spec.kinds[spot] != "supporter":
        return f"Putting things on the {spot} would achieve nothing.", now, ()
    return _left(now, thing, spot, f"You put the {thing} on the {spot}.")


def _drop(now: Situation, thing: str, _: str) -> Outcome:
    spot = now.spot.get(thing, now.room)
    if spot == HANDS:
        return _left(now, thing, now.room, f"You drop the {thing} on the floor.")
    if spot == now.room:
        return f"The {thing} is already here.", now, ()
    return "You haven't got that.", now, ()


def _eat(now: Situation, thing: str, _: str) -> Outcome:
    held = [f.CARRIED(thing)] if now.spot.get(thing) == HANDS else []
    if now.spec.kinds[thing] != "food":
        return "That's plainly inedible.", now, held
    if missing := _not_in_hand(now, thing):
        return missing, now, ()
    return f"You eat the {thing}. Not bad.", now.moved(thing, GONE), [*held, f.EATEN(thing)]


_RULES: dict[str, Callable[[Situation, str, str], Outcome]] = {
    "look": lambda now, *_: (now.kept(_room), now, view(now)),
    "inventory": lambda now, *_: (inventory(now.carried), now, map(f.CARRIED, now.carried)),
    "go": _go,
    "examine": _examine,
    "open": _open,
    "close": _close,
    "unlock": partial(_turned, locking=False),
    "lock": partial(_turned, locking=True),
    "take": _take,
    "put": _put,
    "insert": _put,
    "drop": _drop,
    "eat": _eat,
}
