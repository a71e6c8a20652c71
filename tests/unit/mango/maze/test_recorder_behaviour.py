"""Stays told apart by what the same commands do: the laws first, then one case of each rule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.mango.maze.recorder.behaviour import Conduct, places
from worldquiz.mango.maze.recorder.trace import End, Word

HALL, CAVE, DARK = End((1,), "Hall"), End((2,), "Cave"), End((9,), "Darkness")
N: Word = ("n",)
S: Word = ("s",)
ENDS = st.sampled_from([HALL, CAVE, DARK, None])
CONDUCTS = st.lists(
    st.builds(Conduct, st.lists(st.tuples(st.sampled_from([N, S]), ENDS), max_size=4).map(tuple)),
    max_size=6,
)


def told(*stays: Conduct, shut: bool = False) -> list[int]:
    return places(stays, frozenset(), shut=shut)


def conduct(north: End | None, south: End | None = None, *, dark: bool = False) -> Conduct:
    return Conduct(((N, north), (S, south)), dark)


@given(CONDUCTS, st.booleans())
def test_numbers_count_from_0_in_the_order_of_first_stays(stays: list[Conduct], shut: bool) -> None:
    found = told(*stays, shut=shut)
    assert len(found) == len(stays)
    assert list(dict.fromkeys(found)) == list(range(len(set(found))))


@given(CONDUCTS, st.booleans())
def test_equal_stays_are_in_one_place(stays: list[Conduct], shut: bool) -> None:
    numbers = dict(zip(stays, told(*stays, shut=shut), strict=True))
    assert [numbers[stay] for stay in stays] == told(*stays, shut=shut)


@given(CONDUCTS, st.booleans())
def test_what_is_in_one_place_is_so_when_asked_alone(stays: list[Conduct], shut: bool) -> None:
    steady = [stay for stay in stays if len({word for word, _ in stay.ends}) == len(stay.ends)]
    found = told(*steady, shut=shut)
    for one, first in zip(steady, found, strict=True):
        for other, second in zip(steady, found, strict=True):
            if first == second:
                assert told(one, other, shut=shut) == [0, 0]


def test_ways_to_two_ends_are_of_two_places() -> None:
    assert told(conduct(HALL), conduct(CAVE), conduct(HALL)) == [0, 1, 0]


def test_a_shut_way_is_of_another_place_only_where_rooms_are_known_to_be_alike() -> None:
    assert told(conduct(HALL), conduct(None)) == [0, 0]
    assert told(conduct(HALL), conduct(None), shut=True) == [0, 1]


def test_stays_without_any_way_in_common_are_of_two_places() -> None:
    assert told(conduct(HALL), conduct(None, CAVE)) == [0, 1]
    assert told(conduct(HALL, CAVE), conduct(None, CAVE)) == [0, 0]


def test_a_way_that_changes_during_one_stay_tells_nothing() -> None:
    lift = Conduct(((N, HALL), (N, CAVE)))
    assert told(lift, conduct(HALL), conduct(CAVE)) == [0, 0, 0]


def test_a_stay_joins_the_place_that_it_agrees_with_in_most() -> None:
    assert told(conduct(HALL, CAVE), conduct(CAVE, HALL), conduct(None, HALL)) == [0, 1, 1]


def test_light_is_no_place_but_darkness_all_round_is_evidence() -> None:
    assert told(conduct(DARK), conduct(CAVE)) == [0, 0]
    assert told(conduct(DARK, dark=True), conduct(CAVE, dark=True)) == [0, 1]


def test_labels_count_only_where_one_object_is_several_rooms() -> None:
    rooms = [Conduct(((N, End((1,), name)),)) for name in ("Hall", "Porch")]
    assert places(rooms, frozenset(), shut=False) == [0, 0]
    assert places(rooms, {(1,)}, shut=False) == [0, 1]
