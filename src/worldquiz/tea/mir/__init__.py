"""MIR: how much of a set of tasks repeats nothing (arXiv 2602.05249, equations 9-11).

Two tasks are alike if their similarity is above a threshold. The maximum independent ratio is the
size of the largest subset without two that are alike, over the size of the set. Tasks of one kind
about one thing form near-cliques, so a rule that loses nothing takes most of the graph of likeness
away. The connected parts that are left are solved with proof by HiGHS (`scipy.optimize.milp`), or
searched and bounded where they are too large for that. Each result comes with its upper bound.

The paper's threshold is lost in its text; so curves over the threshold are what to compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pairs = NDArray[np.integer[Any]]  # (m, 2): each pair once, lower number first
    Vectors = NDArray[np.float32]  # (n, d): rows of length 1; a sparse CSR array does as well

EXACT = 400
"""Tasks of a part, after the reduction, up to which the solver is asked for a proof."""


@dataclass(frozen=True, slots=True)
class Independent:
    """A largest set of tasks without two that are alike, as far as it was found."""

    chosen: tuple[int, ...]  # in order
    bound: int  # no set can be larger
    of: int  # tasks in all

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no larger set exists."""
        return len(self.chosen) == self.bound

    @property
    def ratio(self) -> float | None:
        """MIR; None for an empty set of tasks."""
        return len(self.chosen) / self.of if self.of else None


def alike(modalities: Sequence[Vectors], threshold: float) -> Pairs:
    """Return the pairs of tasks whose similarity is above a threshold, in order.

    Similarity is the mean over modalities of the cosine of the tasks' embeddings (equation 8).
    Every pair is looked at, but rows that many tasks share are multiplied once. Memory grows with
    the pairs found. Raises `ValueError` where modalities differ in length, and `MissingExtra`.
    """
    from worldquiz.tea.mir.likeness import above

    pairs: Pairs = above(modalities, threshold)
    return pairs


def independent(pairs: Pairs, size: int, *, exact: int = EXACT) -> Independent:
    """Return a largest set of numbers 0..size-1 without a pair, part by part.

    The set is maximal: whatever is not in it is alike to one that is. Parts of up to `exact` are
    solved with proof as far as the solver comes in a fixed number of steps; larger ones by search.
    Equal pairs in any order give equal sets. Raises `MissingExtra`.
    """
    from worldquiz.tea.mir.solve import solved

    chosen, bound = solved(pairs, size, exact)
    return Independent(tuple(chosen), bound, size)


def added(before: Independent, after: Independent, new: int) -> float | None:
    """Return MIR-e: what evolved tasks add to the largest set, over how many they are (eq. 11)."""
    return (len(after.chosen) - len(before.chosen)) / new if new else None
