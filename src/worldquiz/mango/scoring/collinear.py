"""Predictors that go together: how much, and what of them can be told apart.

A regression on several predictors tells each one's effect *with the others held fixed*. Where they
move together there are no data on that, and the estimates become arbitrary: large, of either sign,
and never significant. The paper met this and fell back on one predictor at a time (arXiv
2403.19913, appendix C.3). How much an estimate suffers is its variance inflation factor,
1 / (1 - R^2) of the predictor on all others.

Here, as long as some factor is above `LIMIT`, the predictor that has the worst one is joined with
the one that it correlates with most. What is joined becomes an *index*: the mean of its members,
each standardised and turned so that all point the same way. The effect of the index can be told,
that of its members apart cannot, and is not offered. Outcomes have no say in what is joined, so the
estimates' intervals stay valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Array = Any
"""A NumPy array: numpy is imported only where it is used."""

LIMIT = 2.5
"""The variance inflation that is put up with (Johnston, Jones and Manley, "Confounding and
collinearity in regression analysis", Quality & Quantity 52, 2018)."""
_NOTHING = 1e-10


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


def told_apart(columns: Mapping[str, Sequence[float]]) -> tuple[Index, ...]:
    """Join predictors until all can be told apart. None of them may be constant.

    They come in the order of their first members, whatever the order of the others.
    """
    import numpy

    plain = {name: numpy.array(values, dtype=float) for name, values in columns.items()}
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
    import numpy

    found = []
    for place, column in enumerate(columns):
        others = [numpy.ones(len(column)), *columns[:place], *columns[place + 1 :]]
        table = numpy.column_stack(others)
        fit = table @ numpy.linalg.lstsq(table, column, rcond=None)[0]
        left = float(((column - fit) ** 2).sum() / ((column - column.mean()) ** 2).sum())
        found.append(1 / left if left > _NOTHING else float("inf"))
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
