"""A text world to be played: TextWorld's game as a pure function of a world and a command.

    outcome(situation, command) -> text, situation, facts

A dozen fixed rules, in the words of the game that TextWorld compiles of the same world. Inform's
rules are its model and the Z-machine its proof: `tests/fidelity/test_engines.py` plays both and
compares every text and state (docs/decisions/0058-game-in-python.md).

The facts are those that the text discloses, by the true state and never by the text. A room shows
its exits, doors (open or closed, never locked), furniture, and what lies on the floor, on
supporters and in open containers; it never names the neighbouring room, which only walking there
tells. A lock shows when it is tried, a match when the key turns. The table is in
docs/reference/question-rules.md; `worldquiz.t2q.reader` reads the same things off the text. There
are facts about the moment before the command among them (an unlocked door was locked), and about
the moment after it that were not true at the start; `Evidence` keeps those about the initial state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from worldquiz.facts import fact as f
from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import DIRECTIONS, Fact, State
from worldquiz.t2q.world.commands import Command, Refusal, admissible, understand
from worldquiz.t2q.world.situation import GONE, HANDS, Lid, Situation, article
from worldquiz.t2q.world.spec import LIES, LOCKABLE, MOVABLE, Task, Transition, WorldSpec

Outcome = tuple[str, Situation, Iterable[Fact]]


class Game:
    """One world, played in this process. A `Situation` holds its present state."""

    def __init__(self, spec: WorldSpec) -> None:
        """Take up a world; `reset` states a task."""
        self.spec = spec
        self.situation = self._start = Situation.of(spec, spec.facts)
        self._task: Task | None = None

    @property
    def state(self) -> State:
        """All that is true now; the same object until it changes."""
        return self.situation.state

    @property
    def admissible(self) -> tuple[str, ...]:
        """The commands that make sense by what is in sight or carried."""
        return admissible(self.situation.scope())

    def reset(self, task: Task) -> Transition:
        """Return to the start and state the task; the objective is part of the observation."""
        self._task, self.situation = task, self._start
        text = f"{task.objective}\n\n{self.situation.kept(_room)}"
        shown = tuple(sorted({*view(self.situation), *task.discloses}))
        return Transition(self._observe(text), shown, None)

    def step(self, action: str) -> Transition:
        """Carry out a command, or refuse it in the game's voice."""
        if self._task is None:
            raise ValueError("reset the world before its first step")
        command = understand(action, self.situation.scope())
        if isinstance(command, Refusal):
            return Transition(self._observe(command.text), (), None)
        text, self.situation, shown = outcome(self.situation, command)
        return Transition(self._observe(text), tuple(sorted(set(shown))), str(command))

    def close(self) -> None:
        """Free nothing: it holds only memory."""

    def _observe(self, text: str) -> Observation:
        assert self._task is not None
        won = self._task.won(self.situation.state)
        carried = inventory(self.situation.carried)
        return Observation(text, carried, int(won), won, self._task.objective)


def outcome(now: Situation, command: Command) -> Outcome:
    """Return what the game says to a command, how things stand after it, and what was shown."""
    return _RULES[command.verb](now, command.noun, command.second)


@lru_cache(4096)
def inventory(carried: tuple[str, ...]) -> str:
    """Return what the game says of the things that the player carries."""
    return f"You are carrying: {_listed(carried)}." if carried else "You are carrying nothing."


def _listed(things: tuple[str, ...]) -> str:
    *before, last = map(article, things)
    return f"{', '.join(before)} and {last}" if before else last


def _the(now: Situation, thing: str) -> str:
    """Return a name as Inform writes it: TextWorld declares doors without an article."""
    return thing if now.spec.kinds[thing] == "door" else f"the {thing}"


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
    return f"{told}\n\nThere is {_listed(lying)} on the floor." if lying else told


def first_screen(spec: WorldSpec) -> tuple[Fact, ...]:
    """Return what is shown before the first command, objectives aside."""
    return view(Situation.of(spec, spec.facts))


def view(now: Situation) -> tuple[Fact, ...]:
    """Return what the text of the player's room says, sorted."""
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


def _look(now: Situation, _: str, __: str) -> Outcome:
    return now.kept(_room), now, view(now)


def _carrying(now: Situation, _: str, __: str) -> Outcome:
    return inventory(now.carried), now, map(f.CARRIED, now.carried)


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
    shown = [now.lid(thing), f.UNLOCKED(thing), f.OPEN(thing)]
    if now.spec.kinds[thing] == "door":
        return f"You open {thing}.", after, shown
    content = now.content.get(thing)
    told = f", revealing {_listed(content)}." if content else ". It is empty."
    return f"You open the {thing}{told}", after, [*shown, *_inside(after, thing)]


def _close(now: Situation, thing: str, _: str) -> Outcome:
    if now.spec.kinds[thing] not in LOCKABLE:
        return "It isn't something you can close.", now, ()
    if thing not in now.open:
        return "That's already closed.", now, [f.SHUT(thing)]
    shown = f.OPEN(thing), f.SHUT(thing)
    return f"You close {_the(now, thing)}.", now.turned(thing, open=False), shown


def _turned(now: Situation, lock: str, key: str, *, locking: bool) -> Outcome:
    """Try a key in a lock; the game checks the lock before the fit."""
    verb = "lock" if locking else "unlock"
    if missing := _not_in_hand(now, key):
        return missing, now, ()
    if now.spec.kinds[lock] not in LOCKABLE:
        return f"That doesn't seem to be something you can {verb}.", now, ()
    shown = [now.lock(lock)]
    if (lock in now.locked) == locking:
        return f"That's {verb}ed at the moment.", now, shown
    if locking and lock in now.open:
        return f"First you would have to close {_the(now, lock)}.", now, [*shown, f.OPEN(lock)]
    if f.MATCH(key, lock) not in now.spec.initial:
        shown += [f.NO_MATCH(key, lock)] if now.spec.kinds[key] == "key" else []
        return "That doesn't seem to fit the lock.", now, shown
    after = now.bolted(lock, locked=locking)
    shown += f.MATCH(key, lock), f.SHUT(lock), after.lock(lock)
    return f"You {verb} {_the(now, lock)}.", after, shown


def _not_in_hand(now: Situation, thing: str) -> str:
    """Return what the game says of a thing that has to be carried; "" for one that is."""
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
        return f"You pick up the {thing} from the ground.", after, shown
    return f"You take the {thing} from the {spot}.", after, shown


def _left(now: Situation, thing: str, spot: str, told: str) -> Outcome:
    """Return the outcome of leaving a carried thing somewhere."""
    after = now.moved(thing, spot)
    return told, after, (f.CARRIED(thing), after.place(thing))


def _put(now: Situation, thing: str, spot: str) -> Outcome:
    if missing := _not_in_hand(now, thing):
        return missing, now, ()
    if thing == spot:
        return "You can't put something on top of itself.", now, ()
    if now.spec.kinds[spot] != "supporter":
        return f"Putting things on {_the(now, spot)} would achieve nothing.", now, ()
    return _left(now, thing, spot, f"You put the {thing} on the {spot}.")


def _insert(now: Situation, thing: str, box: str) -> Outcome:
    """`understand` says "insert" of containers alone, and "put" of all else."""
    if missing := _not_in_hand(now, thing):
        return missing, now, ()
    if box not in now.open:
        return f"The {box} is closed.", now, [f.SHUT(box)]
    return _left(now, thing, box, f"You put the {thing} into the {box}.")


def _drop(now: Situation, thing: str, _: str) -> Outcome:
    spot = now.spot.get(thing, now.room)
    if spot == HANDS:
        return _left(now, thing, now.room, f"You drop the {thing} on the ground.")
    if spot == now.room:
        the = "" if now.spec.kinds[thing] == "door" else "The "
        return f"{the}{thing} is already here.", now, ()
    return "You haven't got that.", now, ()


def _eat(now: Situation, thing: str, _: str) -> Outcome:
    held = [f.CARRIED(thing)] if now.spot.get(thing) == HANDS else []
    if now.spec.kinds[thing] != "food":
        return "That's plainly inedible.", now, held
    if missing := _not_in_hand(now, thing):
        return missing, now, ()
    return f"You eat the {thing}. Not bad.", now.moved(thing, GONE), [*held, f.EATEN(thing)]


_RULES: dict[str, Callable[[Situation, str, str], Outcome]] = {
    "look": _look, "inventory": _carrying, "go": _go, "examine": _examine, "open": _open,
    "close": _close, "unlock": partial(_turned, locking=False),
    "lock": partial(_turned, locking=True), "take": _take, "put": _put,
    "insert": _insert, "drop": _drop, "eat": _eat,
}  # fmt: skip
