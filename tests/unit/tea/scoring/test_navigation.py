"""Table 4's measures, each on a trip made by hand, and the laws of gain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.scoring.tables import (
    Stand,
    Trip,
    gain,
    neglect,
    table_4,
    unaware,
)

WAY = st.lists(st.integers(0, 20_000).map(lambda mm: mm / 1000), min_size=1, max_size=11)


def trip(*stands: Stand, gave_up: bool = False) -> Trip:
    return Trip("t", stands, gave_up)


def at(away: float, *, seen: bool = False) -> Stand:
    return Stand(away, seen)


def by_mirror(away: float, far: float, *, shown: bool = True) -> Stand:
    return Stand(away, seen=False, mirrors={"mirror-1": far}, shown=("mirror-1",) * shown)


@given(WAY)
def test_gain_is_between_minus_one_and_one(way: list[float]) -> None:
    there, back = trip(*map(at, way)), trip(*map(at, reversed(way)))
    assert -1 <= gain(there) <= 1
    assert gain(there) == pytest.approx(-gain(back))
    assert (gain(there) == 1) == (way[-1] == 0 < way[0])


def test_neglect_is_to_leave_what_is_in_view() -> None:
    assert neglect(trip(at(3), at(4))) is None
    assert neglect(trip(at(3, seen=True), at(4))) is True
    assert neglect(trip(at(3, seen=True), at(3.05), at(9))) is False
    assert neglect(trip(at(3), at(2, seen=True))) is None  # nothing came after


def test_who_gives_up_before_the_target_was_in_view_lacks_awareness() -> None:
    assert unaware(trip(at(3), gave_up=True)) is True
    assert unaware(trip(at(3), at(3), gave_up=True)) is True
    assert unaware(trip(at(3), at(3, seen=True), gave_up=True)) is False
    assert unaware(trip(at(3), at(2))) is False
    assert unaware(trip(at(3, seen=True), gave_up=True)) is None


def test_who_walks_to_a_mirror_instead_of_the_target_lacks_awareness() -> None:
    assert unaware(trip(by_mirror(3, 2), by_mirror(4, 1, shown=False))) is True
    assert unaware(trip(by_mirror(3, 2), by_mirror(2, 1))) is False  # the target is there as well
    assert unaware(trip(by_mirror(3, 2), by_mirror(4, 3))) is False
    both = Stand(3, True, {"mirror-1": 2.0}, ("mirror-1",))
    assert unaware(trip(both, by_mirror(4, 1))) is None  # it saw the target itself


def test_rates_tell_of_how_many() -> None:
    told = table_4([trip(at(4, seen=True), at(5)), trip(at(4), at(2), at(0))])
    assert told["success"] == {"rate": 0.5, "of": 2, "count": 1}
    assert told["neglect"] == {"rate": 1.0, "of": 1, "count": 1}
    assert told["lack_of_3d_awareness"] == {"rate": 0.0, "of": 1, "count": 0}
    assert (told["steps"], told["steps_of_successes"]) == (1.5, 2)
    assert told["gain"] == pytest.approx((1 - 0.2) / 2)
    assert table_4([])["success"]["rate"] is None
