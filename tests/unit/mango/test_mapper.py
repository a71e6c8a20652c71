"""The map builder by example: what a line, a sentence or a walk says of places."""

from __future__ import annotations

import pytest

from worldquiz.mango.mapper import Leg, Mapper, trajectory
from worldquiz.mango.walkthrough import WalkStep


def walk(*steps: tuple[str, str]) -> list[WalkStep]:
    return [WalkStep(number, action, text) for number, (action, text) in enumerate(steps)]


HOUSE = walk(
    ("Init", "Welcome!\n\nHall\nA bare hall."),
    ("up", "Attic\nDusty."),
    ("look", "Attic\nDusty."),
    ("up", "You can't go that way."),
    ("slide", "Whee!\n\nCellar\nIt smells."),
)
PLACES = ("hall", "attic", "cellar")


def test_a_move_and_its_opposite() -> None:
    assert Mapper(HOUSE, PLACES).exits == {
        "hall": {"up": "attic"},
        "attic": {"down": "hall", "slide": "cellar"},
        "cellar": {},
    }


def test_what_it_answers() -> None:
    mapper = Mapper(HOUSE, PLACES)
    assert mapper.destination("hall", ["up", "slide"]) == [
        Leg("hall", "up", "attic"), Leg("attic", "slide", "cellar"),
    ]  # fmt: skip
    assert mapper.destination("hall", ["up", "jump", "slide"]) == [Leg("hall", "up", "attic")]
    assert mapper.route("attic", "hall") == [Leg("attic", "down", "hall")]
    assert mapper.route("cellar", "hall") == []
    assert mapper.destination("barn", ["up"]) == mapper.route("barn", "hall") == []
    assert trajectory(mapper.route("attic", "hall")) == [
        {"prev_node": "attic", "node": "hall", "action": "down"}
    ]


def test_a_taken_move_is_believed_before_an_opposite() -> None:
    steps = walk(
        ("Init", "Hall"), ("north", "Yard"), ("south", "Barn"), ("south", "Hall"), ("up", "Attic")
    )
    mapper = Mapper(steps, ["hall", "yard", "barn", "attic"])
    assert mapper.exits["yard"]["south"] == "barn"
    assert mapper.route("barn", "yard") == [Leg("barn", "south", "hall"), Leg("hall", "north",
                                                                              "yard")]  # fmt: skip


def test_of_two_routes_the_one_that_was_taken() -> None:
    steps = walk(
        ("Init", "Hall"), ("east", "Yard"), ("in", "Barn"), ("up", "Loft"), ("jump", "Hall")
    )
    mapper = Mapper(steps, ["hall", "yard", "barn", "loft"])
    assert [leg.action for leg in mapper.route("yard", "hall")] == ["in", "up", "jump"]
    assert [leg.action for leg in mapper.route("barn", "yard")] == ["up", "jump", "east"]


@pytest.mark.parametrize(
    "text",
    ["Kitchen", "<< Kitchen >>", "(Kitchen)", "KITCHEN:", "Kitchen, on the chair",
     "Kitchen (on the chair)", "You walk in.\nKitchen\nCook is here.",
     "You walk into the kitchen."],
)  # fmt: skip
def test_how_a_text_may_say_where_one_is(text: str) -> None:
    mapper = Mapper(walk(("Init", "Hall"), ("west", text)), ["hall", "kitchen"])
    assert mapper.exits["hall"] == {"west": "kitchen"}


@pytest.mark.parametrize(
    "text", ["You can't go that way.", "Hall, kitchen and pantry are locked up.", ""]
)
def test_how_it_does_not(text: str) -> None:
    mapper = Mapper(walk(("Init", "Hall"), ("west", text), ("up", "Loft")),
                    ["hall", "old stone cellar", "loft"])  # fmt: skip
    assert mapper.exits["hall"] == {"up": "loft"}


MARKED = ("hall", "street (west end)", "street (east end, by the church)")


def test_places_of_one_name_are_told_apart_by_their_marks() -> None:
    steps = walk(
        ("Init", "Hall"),
        ("out", "Street\nYou are at the east end of the street, by an old church."),
        ("west", "Street\nThis is the street's west end. It stops at a wall."),
        ("east", "Street"),
    )
    exits = Mapper(steps, MARKED).exits
    assert exits["hall"] == {"out": MARKED[2]}
    assert exits[MARKED[1]] == {"east": MARKED[2]}
    assert exits[MARKED[2]] == {"west": MARKED[1], "in": "hall"}


def test_places_of_one_name_are_told_apart_by_the_way() -> None:
    places = ("hall", "passage (stop 1)", "passage (stop 2)", "den")
    steps = walk(
        ("Init", "Hall"), ("north", "Passage"), ("north", "Passage"), ("east", "Den"),
        ("west", "Passage"), ("south", "Passage"), ("south", "Hall"),
    )  # fmt: skip
    mapper = Mapper(steps, places)
    first = mapper.exits["hall"]["north"]
    second = mapper.exits[first]["north"]
    assert {first, second} == set(places[1:3])
    assert mapper.exits[second] == {"east": "den", "south": first}
    assert mapper.exits[first]["south"] == "hall"


def test_in_the_dark_it_knows_that_it_does_not_know() -> None:
    steps = walk(("Init", "Hall"), ("down", "It is pitch black."), ("east", "Den\nA lamp burns."))
    exits = Mapper(steps, ["hall", "den", "cellar"]).exits
    assert exits == {"hall": {}, "den": {}, "cellar": {}}


def test_what_moves_nobody_is_drawn_last() -> None:
    steps = walk(
        ("Init", "Hall"), ("pray", "Crypt"), ("up", "Nave"), ("east", "Hall"), ("east", "Nave")
    )
    places = ["hall", "crypt", "nave"]
    assert Mapper(steps, places).route("hall", "crypt") == [Leg("hall", "pray", "crypt")]
    told = Mapper(steps, places, ["up", "down", "east", "west"])
    assert [leg.action for leg in told.route("hall", "crypt")] == ["east", "down"]
    assert not any("south" in exits for exits in told.exits.values())


def test_a_boarded_boat_is_a_place_where_the_action_moves() -> None:
    steps = walk(("Init", "Pier"), ("board boat", "You climb into the boat."), ("exit", "Pier"))
    moved = Mapper(steps, ["pier", "boat"], ["board boat", "exit"])
    assert moved.exits == {"pier": {"board boat": "boat"}, "boat": {"exit": "pier"}}
    assert Mapper(steps, ["pier", "boat"]).exits["pier"] == {}
