"""Plans that a search of every state would not tell: nonsense, a way of no return, long ways.

That plans are shortest, and that none is missing: property/test_planner_laws.py.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from fact_texts import facts
from worldquiz.errors import PlanError
from worldquiz.facts.fact import Fact
from worldquiz.t2q import Proof, Room, Solution, WorldSpec
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.world.predicates import AT, CARRIED, EATEN, IN, ON, OPEN, PLAYER_AT

HOUSE = """
player_at(hall) kind(hall, room) kind(attic, room)
leads(hall, north, attic) leads(attic, south, hall)
kind(oak table, supporter) kind(toy chest, container) kind(lamp, object)
at(oak table, attic) at(toy chest, attic) open(toy chest) unlocked(toy chest) at(lamp, hall)
"""


def world(text: str, start: str) -> WorldSpec:
    known = tuple(sorted(facts(text)))
    rooms = {args[0] for fact in known if fact.predicate == "leads" for args in (fact.args,)}
    return WorldSpec("w", "own", 0, start, tuple(Room(r, 0, 0) for r in sorted(rooms)), known)


@pytest.mark.parametrize(
    "goal",
    [
        CARRIED("oak table"), EATEN("lamp"), ON("lamp", "toy chest"), IN("lamp", "oak table"),
        AT("lamp", "oak table"), OPEN("oak table"), PLAYER_AT("lamp"), CARRIED("attic"),
    ],
    ids=str,
)  # fmt: skip
def test_what_no_command_does_has_no_plan(goal: Fact) -> None:
    with pytest.raises(PlanError, match=re.escape(f"goal {goal} cannot be reached from 'hall'")):
        Planner(world(HOUSE, "hall")).plan(goal)


def test_a_way_without_a_way_back_is_refused() -> None:
    with pytest.raises(ValueError, match="'attic' to 'hall'"):
        Planner(world(HOUSE.replace("leads(attic, south, hall)", ""), "hall"))


def corridor(rooms: int, more: str = "", start: int = 0) -> WorldSpec:
    """Make a corridor of rooms r0, r1, ... from west to east, with some more facts."""
    names = [f"r{number}" for number in range(rooms)]
    lines = [f"player_at(r{start})", *(f"kind({name}, room)" for name in names)]
    for west, east in pairwise(names):
        lines += [f"leads({west}, east, {east})", f"leads({east}, west, {west})"]
    return world(" ".join([*lines, more, ""]), f"r{start}")


SHUTTLE = """
kind(west door, door) kind(far door, door) kind(near key, key) kind(far key, key)
door_at(far door, r0, east) door_at(far door, r1, west) shut(far door) locked(far door)
door_at(west door, r1, east) door_at(west door, r2, west) shut(west door) locked(west door)
match(near key, far door) match(far key, west door) at(near key, r2) at(far key, r5)
"""


def test_nearest_first_is_not_always_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """r0 |far| r1 |west| r2 (near key) - r3 (start) - r4 - r5 (far key): go east first."""
    planner = Planner(corridor(6, SHUTTLE, start=3))
    shortest = planner.plan(PLAYER_AT("r0"))
    assert (shortest.proof, len(shortest.commands)) == (Proof.SHORTEST, 13)
    monkeypatch.setattr("worldquiz.t2q.tasks.planner.NODES", 3)  # a world too large to search
    quick = planner.plan(PLAYER_AT("r0"))
    assert (quick.proof, len(quick.commands)) == (Proof.DEPENDENCY, 15)
    assert quick.commands[:2] == ("go west", "take near key")


def test_a_long_corridor_is_no_deeper_than_the_stack() -> None:
    plan = Planner(corridor(3000)).plan(PLAYER_AT("r2999"))
    assert plan == Solution(("go east",) * 2999, Proof.SHORTEST)
