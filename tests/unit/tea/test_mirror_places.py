"""Places from which mirrors are looked into: before the glass, apart, and with something to see."""

from __future__ import annotations

import random
from itertools import combinations
from math import dist, pi
from statistics import fmean

import pytest

from scenes import ball, mirror, room_of, table
from worldquiz.tea.mirror_places import APART, FAR, NEAR, looking_places
from worldquiz_scenes.cameras import plane
from worldquiz_scenes.generate import suite
from worldquiz_scenes.locomotion import Ground
from worldquiz_scenes.scene import Scene

(FLAT,) = suite("paper", 5, 1)


def test_places_are_in_the_mirrors_room_before_its_glass_and_apart() -> None:
    ground = Ground(FLAT)
    for each in FLAT.mirrors:
        glass, normal = plane(each)
        places = looking_places(ground, each, 6, random.Random(1))
        assert places
        for x, y in places:
            assert ground.room(x, y) == each.room
            assert NEAR <= dist((x, y), glass[:2]) <= FAR
            assert (x - glass[0]) * normal[0] + (y - glass[1]) * normal[1] > 0
        assert all(dist(one, two) >= APART for one, two in combinations(places, 2))


def test_equal_draws_give_equal_places() -> None:
    glass = FLAT.mirrors[0]
    one, two = (looking_places(Ground(FLAT), glass, 5, random.Random(2)) for _ in range(2))
    assert one == two


def facing(*things: object, wide: float = 0.5) -> Scene:
    """Return a room with a mirror on its east wall."""
    return room_of(mirror("mirror-1", (4.98, 2.0, 1.5), (wide, 0.6), -pi / 2), *things)  # type: ignore[arg-type]


def test_places_that_are_likely_to_show_something_come_first() -> None:
    """The ball's image is south of the mirror's middle, so it is seen from the north."""
    flat = facing(ball("ball-1", 2.0, 0.6, 0.3), wide=0.3)
    places = looking_places(Ground(flat), flat.thing["mirror-1"], 5, random.Random(3))
    assert fmean(y for _, y in places) > 2.5


@pytest.mark.parametrize("count", [0, 1, 3])
def test_no_more_places_are_taken_than_asked_for(count: int) -> None:
    flat = facing(table("table-1", 1.5, 2.0))
    places = looking_places(Ground(flat), flat.thing["mirror-1"], count, random.Random(3))
    assert len(places) == count
