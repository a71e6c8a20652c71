"""Samples that are spread evenly over groups."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def shares(there: Mapping[K, int], size: int) -> dict[K, int]:
    """Divide a sample over groups as evenly as possible; the largest groups get the remainder.

    >>> shares({"easy": 3, "hard": 10}, 8)
    {'easy': 3, 'hard': 5}
    """
    left = min(size, sum(there.values()))
    found: dict[K, int] = {}
    order = sorted(there, key=lambda group: there[group])
    for place, group in enumerate(order):
        found[group] = min(there[group], left // (len(order) - place))
        left -= found[group]
    return {group: found[group] for group in there}
