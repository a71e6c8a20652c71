"""What a model is sent, letter by letter."""

from __future__ import annotations

from dataclasses import replace

from mango_data import edge, maze_of
from worldquiz.mango.paths import Route
from worldquiz.mango.questions import Reading, Routes, destination
from worldquiz.mango.walkthrough import WalkStep

HOUSE = replace(
    maze_of(
        edge("hall", "north", "kitchen", 1),
        edge("kitchen", "down", "Bob's cellar", 2),
    ),
    walkthrough=(
        WalkStep(0, "Init", "Hall"), WalkStep(1, "north", "Kitchen"), WalkStep(2, "down", "Cellar"),
    ),
    steps=2,
)  # fmt: skip
DF = destination("toy", HOUSE.edges)
RF = Routes(HOUSE, 2, Route.ANY).question("hall", "Bob's cellar")


def test_by_the_paper_lists_are_in_order_of_name_and_of_what_was_read() -> None:
    assert RF is not None
    assert Reading(HOUSE, 1).prompt(destination("toy", HOUSE.edges[:1])) == (
        "===========\n==>STEP NUM: 0\n==>ACT: Init\n==>OBSERVATION: Hall\n\n"
        "===========\n==>STEP NUM: 1\n==>ACT: north\n==>OBSERVATION: Kitchen\n\n\n"
        "The allowed actions are: north\n"
        "The list of places are: hall, kitchen\n"
        "Starting from hall, perform a list of actions [north], where are you now?\n"
        "Describe the trajectory in a Python list of Python dictionaries with keys 'prev_node', "
        "'node' and 'action'.\n"
        "Start your response with '['."
    )
    text = Reading(HOUSE, 2).prompt(RF)
    assert "actions are: down, north\nThe list of places are: Bob's cellar, hall, kitchen\n" in text
    assert "\nHow can you go from hall to Bob's cellar?\n" in text
