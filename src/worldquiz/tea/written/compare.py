"""Two ways compared scene by scene: the paper's paired t-test, and what stands beside it.

A t-test takes differences to be spread normally; ten scenes cannot show that they are. So a
bootstrap over scenes and a p-value by exchanging the sides of scenes are told with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from worldquiz.errors import MissingExtra
from worldquiz.stats.intervals import Ratio, differences

_DIGITS = 12
"""Of differences: beyond, they are the noise of sums, which a t-test would take for spread."""


@dataclass(frozen=True, slots=True)
class Paired:
    """How much one way exceeds another over the same scenes."""

    scenes: int
    mean: float  # of the differences
    sd: float | None  # of the differences, n - 1; None for fewer than two
    t: float | None  # with scenes - 1 degrees of freedom; None where nothing varies
    p: float | None  # two-sided, of the t-test
    effect: float | None  # Cohen's d for pairs: mean / sd
    low: float | None  # of the 95 % bootstrap interval of the mean, over scenes
    high: float | None
    exchanged: float | None  # two-sided p by exchanging sides
    above: int  # scenes in which the first is above


def paired(ours: Sequence[float], theirs: Sequence[float], *, seed: int = 0) -> Paired | None:
    """Return how much `ours` exceed `theirs`, scene by scene; None for no scenes.

    Raises `ValueError` for numbers of other scenes, `MissingExtra` without scipy and numpy.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} and {len(theirs)} scenes make no pairs")
    gaps = [round(one - two, _DIGITS) for one, two in zip(ours, theirs, strict=True)]
    size = len(gaps)
    if not size:
        return None
    sd = stdev(gaps) if size > 1 else None
    t = p = effect = None
    if sd:
        effect = fmean(gaps) / sd
        t = effect * sqrt(size)
        p = _two_sided(t, size - 1)
    ones = (1.0,) * size
    sides = (Ratio(tuple(ours), ones), Ratio(tuple(theirs), ones))
    found = differences({"gap": sides}, seed=seed)["gap"]
    return Paired(
        size, fmean(gaps), sd, t, p, effect,
        None if found is None else found.low,
        None if found is None else found.high,
        None if found is None else found.p,
        sum(gap > 0 for gap in gaps),
    )  # fmt: skip


def _two_sided(t: float, freedom: int) -> float:
    try:
        from scipy.special import stdtr
    except ImportError as error:
        raise MissingExtra("scipy", "scene") from error
    return float(2 * stdtr(freedom, -abs(t)))
