"""Map of a world's initial state, from its text and from six laws.

The six laws that every quiz states hold (`question.LAWS`, cited here by number): a thing is in one
place only (1), a door in the two rooms that it joins; a passage leads back the way it came (2) and
has one door or none, the same from both of its rooms (3); a key fits one lock at most, and a lock
takes one key (4); an open thing is not locked (5); a key fits only what was locked (6). Nothing
else is inferred, neither from geometry nor from how worlds are generated. Each answer is True or
False, or None if the text does not settle it.

The noun in a name shows the kind of thing (`category`): this is common sense, not a fact of a
world.

`Reader` follows a player through its episodes. Each episode starts from the same initial state, and
only the player changes the world. So a thing that the player has not moved is where it was at the
start, and a lid or lock that the player has not turned is as it was. A thing that was moved was
first seen where it was taken. Turns may be missing (`Reader.take`). Then nothing is inferred that
the missing turns could have changed: things may have been moved, lids and locks turned, and the
player's room is unknown until a room is described. Facts that no command changes still count:
exits, doors and furniture, which key fits, and passages walked from one turn to the next.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from worldquiz.facts.episode import Observation, Transcript, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.compass import DIRECTIONS, OPPOSITE, STEP
from worldquiz.t2q.reader.text import (
    MOVED,
    Reply,
    Wish,
    read_action,
    read_inventory,
    read_objective,
    read_replies,
    read_unsighted,
    read_view,
)

NOWHERE = "nowhere"

KEYS = frozenset({"key", "passkey", "latchkey"})
_FOODS = """
apple apricot bacon bagel banana bean berry biscuit bread broccoli bun burger butter cabbage
cake candy carrot cereal cheese cherry chicken chocolate cookie corn cracker cucumber doughnut
egg fig fish garlic grape ham herring honey jam leek lemon lettuce lime loaf mango meat melon
muffin mushroom noodle nut oat olive onion orange pancake pasta peach peanut pear pepper pie
pineapple pizza plum popcorn potato pretzel prune pudding radish raisin rice roll salad salmon
sandwich sausage soup spinach steak stew sugar tart toast tomato tuna turnip waffle walnut yam
"""
FOODS = frozenset(_FOODS.split())


@dataclass(slots=True)
class Graph:
    """A map that grows. `exits` and `contents` have only rooms and spots that are fully known."""

    exits: dict[str, dict[str, str | None]] = field(default_factory=dict)  # room -> way -> door
    ways: dict[str, dict[str, str]] = field(default_factory=dict)  # room -> way -> room, as learned
    kinds: dict[str, str] = field(default_factory=dict)  # container, supporter or door
    place: dict[str, str] = field(default_factory=dict)  # thing -> room or holder
    contents: dict[str, frozenset[str]] = field(default_factory=dict)  # room or holder -> things
    later_place: dict[str, str] = field(default_factory=dict)  # the same for a later visit
    later_contents: dict[str, frozenset[str]] = field(default_factory=dict)
    lids: dict[str, bool] = field(default_factory=dict)  # stood open
    locks: dict[str, bool] = field(default_factory=dict)  # was locked
    fits: dict[str, str] = field(default_factory=dict)  # key -> lock
    unfit: set[tuple[str, str]] = field(default_factory=set)  # keys and locks tried in vain

    def walk(self, room: str, way: str, other: str) -> None:
        """Add a passage, which leads back the way it came (law 2)."""
        self.ways.setdefault(room, {})[way] = other
        self.ways.setdefault(other, {})[OPPOSITE[way]] = room

    def ends(self, door: str) -> list[str]:
        """Return the rooms, two at most, in which a door was seen."""
        return [room for room, exits in self.exits.items() if door in exits.values()]

    def where(self, thing: str) -> str | None:
        """Return the container, supporter or room where a thing was, or one room of a door."""
        return next(iter(self.ends(thing)), self.place.get(thing))

    def leads(self, room: str, way: str, other: str) -> bool | None:
        """Return whether a room's exit leads to another room."""
        here, there = self._behind(room, way), self._behind(other, OPPOSITE[way])
        if here == other or there == room:
            return True
        if here is not None or there is not None:
            return False
        if room not in self.exits or other not in self.exits:
            return None
        doors = self.exits[room].get(way), self.exits[other].get(OPPOSITE[way])
        return None if doors[0] == doors[1] else False  # of one passage, they are the same (law 3)

    def behind(self, room: str, way: str) -> str | None:
        """Return the room behind an exit, known by walking or by seeing its door there (law 3)."""
        door = self.exits.get(room, {}).get(way)
        twins = [end for end in self.ends(door) if end != room] if door else []
        return self.ways.get(room, {}).get(way, next(iter(twins), None))

    def _behind(self, room: str, way: str) -> str | None:
        """Return the room behind an exit, `NOWHERE` where there is no exit, None if unknown."""
        if room in self.exits and way not in self.exits[room]:
            return NOWHERE
        return self.behind(room, way)

    def adjacent(self, room: str, other: str) -> bool | None:
        """Return whether a passage joins two rooms."""
        found = {self.leads(room, way, other) for way in DIRECTIONS}
        return True if True in found else None if None in found else False

    def offset(self, room: str, other: str) -> tuple[int, int] | None:
        """Return how many steps east and north another room lies, along known passages."""
        cells = {room: (0, 0)}
        queue = [room]
        for here in queue:
            for way, (east, north) in STEP.items():
                there = self.behind(here, way)
                if there is not None and there not in cells:
                    cells[there] = (cells[here][0] + east, cells[here][1] + north)
                    queue.append(there)
        return cells.get(other)

    def matches(self, key: str, lock: str) -> bool | None:
        """Return whether a key fits a lock (laws 4 and 6)."""
        if key in self.fits:
            return self.fits[key] == lock
        known = lock in self.fits.values() or (key, lock) in self.unfit
        return False if known or self.locked(lock) is False else None

    def locked(self, thing: str) -> bool | None:
        """Return whether a door or container was locked (law 5)."""
        return False if self.lids.get(thing) else self.locks.get(thing)

    def opened(self, thing: str) -> bool | None:
        """Return whether a door or container stood open (law 5)."""
        return False if self.locks.get(thing) else self.lids.get(thing)


def was_there(
    place: Mapping[str, str], whole: Container[str], spot: str, thing: str
) -> bool | None:
    """Return whether a thing lay in a spot, None if unknown; `whole` has the fully known spots."""
    if thing in place:
        return place[thing] == spot
    return False if spot in whole else None


def category(name: str) -> str:
    """Return ``key``, ``food`` or ``object`` for a thing that can be carried.

    The kind follows from the last word of the name, numbers left out: "old book 2" is a book.
    """
    noun = next((word for word in reversed(name.split()) if not word.isdigit()), name)
    return "key" if noun in KEYS else "food" if noun in FOODS else "object"


@dataclass(slots=True)
class Now:
    """State of the world at this moment of an episode, as far as the player can infer it."""

    room: str = ""
    carried: list[str] = field(default_factory=list)
    contents: dict[str, list[str]] = field(default_factory=dict)  # things, furniture left out
    lids: dict[str, bool] = field(default_factory=dict)
    locks: dict[str, bool] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)  # moved thing -> where it was first
    turned_lids: set[str] = field(default_factory=set)
    turned_locks: set[str] = field(default_factory=set)


class Reader:
    """Builds one world's `graph` from turns, and keeps the current state in `now`.

    If the world `changes`, a task whose first turn is missing may come before or after the change.
    """

    def __init__(self, *, changes: bool = False) -> None:
        self._changes = changes
        self.graph = Graph()
        self.now = Now()
        self.contents = self.graph.contents  # of the present visit
        self.unread: list[str] = []  # sentences of no known form
        self._place = self.graph.place
        self._last: Moment | None = None
        self._blind = False  # commands in missing turns may have moved and turned anything

    @classmethod
    def of(cls, transcripts: Iterable[Transcript]) -> Reader:
        """Return a reader that has read all transcripts of one world."""
        reader = cls()
        for episode, transcript in enumerate(transcripts):
            for step, turn in enumerate(transcript):
                reader.take(Moment(episode, step), turn)
        return reader

    def take(self, moment: Moment, turn: Turn) -> None:
        """Read a turn; turns are given in the order played, and some may be missing."""
        action, observation = turn
        if moment.step == 0:
            self.begin(observation)
        else:
            if self._last != Moment(moment.episode, moment.step - 1):  # turns are missing
                began = self._last is not None and self._last.episode == moment.episode
                first = moment.step == 1 and not self._changes  # a first look changes nothing
                self._blind = began or not first
                self.now = Now()
            self.step(action or "", observation)
        self._last = moment

    def begin(self, observation: Observation) -> None:
        """Start an episode: the world is back at its start, or as it was right after the change."""
        graph, told = self.graph, observation.objective
        self._blind, self._place, self.contents = False, graph.place, graph.contents
        if told.startswith(MOVED):
            self._place, self.contents = graph.later_place, graph.later_contents
        for thing, spot, shut in read_objective(told.removeprefix(MOVED)):
            if spot is not None:
                self._place.setdefault(thing, spot)
            if shut:
                graph.lids.setdefault(thing, False)
        self.now = Now(lids=dict(graph.lids), locks=dict(graph.locks))
        self.now.contents = {
            spot: sorted(thing for thing in things if thing not in graph.kinds)
            for spot, things in sorted(self.contents.items())
        }
        self._see(observation, Wish())

    def step(self, action: str, observation: Observation) -> None:
        """Read a command and its result."""
        if self.now.room:
            wish = read_action(action, self.in_sight(), self.doors())
        else:
            wish = read_unsighted(action, read_inventory(observation.inventory))
        self._see(observation, wish)

    def doors(self) -> dict[str, str]:
        """Return the doors of the room that the player is in, each with its direction."""
        ways = self.graph.exits.get(self.now.room, {})
        return {door: way for way, door in ways.items() if door is not None}

    def furniture(self, room: str) -> list[str]:
        """Return the containers and supporters of a room, by name."""
        standing = (thing for thing, spot in self.graph.place.items() if spot == room)
        return sorted(thing for thing in standing if thing in self.graph.kinds)

    def spots(self) -> list[str]:
        """Return the floor, supporters and open containers here, where things can be taken."""
        room, lids = self.now.room, self.now.lids
        return [room, *(holder for holder in self.furniture(room) if lids.get(holder, True))]

    def in_sight(self) -> list[str]:
        """Return the names of all things here, and of those carried."""
        room, now = self.now.room, self.now
        loose = [thing for spot in self.spots() for thing in now.contents.get(spot, ())]
        return [*self.doors(), *self.furniture(room), *loose, *now.carried]

    def _see(self, observation: Observation, wish: Wish) -> None:
        graph, now, view = self.graph, self.now, read_view(observation.text)
        if view is None:
            for reply in read_replies(observation.text):
                self._hear(reply, wish)
        else:
            if wish.verb == "go" and wish.way and now.room and view.room != now.room:
                graph.walk(now.room, wish.way, view.room)
            now.room = view.room
            self.unread += view.unread
            graph.exits.setdefault(view.room, view.exits)
            graph.kinds |= view.furniture | {door: "door" for door in view.exits.values() if door}
            for thing, is_open in view.lids.items():
                self._lid(thing, is_open)
            for spot, things in view.contents.items():
                self._listed(spot, things, fixed=view.furniture if spot == view.room else ())
        now.carried = read_inventory(observation.inventory)

    def _listed(self, spot: str, things: Sequence[str], fixed: Iterable[str] = ()) -> None:
        """Record all things in a spot, and infer what it held at the start."""
        now, lay = self.now, set(fixed)
        now.contents[spot] = list(things)
        if not self._blind:
            lay |= {thing for thing in things if thing not in now.origin}
            lay |= {thing for thing, origin in now.origin.items() if origin == spot}
            self.contents.setdefault(spot, frozenset(lay))
        for thing in lay:
            (self.graph.place if thing in fixed else self._place).setdefault(thing, spot)

    def _lid(self, thing: str, is_open: bool) -> None:
        """Record whether a door or container was open before any change in this turn."""
        self.now.lids[thing] = is_open
        if self._blind:
            self.now.turned_lids.add(thing)
        if thing not in self.now.turned_lids:
            self.graph.lids.setdefault(thing, is_open)
        if is_open:
            self._lock(thing, False)

    def _lock(self, thing: str, is_locked: bool) -> None:
        self.now.locks[thing] = is_locked
        if self._blind:
            self.now.turned_locks.add(thing)
        if thing not in self.now.turned_locks:
            self.graph.locks.setdefault(thing, is_locked)

    def _hear(self, reply: Reply, wish: Wish) -> None:
        said, noun = reply.said, reply.noun or wish.noun
        if noun is None:
            return
        match said:
            case "took" | "put" | "ate":
                self._moved(said, noun, reply.second or self.now.room)
            case "holds":
                self._listed(noun, reply.listed or ())
            case "is open" | "is closed":
                self._lid(noun, said == "is open")
            case "opened" | "closed":  # it was the other way before, and it is unlocked
                self._lid(noun, said == "closed")
                self._lock(noun, False)
                self.now.turned_lids.add(noun)
                self.now.lids[noun] = said == "opened"
                if reply.listed is not None:
                    self._listed(noun, reply.listed)
            case _:
                self._tried(said, noun, wish)

    def _tried(self, said: str, noun: str, wish: Wish) -> None:
        """Record a key tried in a lock: the game reports the lock's state before the key's fit."""
        match said:
            case "is locked" | "is unlocked":
                self._lock(noun, said == "is locked")
            case "does not fit" if wish.second:
                self._lock(noun, wish.verb == "unlock")
                self.graph.unfit.add((wish.second, noun))
            case "unlocked" | "locked":
                self._lock(noun, said == "unlocked")
                self.now.turned_locks.add(noun)
                self.now.locks[noun] = said == "locked"
                if wish.second:
                    self.graph.fits[wish.second] = noun
        if self.now.locks.get(noun):
            self._lid(noun, False)

    def _moved(self, said: str, thing: str, spot: str) -> None:
        now = self.now
        if said == "took" and not spot:
            self._blind = True  # its room is unknown, so it may be missing from other lists
        if said == "took" and thing not in now.origin:
            now.origin[thing] = "" if self._blind else spot
            if not self._blind:
                self._place.setdefault(thing, spot)
        for things in now.contents.values():
            if thing in things:
                things.remove(thing)
        if said == "put":
            now.contents.setdefault(spot, []).append(thing)
