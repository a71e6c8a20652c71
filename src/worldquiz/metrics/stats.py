"""Confidence intervals clustered by world.

Questions of one world stand or fall together: what a player never went to see makes many of them
non-answerable at once. The world is therefore the unit that is drawn again (percentile bootstrap),
and a share is the ratio of two sums over the worlds drawn. Worlds are drawn from all levels alike,
which makes intervals over mixed levels wider than drawing within levels would: on the safe side.

An interval needs two worlds at least. A draw in which a share is undefined (no abstention in any
world drawn, say) is left out of that share's percentiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from worldquiz.errors import MissingExtra
from worldquiz.rng import child_seed

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Array = NDArray[float64]

RESAMPLES = 10_000
LEVEL = 0.95
Interval = tuple[float, float]
_DIGITS = 6
"""Bounds are estimates from random draws: further digits would be noise."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A share as a ratio of two sums; one entry a world, in the same order."""

    above: tuple[float, ...]
    below: tuple[float, ...]

    @property
    def value(self) -> float | None:
        """The share, None where its denominator is 0."""
        return sum(self.above) / sum(self.below) if sum(self.below) else None


@dataclass(frozen=True, slots=True)
class Difference:
    """How much one share exceeds another over the same worlds."""

    value: float
    low: float
    high: float


def intervals(
    ratios: Mapping[str, Ratio], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Interval | None]:
    """Return a 95 % interval for each share, None for one that is undefined or of one world only.

    All shares are of the same worlds. With ``resamples=0`` none has one, and numpy is not needed.
    Raises `MissingExtra` without numpy, `ValueError` where the shares differ in their number of
    worlds.
    """
    worlds = _worlds(ratios.values())
    if worlds < 2 or not resamples:
        return dict.fromkeys(ratios)
    draws = _draws(ratios.values(), _weights(worlds, resamples, seed))
    return {name: _percentiles(drawn) for name, drawn in zip(ratios, draws, strict=True)}


def differences(
    pairs: Mapping[str, tuple[Ratio, Ratio]], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Difference | None]:
    """Return left minus right with its 95 % interval, each draw taking the same worlds of both.

    None where a share is undefined or there is one world only. Raises `MissingExtra` without
    numpy, `ValueError` where the shares differ in their number of worlds.
    """
    worlds = _worlds(ratio for pair in pairs.values() for ratio in pair)
    if worlds < 2:
        return dict.fromkeys(pairs)
    weights = _weights(worlds, resamples, seed)
    found = {}
    for name, (left, right) in pairs.items():
        ours, theirs = _draws((left, right), weights)
        found[name] = _difference(left, right, _percentiles(ours - theirs))
    return found


def _difference(left: Ratio, right: Ratio, bounds: Interval | None) -> Difference | None:
    if left.value is None or right.value is None or bounds is None:
        return None
    return Difference(left.value - right.value, *bounds)


def _worlds(ratios: Iterable[Ratio]) -> int:
    sizes = {len(column) for ratio in ratios for column in (ratio.above, ratio.below)}
    if len(sizes) > 1:
        raise ValueError(f"shares of {sorted(sizes)} worlds have no draws in common")
    return sizes.pop() if sizes else 0


@lru_cache(maxsize=8)
def _weights(worlds: int, resamples: int, seed: int) -> Array:
    """Return how often each draw took each world: (resamples, worlds)."""
    numpy = _numpy()
    stream = numpy.random.Generator(numpy.random.PCG64(child_seed(seed, "bootstrap", worlds)))
    weights: Array = stream.multinomial(worlds, [1 / worlds] * worlds, size=resamples)
    return weights.astype(float)


def _draws(ratios: Iterable[Ratio], weights: Array) -> Iterator[Array]:
    """Yield each share in each draw, not-a-number where it is undefined there."""
    numpy = _numpy()
    columns = [column for ratio in ratios for column in (ratio.above, ratio.below)]
    sums = weights @ numpy.array(columns, dtype=float).T
    for above, below in zip(sums.T[::2], sums.T[1::2], strict=True):
        yield above / numpy.where(below == 0, numpy.nan, below)


def _percentiles(draws: Array) -> Interval | None:
    numpy = _numpy()
    defined: Sequence[float] = draws[~numpy.isnan(draws)]
    if not len(defined):
        return None
    low, high = numpy.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return round(float(low), _DIGITS), round(float(high), _DIGITS)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise MissingExtra("numpy", "report") from error
    return numpy
