"""Plans in a house that one can plan in one's head.

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

from itertools import pairwise

import pytest

from fact_texts import facts
from worldquiz.errors import PlanError
from worldquiz.facts.fact import Fact
from worldquiz.t2q import Proof, Room, Solution, WorldSpec
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.world.predicates import AT, CARRIED, EATEN, IN, ON, OPEN, PLAYER_AT

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
FETCH_BRASS = ("open iron door", "go south", "open toy chest", "take brass key from toy chest")
FETCH_APPLE = (
    "go north", "take tiny key from oak table", "go east", "go south",
    "unlock steel safe with tiny key", "open steel safe", "take apple from steel safe",
)  # fmt: skip
PLANS: dict[tuple[Fact, ...], tuple[str, ...]] = {
    (PLAYER_AT("hall"),): (),
    (PLAYER_AT("study"),): ("go north", "go east", "go south"),  # the way round beats the key
    (CARRIED("apple"),): FETCH_APPLE,
    (OPEN("oak door"),): (
        *FETCH_BRASS, "go north", "unlock oak door with brass key", "open oak door"),
    (EATEN("apple"),): (*FETCH_APPLE, "eat apple"),
    (AT("lamp", "attic"),): ("take lamp", "go north", "drop lamp"),
    (ON("lamp", "oak table"),): ("take lamp", "go north", "put lamp on oak table"),
    (IN("lamp", "steel safe"),): ("take lamp", *FETCH_APPLE[:6], "insert lamp into steel safe"),
    (CARRIED("lead key"), CARRIED("brass key")): (
        *FETCH_BRASS, "go north", "go north", "go east", "take lead key"),
}  # fmt: skip


def world(text: str, start: str) -> WorldSpec:
    known = tuple(sorted(facts(text)))
    rooms = {args[0] for fact in known if fact.predicate == "leads" for args in (fact.args,)}
    return WorldSpec("w", "own", 0, start, tuple(Room(r, 0, 0) for r in sorted(rooms)), known)


@pytest.mark.parametrize("goals", PLANS, ids=str)
def test_shortest_plans_in_the_house(goals: tuple[Fact, ...]) -> None:
    assert Planner(world(HOUSE, "hall")).plan(*goals) == Solution(PLANS[goals], Proof.SHORTEST)


@pytest.mark.parametrize(
    "goal",
    [
        CARRIED("oak table"), EATEN("lamp"), ON("lamp", "toy chest"), IN("lamp", "oak table"),
        AT("lamp", "oak table"), OPEN("oak table"), PLAYER_AT("lamp"), CARRIED("attic"),
    ],
    ids=str,
)  # fmt: skip
def test_what_no_command_does_has_no_plan(goal: Fact) -> None:
    with pytest.raises(PlanError, match=str(goal).replace("(", r"\(").replace(")", r"\)")):
        Planner(world(HOUSE, "hall")).plan(goal)


@pytest.mark.parametrize("locked_in", ["in(tiny key, steel safe)", "in(tiny key, tiny box)"])
def test_a_key_locked_in_by_itself_opens_nothing(locked_in: str) -> None:
    text = HOUSE.replace("on(tiny key, oak table)", locked_in)
    text += " kind(tiny box, container) at(tiny box, hall) shut(tiny box) locked(tiny box)"
    with pytest.raises(PlanError, match="from 'hall'"):
        Planner(world(text, "hall")).plan(CARRIED("apple"))


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
