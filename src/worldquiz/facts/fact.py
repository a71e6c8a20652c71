"""Facts: what can be true of a world, said in one way only.

A `Fact` is a predicate applied to names: ``on(red apple, oak table)``. A `State` is a set of facts.
Explicit negatives (``no_exit``, ``no_match``) say that something is false; absence says nothing,
because it cannot be seen. The name of an entity is its identity: names are unique in a world.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

_FORBIDDEN = re.compile(r"[,()\n]|^\s|\s$|^$")
_SHAPE = re.compile(r"^(?P<predicate>[a-z_]+)\((?P<args>[^()]*)\)$")


class Fact(NamedTuple):
    """One predicate applied to names. Ordered by text, so sorted facts never depend on a hash."""

    predicate: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.args)})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """On disk a fact is its text, so that people can read playthroughs."""
        from pydantic_core import core_schema

        def read(value: object) -> Fact:
            return value if isinstance(value, Fact) else parse(str(value))

        return core_schema.no_info_plain_validator_function(
            read, serialization=core_schema.to_string_ser_schema()
        )


State = frozenset[Fact]


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate's name and the roles of its arguments; calling it makes a checked `Fact`."""

    name: str
    roles: tuple[str, ...]

    def __call__(self, *args: str) -> Fact:
        """Return the fact. Raises `ValueError` on a wrong number of names or an impossible name."""
        return _checked(self.name, self.roles, args)

    def of(self, facts: Iterable[Fact]) -> Iterator[tuple[str, ...]]:
        """Yield the arguments of each fact of this predicate, in the order given."""
        return (fact.args for fact in facts if fact.predicate == self.name)


@lru_cache(65_536)  # worlds say the same facts over and over
def _checked(name: str, roles: tuple[str, ...], args: tuple[str, ...]) -> Fact:
    if len(args) != len(roles):
        raise ValueError(f"{name} takes {len(roles)} names {roles}, got {args}")
    for role, value in zip(roles, args, strict=True):
        if _FORBIDDEN.search(value):
            raise ValueError(f"{name}: {value!r} is no name for the {role}")
    return Fact(name, args)


KIND = Predicate("kind", ("entity", "kind"))
PLAYER_AT = Predicate("player_at", ("room",))

AT = Predicate("at", ("thing", "room"))
"""On the floor of a room, or standing in it. ``in`` and ``on`` say what is in or on a holder."""
IN = Predicate("in", ("thing", "container"))
ON = Predicate("on", ("thing", "supporter"))
CARRIED = Predicate("carried", ("thing",))
EATEN = Predicate("eaten", ("food",))
LISTED = Predicate("listed", ("holder",))
"""Everything directly in or on a holder, or on the floor of a room, is known; so is what is not."""

EXIT = Predicate("exit", ("room", "direction"))
NO_EXIT = Predicate("no_exit", ("room", "direction"))
LEADS = Predicate("leads", ("room", "direction", "other room"))
DOOR_AT = Predicate("door_at", ("door", "room", "direction"))

OPEN = Predicate("open", ("thing",))
SHUT = Predicate("shut", ("thing",))
LOCKED = Predicate("locked", ("thing",))
UNLOCKED = Predicate("unlocked", ("thing",))
MATCH = Predicate("match", ("key", "lock"))
NO_MATCH = Predicate("no_match", ("key", "lock"))

PREDICATES = {
    predicate.name: predicate
    for predicate in (
        KIND, PLAYER_AT, AT, IN, ON, CARRIED, EATEN, LISTED, EXIT, NO_EXIT, LEADS, DOOR_AT,
        OPEN, SHUT, LOCKED, UNLOCKED, MATCH, NO_MATCH,
    )
}  # fmt: skip

PLACE = ("at", "in", "on")
DIRECTIONS = ("north", "east", "south", "west")
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


@lru_cache(8192)  # the steps of an episode reveal the same facts over and over
def parse(text: str) -> Fact:
    """Read a fact as `str` writes it. Raises `ValueError` on an unknown predicate or arity."""
    shape = _SHAPE.match(text)
    if shape is None or shape["predicate"] not in PREDICATES:
        raise ValueError(f"{text!r} is no fact")
    return PREDICATES[shape["predicate"]](*shape["args"].split(", "))
