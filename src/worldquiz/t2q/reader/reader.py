"""Following a player through its episodes: what it saw, and what it has changed itself.

Each episode starts from the same initial state and only the player changes the world. So a thing
that the player has not moved is where it was at the start, and a lid or lock that it has not turned
is as it was. A thing that it did move was seen first where it took it.

Turns may be missing (`Reader.take`). Then nothing is concluded that they could have changed: things
may have been moved and lids and locks turned, and nobody knows where the player stands before a
room is described again. Facts that no command changes still count: exits, doors and furniture,
which key fits, what can be eaten, and passages walked from one turn to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from worldquiz.facts.episode import Observation, Transcript, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.text import (
    RoomView,
    Said,
    Statement,
    Wish,
    read_action,
    read_inventory,
    read_objective,
    read_replies,
    read_unsighted,
    read_view,
)


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
    """Builds one world's `graph` and keeps the present moment in `now`."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.now = Now()
        self.unread: list[str] = []  # sentences of no known form
        self._last: Moment | None = None
        self._blind = False  # commands that are not told may have moved and turned anything

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
            if self._last != Moment(moment.episode, moment.step - 1):
                self._miss(moment)
            self.step(action or "", observation)
        self._last = moment

    def begin(self, observation: Observation) -> None:
        """Start an episode: the world is as at the start again."""
        graph = self.graph
        self._blind = False
        for told in read_objective(observation.objective):
            if told.spot is not None:
                graph.place.setdefault(told.thing, told.spot)
            if told.food:
                graph.edible[told.thing] = True
            if told.shut:
                graph.lids.setdefault(told.thing, False)
        self.now = Now(lids=dict(graph.lids), locks=dict(graph.locks))
        self.now.contents = {
            spot: sorted(thing for thing in things if thing not in graph.kinds)
            for spot, things in sorted(graph.contents.items())
        }
        self._see(observation, Wish())

    def step(self, action: str, observation: Observation) -> None:
        """Take in a command and what came of it."""
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
        """Return the floor and the holders here from which things can be taken now."""
        room, lids = self.now.room, self.now.lids
        return [room, *(holder for holder in self.furniture(room) if lids.get(holder, True))]

    def in_sight(self) -> list[str]:
        """Return all that can be named here."""
        room, now = self.now.room, self.now
        loose = [thing for spot in self.spots() for thing in now.contents.get(spot, ())]
        return [*self.doors(), *self.furniture(room), *loose, *now.carried]

    def _miss(self, moment: Moment) -> None:
        """Take note that turns are missing before this one; a first look alone changes nothing."""
        began = self._last is not None and self._last.episode == moment.episode
        self._blind = began or moment.step > 1
        self.now = Now()

    def _see(self, observation: Observation, wish: Wish) -> None:
        view = read_view(observation.text)
        if view is not None:
            self._enter(view, wish)
        else:
            for reply in read_replies(observation.text):
                self._hear(reply, wish)
        self.now.carried = read_inventory(observation.inventory)

    def _enter(self, view: RoomView, wish: Wish) -> None:
        graph, now = self.graph, self.now
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

    def _listed(self, spot: str, things: Sequence[str], fixed: Iterable[str] = ()) -> None:
        """Take note of all that is in a spot; at the start it held this less and plus own moves."""
        now = self.now
        now.contents[spot] = list(things)
        if self._blind:
            for thing in fixed:
                self.graph.place.setdefault(thing, spot)
            return
        untouched = {thing for thing in things if thing not in now.origin}
        removed = {thing for thing, origin in now.origin.items() if origin == spot}
        self.graph.list_spot(spot, frozenset(untouched | removed | set(fixed)))

    def _lid(self, thing: str, is_open: bool) -> None:
        """Take note that a door or container is open or closed before this turn's change."""
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

    def _hear(self, reply: Statement, wish: Wish) -> None:
        noun = reply.noun or wish.noun
        if noun is None:
            return
        match reply.said:
            case Said.TOOK | Said.PUT | Said.ATE | Said.INEDIBLE:
                self._moved(reply.said, noun, reply.second or self.now.room)
            case Said.UNLOCKED | Said.LOCKED | Said.IS_LOCKED | Said.IS_UNLOCKED | Said.UNFIT:
                self._tried(reply.said, noun, wish)
            case Said.HOLDS:
                self._listed(noun, reply.listed or ())
            case Said.OPENED | Said.CLOSED:
                self._turned(reply, noun)
            case Said.IS_OPEN | Said.IS_CLOSED:
                self._lid(noun, reply.said is Said.IS_OPEN)

    def _turned(self, reply: Statement, noun: str) -> None:
        """Note that a lid was turned: it was the other way before, and it is unlocked."""
        opened = reply.said is Said.OPENED
        self._lid(noun, not opened)
        self._lock(noun, False)
        self.now.turned_lids.add(noun)
        self.now.lids[noun] = opened
        if reply.listed is not None:
            self._listed(noun, reply.listed)

    def _tried(self, said: Said, noun: str, wish: Wish) -> None:
        """A lock was tried: the game says first whether it is turned, then whether the key fits."""
        unlocking = wish.verb == "unlock"
        match said:
            case Said.IS_LOCKED | Said.IS_UNLOCKED:
                self._lock(noun, said is Said.IS_LOCKED)
            case Said.UNFIT if wish.second:
                self._lock(noun, unlocking)
                self.graph.unfit.add((wish.second, noun))
            case Said.UNLOCKED | Said.LOCKED:
                self._lock(noun, said is Said.UNLOCKED)
                self.now.turned_locks.add(noun)
                self.now.locks[noun] = said is Said.LOCKED
                if wish.second:
                    self.graph.fits[wish.second] = noun
        if self.now.locks.get(noun):
            self._lid(noun, False)

    def _moved(self, said: Said, thing: str, spot: str) -> None:
        now, graph = self.now, self.graph
        if said is Said.TOOK and not spot:
            self._blind = True  # it lay in a room that is not told: other lists may lack it
        if said is Said.TOOK and thing not in now.origin:
            now.origin[thing] = "" if self._blind else spot
            if not self._blind:
                graph.place.setdefault(thing, spot)
        if said in (Said.ATE, Said.INEDIBLE):
            graph.edible[thing] = said is Said.ATE
        if said is not Said.INEDIBLE:
            for things in now.contents.values():
                if thing in things:
                    things.remove(thing)
        if said is Said.PUT:
            now.contents.setdefault(spot, []).append(thing)
