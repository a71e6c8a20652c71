"""What windows look out on: one place for a flat, all around, without an edge."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz_scenes.arrays import Floats
from worldquiz_scenes.shading import outlook, outside

SEEDS = st.integers(0, 2**32 - 1)


def around(count: int, rise: float) -> Floats:
    angles = np.linspace(-np.pi, np.pi, count)
    return np.stack([np.cos(angles), np.sin(angles), np.full(count, rise)], axis=1)


@settings(max_examples=25)
@given(SEEDS, st.floats(-1.5, 1.5))
def test_it_closes_all_around_and_only_directions_count(seed: int, rise: float) -> None:
    place, looks = outside(seed), around(73, rise)
    colours = outlook(place, looks).astype(int)
    assert np.abs(colours[0] - colours[-1]).max() <= 1
    assert np.abs(outlook(place, 7 * looks).astype(int) - colours).max() <= 1
    assert (outlook(outside(seed), looks) == colours).all()


def test_flats_look_out_on_different_places() -> None:
    looks = np.concatenate([around(90, rise) for rise in (-0.2, 0.0, 0.1)])
    assert len({outlook(outside(seed), looks).tobytes() for seed in range(8)}) == 8
