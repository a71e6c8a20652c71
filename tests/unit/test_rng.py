from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz import rng
from worldquiz.rng import child, child_seed

names = st.lists(st.text() | st.integers(), max_size=4)


@given(st.integers(min_value=-(2**70), max_value=2**70), names)
def test_equal_names_give_equal_streams_of_a_seed_of_64_bits(
    seed: int, path: list[str | int]
) -> None:
    assert 0 <= child_seed(seed, *path) == child_seed(seed, *path) < 2**64
    assert child(seed, *path).random() == child(seed, *path).random()


def test_neighbouring_seeds_and_names_share_nothing() -> None:
    seeds = {child_seed(seed, "quiz", number) for seed in range(50) for number in range(50)}
    assert len(seeds) == 2500


@pytest.mark.parametrize(
    ("one", "other"), [(("a", "b"), ("b", "a")), (("a",), ("a", "")), (("ab",), ("a", "b"))]
)
def test_order_and_division_of_names_count(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert child_seed(7, *one) != child_seed(7, *other)


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_stream_is_the_same_for_good_and_in_every_process(hash_seed: str) -> None:
    code = "from worldquiz.rng import child_seed; print(child_seed(7, 'quiz', 'easy-03'))"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(found.stdout) == child_seed(7, "quiz", "easy-03") == 9150507774822031552


def test_scenes_have_the_same_randomness() -> None:
    """`worldquiz-scenes` imports nothing of ours, so it holds a copy."""
    copy = importlib.import_module("worldquiz_scenes.rng").__file__
    assert Path(copy or "").read_bytes() == Path(rng.__file__).read_bytes()
