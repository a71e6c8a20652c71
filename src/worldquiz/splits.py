"""Worlds to train in and worlds to test in, apart by their seeds.

Three ranges of seeds that do not meet: folders that are built have those below 2**64, training the
next 2**64, and tests the 2**64 after these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from worldquiz import rng
from worldquiz.errors import KnobError, did_you_mean

Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)


def split_seed(split: Split, number: int, *names: str) -> int:
    """Return the seed of a world: no two splits share one, and none is that of a built world's."""
    return 2**64 * (1 + SPLITS.index(split)) + rng.child_seed(number, "gym", split, *names)


def check_choice(name: str, value: str, known: Iterable[str]) -> None:
    """Raise `KnobError` for a value that is not among those that are known."""
    if value not in known:
        raise KnobError(f"no {name} {value!r}{did_you_mean(value, known)}")


def check_count(name: str, value: object, least: int = 1) -> None:
    """Raise `KnobError` for what is neither None nor a whole number from `least` up."""
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise KnobError(f"{name}: {value!r}: give a whole number from {least} up, or None")


def check_split(split: str, worlds: int | None) -> None:
    """Raise `KnobError` for no split, and for no worlds; None means no end of them."""
    check_choice("split", split, SPLITS)
    check_count("worlds", worlds)
