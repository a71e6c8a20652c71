"""Agreement of people on a quiz (arXiv 2403.19913, section 3.4).

Of each question that several people answered, the squared difference of what two of them earned,
averaged over all twos; then the mean over questions (MANGO's MSE, Table 13). 0 is agreement; 1 is
its opposite.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of some people; no mean where no two answered the same question."""

    questions: int  # that at least two answered
    error: float | None  # mean squared difference, 0..1


def agreement(people: Sequence[Mapping[K, float]]) -> Agreement:
    """Return how far people agree of whom each earned so much (0..1) on some questions."""
    shared: dict[K, list[float]] = {}
    for earned in people:
        for question, value in earned.items():
            shared.setdefault(question, []).append(value)
    several = [values for values in shared.values() if len(values) > 1]
    errors = [fmean((a - b) ** 2 for a, b in combinations(each, 2)) for each in several]
    return Agreement(len(several), fmean(errors) if errors else None)
