"""How success varies with one property of mazes at a time: the paper's Table 10.

For each model, task and level the paper fits a line through one point a maze: its success rate over
one predictor (arXiv 2403.19913, section 3.3 and appendix C.3). What its betas are, the paper does
not say, but its own numbers do. A line's p-value and its number of points give its correlation r,
and beta / r is the same for all predictors of a column, whatever their units. So the predictors
were standardised and the rates were not: *beta is the change of the success rate for one standard
deviation of the predictor*. That is what is given here, beside the slope for one unit.

Each line stands alone. Predictors that go together (larger mazes have longer routes) share one
another's effects, and no line says which is the cause: see `worldquiz.mango.scoring.mixed`. As many
lines are drawn, p-values adjusted for their number (Holm) stand beside the plain ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import Any

from worldquiz.errors import MissingExtra
from worldquiz.stats.intervals import LEVEL, holm

FEWEST = 3
"""Mazes that a line needs."""
_NOTHING = 1e-12
"""Spreads this small are rounding."""


@dataclass(frozen=True, slots=True)
class Line:
    """Success rates of mazes over one predictor."""

    predictor: str
    mazes: int
    beta: float  # change of the rate for one standard deviation of the predictor
    low: float  # of beta's 95 % interval
    high: float
    p: float  # two-sided, of beta being 0
    p_holm: float  # adjusted for all lines of the same rates
    slope: float  # change of the rate for one unit of the predictor
    r2: float  # share of the variance that the line explains


@dataclass(frozen=True, slots=True)
class Refused:
    """What the data do not tell, and why."""

    what: str
    why: str


def lines(
    rates: Mapping[str, float], predictors: Mapping[str, Mapping[str, float | None]]
) -> tuple[Line | Refused, ...]:
    """Fit the mazes' rates over each predictor by itself; `predictors` are by name, then by maze.

    Mazes for which a predictor is undefined (None) are left out of its line. Raises `MissingExtra`
    without scipy.
    """
    found = [line(rates, values, name) for name, values in predictors.items()]
    fitted = [each for each in found if isinstance(each, Line)]
    adjusted = dict(
        zip((each.predictor for each in fitted), holm([each.p for each in fitted]), strict=True)
    )
    return tuple(
        replace(each, p_holm=adjusted[each.predictor] or 0.0) if isinstance(each, Line) else each
        for each in found
    )


def line(
    rates: Mapping[str, float], values: Mapping[str, float | None], predictor: str
) -> Line | Refused:
    """Fit the mazes' rates over one predictor, or say why no line can be fitted."""
    points = [
        (value, rates[maze]) for maze in sorted(rates) if (value := values.get(maze)) is not None
    ]
    if len(points) < FEWEST:
        return Refused(predictor, f"it has {len(points)} mazes, and a line needs {FEWEST}")
    x, y = ([point[side] for point in points] for side in (0, 1))
    spread = stdev(x)
    if spread < _NOTHING:
        return Refused(predictor, f"it is {x[0]:g} in all {len(points)} mazes")
    if stdev(y) < _NOTHING:
        return Refused(predictor, f"the rate is {y[0]:.2f} in all {len(points)} mazes")
    return _fitted(predictor, [(value - fmean(x)) / spread for value in x], y, spread)


def _fitted(predictor: str, x: Sequence[float], y: Sequence[float], spread: float) -> Line:
    stats = scipy_stats()
    fit = stats.linregress(x, y)
    beta, p = float(fit.slope), float(fit.pvalue)
    reach = float(stats.t.isf((1 - LEVEL) / 2, len(x) - 2) * fit.stderr)
    return Line(
        predictor, len(x), beta, beta - reach, beta + reach, p, p, beta / spread,
        float(fit.rvalue) ** 2,
    )  # fmt: skip


def by_name(
    mazes: Mapping[str, Mapping[str, float | None]], names: Iterable[str]
) -> dict[str, dict[str, float | None]]:
    """Turn predictors by maze into predictors by name."""
    return {name: {maze: mazes[maze].get(name) for maze in sorted(mazes)} for name in names}


def scipy_stats() -> Any:
    """Return ``scipy.stats``. Raises `MissingExtra`."""
    try:
        from scipy import stats
    except ImportError as error:
        raise MissingExtra("scipy", "mango") from error
    return stats
