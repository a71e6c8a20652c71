"""A house small enough to plan in one's head.

    attic --- loft
      |         |           hall-study: the oak door, locked (brass key)
    hall  [=] study         hall-cellar: the iron door, shut
     [|]
    cellar

The brass key lies in the shut toy chest in the cellar; the tiny key, which fits the steel safe in
the study, on the oak table in the attic; an apple in the safe; a lamp in the hall; in the loft the
lead key, which fits nothing. The player starts in the hall.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from fact_texts import facts
from worldquiz.facts.fact import State

StateOf = Callable[[str], State]

HOUSE = """
player_at(hall)
kind(attic, room) kind(cellar, room) kind(hall, room) kind(loft, room) kind(study, room)
kind(oak door, door) kind(iron door, door) kind(oak table, supporter)
kind(toy chest, container) kind(steel safe, container)
kind(brass key, key) kind(tiny key, key) kind(lead key, key) kind(apple, food) kind(lamp, object)
leads(hall, north, attic) leads(attic, south, hall) leads(hall, south, cellar)
leads(cellar, north, hall) leads(attic, east, loft) leads(loft, west, attic)
leads(loft, south, study) leads(study, north, loft) leads(hall, east, study)
leads(study, west, hall)
door_at(oak door, hall, east) door_at(oak door, study, west)
door_at(iron door, hall, south) door_at(iron door, cellar, north)
shut(oak door) locked(oak door) shut(iron door) unlocked(iron door)
at(oak table, attic) at(toy chest, cellar) at(steel safe, study)
shut(toy chest) unlocked(toy chest) shut(steel safe) locked(steel safe)
match(brass key, oak door) match(tiny key, steel safe)
in(brass key, toy chest) on(tiny key, oak table) at(lead key, loft) in(apple, steel safe)
at(lamp, hall)
"""


@pytest.fixture(scope="session")
def state_of() -> StateOf:
    """Return the state that a text lists, fact after fact."""

    def read(text: str) -> State:
        return frozenset(facts(text))

    return read


@pytest.fixture
def house(state_of: StateOf) -> State:
    """The house."""
    return state_of(HOUSE)


@pytest.fixture(scope="session")
def corridor(state_of: StateOf) -> Callable[..., State]:
    """Make a corridor of rooms r0, r1, ... from west to east, with some more facts."""

    def make(rooms: int, more: str = "", *, start: int = 0) -> State:
        names = [f"r{number}" for number in range(rooms)]
        lines = [f"player_at(r{start})", *(f"kind({name}, room)" for name in names)]
        for west, east in pairwise(names):
            lines += [f"leads({west}, east, {east})", f"leads({east}, west, {west})"]
        return state_of(" ".join([*lines, more, ""]))

    return make
