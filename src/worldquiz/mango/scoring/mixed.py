"""What makes questions hard, from all answers at once, whatever predictors go together.

The paper's joint regression was misleading, as its predictors move together (arXiv 2403.19913,
appendix C.3). They all are properties of whole mazes. Answers tell more, for within one maze some
routes are longer than others:

    score = level + b * (question - mean of its maze) + c * maze + (maze's own luck) + error

*Question-level* terms are differences within mazes. No property of a maze can be mistaken for them,
seen or unseen: they are orthogonal to all of it (within-between model; Bell, Fairbrother and Jones,
"Fixed and random effects models", Quality & Quantity 53, 2019). *Maze-level* terms are differences
between mazes. A maze's coefficient tells how its questions fare as a whole, their longer routes
included.

Terms that cannot be told apart are joined, and nobody is offered their single effects. A regression
on several predictors tells each one's effect *with the others held fixed*. Where they move together
there are no data on that, and the estimates become arbitrary: large, of either sign, and never
significant. How much an estimate suffers is its variance inflation factor, 1 / (1 - R^2) of the
predictor on all others. As long as some factor is above `LIMIT`, the predictor that has the worst
one is joined with the one that it correlates with most, to an *index*: the mean of its members,
each standardised and turned so that all point the same way. Outcomes have no say in what is joined,
so the estimates' intervals stay valid.

Mazes have luck in common: a random intercept, its share of the variance found by REML
(statsmodels). Scores are shares or 0 and 1 and the model is linear, so coefficients have the unit
of the paper's betas and partial credit has a place. That the errors then are of unequal size, and
that routes may matter more in one maze than in another, is why intervals do not come from the
model: whole mazes are left out in turn (jackknife), and t has as many degrees of freedom as there
are mazes, less one and less the maze-level terms.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldquiz.extras import later, need
from worldquiz.stats.intervals import LEVEL, holm

if TYPE_CHECKING:
    import numpy as np
    from scipy import stats
else:
    np = later("numpy", extra="mango")
    stats = later("scipy.stats", extra="mango")

Array = Any
"""A NumPy array."""

LIMIT = 2.5
"""The variance inflation that is put up with (Johnston, Jones and Manley, "Confounding and
collinearity in regression analysis", Quality & Quantity 52, 2018)."""
FEWEST = 4
"""Mazes without which no interval is given."""
PER_TERM = 5
"""Mazes that each maze-level term needs; with fewer, all of these are refused."""
_NOTHING = 1e-9
_MOST = 1e3
"""The ratio of variances where mazes explain everything."""
_OPEN = 1e5
"""Condition number from which on rounding decides."""


@dataclass(frozen=True, slots=True)
class NotEstimated:
    """What the data do not tell, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What one answer earned, and its question's own predictors."""

    maze: str
    score: float  # 0..1
    question: Mapping[str, float]  # the same names for all


@dataclass(frozen=True, slots=True)
class Term:
    """One effect."""

    name: str
    within: bool  # whether it is between questions of a maze; else it is between mazes
    members: tuple[str, ...]  # several: they cannot be told apart
    beta: float  # change of the score for one standard deviation
    low: float  # of beta's 95 % interval
    high: float
    p: float
    p_holm: float  # adjusted for all terms of the model
    unit: float | None  # the standard deviation; None where there are several members
    inflation: float  # of the variance, beside the other terms of its kind


@dataclass(frozen=True)
class Index:
    """One predictor, or several that cannot be told apart."""

    members: tuple[str, ...]
    reversed: tuple[str, ...]  # of the members: those that go the other way than the first
    values: Array  # standardised: mean 0, standard deviation 1
    unit: float | None  # of one predictor: its standard deviation
    inflation: float  # beside the other indices

    @property
    def name(self) -> str:
        """Its members' names, with a minus before those that go the other way."""
        return " + ".join(f"-{each}" if each in self.reversed else each for each in self.members)


@dataclass(frozen=True, slots=True)
class Mixed:
    """A model of all answers."""

    questions: int
    mazes: int
    mean: float  # of the scores; near 0 or 1 there is little left to explain
    between: float  # variance between mazes that no term explains
    error: float  # variance within mazes
    terms: tuple[Term, ...]
    refused: tuple[NotEstimated, ...]


def mixed(
    outcomes: Sequence[AnswerOutcome], mazes: Mapping[str, Mapping[str, float | None]]
) -> Mixed | NotEstimated:
    """Fit the scores over the questions' predictors and over those of their mazes (maze, name).

    Predictors that do not vary, or are undefined for a maze, are refused one by one. Raises
    `MissingExtra` without statsmodels.
    """
    rows = sorted(outcomes, key=lambda each: each.maze)
    names = sorted({each.maze for each in rows})
    if len(names) < FEWEST:
        return NotEstimated("model", f"it has {len(names)} mazes, and needs {FEWEST}")
    if max(each.score for each in rows) - min(each.score for each in rows) < _NOTHING:
        return NotEstimated("model", f"all {len(rows)} answers earn {rows[0].score:.2f}")
    inner, lost = _inner(rows, names)
    outer, out = _outer(names, mazes)
    return _fit(rows, names, inner, outer, (*lost, *out))


def _inner(
    rows: Sequence[AnswerOutcome], names: Sequence[str]
) -> tuple[tuple[Index, ...], list[NotEstimated]]:
    """Return the question-level terms, one value a question."""
    kept, refused = {}, []
    for name in rows[0].question:
        centred = _centred([(each.maze, each.question[name]) for each in rows], names)
        varied = {
            each.maze for each, value in zip(rows, centred, strict=True) if abs(value) > _NOTHING
        }
        if len(varied) < FEWEST:
            why = f"it varies within {len(varied)} mazes, and must within {FEWEST}"
            refused.append(NotEstimated(name, why))
        else:
            kept[name] = centred
    return told_apart(kept), refused


def _outer(
    names: Sequence[str], mazes: Mapping[str, Mapping[str, float | None]]
) -> tuple[tuple[Index, ...], list[NotEstimated]]:
    """Return the maze-level terms, one value a maze, or none if there are too few mazes."""
    kept, refused = {}, []
    for name in dict.fromkeys(name for maze in names for name in mazes[maze]):
        column = [mazes[maze].get(name) for maze in names]
        values = [value for value in column if value is not None]
        if len(values) < len(column):
            blank = names[column.index(None)]
            refused.append(NotEstimated(name, f"it is undefined for maze {blank!r}"))
        elif _spread_without_one(values) < _NOTHING:
            refused.append(NotEstimated(name, "it is the same in all mazes, or in all but one"))
        else:
            kept[name] = values
    indices = told_apart(kept)
    needed = PER_TERM * len(indices)
    if len(names) < needed:
        listed = "; ".join(index.name for index in indices)
        why = f"{len(names)} mazes cannot carry {len(indices)} ({listed}): {needed} are needed"
        return (), [*refused, NotEstimated("maze-level terms", why)]
    return indices, refused


def _fit(
    rows: Sequence[AnswerOutcome],
    names: Sequence[str],
    inner: tuple[Index, ...],
    outer: tuple[Index, ...],
    refused: tuple[NotEstimated, ...],
) -> Mixed | NotEstimated:
    maze = np.array([names.index(each.maze) for each in rows])
    scores = np.array([each.score for each in rows], dtype=float)
    columns = [index.values for index in inner] + [index.values[maze] for index in outer]
    table = np.column_stack([np.ones(len(rows)), *columns])
    for place, name in enumerate(names):
        if np.linalg.cond(table[maze != place]) > _OPEN:
            return NotEstimated("model", f"without maze {name!r} its terms cannot be told apart")
    ratio = _ratio(table, scores, maze)
    beta, spread, error = _coefficients(table, scores, maze, ratio)
    free = [len(names) - 1] * len(inner) + [len(names) - 1 - len(outer)] * len(outer)
    ends = [_ends(*each) for each in zip(beta[1:], spread[1:], free, strict=True)]
    adjusted = holm([p for _, _, p in ends])
    indices = [(index, True) for index in inner] + [(index, False) for index in outer]
    terms = tuple(
        Term(
            index.name, within, index.members, float(size), low, high, p, fair or 0.0,
            index.unit, index.inflation,
        )
        for (index, within), size, (low, high, p), fair in zip(
            indices, beta[1:], ends, adjusted, strict=True
        )
    )  # fmt: skip
    mean = float(scores.mean())
    return Mixed(len(rows), len(names), mean, ratio * error, error, terms, refused)


def _ratio(table: Array, scores: Array, maze: Array) -> float:
    """Return the variance between mazes over that within, by REML.

    Powell's method uses no gradient. The default methods of `MixedLM` use one, and stop too early
    where the ratio is near 0.
    """
    about, rest = table - _means(table, maze), scores - _means(scores, maze)
    if abs(rest - about @ np.linalg.lstsq(about, rest, rcond=None)[0]).max() < _NOTHING:
        return _MOST  # nothing is left to explain within mazes
    models = need("statsmodels.regression.mixed_linear_model", extra="mango")
    with warnings.catch_warnings():  # after the import, which sets filters of its own
        warnings.simplefilter("ignore")  # a ratio of 0 is an answer, not a failure
        fit = models.MixedLM(scores, table, groups=maze).fit(method="powell")
    return float(fit.cov_re[0, 0] / fit.scale)


def _coefficients(
    table: Array, scores: Array, maze: Array, ratio: float
) -> tuple[Array, Array, float]:
    """Return the coefficients, their jackknife standard errors and the variance within mazes.

    Taking ``1 - 1 / sqrt(1 + ratio * n)`` of a maze's mean from its n rows makes the errors
    independent, so that ordinary least squares gives the model's coefficients.
    """
    sizes = np.bincount(maze)[maze]
    share = 1 - 1 / np.sqrt(1 + ratio * sizes)
    table = table - share[:, None] * _means(table, maze)
    scores = scores - share * _means(scores, maze)
    ols = need("statsmodels.regression.linear_model", extra="mango").OLS
    whole, mazes = ols(scores, table).fit(), int(maze.max()) + 1
    without = [
        ols(scores[maze != place], table[maze != place]).fit().params for place in range(mazes)
    ]
    square = ((np.array(without) - whole.params) ** 2).sum(axis=0)
    return whole.params, np.sqrt(square * (mazes - 1) / mazes), float(whole.mse_resid)


def _means(values: Array, maze: Array) -> Array:
    """Return, for each row, the mean of its maze's rows."""
    return np.array([values[maze == place].mean(axis=0) for place in range(maze.max() + 1)])[maze]


def _ends(beta: float, spread: float, free: int) -> tuple[float, float, float]:
    """Return a coefficient's 95 % interval and its p-value."""
    reach = float(stats.t.isf((1 - LEVEL) / 2, free)) * float(spread)
    p = float(2 * stats.t.sf(abs(beta) / spread, free)) if spread > 0 else float(beta == 0)
    return float(beta) - reach, float(beta) + reach, p


def _centred(values: Sequence[tuple[str, float]], names: Sequence[str]) -> list[float]:
    """Return each value less the mean of its maze."""
    found: dict[str, list[float]] = {name: [] for name in names}
    for name, value in values:
        found[name].append(value)
    means = {name: sum(some) / len(some) for name, some in found.items()}
    return [value - means[name] for name, value in values]


def _spread_without_one(values: Sequence[float]) -> float:
    """Return how far values are apart where the one that does most for it is left out."""
    ordered = sorted(values)
    return min(ordered[-1] - ordered[1], ordered[-2] - ordered[0])


def told_apart(columns: Mapping[str, Sequence[float]]) -> tuple[Index, ...]:
    """Join predictors until all can be told apart. None of them may be constant.

    They come in the order of their first members, whatever the order of the others.
    """
    plain = {name: np.array(values, dtype=float) for name, values in columns.items()}
    units = {name: float(values.std(ddof=1)) for name, values in plain.items()}
    groups: list[tuple[str, ...]] = [(name,) for name in columns]
    while True:
        made = [_joined(group, plain) for group in groups]
        factors = inflations([values for values, _ in made])
        worst = max(range(len(groups)), key=lambda place: factors[place], default=0)
        if len(groups) < 2 or factors[worst] <= LIMIT:
            break
        near = _nearest(worst, [values for values, _ in made])
        first, second = sorted((worst, near))
        both = groups[first] + groups.pop(second)
        groups[first] = tuple(name for name in columns if name in both)
    return tuple(
        Index(group, turned, values, units[group[0]] if len(group) == 1 else None, factor)
        for group, (values, turned), factor in zip(groups, made, factors, strict=True)
    )


def inflations(columns: Sequence[Array]) -> list[float]:
    """Return each column's variance inflation beside the others; infinite where they give it."""
    found = []
    for place, column in enumerate(columns):
        others = [np.ones(len(column)), *columns[:place], *columns[place + 1 :]]
        table = np.column_stack(others)
        fit = table @ np.linalg.lstsq(table, column, rcond=None)[0]
        left = float(((column - fit) ** 2).sum() / ((column - column.mean()) ** 2).sum())
        found.append(1 / left if left > 1e-10 else float("inf"))
    return found


def _joined(group: Sequence[str], columns: Mapping[str, Array]) -> tuple[Array, tuple[str, ...]]:
    """Return the index of some predictors, and those of them that were turned round."""
    first = _standard(columns[group[0]])
    turned = tuple(name for name in group if float(first @ _standard(columns[name])) < 0)
    total = sum((-1 if name in turned else 1) * _standard(columns[name]) for name in group)
    return _standard(total), turned


def _standard(column: Array) -> Array:
    return (column - column.mean()) / column.std(ddof=1)


def _nearest(place: int, columns: Sequence[Array]) -> int:
    others = [each for each in range(len(columns)) if each != place]
    return max(others, key=lambda each: round(abs(float(columns[place] @ columns[each])), 9))
