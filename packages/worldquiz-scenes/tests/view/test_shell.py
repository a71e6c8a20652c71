"""Walls stand where rooms end, with a hole for every door."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes import studio
from worldquiz_scenes.scene import FILM, Door, Slab, slabs

GAPS = [0.0, 0.001, 0.1, 0.3]


def holding(point: tuple[float, float, float], gap: float) -> list[str]:
    """Return the slabs that a point lies in."""
    return [
        slab.name
        for slab in slabs(studio(gap))
        if all(low < at < high for low, at, high in zip(slab.low, point, slab.high, strict=True))
    ]


@pytest.mark.parametrize("gap", GAPS)
def test_a_doorway_is_open_up_to_its_lintel(gap: float) -> None:
    middle = 5.0 + gap / 2
    for x in (4.999, middle, 5.001 + gap):
        assert not holding((x, 0.9, 1.0), gap)
    assert holding((middle - max(gap, FILM) / 3, 0.9, 2.3), gap)


@given(st.sampled_from(GAPS), st.floats(0.01, 4.99), st.floats(0.01, 3.99), st.floats(0.01, 2.59))
def test_no_slab_reaches_into_a_room_further_than_a_film(
    gap: float, x: float, y: float, z: float
) -> None:
    assert not holding((x, y, z), gap)


@given(st.sampled_from(GAPS))
def test_no_two_slabs_of_different_rooms_overlap(gap: float) -> None:
    every = list(slabs(studio(gap)))
    pairs = [(one, two) for one in every for two in every if one.room < two.room]
    assert not [pair for pair in pairs if overlap(*pair) > 1e-4]


def overlap(one: Slab, two: Slab) -> float:
    """Return how deep two slabs reach into each other, in metres."""
    return min(
        min(a_high, b_high) - max(a_low, b_low)
        for a_low, a_high, b_low, b_high in zip(one.low, one.high, two.low, two.high, strict=True)
    )


@given(
    st.floats(0.3, 1.5), st.sampled_from(GAPS), st.floats(0.6, 3.9), st.floats(0.6, 3.9)
)  # fmt: skip
def test_the_doors_of_a_narrow_room_are_open_and_its_walls_whole(
    deep: float, gap: float, wide: float, other: float
) -> None:
    """Three rooms in a row; the middle one is narrower than doors are from walls elsewhere."""
    room = studio().rooms[0]
    starts = (0.0, 4.0 + gap, 4.0 + deep + 2 * gap, 8.0)
    rooms = tuple(
        replace(room, name=f"room-{at}", low=(low, 0.0), high=(high - gap, 4.0))
        for at, (low, high) in enumerate(pairwise(starts), start=1)
    )
    doors = tuple(
        Door((f"room-{at}", f"room-{at + 1}"), (starts[at] - gap / 2, width / 2), width, "y")
        for at, width in enumerate((wide, other), start=1)
    )
    row = list(slabs(replace(studio(), rooms=rooms, doors=doors, things=())))
    for door in doors:
        for y in (0.05, door.width - 0.05, door.width + 0.05):
            walls = {
                slab.room for slab in row
                if slab.name.startswith("wall")
                and slab.low[0] < door.at[0] + gap / 2 + FILM / 2
                and slab.high[0] > door.at[0] - gap / 2 - FILM / 2
                and slab.low[1] < y < slab.high[1] and slab.low[2] < 1.0 < slab.high[2]
            }  # fmt: skip
            assert walls == (set(door.rooms) if y > door.width else set())
