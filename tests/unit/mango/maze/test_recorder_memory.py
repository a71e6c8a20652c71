"""Memory that tells the rooms of one object apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.mango.maze.recorder.memory import grounds, kept


def test_what_a_round_trip_puts_back_is_kept_and_nothing_else() -> None:
    #                 room, turns, last command, a thing that fell, the lamp
    before, after = bytes([4, 10, 7, 0, 1]), bytes([5, 11, 3, 0, 1])
    here, there, again = (
        bytes([5, 11, 9, 0, 1]), bytes([4, 12, 9, 1, 1]), bytes([5, 13, 9, 1, 1]),
    )  # fmt: skip
    assert kept(before, here, there, again, after) == [0]


@given(st.binary(max_size=20), st.binary(min_size=20, max_size=20))
def test_where_nothing_moves_nothing_is_kept(memory: bytes, noise: bytes) -> None:
    assert kept(memory, memory, memory, memory, noise[: len(memory)]) == []


def test_numbered_rooms_are_told_by_what_every_axis_changes() -> None:
    rounds = [(7, "north", [3, 80]), (7, "north", [3, 80]), (7, "east", [3]), (7, "east", [3, 90])]
    assert grounds(rounds) == {7: (3,)}


def test_rooms_in_a_grid_are_told_by_what_some_axis_changes() -> None:
    rounds = [(7, "north", [5]), (7, "east", [4, 9]), (7, "east", [4]), (7, "east", [4])]
    assert grounds(rounds) == {7: (4, 5)}


def test_one_round_trip_is_no_proof() -> None:
    assert grounds([(7, "north", [3]), (8, "up", [1]), (8, "up", [1])]) == {8: (1,)}


def test_the_room_before_is_put_back_less_often_than_the_room() -> None:
    rounds = [(7, "north", [3, 5]), (7, "north", [3, 5]), (7, "north", [3])]
    assert grounds(rounds) == {7: (3,)}
