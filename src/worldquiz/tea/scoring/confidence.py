"""Confidence of a mean over tasks, and tests of the difference of two answerers on the same tasks.

Tasks of one scene may stand or fall together. With `SCENES` scenes or more, the scene is the unit
of intervals and of exchanges (`worldquiz.stats.intervals`). With fewer it is the task, as if tasks
were independent: such intervals are too narrow rather than too wide, and tables say so.

    interval    that of all benchmarks (`worldquiz.stats.intervals`)
    difference  of scores that are all 0 or 1, over tasks: McNemar's exact test, which asks whether
                the tasks that one side alone gets right are as many as those of the other; else
                the permutation of signs
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean

from worldquiz.stats.intervals import Interval, Ratio, differences, intervals
from worldquiz.tea.scoring.table import Scored

SCENES = 5
"""Scenes from which on the scene is the unit."""
DRAWS = 2_000
"""Draws, and exchanges where not all can be tried."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Difference of two sides on the same tasks."""

    value: float  # left minus right
    low: float  # of its 95 % interval
    high: float
    p: float  # two-sided
    asked: int
    left: int  # tasks that are worth more by the left side
    right: int


def by_scene(scored: Sequence[Scored]) -> bool:
    """Tell whether the scene is the unit."""
    return len({each.scene for each in scored}) >= SCENES


def interval(scored: Sequence[Scored]) -> Interval | None:
    """Return the 95 % interval of a mean, None of fewer than two tasks. Raises `MissingExtra`."""
    ratio = _ratio(scored, [each.score for each in scored])
    return intervals({"mean": ratio}, resamples=DRAWS)["mean"]


def difference(pairs: Sequence[tuple[Scored, Scored]]) -> Paired | None:
    """Return how two answerers differ on the tasks that both answered, None for fewer than two.

    None as well where scenes are the unit and cannot tell. Raises `MissingExtra`.
    """
    if len(pairs) < 2:
        return None
    ours, theirs = [one.score for one, _ in pairs], [two.score for _, two in pairs]
    scored = [one for one, _ in pairs]
    both = {"mean": (_ratio(scored, ours), _ratio(scored, theirs))}
    found = differences(both, resamples=DRAWS)["mean"]
    if found is None:
        return None
    left = sum(one > two for one, two in zip(ours, theirs, strict=True))
    right = sum(one < two for one, two in zip(ours, theirs, strict=True))
    exact = _sharp(ours) and _sharp(theirs) and not by_scene(scored)
    p = mcnemar(left, right) if exact else found.p
    value = fmean(ours) - fmean(theirs)
    return Paired(value, found.low, found.high, p, len(pairs), left, right)


def mcnemar(left: int, right: int) -> float:
    """Return the exact two-sided p-value of so many tasks that one side alone gets right."""
    tries = left + right
    tail = sum(comb(tries, k) for k in range(min(left, right) + 1))
    return float(min(1.0, 2 * tail / 2**tries))


def _sharp(values: Sequence[float]) -> bool:
    return set(values) <= {0.0, 1.0}


def _ratio(scored: Sequence[Scored], values: Sequence[float]) -> Ratio:
    """Return a mean of tasks, or of scenes where these are the unit, as a ratio of two sums."""
    if not by_scene(scored):
        return Ratio(tuple(values), (1.0,) * len(values))
    names = sorted({each.scene for each in scored})
    sums = dict.fromkeys(names, 0.0)
    counts = dict.fromkeys(names, 0.0)
    for each, value in zip(scored, values, strict=True):
        sums[each.scene] += value
        counts[each.scene] += 1
    return Ratio(tuple(sums.values()), tuple(counts.values()))
