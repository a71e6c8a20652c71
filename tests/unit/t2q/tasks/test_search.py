"""Aims, routes and scripts: the steps between a goal and its commands."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from worldquiz.facts.fact import CARRIED, EATEN, IN, MATCH, ON, OPEN, PLAYER_AT, Fact, State
from worldquiz.t2q.tasks.routes import (
    Aim,
    FindsByRoom,
    GoalRoom,
    Tour,
    aim_at,
    commands,
    dependency_route,
    finish,
)
from worldquiz.t2q.tasks.search import Precomputed, SearchResult, shorter


def aim_of(ground: Precomputed, *goals: Fact) -> Aim:
    aim = aim_at(goals, ground.layout, ground.closure, ground.musts)
    assert aim is not None
    return aim


def test_a_door_is_opened_from_either_side(house: State) -> None:
    ground = Precomputed.of(house)
    aim = aim_of(ground, OPEN("oak door"))
    assert {ground.layout.rooms[site.room] for site in aim.sites} == {"hall", "study"}


def test_a_thing_is_put_where_the_holder_stands(house: State) -> None:
    ground = Precomputed.of(house)
    (site,) = aim_of(ground, IN("lamp", "steel safe")).sites
    assert ground.layout.rooms[site.room] == "study"
    assert site.charges[0] & ground.layout.opens["steel safe"]


def test_two_things_are_in_hand_where_the_second_is_taken(house: State) -> None:
    ground = Precomputed.of(house)
    aim = aim_of(ground, CARRIED("lamp"), CARRIED("apple"))
    assert {ground.layout.rooms[site.room] for site in aim.sites} == {"hall", "study"}


def test_nothing_leads_to_what_is_fixed(house: State) -> None:
    ground = Precomputed.of(house)
    for goal in (CARRIED("oak table"), ON("oak table", "oak table"), EATEN("lamp")):
        assert aim_at((goal,), ground.layout, ground.closure, ground.musts) is None


def test_what_is_passed_by_is_no_longer_missing(house: State) -> None:
    ground = Precomputed.of(house)
    layout, finds = ground.layout, ground.closure.finds
    floor = FindsByRoom(layout.takes["tiny key"] | layout.takes["lead key"], finds, layout.finding)
    both = floor.wanted
    assert floor.passed(layout.number["hall"], both) == both
    assert floor.passed(layout.number["attic"], both) == layout.takes["lead key"]
    assert list(floor.choices(layout.number["attic"], both)) == []


def test_a_find_waits_for_the_key_of_its_container(house: State) -> None:
    """The brass key moves into the safe: passing the safe without the tiny key finds nothing."""
    ground = Precomputed.of(
        house - {IN("brass key", "toy chest")} | {IN("brass key", "steel safe")}
    )
    layout = ground.layout
    brass, tiny = layout.takes["brass key"], layout.takes["tiny key"]
    floor = FindsByRoom(brass | tiny, ground.closure.finds, layout.finding)
    study, attic = layout.number["study"], layout.number["attic"]
    assert floor.passed(study, brass | tiny) == brass | tiny
    assert floor.passed(study, floor.passed(attic, brass | tiny)) == 0


def test_a_choice_of_keys_is_offered_once_one_is_at_hand(house: State) -> None:
    ground = Precomputed.of(house | {MATCH("lead key", "steel safe")})
    layout = ground.layout
    lid, tiny, lead = (
        layout.opens["steel safe"], layout.takes["tiny key"], layout.takes["lead key"],
    )  # fmt: skip
    floor = FindsByRoom(lid | tiny | lead, ground.closure.finds, layout.finding)
    study = layout.number["study"]
    assert list(floor.choices(study, lid | tiny | lead)) == []
    ((bit, charge),) = floor.choices(study, lid | tiny)
    assert (bit, charge & (tiny | lead)) == (lid, lead)
    assert len(list(floor.choices(study, lid))) == 2
    assert list(floor.choices(study, 0)) == []


def test_a_goal_is_finished_where_its_charge_can_be_paid() -> None:
    sites = [GoalRoom(3, (0b011, 0b100))]
    assert finish(sites, 2, 0, 0) is None
    assert finish(sites, 3, 0b101, 0) is None
    assert finish(sites, 3, 0b001, 0b1000) == 0b1100
    assert finish(sites, 3, 0, 0b010) == 0b011


@pytest.mark.parametrize(
    "goal", [PLAYER_AT("study"), OPEN("oak door"), EATEN("apple"), IN("lead key", "toy chest")]
)
def test_a_route_costs_what_its_commands_are(house: State, goal: Fact) -> None:
    ground = Precomputed.of(house)
    aim = aim_of(ground, goal)
    route = dependency_route(ground.layout, ground.closure, ground.hops, aim)
    last = goal.predicate in ("eaten", "in", "on")
    assert len(commands(ground.layout, aim, route)) == route.cost + last


def test_nothing_is_shorter_than_the_shortest(house: State) -> None:
    ground = Precomputed.of(house)
    aim = aim_of(ground, OPEN("oak door"))
    assert shorter(ground, aim, 7, 1000) == SearchResult(None, finished=True)


@pytest.mark.parametrize("limit", [8, 9, 20, 100])
def test_any_higher_limit_finds_the_shortest(house: State, limit: int) -> None:
    ground = Precomputed.of(house)
    result = shorter(ground, aim_of(ground, OPEN("oak door")), limit, 1000)
    assert result.finished
    assert result.route is not None
    assert result.route.cost == 7


def test_a_search_without_budget_is_not_finished(house: State) -> None:
    ground = Precomputed.of(house)
    aim = aim_of(ground, OPEN("oak door"))
    assert shorter(ground, aim, 100, 0) == SearchResult(None, finished=False)
    assert shorter(ground, aim, 100, 1) == SearchResult(None, finished=False)


def test_locks_come_nearest_first(house: State) -> None:
    locks = Precomputed.of(house | {MATCH("lead key", "oak door")}).locks
    assert [lock.door for lock in locks] == ["oak door", "oak door"]
    assert [lock.detour for lock in locks] == [2, 3]
    assert all(lock.paid >= lock.detour for lock in locks)


def test_the_player_stays_where_the_goal_already_is(house: State) -> None:
    ground = Precomputed.of(house)
    aim = aim_of(ground, CARRIED("lamp"))
    route = dependency_route(ground.layout, ground.closure, ground.hops, aim)
    assert route == Tour((), 1)
    assert commands(ground.layout, aim, route) == ("take lamp",)


def test_keys_that_turn_out_useless_are_left_lying(corridor: Callable[..., State]) -> None:
    """Only what pays is taken: the key passed on the way fits nothing that is met."""
    more = (
        "kind(k, key) at(k, r1) kind(d, door) door_at(d, r0, west) door_at(d, x, east)"
        " kind(x, room) leads(r0, west, x) leads(x, east, r0) match(k, d) shut(d) locked(d)"
    )
    ground = Precomputed.of(corridor(4, more))
    aim = aim_of(ground, PLAYER_AT("r3"))
    route = dependency_route(ground.layout, ground.closure, ground.hops, aim)
    assert commands(ground.layout, aim, route) == ("go east",) * 3


def test_equal_worlds_give_equal_routes(house: State) -> None:
    facts = sorted(house)
    random.Random(1).shuffle(facts)
    goals = [OPEN("oak door"), CARRIED("apple"), IN("lead key", "toy chest")]
    routes = []
    for state in (house, frozenset(facts)):
        ground = Precomputed.of(state)
        aims = [aim_of(ground, goal) for goal in goals]
        routes.append([shorter(ground, aim, 100, 1000) for aim in aims])
    assert routes[0] == routes[1]
