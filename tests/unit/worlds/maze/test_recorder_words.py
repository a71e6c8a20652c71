"""Commands as the recorder reads them."""

from __future__ import annotations

import pytest

from worldquiz.worlds.maze.recorder.words import direction, reverses, spelled


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("N", "north"), ("Sw", "southwest"), ("x  Bed", "examine bed"), ("", ""), ("z", "wait")],
)
def test_the_first_word_is_written_out(typed: str, meant: str) -> None:
    assert spelled(typed) == meant


def test_only_the_first_word_is_an_abbreviation() -> None:
    assert spelled("push n") == "push n"


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
