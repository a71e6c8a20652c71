"""A world as a value: its rooms on a grid and the facts that hold at the start.

`WorldSpec.facts` holds what somebody chose (where things are, what leads where, what is locked,
which key fits). What follows from it (exits, their absence, keys that fit nothing) is computed by
`complete`, never stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from worldquiz.facts.fact import (
    DIRECTIONS,
    DOOR_AT,
    EXIT,
    KIND,
    LEADS,
    LISTED,
    MATCH,
    NO_EXIT,
    NO_MATCH,
    PLACE,
    Fact,
    State,
)

HOLDERS = ("container", "supporter")
LOCKABLE = ("container", "door")
MOVABLE = ("object", "food", "key")


@dataclass(frozen=True, slots=True)
class Room:
    """A room and its cell of the grid; x grows to the east, y to the north."""

    name: str
    x: int
    y: int


@dataclass(frozen=True)
class WorldSpec:
    """One world, wholly determined; equal specs build equal games."""

    id: str  # "hard-03"
    level: str  # the preset that made it
    seed: int
    start: str
    rooms: tuple[Room, ...]
    facts: tuple[Fact, ...]  # sorted
    both_sides: bool  # the quiz asks each fact from both of its sides

    @cached_property
    def initial(self) -> State:
        """All that is true at the start, negatives included."""
        return complete(self.facts)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each entity's kind, rooms included, by name in sorted order."""
        return {entity: kind for entity, kind in sorted(KIND.of(self.facts))}

    @cached_property
    def place(self) -> dict[str, Fact]:
        """The fact that says where each thing is, by thing in sorted order."""
        return dict(sorted((f.args[0], f) for f in self.facts if f.predicate in PLACE))

    def room_of(self, thing: str) -> str:
        """Return the room in which a thing is, however deep; a room is in itself."""
        while thing in self.place:
            thing = self.place[thing].args[1]
        return thing

    @property
    def objects(self) -> int:
        """How many objects there are: all that is no room, as the knobs count them."""
        return len(self.kinds) - len(self.rooms)

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Return the entities of these kinds, sorted by name."""
        return tuple(name for name, kind in self.kinds.items() if kind in kinds)


def complete(facts: Iterable[Fact]) -> State:
    """Return the facts with all that follows from them in every world of this family.

    Added are ``exit`` and ``no_exit`` for each room and direction, ``no_match`` for each key and
    each lock that it does not fit, and ``listed`` for each room, container and supporter.
    """
    state = set(facts)
    kinds = {entity: kind for entity, kind in KIND.of(state)}
    exits = {(room, direction) for room, direction, _ in LEADS.of(state)}
    locks = {door for door, _, _ in DOOR_AT.of(state)}
    locks.update(name for name, kind in kinds.items() if kind == "container")
    matches = set(MATCH.of(state))
    for name, kind in kinds.items():
        if kind == "room":
            state.update(
                (EXIT if (name, direction) in exits else NO_EXIT)(name, direction)
                for direction in DIRECTIONS
            )
        if kind == "room" or kind in HOLDERS:
            state.add(LISTED(name))
        if kind == "key":
            state.update(NO_MATCH(name, lock) for lock in locks if (name, lock) not in matches)
    return frozenset(state)
