"""Facts: statements that can be true of a world, each written in one way only.

A `Fact` is a predicate applied to names: ``on(red apple, oak table)``. A `State` is a set of facts.
A missing fact need not be false, since absence cannot be seen; separate predicates state that
something is false. An entity is identified by its name, which is unique in a world.
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
    """One predicate applied to names. Facts sort by their text, so their order is reproducible."""

    predicate: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.args)})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Store a fact as its text, so that people can read playthroughs."""
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
        """Return the fact. Raises `ValueError` for a wrong number of names or an invalid name."""
        return _checked(self.name, self.roles, args)

    def of(self, facts: Iterable[Fact]) -> Iterator[tuple[str, ...]]:
        """Yield the arguments of each fact of this predicate, in the order given."""
        return (fact.args for fact in facts if fact.predicate == self.name)


@lru_cache(65_536)  # worlds say the same facts over and over
def _checked(name: str, roles: tuple[str, ...], args: tuple[str, ...]) -> Fact:
    if len(args) != len(roles):
        raise ValueError(f"{name}: expected {len(roles)} names {roles}, found {args}")
    for role, value in zip(roles, args, strict=True):
        if _FORBIDDEN.search(value):
            raise ValueError(f"{name}: {value!r} cannot be the name of the {role}")
    return Fact(name, args)


@lru_cache(8192)  # the steps of an episode reveal the same facts over and over
def parse(text: str) -> Fact:
    """Read a fact as `str` writes it. Raises `ValueError` for any other text."""
    shape = _SHAPE.match(text)
    names = tuple(shape["args"].split(", ")) if shape else ("",)
    if shape is None or any(map(_FORBIDDEN.search, names)):
        raise ValueError(f"{text!r} is not a fact: write it as in 'in(key, box)'")
    return Fact(shape["predicate"], names)
