"""The state at one moment, indexed for questions such as "what is on the table?"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from worldquiz.facts.fact import DIRECTIONS, DOOR_AT, EXIT, LEADS, MATCH, NO_EXIT, Fact, State
from worldquiz.t2q.world.commands import Scope
from worldquiz.t2q.world.spec import WorldSpec


class Plan:
    """What of a world never changes, indexed once."""

    def __init__(self, spec: WorldSpec) -> None:
        self.kinds: Mapping[str, str] = spec.kinds
        self.ways: dict[str, dict[str, str]] = defaultdict(dict)  # room -> way -> door or ""
        for room, way, _ in LEADS.of(spec.facts):
            self.ways[room][way] = ""
        for door, room, way in DOOR_AT.of(spec.facts):
            self.ways[room][way] = door
        self.matches = frozenset(MATCH.of(spec.facts))


class Situation:
    """One moment: where everything is, what is open and what is locked."""

    def __init__(self, plan: Plan, dynamic: State) -> None:
        """Index the facts that change: player_at, at/in/on, carried, eaten, open.. and locked.."""
        self.kinds = plan.kinds
        self._plan = plan
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
        return self._plan.ways[self.room]

    def exit_facts(self, way: str) -> Iterator[Fact]:
        """Yield whether there is an exit that way, and the door in it."""
        if way not in self.exits:
            yield NO_EXIT(self.room, way)
            return
        yield EXIT(self.room, way)
        if self.exits[way]:
            yield DOOR_AT(self.exits[way], self.room, way)

    def door(self, way: str) -> str | None:
        """Return the door in a direction, None if there is none."""
        return self.exits.get(way) or None

    def doors_here(self) -> list[str]:
        """Return the doors of the player's room."""
        return [self.exits[way] for way in DIRECTIONS if self.exits.get(way)]

    def content(self, spot: str) -> list[str]:
        """Return what is directly in a room or in or on a holder, sorted."""
        return self._content.get(spot, [])

    def place(self, thing: str) -> Fact:
        """Return the fact that says where a thing is (KeyError if carried or eaten)."""
        return self._place[thing]

    def carried(self) -> list[str]:
        """Return what the player carries, sorted."""
        return sorted(fact.args[0] for fact in self._flags if fact.predicate == "carried")

    def is_open(self, thing: str) -> bool:
        """Tell whether a door or container stands open."""
        return Fact("open", (thing,)) in self._flags

    def is_locked(self, thing: str) -> bool:
        """Tell whether a door or container is locked."""
        return Fact("locked", (thing,)) in self._flags

    def is_eaten(self, thing: str) -> bool:
        """Tell whether a food was eaten."""
        return Fact("eaten", (thing,)) in self._flags

    def fits(self, key: str, lock: str) -> bool:
        """Tell whether a key fits a lock."""
        return (key, lock) in self._plan.matches

    def scope(self) -> Scope:
        """Return what the player can name here."""
        holder = {
            thing: spot
            for spot in self.content(self.room)
            if self.kinds[spot] == "supporter" or self.is_open(spot)
            for thing in self.content(spot)
        }
        ways = {door: way for way, door in sorted(self.exits.items()) if door}
        here = {*self.content(self.room), *holder, *ways, *self.carried()}
        containers = frozenset(thing for thing in here if self.kinds[thing] == "container")
        return Scope(frozenset(here), holder, containers, ways)
