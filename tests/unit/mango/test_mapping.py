"""Maps drawn by a model: what it is asked, and what its replies draw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mango_data import edge, maze_of
from worldquiz.errors import KnobError
from worldquiz.mango.mapper import DrawnMap
from worldquiz.mango.mapping import Course, MapReading, prompt, read_course, readings
from worldquiz.mango.walkthrough import WalkStep

ACTS = ("Init", "look", "up", "look", "down", "wait", "up", "sing", "down", "north")
PLACES = ("Hall", "A lamp.", "Attic", "An egg.", "Hall", "Time passes.", "Attic", "La la.",
          "Hall", "Yard\nIt rains.")  # fmt: skip
HOUSE = replace(
    maze_of(
        edge("hall", "up", "attic", 2, 4),
        edge("attic", "down", "hall", 4, 2),
        edge("hall", "north", "yard", 9),
        edge("yard", "south", "hall", None, 9),
        name="house",
        steps=9,
    ),
    walkthrough=tuple(
        WalkStep(n, act, place) for n, (act, place) in enumerate(zip(ACTS, PLACES, strict=True))
    ),
)
COURSE = Course(HOUSE, 70)


def known(drawn: DrawnMap, *pairs: tuple[str, str]) -> list[list[str]]:
    return [[leg.action for leg in drawn.route(*pair)] for pair in pairs]


def test_the_prompt_of_a_step() -> None:
    told = prompt(COURSE, MapReading("house", 9), 5)
    assert told.startswith(
        "The following is an observation of a character in a game. Please determine the "
        "character's location based on the description. Here are some examples:\n\n"
        "Example 1:\n==>ACT: look\n==>OBSERVATION: A lamp.\n==>LOCATION: None\n\n"
        "Example 2:\n==>ACT: up\n==>OBSERVATION: Attic\n==>LOCATION: attic\n\n"
    )
    assert told.endswith(
        "Example 5:\n==>ACT: wait\n==>OBSERVATION: Time passes.\n==>LOCATION: None\n\n"
        "If you can identify the character's location from the text, please just reply with that "
        "location; otherwise, reply with 'None':\n\n"
        "==>ACT: north\n==>OBSERVATION: Yard\nIt rains.\n==>LOCATION:"
    )
    assert told.count("Example") == 5


def test_the_prompt_of_a_whole_walkthrough() -> None:
    told = prompt(Course(HOUSE, 1), MapReading("house", None), 0)
    assert told.startswith("!! Here is a walkthrough of a textgame:\n===========\n==>STEP NUM: 0\n")
    assert "==>STEP NUM: 1\n" in told
    assert "==>STEP NUM: 2\n" not in told
    assert told.endswith(
        "!! Please identify the changes in the location of the character from this walkthrough. "
        "Output a list of dictionaries with keys 'location_before', 'action', and "
        "'location_after'. Start your response with '['."
    )


def test_places_named_step_by_step_draw_a_map_on_from_the_examples() -> None:
    read = read_course(COURSE, {6: "Attic", 7: "None", 8: "hall", 9: "Yard"})
    assert (read.right, read.asked) == (4, 4)
    assert known(read.drawn, ("hall", "yard"), ("attic", "yard"), ("yard", "hall")) == [
        ["north"], ["down", "north"], ["south"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: readings({"house": COURSE}, 3), "shots 3: give 5 .a step at a time. or 0"),
        (
            lambda: readings({"house": Course(HOUSE, 5)}, 5),
            "'house': 5 steps are examples, and 5 are read",
        ),
        (lambda: Course(replace(HOUSE, walkthrough=()), 5), "'house' has no walkthrough text"),
    ],
)
def test_mistakes(call: object, complaint: str) -> None:
    with pytest.raises(KnobError, match=complaint):
        call()  # type: ignore[operator]
