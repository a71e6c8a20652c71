"""A drawn map by example: what is known, what follows by opposites, what a search finds."""

from __future__ import annotations

import pytest

from worldquiz.mango.mapper import DrawnMap, Leg, trajectory

WALK = (
    Leg("Hall", "north", "Kitchen"),
    Leg("Kitchen", "Up", "Attic"),
    Leg("Attic", "slide", "Cellar"),
    Leg("Cellar", "north", "Hall"),
)


def shown(legs: list[Leg]) -> list[str]:
    return [f"{leg.source} {leg.action} {leg.target}" for leg in legs]


def test_moves_are_followed_whatever_case_and_blanks() -> None:
    assert shown(DrawnMap(WALK).destination(" HALL", ["North", "up"])) == [
        "Hall north Kitchen", "Kitchen Up Attic",
    ]  # fmt: skip


def test_what_is_not_on_the_map_ends_the_way() -> None:
    drawn = DrawnMap(WALK)
    assert shown(drawn.destination("hall", ["north", "dance", "up"])) == ["Hall north Kitchen"]
    assert drawn.destination("moon", ["north"]) == []
    assert drawn.route("hall", "moon") == drawn.route("moon", "hall") == []


def test_directions_lead_back_unless_the_map_says_otherwise() -> None:
    drawn = DrawnMap([*WALK, Leg("Kitchen", "south", "Garden")])
    assert shown(drawn.route("attic", "kitchen")) == ["Attic down Kitchen"]
    assert shown(drawn.destination("kitchen", ["south"])) == ["Kitchen south Garden"]
    assert shown(drawn.destination("hall", ["south"])) == ["Hall south Cellar"]
    assert drawn.destination("cellar", ["climb"]) == []  # nobody knows what undoes a slide


def test_a_route_is_a_shortest_one_and_ties_go_by_action() -> None:
    two = DrawnMap([Leg("a", "west", "c"), Leg("a", "east", "b"), Leg("b", "jump", "d"),
                    Leg("c", "jump", "d"), Leg("a", "drop", "x"), Leg("x", "drop", "y"),
                    Leg("y", "drop", "d")])  # fmt: skip
    assert shown(two.route("a", "d")) == ["a east b", "b jump d"]
    assert two.route("a", "A") == []


def test_of_two_places_by_one_action_the_later_counts_and_standing_still_is_no_move() -> None:
    drawn = DrawnMap([Leg("a", "jump", "b"), Leg("a", "jump", "c"), Leg("a", "jump", "A")])
    assert shown(drawn.destination("a", ["jump"])) == ["a jump c"]


@pytest.mark.parametrize(("action", "back"), [("in", "out"), ("exit", "enter"), ("down", "up")])
def test_opposites(action: str, back: str) -> None:
    assert DrawnMap([Leg("a", action, "b")]).route("b", "a") == [Leg("b", back, "a")]


def test_a_trajectory_has_the_papers_keys() -> None:
    assert trajectory(WALK[:1]) == [{"prev_node": "Hall", "action": "north", "node": "Kitchen"}]
