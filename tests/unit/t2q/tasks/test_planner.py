"""Plans in a house that one can plan in one's head."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable

import pytest

from games import replay
from worldquiz.errors import PlanError
from worldquiz.facts.fact import (
    AT,
    CARRIED,
    EATEN,
    IN,
    LEADS,
    LOCKED,
    MATCH,
    ON,
    OPEN,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
    State,
)
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.world.task import Proof, Solution

FETCH_BRASS = ("open iron door", "go south", "open toy chest", "take brass key from toy chest")
FETCH_APPLE = (
    "go north",
    "take tiny key from oak table",
    "go east",
    "go south",
    "unlock steel safe with tiny key",
    "open steel safe",
    "take apple from steel safe",
)
PLANS: dict[Fact, tuple[str, ...]] = {
    PLAYER_AT("attic"): ("go north",),
    PLAYER_AT("cellar"): ("open iron door", "go south"),
    PLAYER_AT("study"): ("go north", "go east", "go south"),  # the way round beats the key
    CARRIED("lamp"): ("take lamp",),
    CARRIED("brass key"): FETCH_BRASS,
    CARRIED("apple"): FETCH_APPLE,
    OPEN("iron door"): ("open iron door",),
    OPEN("oak door"): (
        *FETCH_BRASS, "go north", "unlock oak door with brass key", "open oak door"),
    OPEN("steel safe"): FETCH_APPLE[:6],
    OPEN("toy chest"): FETCH_BRASS[:3],
    EATEN("apple"): (*FETCH_APPLE, "eat apple"),
    ON("lamp", "oak table"): ("take lamp", "go north", "put lamp on oak table"),
    IN("lamp", "steel safe"): (
        "take lamp", "go north", "take tiny key from oak table", "go east", "go south",
        "unlock steel safe with tiny key", "open steel safe", "insert lamp into steel safe"),
    IN("tiny key", "steel safe"): (
        *FETCH_APPLE[:6], "insert tiny key into steel safe"),
    ON("brass key", "oak table"): (
        *FETCH_BRASS, "go north", "go north", "put brass key on oak table"),
    IN("lead key", "toy chest"): (
        "go north", "go east", "take lead key", "go west", "go south", "open iron door", "go south",
        "open toy chest", "insert lead key into toy chest"),
}  # fmt: skip


@pytest.mark.parametrize("goal", PLANS, ids=str)
def test_shortest_plans_in_the_house(house: State, goal: Fact) -> None:
    assert Planner(house).plan(goal) == Solution(PLANS[goal], Proof.SHORTEST)


@pytest.mark.parametrize("goal", [PLAYER_AT("hall"), ON("tiny key", "oak table")], ids=str)
def test_what_is_true_needs_no_commands(house: State, goal: Fact) -> None:
    assert Planner(house).plan(goal) == Solution((), Proof.SHORTEST)


def test_a_key_in_hand_needs_no_fetching(house: State) -> None:
    state = house - {IN("brass key", "toy chest")} | {CARRIED("brass key")}
    plan = Planner(state).plan(PLAYER_AT("study"))
    assert plan.commands == ("unlock oak door with brass key", "open oak door", "go east")
    assert Planner(state).plan(CARRIED("brass key")).commands == ()


def test_plans_start_from_any_state(house: State) -> None:
    commands = Planner(house).plan(EATEN("apple")).commands
    for done in range(len(commands)):
        state = replay(house, commands[:done])
        assert Planner(state).plan(EATEN("apple")).commands == commands[done:]


def test_a_lid_that_two_keys_fit(house: State) -> None:
    state = house | {MATCH("lead key", "steel safe")}
    plan = Planner(state).plan(CARRIED("apple"))
    assert len(plan.commands) == len(FETCH_APPLE)
    assert plan.proof is Proof.DEPENDENCY
    assert CARRIED("apple") in replay(state, plan.commands)


def test_one_key_for_two_locks_is_taken_once(house: State) -> None:
    state = house - {SHUT("toy chest"), UNLOCKED("toy chest")}
    state |= {SHUT("toy chest"), LOCKED("toy chest"), MATCH("tiny key", "toy chest")}
    plan = Planner(state).plan(OPEN("oak door"))
    assert plan.commands == (
        "go north", "take tiny key from oak table", "go south", "open iron door", "go south",
        "unlock toy chest with tiny key", "open toy chest", "take brass key from toy chest",
        "go north", "unlock oak door with brass key", "open oak door",
    )  # fmt: skip


@pytest.mark.parametrize(
    "goal",
    [
        CARRIED("oak table"),  # fixed in its place
        EATEN("lamp"),  # no food
        ON("lamp", "toy chest"),  # no supporter
        IN("lamp", "oak table"),  # no container
        OPEN("oak table"),
        PLAYER_AT("lamp"),
        CARRIED("attic"),
    ],
    ids=str,
)
def test_what_no_command_does_has_no_plan(house: State, goal: Fact) -> None:
    with pytest.raises(PlanError, match=str(goal).replace("(", r"\(").replace(")", r"\)")):
        Planner(house).plan(goal)


def test_a_key_locked_in_by_itself_opens_nothing(house: State) -> None:
    state = house - {ON("tiny key", "oak table")} | {IN("tiny key", "steel safe")}
    for goal in (
        CARRIED("apple"),
        OPEN("steel safe"),
        CARRIED("tiny key"),
        IN("lamp", "steel safe"),
    ):
        with pytest.raises(PlanError, match="from 'hall'"):
            Planner(state).plan(goal)


def test_keys_locked_in_by_each_other_open_nothing(house: State) -> None:
    state = house - {ON("tiny key", "oak table"), UNLOCKED("toy chest")}
    state |= {IN("tiny key", "toy chest"), LOCKED("toy chest"), MATCH("lead key", "toy chest")}
    state = state - {AT("lead key", "loft")} | {IN("lead key", "steel safe")}
    for goal in (CARRIED("apple"), CARRIED("brass key"), CARRIED("lead key")):
        with pytest.raises(PlanError):
            Planner(state).plan(goal)


def test_what_is_eaten_is_gone(house: State) -> None:
    state = replay(house, (*FETCH_APPLE, "eat apple"))
    assert Planner(state).plan(EATEN("apple")).commands == ()
    with pytest.raises(PlanError, match="carried"):
        Planner(state).plan(CARRIED("apple"))


def test_a_state_without_a_player_is_refused(house: State) -> None:
    with pytest.raises(ValueError, match="player_at"):
        Planner(house - {PLAYER_AT("hall")})


def test_a_way_without_a_way_back_is_refused(house: State) -> None:
    with pytest.raises(ValueError, match="'attic' to 'hall'"):
        Planner(house - {LEADS("attic", "south", "hall")})


def test_two_things_are_fetched_in_the_better_order(house: State) -> None:
    both = (CARRIED("brass key"), CARRIED("lead key"))
    plan = Planner(house).plan(*both)
    assert plan.proof is Proof.SHORTEST
    assert plan.commands == (
        *FETCH_BRASS, "go north", "go north", "go east", "take lead key"
    )  # fmt: skip
    assert plan == Planner(house).plan(*reversed(both))


def test_of_two_things_one_may_be_in_hand(house: State) -> None:
    state = replay(house, ("take lamp",))
    plan = Planner(state).plan(CARRIED("lamp"), CARRIED("tiny key"))
    assert plan.commands == FETCH_APPLE[:2]
    assert Planner(state).plan(CARRIED("lamp"), CARRIED("lamp")).commands == ()


SHUTTLE = """
kind(west door, door) kind(far door, door) kind(near key, key) kind(far key, key)
door_at(far door, r0, east) door_at(far door, r1, west) shut(far door) locked(far door)
door_at(west door, r1, east) door_at(west door, r2, west) shut(west door) locked(west door)
match(near key, far door) match(far key, west door) at(near key, r2) at(far key, r5)
"""


def test_nearest_first_is_not_always_best(
    corridor: Callable[..., State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """r0 |far| r1 |west| r2 (near key) - r3 (start) - r4 - r5 (far key): go east first."""
    state = corridor(6, SHUTTLE, start=3)
    shortest = Planner(state).plan(PLAYER_AT("r0"))
    assert shortest.proof is Proof.SHORTEST
    assert shortest.commands[:3] == ("go east", "go east", "take far key")
    assert len(shortest.commands) == 13
    monkeypatch.setattr("worldquiz.t2q.tasks.planner.NODES", 3)  # a world too large to search
    quick = Planner(state).plan(PLAYER_AT("r0"))
    assert quick.proof is Proof.DEPENDENCY
    assert quick.commands[:2] == ("go west", "take near key")
    assert len(quick.commands) == 15
    assert PLAYER_AT("r0") in replay(state, quick.commands)


def test_plans_do_not_depend_on_the_order_of_facts_or_goals(house: State) -> None:
    facts = sorted(house)
    goals = list(PLANS)
    random.Random(3).shuffle(facts)
    random.Random(4).shuffle(goals)
    planner = Planner(frozenset(facts))
    assert {goal: planner.plan(goal).commands for goal in goals} == PLANS


HASHED = """
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.config import Knobs

spec = generate(Knobs(rooms=(20, 20), objects=(32, 32)), 3, id="hashed")
print(tasks(spec))
"""


@pytest.mark.slow
def test_hash_seeds_change_nothing() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", HASHED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    ]
    assert said[0] == said[1]
    assert "go " in said[0]


def test_a_long_corridor_is_no_deeper_than_the_stack(corridor: Callable[..., State]) -> None:
    plan = Planner(corridor(3000)).plan(PLAYER_AT("r2999"))
    assert plan == Solution(("go east",) * 2999, Proof.SHORTEST)
