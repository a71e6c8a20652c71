"""The map builder by example: what a line, a sentence or a walk says of places."""

from __future__ import annotations

import pytest

from worldquiz.mango.mapper import Mapper
from worldquiz.mango.walkthrough import COMPASS, Move, WalkStep, told_as


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
WAYS = (*COMPASS, "in", "out", "slide")


def test_what_it_answers() -> None:
    mapper = Mapper(HOUSE, PLACES, WAYS)
    assert mapper.destination("hall", ["up", "slide"]) == [
        Move("hall", "up", "attic"), Move("attic", "slide", "cellar"),
    ]  # fmt: skip
    assert mapper.destination("hall", ["up", "jump", "slide"]) == [Move("hall", "up", "attic")]
    assert mapper.route("attic", "hall") == [Move("attic", "down", "hall")]
    assert mapper.route("cellar", "hall") == []
    assert mapper.destination("barn", ["up"]) == mapper.route("barn", "hall") == []
    assert [told_as(*leg) for leg in mapper.route("attic", "hall")] == [
        {"prev_node": "attic", "node": "hall", "action": "down"}
    ]


def test_a_taken_move_is_believed_before_an_opposite() -> None:
    steps = walk(
        ("Init", "Hall"), ("north", "Yard"), ("south", "Barn"), ("south", "Hall"), ("up", "Attic")
    )
    mapper = Mapper(steps, ["hall", "yard", "barn", "attic"], WAYS)
    assert mapper.destination("yard", ["south"]) == [Move("yard", "south", "barn")]
    assert mapper.route("barn", "yard") == [Move("barn", "south", "hall"), Move("hall", "north",
                                                                              "yard")]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["Kitchen", "<< Kitchen >>", "(Kitchen)", "KITCHEN:", "Kitchen, on the chair",
     "Kitchen (on the chair)", "You walk in.\nKitchen\nCook is here.",
     "You walk into the kitchen."],
)  # fmt: skip
def test_how_a_text_may_say_where_one_is(text: str) -> None:
    mapper = Mapper(walk(("Init", "Hall"), ("west", text)), ["hall", "kitchen"], WAYS)
    assert mapper.route("hall", "kitchen") == [Move("hall", "west", "kitchen")]


MARKED = ("hall", "street (west end)", "street (east end, by the church)")


def test_places_of_one_name_are_told_apart_by_their_marks() -> None:
    steps = walk(
        ("Init", "Hall"),
        ("out", "Street\nYou are at the east end of the street, by an old church."),
        ("west", "Street\nThis is the street's west end. It stops at a wall."),
        ("east", "Street"),
    )
    mapper = Mapper(steps, MARKED, WAYS)
    assert mapper.route("hall", MARKED[1]) == [
        Move("hall", "out", MARKED[2]), Move(MARKED[2], "west", MARKED[1]),
    ]  # fmt: skip
    assert mapper.route(MARKED[1], "hall") == [
        Move(MARKED[1], "east", MARKED[2]), Move(MARKED[2], "in", "hall"),
    ]  # fmt: skip
