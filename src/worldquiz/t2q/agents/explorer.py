"""A systematic player: it opens, unlocks and enters whatever it has not seen yet, nearest first.

It ignores its task. It keeps its map between tasks, so each episode continues at the edges of the
map. It gives up once nothing is left to find.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.episode import Observation
from worldquiz.t2q.agents.base import Agent
from worldquiz.t2q.reader.graph import Reader, category


class Explorer(Agent):
    """Walks to the nearest spot where it can still learn something, and acts there."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._last: str | None = None

    async def begin(self, observation: Observation) -> None:
        """Start a new episode of the same world."""
        self._reader.begin(observation)
        self._last = None

    async def act(self, observation: Observation) -> str | None:
        """Return the next command, None once the world holds nothing new within reach."""
        if self._last is not None:
            self._reader.step(self._last, observation)
        self._last = _Survey(self._reader).command()
        return self._last


class _Survey:
    """Unexplored doors, containers and keys at one moment, and the command towards the nearest."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._graph, self._now = reader, reader.graph, reader.now
        self._keys = [thing for thing in self._now.carried if category(thing) == "key"]
        self._first = self._reach()
        self._wanted: set[str] = set()  # keys lying about that would be of use
        self._useful = self._unopened()  # doors and containers worth opening
        while self._widen():
            pass

    def command(self) -> str | None:
        """Return a command, None if nothing is left within reach."""
        for room, first in self._first.items():
            job = next(self._jobs(room), None)
            if job is not None:
                return first or job
        return None

    def _reach(self) -> dict[str, str]:
        """Return each room within reach, nearest first, with the first command on the way there."""
        first = {self._now.room: ""}
        queue = [self._now.room]
        for room in queue:
            for way, other in sorted(self._graph.ways.get(room, {}).items()):
                door = self._graph.exits.get(room, {}).get(way)
                step = f"go {way}" if door is None else self._pass(door, f"go {way}")
                if step is not None and other not in first:
                    first[other] = first[room] or step
                    queue.append(other)
        return first

    def _pass(self, thing: str, beyond: str) -> str | None:
        """Return `beyond` if a door is open, else a command to open or unlock it, or None."""
        if self._now.lids.get(thing, True):
            return beyond
        if not self._now.locks.get(thing):
            return f"open {thing}"
        fitting = [key for key in self._keys if self._graph.matches(key, thing)]
        return f"unlock {thing} with {fitting[0]}" if fitting else None

    def _unopened(self) -> set[str]:
        """Return unexplored containers and doors, and locked doors to unexplored rooms."""
        graph = self._graph
        things = {
            thing
            for thing, kind in graph.kinds.items()
            if kind == "container" and thing not in self._reader.contents
        }
        cut_off = any(self._unknown(room) for room in graph.exits if room not in self._first)
        for room, exits in graph.exits.items():
            new = {d for way, d in exits.items() if d and way not in graph.ways.get(room, {})}
            doors = {door for door in exits.values() if door}
            untried = {door for door in doors if door not in graph.locks}
            shut_off = {door for door in doors if cut_off and self._now.locks.get(door)}
            things |= new | untried | shut_off
        return things

    def _unknown(self, room: str) -> bool:
        """Return whether a room has exits never walked or containers never opened."""
        graph = self._graph
        return any(way not in graph.ways.get(room, {}) for way in graph.exits[room]) or any(
            thing not in self._reader.contents for thing in self._reader.furniture(room)
        )

    def _widen(self) -> bool:
        """Add keys worth trying, and closed containers of such keys; return whether any is new."""
        before = len(self._wanted) + len(self._useful)
        lying = [
            (thing, spot)
            for spot, things in self._now.contents.items()
            for thing in things
            if category(thing) == "key"
        ]
        for key, spot in lying:
            if any(self._worth(key, lock) for lock in self._now.locks):
                self._wanted.add(key)
                if not self._now.lids.get(spot, True):
                    self._useful.add(spot)
        return len(self._wanted) + len(self._useful) > before

    def _worth(self, key: str, lock: str) -> bool:
        """Return whether it is worth trying a key in a lock."""
        fits = self._graph.matches(key, lock)
        if not self._now.locks.get(lock) or fits is False:
            return False
        return fits is None or lock in self._useful

    def _jobs(self, room: str) -> Iterator[str]:
        """Yield the commands that are worth giving in a room."""
        now, exits = self._now, self._graph.exits.get(room, {})
        if room not in self._reader.contents:  # things were moved since it was seen
            yield "look"
        holders = [h for h in self._reader.furniture(room) if now.lids.get(h, True)]
        for spot in (room, *holders):
            source = "" if spot == room else f" from {spot}"
            wanted = self._wanted if room != now.room else self._wanted | self._on_the_way()
            yield from (f"take {t}{source}" for t in now.contents.get(spot, ()) if t in wanted)
        doors = sorted(door for door in exits.values() if door)
        for thing in [*self._reader.furniture(room), *doors]:
            if now.lids.get(thing, True):
                continue
            if now.locks.get(thing):
                yield from (f"unlock {thing} with {k}" for k in self._keys if self._worth(k, thing))
            elif thing in self._useful:
                yield f"open {thing}"
        for way, door in sorted(exits.items()):
            if way not in self._graph.ways.get(room, {}) and now.lids.get(door or "", True):
                yield f"go {way}"

    def _on_the_way(self) -> set[str]:
        """Return untested keys at hand, to be picked up while anything is still unopened."""
        if not self._useful:
            return set()
        here = [t for spot in self._reader.spots() for t in self._now.contents.get(spot, ())]
        return {t for t in here if category(t) == "key" and t not in self._graph.fits}
