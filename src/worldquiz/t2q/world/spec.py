"""A world as a value (rooms on a grid, facts at the start, tasks), and the protocol to play it.

`WorldSpec.facts` holds the facts that were chosen (places of things, passages, locks, which key
fits). The facts that follow from them (exits, missing exits, keys that do not fit) are computed by
`complete`, never stored.

A world may change: between two visits, some pairs of things have swapped places
(`WorldSpec.later`). Rooms, doors, locks, furniture and keys stay as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Protocol

from worldquiz import rng
from worldquiz.errors import WorldError, did_you_mean
from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import Fact, State
from worldquiz.t2q.compass import DIRECTIONS
from worldquiz.t2q.world import predicates as facts
from worldquiz.t2q.world.predicates import LISTED, PLACE, KnownFact

HOLDERS = ("container", "supporter")
LOCKABLE = ("container", "door")
MOVABLE = ("object", "food", "key")
LIES = {"room": facts.AT, "container": facts.IN, "supporter": facts.ON}
"""The predicate for a thing in or on a place, by the kind of the place."""
CHANGING = frozenset(
    ("player_at", "at", "in", "on", "carried", "eaten", "open", "shut", "locked", "unlocked")
)
"""The predicates of facts that a command can change."""

CHANGE = "change"
"""The preset of worlds in which things are moved before the last tasks."""
MOVED = "After the first tasks, somebody moved some things. "
"""How the objectives begin after things were moved."""


@dataclass(frozen=True, slots=True)
class Room:
    """A room and its cell of the grid; x grows to the east, y to the north."""

    name: str
    x: int
    y: int


class Passage(NamedTuple):
    """A way between two rooms, named from its first end."""

    room: str
    direction: str
    other: str
    door: str | None


@dataclass(frozen=True)
class WorldSpec:
    """One world, fully determined; equal specs give equal games."""

    id: str  # "hard-03"
    level: str  # the preset that made it
    seed: int
    start: str
    rooms: tuple[Room, ...]
    facts: tuple[KnownFact, ...]  # sorted
    places_told: bool = False  # objectives say where things are

    @cached_property
    def initial(self) -> State:
        """All that is true at the start, negatives included."""
        return complete(self.facts)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each entity's kind, rooms included, by name in sorted order."""
        return {entity: kind for entity, kind in sorted(facts.KIND.of(self.facts))}

    @cached_property
    def place(self) -> dict[str, Fact]:
        """The fact that says where each thing is, by thing in sorted order."""
        return dict(sorted((f.args[0], f) for f in self.facts if f.predicate in PLACE))

    @cached_property
    def content(self) -> dict[str, list[str]]:
        """Things directly in each room and in or on each holder, sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for thing, fact in self.place.items():
            found[fact.args[1]].append(thing)
        return found

    @cached_property
    def ways(self) -> dict[str, dict[str, str]]:
        """The rooms that a room's passages lead to, by direction."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for room, way, other in sorted(facts.LEADS.of(self.facts)):
            found[room][way] = other
        return found

    @property
    def passages(self) -> list[Passage]:
        """Each passage once, from the end whose name comes first."""
        return [
            Passage(room, way, other, self.doors.get((room, way)))
            for room, ways in self.ways.items()
            for way, other in ways.items()
            if room < other
        ]

    @cached_property
    def doors(self) -> dict[tuple[str, str], str]:
        """The doors by room and direction; each door is listed twice."""
        return {(room, way): door for door, room, way in sorted(facts.DOOR_AT.of(self.facts))}

    @cached_property
    def exits(self) -> dict[str, dict[str, str]]:
        """The directions that lead out of each room, each with its door or ""."""
        return {
            room.name: {way: self.doors.get((room.name, way), "") for way in self.ways[room.name]}
            for room in self.rooms
        }

    def ends(self, door: str) -> list[tuple[str, str]]:
        """Return the two rooms that a door joins, each with the direction of the door there."""
        return [end for end, hung in self.doors.items() if hung == door]

    @cached_property
    def lock_of(self) -> dict[str, str]:
        """The lock of each key that unlocks anything, by key in sorted order."""
        return dict(sorted((key, lock) for key, lock in facts.MATCH.of(self.facts)))

    @cached_property
    def key_of(self) -> dict[str, str]:
        """The key of each lock that has one."""
        return {lock: key for key, lock in self.lock_of.items()}

    def room_of(self, thing: str) -> str:
        """Return the room in which a thing is, directly or in a holder; for a room, itself."""
        while thing in self.place:
            thing = self.place[thing].args[1]
        return thing

    @cached_property
    def partners(self) -> tuple[tuple[str, str], ...]:
        """Pairs of objects or of food, drawn by seed, that do not lie in the same room."""
        draw, found = rng.child(self.seed, "partners"), list[tuple[str, str]]()
        for kind in ("food", "object"):
            left = draw.sample(some := self.of_kind(kind), len(some))
            while left:
                one = left.pop()
                rooms = {other: self.room_of(other) for other in left}
                if other := next((t for t in left if rooms[t] != self.room_of(one)), None):
                    left.remove(other)
                    found.append((one, other))
        return tuple(found)

    @cached_property
    def later(self) -> WorldSpec:
        """The world after partners swapped places, each pair by the toss of a coin."""
        draw, facts = rng.child(self.seed, "moved"), {*self.facts}
        for one, other in (pair for pair in self.partners if draw.random() < 0.5):
            here, there = self.place[one], self.place[other]
            facts -= {here, there}
            facts |= {here._replace(args=(other, here.args[1]))}
            facts |= {there._replace(args=(one, there.args[1]))}
        return replace(self, seed=rng.child_seed(self.seed, "later"), facts=tuple(sorted(facts)))

    def at(self, task: Task) -> WorldSpec:
        """Return the world in which a task begins."""
        return self.later if task.later else self

    def dated(self, fact: Fact) -> Fact:
        """Return a fact from after the change; place predicates get the suffix ``_later``."""
        moves = fact.predicate in PLACE and self.kinds[fact.args[0]] in MOVABLE
        if moves or fact.predicate == LISTED.name:
            return fact._replace(predicate=f"{fact.predicate}_later")
        return fact

    @property
    def objects(self) -> int:
        """Number of objects: all entities but rooms, as the parameters count them."""
        return len(self.kinds) - len(self.rooms)

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Return the entities of these kinds, sorted by name."""
        return tuple(name for name, kind in self.kinds.items() if kind in kinds)


class Verb(StrEnum):
    """Kind of a task's goal."""

    GO = "go"
    FETCH = "fetch"
    OPEN = "open"
    PUT = "put"
    EAT = "eat"


class Proof(StrEnum):
    """Status of a walkthrough: proven shortest, or a valid plan by dependency order."""

    SHORTEST = "shortest"
    DEPENDENCY = "dependency"  # a valid plan by dependency order, not proven shortest


@dataclass(frozen=True, slots=True)
class Solution:
    """Commands that reach a goal, and whether their number is proven minimal."""

    commands: tuple[str, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a world. Won as soon as every goal fact is true of the state."""

    id: str
    verb: Verb
    target: str
    goal: tuple[KnownFact, ...]
    objective: str
    discloses: tuple[Fact, ...]  # facts that the objective's text gives away
    covers: tuple[str, ...]  # rooms traversed and entities exercised, sorted
    walkthrough: Solution

    @property
    def asked(self) -> frozenset[str]:
        """Rooms and things that the goal is about."""
        return frozenset(fact.args[0] for fact in self.goal)

    @property
    def later(self) -> bool:
        """True if things were moved before this task, as its objective says."""
        return self.objective.startswith(MOVED)

    def won(self, state: State) -> bool:
        """Return whether the goal holds in a state."""
        return state.issuperset(self.goal)


@dataclass(frozen=True, slots=True)
class Transition:
    """Result of a reset or a command.

    `revealed` lists the facts that the observation discloses, from the true state; an agent's
    ``act(observation)`` cannot receive it, so the type checker guards against leaks.
    """

    observation: Observation
    revealed: tuple[Fact, ...]  # sorted
    command: str | None  # as the world understood it; None where it was refused, and at reset

    @property
    def done(self) -> bool:
        """True if the episode is over."""
        return self.observation.done


class World(Protocol):
    """A world that can be played. One episode at a time; `reset` may be called at any moment."""

    @property
    def spec(self) -> WorldSpec:
        """The world's specification."""
        ...

    @property
    def state(self) -> State:
        """All facts that are true now, including those of the spec that never change."""
        ...

    def reset(self, task: Task) -> Transition:
        """Return to the initial state and announce the task."""
        ...

    def step(self, action: str) -> Transition:
        """Carry out an agent's command, or refuse an unclear one with the game's message."""
        ...

    def close(self) -> None:
        """Free the world's resources."""
        ...


def complete(known: Iterable[Fact]) -> State:
    """Return the facts with all that follows from them in every world of this family.

    Added are ``exit`` and ``no_exit`` for each room and direction, ``no_match`` for each key and
    each lock that it does not fit, and ``listed`` for each room, container and supporter.
    """
    state = set(known)
    kinds = {entity: kind for entity, kind in facts.KIND.of(state)}
    exits = {(room, direction) for room, direction, _ in facts.LEADS.of(state)}
    locks = {door for door, _, _ in facts.DOOR_AT.of(state)}
    locks.update(name for name, kind in kinds.items() if kind == "container")
    matches = set(facts.MATCH.of(state))
    for name, kind in kinds.items():
        if kind == "room":
            state.update(
                (facts.EXIT if (name, direction) in exits else facts.NO_EXIT)(name, direction)
                for direction in DIRECTIONS
            )
        if kind == "room" or kind in HOLDERS:
            state.add(facts.LISTED(name))
        if kind == "key":
            state.update(
                facts.NO_MATCH(name, lock) for lock in locks if (name, lock) not in matches
            )
    return frozenset(state)


def check_spec(spec: WorldSpec, where: object) -> None:
    """Raise `WorldError` naming the first fault of a spec."""
    named = ((fact, name) for fact in spec.facts for name in fact.args if fact.predicate != "kind")
    known = {*spec.kinds, *DIRECTIONS}
    lids = [
        thing for predicate in (facts.OPEN, facts.SHUT) for (thing,) in predicate.of(spec.facts)
    ]
    faults = (
        *(f"{fact}: no {name!r}{did_you_mean(name, known)}" for fact, name in named
          if name not in known),
        *(f"{name!r}: no fact says where it is" for name in spec.of_kind(*MOVABLE, *HOLDERS)
          if name not in spec.place),
        *(f"{name!r}: must be either open or shut" for name in spec.of_kind(*LOCKABLE)
          if lids.count(name) != 1),
    )  # fmt: skip
    if spec.kinds.get(spec.start) != "room":
        raise WorldError(
            f"{where}: start: {spec.start!r} is not a room{did_you_mean(spec.start, spec.kinds)}"
        )
    if faults:
        raise WorldError(f"{where}: {faults[0]}")
