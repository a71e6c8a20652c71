"""Confidence intervals and p-values, clustered by world, for every benchmark.

Questions about one world are not independent: if a player never visits a room, all questions about
that room are non-answerable. The statistical unit is therefore the world (MANGO: the maze, TEA: the
scene). A share, such as an accuracy, is the ratio of two sums over worlds. Its 95 % interval is

    none         if the share is defined in fewer than `FEWEST` worlds. With five worlds, a p-value
                 cannot be below 0.06, and so few worlds do not show how much worlds vary.
    Wilson's     if each world gives one answer, right or wrong, or if all worlds are alike, so that
                 the bootstrap has no width, as for a share of 0 or 1. Each world then counts
                 as one trial, however many questions it has: k perfect worlds only show that
                 failing worlds are rare.
    a bootstrap  of whole worlds (percentiles) in all other cases. Worlds are sampled from all
                 levels together, which gives wider, safer intervals than sampling within each
                 level. Samples in which the share is undefined are left out.

So an interval contains its share and is wider than 0. The exception is a mean of values that may be
negative (`Ratio.signed`): it has no interval if all worlds have the same value of 0 or less, as
when an answerer never answers.

The interval of a difference comes from the same bootstrap, with the same worlds from both sides in
each sample. If a side has no width, or if the difference has none though the sides differ, the
interval is combined from those of the sides (Newcombe, Statistics in Medicine 17, 1998, method 10),
so that it never claims more than they do. The p-value comes from a paired permutation test: if the
two runs were equally good, each world's two results could be exchanged. It is the share of all such
exchanges in which the difference is at least as large, in either direction. The test assumes
nothing about the distribution over worlds.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

from worldquiz.plugins import need
from worldquiz.rng import child_seed

if TYPE_CHECKING:
    from numpy import float64, uint8
    from numpy.typing import NDArray

    Array = NDArray[float64]
    Counts = NDArray[uint8]

RESAMPLES = 10_000
LEVEL = 0.95
Z = 1.959963984540054
"""The standard normal distribution lies within -Z..Z with probability `LEVEL`."""
Interval = tuple[float, float]
FEWEST = 6
"""Fewest worlds for an interval and a test: with fewer, no p-value can be below 0.05."""
EXACT_WORLDS = 12
"""Up to this many worlds, every exchange is tried (2^12 = 4,096); beyond, a sample is drawn."""
_SLACK = 1e-9
"""Differences this close count as equal: the order of a sum can cause them."""
_BLOCK = 1_000
"""Draws that are computed at a time, as floats; they are stored as bytes."""
_DIGITS = 6
"""Bounds are estimates from random draws: further digits would be noise."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A share: the ratio of two sums over worlds, each with one entry per world, in one order."""

    above: tuple[float, ...]
    below: tuple[float, ...]
    signed: bool = False  # a mean of values that may be below 0

    @property
    def value(self) -> float | None:
        """The share; None if its denominator is 0."""
        return sum(self.above) / sum(self.below) if sum(self.below) else None


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of two shares over the same worlds."""

    value: float
    interval: Interval | None = None  # 95 %
    p: float | None = None  # two-sided, by exchanging worlds' sides; 1 where nothing differs


def too_few(worlds: int, noun: str = "world") -> str | None:
    """Return a note that there are too few `worlds` for an interval, None if there are enough."""
    plain = f"{worlds} {noun}{'s' * (worlds != 1)}: too few for an interval"
    return plain if worlds < FEWEST else None


def standard_error(ratio: Ratio) -> float | None:
    """Return the standard error of a share, clustered by world; None below `FEWEST` worlds.

    Linearised, as for a ratio estimator (Cochran 1977, section 6.3), from the spread of above -
    share * below over worlds. Tools for evaluation show it beside an accuracy. It is unreliable for
    few worlds, and 0 if all worlds are alike; `intervals` are the better measure.
    """
    worlds, value = len(ratio.above), ratio.value
    if worlds < FEWEST or value is None:
        return None
    rest = (above - value * below for above, below in zip(ratio.above, ratio.below, strict=True))
    spread = sum(each * each for each in rest) * worlds / (worlds - 1)
    return sqrt(spread) / abs(sum(ratio.below))


def ratios(
    worlds: Sequence[Mapping[str, float]],
    shares: Mapping[str, tuple[str, str]],
    *,
    signed: Container[str] = (),
) -> dict[str, Ratio]:
    """Return named shares: each is a ratio of two counts, with one entry per world."""
    return {
        name: Ratio(
            tuple(counts[above] for counts in worlds),
            tuple(counts[below] for counts in worlds),
            name in signed,
        )
        for name, (above, below) in shares.items()
    }


def intervals(
    ratios: Mapping[str, Ratio], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Interval | None]:
    """Return a 95 % interval for each share, None if it is defined in fewer than `FEWEST` worlds.

    All shares must cover the same worlds, and lie in 0..1 unless signed. With ``resamples=0``, all
    intervals are None, and numpy is not needed. Raises `MissingExtra` without numpy, `ValueError`
    if the shares differ in their number of worlds.
    """
    worlds = _worlds(ratios.values())
    found: dict[str, Interval | None] = dict.fromkeys(ratios)
    if worlds < FEWEST or not resamples:
        return found
    rest: dict[str, Ratio] = {}
    for name, ratio in ratios.items():
        if not ratio.signed and {*ratio.below} == {1} and {*ratio.above} <= {0, 1}:
            found[name] = _alike(ratio)
        elif sum(below > 0 for below in ratio.below) >= FEWEST:
            rest[name] = ratio
    draws = _draws(rest.values(), _weights(worlds, resamples, seed)) if rest else ()
    for (name, ratio), drawn in zip(rest.items(), draws, strict=True):
        found[name] = _percentiles(drawn, ratio.value or 0.0) or _alike(ratio)
    return found


def wilson(count: float, of: float) -> Interval:
    """Return Wilson's 95 % interval of a share (JASA 22, 1927).

    Raises `ValueError` unless 0 <= `count` <= `of` and `of` > 0.
    """
    if not 0 <= count <= of or not of:
        raise ValueError(f"{count} of {of} is not a share")
    share = count / of
    middle = (share + Z * Z / (2 * of)) / (1 + Z * Z / of)
    reach = Z / (1 + Z * Z / of) * sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    return round(max(0.0, middle - reach), _DIGITS), round(min(1.0, middle + reach), _DIGITS)


def difference(
    left: Ratio, right: Ratio, *, resamples: int = RESAMPLES, seed: int = 0
) -> Difference | None:
    """Return left minus right, with 95 % interval and p-value if there are enough worlds.

    Bootstrap samples take the same worlds from both sides; permutations exchange whole worlds
    between the sides. Returns None if a share is undefined. Raises `MissingExtra` without numpy,
    `ValueError` if the shares differ in their number of worlds.
    """
    worlds = _worlds((left, right))
    if left.value is None or right.value is None:
        return None
    value = left.value - right.value
    if sum(map(all, zip(left.below, right.below, strict=True))) < FEWEST:
        return Difference(value)
    ours, theirs = _draws((left, right), _weights(worlds, resamples, seed))
    p = sign_flip(left, right, draws=resamples, seed=seed)
    drawn = _percentiles(ours - theirs, value)
    if drawn and _percentiles(ours, left.value) and _percentiles(theirs, right.value):
        return Difference(value, drawn, p)
    if drawn is None and abs(value) < _SLACK:
        return Difference(value, (value, value), p)
    low, high = _newcombe(left, right)
    return Difference(value, (low, high), None if low <= 0 <= high else p)  # the two would differ


def sign_flip(left: Ratio, right: Ratio, *, draws: int = RESAMPLES, seed: int = 0) -> float | None:
    """Return the two-sided permutation p-value of a difference, None if a share is undefined.

    Exact up to `EXACT_WORLDS` worlds; above, (1 + hits) / (1 + draws) over seeded exchanges
    (Phipson and Smyth, arXiv 1603.05766), which is never 0. The order of the worlds and of the
    sides does not matter. Exchanges in which a share is undefined are left out. Raises
    `MissingExtra` without numpy, `ValueError` if the sides differ in their number of worlds.
    """
    worlds = _worlds((left, right))
    if left.value is None or right.value is None:
        return None
    numpy = _numpy()
    sides = sorted(
        sorted(pair)
        for pair in zip(
            zip(left.above, left.below, strict=True),
            zip(right.above, right.below, strict=True),
            strict=True,
        )
    )
    first, second = numpy.array(sides, dtype=float).transpose(1, 2, 0)  # (above or below, world)
    swaps = _exchanges(worlds, draws, seed)
    sums = []
    for at in range(0, swaps.shape[1], _BLOCK):
        swapped = swaps[:, at : at + _BLOCK].astype(float)
        kept = 1 - swapped
        sums.append((first @ kept + second @ swapped, first @ swapped + second @ kept))
    ours, theirs = numpy.concatenate(sums, axis=2)  # (above or below, exchange) each
    defined = (ours[1] != 0) & (theirs[1] != 0)
    gaps = numpy.abs(ours[0, defined] / ours[1, defined] - theirs[0, defined] / theirs[1, defined])
    hits = int((gaps >= abs(left.value - right.value) - _SLACK).sum())
    if worlds <= EXACT_WORLDS:
        return round(hits / len(gaps), _DIGITS)
    return round((1 + hits) / (1 + len(gaps)), _DIGITS)


def holm(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return Holm's adjusted p-values for several tests; None stays None and is not counted."""
    known = sorted((value, place) for place, value in enumerate(values) if value is not None)
    adjusted: list[float | None] = [None] * len(values)
    least = 0.0
    for rank, (value, place) in enumerate(known):
        least = max(least, min(1.0, value * (len(known) - rank)))
        adjusted[place] = least
    return tuple(adjusted)


def _alike(ratio: Ratio) -> Interval | None:
    """Return Wilson's interval of a share that is equal in all worlds; a world is one trial."""
    worlds, value = sum(below > 0 for below in ratio.below), ratio.value or 0.0
    return None if ratio.signed and value <= 0 else wilson(value * worlds, worlds)


def _newcombe(left: Ratio, right: Ratio) -> Interval:
    """Return Newcombe's interval of a difference, from the intervals of its two sides."""
    sides = []
    for ratio in (left, right):
        value = ratio.value or 0.0
        low, high = intervals({"side": ratio})["side"] or (value, value)
        sides.append((value, value - low, high - value))
    (one, down, up), (other, less, more) = sides
    return (round(one - other - hypot(down, more), _DIGITS),
            round(one - other + hypot(up, less), _DIGITS))  # fmt: skip


def _worlds(ratios: Iterable[Ratio]) -> int:
    sizes = {len(column) for ratio in ratios for column in (ratio.above, ratio.below)}
    if len(sizes) > 1:
        raise ValueError(f"shares cover different numbers of worlds: {sorted(sizes)}")
    return sizes.pop() if sizes else 0


@lru_cache(maxsize=8)
def _weights(worlds: int, resamples: int, seed: int) -> Counts:
    """Return how often each bootstrap sample contains each world: (resamples, worlds).

    One byte per count is enough, since no world is drawn 256 times.
    """
    numpy = _numpy()
    stream = numpy.random.Generator(numpy.random.PCG64(child_seed(seed, "bootstrap", worlds)))
    weights: Counts = numpy.empty((resamples, worlds), dtype=numpy.uint8)
    for at in range(0, resamples, _BLOCK):
        rows = weights[at : at + _BLOCK]
        rows[:] = stream.multinomial(worlds, [1 / worlds] * worlds, size=len(rows))
    return weights


@lru_cache(maxsize=8)
def _exchanges(worlds: int, draws: int, seed: int) -> Counts:
    """Return 1 where an exchange swaps a world's two results, else 0: (worlds, exchanges)."""
    numpy = _numpy()
    if worlds <= EXACT_WORLDS:
        every = numpy.arange(2**worlds)
        swapped: Counts = (every >> numpy.arange(worlds)[:, None] & 1).astype(numpy.uint8)
        return swapped
    stream = numpy.random.Generator(numpy.random.PCG64(child_seed(seed, "sign-flip", worlds)))
    drawn: Counts = numpy.empty((worlds, draws), dtype=numpy.uint8)
    for row in drawn:
        row[:] = stream.integers(0, 2, size=draws)
    return drawn


def _draws(ratios: Iterable[Ratio], weights: Counts) -> Iterator[Array]:
    """Yield each share's values in all bootstrap samples, NaN where it is undefined."""
    numpy = _numpy()
    columns = [column for ratio in ratios for column in (ratio.above, ratio.below)]
    values = numpy.array(columns, dtype=float).T
    blocks = (weights[at : at + _BLOCK] for at in range(0, len(weights), _BLOCK))
    sums = numpy.concatenate([block.astype(float) @ values for block in blocks])
    for above, below in zip(sums.T[::2], sums.T[1::2], strict=True):
        yield above / numpy.where(below == 0, numpy.nan, below)


def _percentiles(draws: Array, value: float) -> Interval | None:
    """Return the 95 % interval of samples, widened to include `value`; None if it is a point."""
    numpy = _numpy()
    defined = draws[~numpy.isnan(draws)]
    ends = numpy.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(defined) else (0, 0)
    low, high = (round(float(end), _DIGITS) for end in ends)
    return None if low == high else (min(low, value), max(high, value))


def _numpy() -> Any:
    return need("numpy", extra="t2q")
