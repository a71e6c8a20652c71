"""Sweeps over many cases: each check takes the same few of them, ``just deep`` takes them all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from random import Random
from typing import TypeVar

T = TypeVar("T")
DEEP = bool(os.environ.get("WORLDQUIZ_DEEP"))


def some(cases: Iterable[T], count: int) -> list[T]:
    """Return so many of the cases, in their order; all of them in a deep check."""
    every = list(cases)
    if DEEP or count >= len(every):
        return every
    return [every[place] for place in sorted(Random(0).sample(range(len(every)), count))]
