"""Commands as the recorder reads them."""

from __future__ import annotations

import pytest

from worldquiz.mango.maze.recorder.words import (
    Reverses,
    arrival,
    asks_restart,
    axis,
    bearing,
    direction,
    reverses,
    spelled,
    typed,
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("N", "north"), ("Sw", "southwest"), ("x  Bed", "examine bed"), ("", ""), ("z", "wait")],
)
def test_the_first_word_is_written_out(said: str, meant: str) -> None:
    assert spelled(said) == meant


def test_a_direction_at_the_end_is_written_out_and_no_other_word_is() -> None:
    assert spelled("push coffin n") == "push coffin north"
    assert spelled("roll statue SW") == "roll statue southwest"
    assert spelled("take x") == "take x"
    assert spelled("turn n dial") == "turn n dial"


def test_a_reverse_is_typed_as_short_as_the_command_was() -> None:
    assert typed("southwest", "NE") == "sw"
    assert typed("southwest", "northeast") == "southwest"
    assert typed("exit", "n") == "exit"


def test_a_direction_and_its_opposite_share_an_axis() -> None:
    assert axis("north") == axis("south") != axis("east")
    assert axis("go up") == axis("down")
    assert axis("pray") is None


def test_the_published_maps_hold_reverses_of_compass_moves_only() -> None:
    assert Reverses.COMPASS.allow("up", "down")
    for action, back in (("enter car", "exit"), ("climb rope", "down"), ("go north", "go south")):
        assert not Reverses.COMPASS.allow(action, back)
        assert Reverses.ANY.allow(action, back)


def test_directions_are_told_from_other_commands() -> None:
    assert direction("go north") == "north"
    assert direction("aft") == "aft"
    assert direction("open door") is None
    assert direction("enter car") is None


@pytest.mark.parametrize(
    ("action", "back"),
    [
        ("north", ("south",)),
        ("go up", ("go down",)),
        ("enter shack", ("exit", "out")),
        ("exit shack", ("enter shack",)),
        ("climb tree", ("climb down tree", "down")),
        ("climb down rope", ("climb up rope", "climb rope", "up")),
        ("go through curtain", ("go through curtain",)),
        ("pray", ()),
    ],
)
def test_reverses_are_proposed_where_there_is_one(action: str, back: tuple[str, ...]) -> None:
    assert reverses(action) == back


def test_a_direction_undone_twice_is_itself() -> None:
    for way in ("north", "southeast", "up", "in", "enter", "port", "ahead"):
        (back,) = reverses(way)
        assert reverses(back) == (way,)


@pytest.mark.parametrize(
    "text",
    [
        "You have died.\n\nWould you like to RESTART, RESTORE a saved game or QUIT?",
        "(Type RESTART, RESTORE, or QUIT):",
        "[Please type RESTART, RESTORE or QUIT.]",
    ],
)
def test_a_prompt_after_the_end_asks_to_restart(text: str) -> None:
    assert asks_restart(text)


def test_a_hint_far_above_is_no_prompt() -> None:
    assert not asks_restart("Type RESTART, RESTORE or QUIT at any time." + " You walk on." * 30)
    assert not asks_restart("Hall\nYou may restart the engine.")


def test_a_text_shows_an_arrival_by_its_heading_or_else_by_its_opening() -> None:
    assert arrival("Hall\nBare.", "You walk.\n\nHall\nBare.")
    assert not arrival("Hall\nBare.", "The way to the hall is shut.")
    assert arrival("You are at a fork. It is wet.", "You are at a fork. It is wet.")
    assert not arrival("", "Hall")


def test_a_bearing_lies_the_same_for_everybody() -> None:
    assert all(map(bearing, ("north", "go up", "aft")))
    assert not any(map(bearing, ("enter", "out", "enter boat", "look")))
