"""Scores of any run from its rows, with 95 % intervals, and comparisons of two runs.

    {"knowledge": at most 1 or null,   the headline, corrected for guessing (`facts.knowledge`)
     "ceiling": 0..1 or null,          knowledge if all shown questions were answered right
     "false_answers": 0..1 or null,    share answered of the questions not shown
     "grade": 0..1 or null,            the mean grade; abstaining is right if nothing was shown,
                                       so an answerer who was shown little can have a high grade
     "answered": 0..1, "abstained": 0..1,
     "counts": {"worlds", "counted_worlds", "questions", "answerable", "graded", "counted",
                and each status},
     "ci": {each of the first four: [low, high]},     clustered by world, or null
     "by_type": {TYPE: the same}}

A value is null if no question defines it: knowledge if no guessing rate is known, false answers if
everything was shown. All values are ratios of sums over all worlds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import fsum
from statistics import fmean
from sys import intern
from typing import Any, TypeVar

from worldquiz.facts.knowledge import FRACTIONS, SIGNED, counts, share, whole
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.stats.intervals import (
    RESAMPLES,
    Difference,
    Ratio,
    difference,
    intervals,
    ratios,
    too_few,
)

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
GRADE = ("correct", "questions")
"""The mean grade as two counts; in a quiz with abstaining it is EUS."""
SHARES = {**{name: FRACTIONS[name] for name in ("knowledge", "ceiling", "false_answers")},
          "grade": GRADE}  # fmt: skip
_SUMS = {"graded": "questions", "counted": "counted", "points": "points", "worth": "worth"}
"""Names in "counts", each with its name among the counts of a world."""
Key = tuple[str, str, str]
"""A question of a run: its world, its type and its id."""
Values = Mapping[Key, tuple[float, float]]
"""Numerator and denominator of each question: its grade and 1, or its points and worth."""


class NothingShared(ValueError):
    """Error of a comparison of two runs: no question has a grade in both."""


def scores(rows: Iterable[Row], *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return shares, counts and intervals of some rows, overall and by type."""
    every = tuple(rows)
    types = _grouped((row.type, row) for row in every)
    return {
        **_cell(every, resamples, seed),
        "by_type": {name: _cell(some, resamples, seed) for name, some in types.items()},
    }


def headline(rows: Iterable[Row], *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return knowledge, ceiling and false answers with intervals, and how many questions count."""
    found = _cell(tuple(rows), resamples, seed)
    shares: dict[str, Any] = {}
    for name in ("knowledge", "ceiling", "false_answers"):
        shares[name], shares[f"{name}_ci"] = found[name], found["ci"][name]
    return {**shares, "counted": found["counts"]["counted"]}


def both_asked(left: Mapping[str, str], right: Mapping[str, str]) -> Callable[[str], bool]:
    """Return a function that checks whether a world is the same in two runs.

    `left` and `right` are digests of the runs' data (`runs.folder.data_of`): one for each world, or
    one for all under the key "". Without digests, every world counts as the same.
    """
    same = {name for name, digest in left.items() if right.get(name) == digest}
    unknown = not left or not right
    return lambda world: unknown or "" in same or world in same


def shares_data(left: Mapping[str, str], right: Mapping[str, str]) -> bool:
    """Return whether two runs may have a world in common, by the digests of their data."""
    return any(map(both_asked(left, right), ("", *left)))


def compare(
    left: Iterable[Row],
    right: Iterable[Row],
    *,
    noun: str = "world",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Any]:
    """Return the differences between two runs on the questions that both have, overall and by type.

    Each comparison is ``{"left", "right", "questions", "worlds", "difference", "ci", "p",
    "note"}``. The difference is left minus right on the same questions, clustered by world; notes
    call a world `noun`. If ``ci`` and ``p`` are None, ``note`` says why. ``score`` is "knowledge",
    over the questions that count in both runs, or "grade" if there are none. The key "grade" holds
    the same comparisons of the mean grade. Raises `NothingShared`.
    """
    compared = partial(_compared, noun=noun, resamples=resamples, seed=seed)
    (ours, our_points), (theirs, their_points) = _valued(left), _valued(right)
    by_grade = compared(ours, theirs)
    if by_grade is None:
        raise NothingShared("the runs share no graded question: run both on the same data")
    by_points = compared(our_points, their_points)
    name = "grade" if by_points is None else "knowledge"
    return {"score": name, **(by_points or by_grade), "grade": by_grade}


def _valued(rows: Iterable[Row]) -> tuple[Values, Values]:
    """Return the grades and the points of questions that have them; no row is kept in memory."""
    grades, points = dict[Key, tuple[float, float]](), dict[Key, tuple[float, float]]()
    for row in rows:
        key = row.world, intern(row.type), intern(row.item)
        if row.grade is not None:
            grades[key] = row.grade, 1.0
        if row.worth is not None:
            points[key] = row.points or 0.0, row.worth
    return grades, points


def _compared(left: Values, right: Values, noun: str, **draw: int) -> dict[str, Any] | None:
    """Return the differences overall and by type; None if no question is in both runs."""
    shared = sorted(left.keys() & right.keys())
    if not shared:
        return None
    types = _grouped((key[1], key) for key in shared)
    return {
        **_difference(shared, left, right, noun, draw),
        "by_type": {
            name: _difference(some, left, right, noun, draw) for name, some in types.items()
        },
    }


def _difference(
    shared: Sequence[Key], left: Values, right: Values, noun: str, draw: Mapping[str, int]
) -> dict[str, Any]:
    worlds = _grouped((key[0], key) for key in shared).values()
    ours, theirs = (_ratio(side, [*worlds]) for side in (left, right))
    found = difference(ours, theirs, **draw) or Difference(0.0)
    return {
        "left": ours.value,
        "right": theirs.value,
        "questions": len(shared),
        "worlds": len(worlds),
        "difference": found.value,
        "ci": list(found.interval) if found.interval else None,
        "p": found.p,
        "note": too_few(len(worlds), noun),
    }


def _ratio(values: Values, worlds: Sequence[Sequence[Key]]) -> Ratio:
    above, below = (
        tuple(fsum(values[key][part] for key in keys) for keys in worlds) for part in (0, 1)
    )
    return Ratio(above, below, signed=True)


def usage_total(used: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sum of all usage. Its cost is None unless every usage with calls has a cost."""
    counted = ("calls", "input", "cached", "output", "unknown")
    tokens = {name: sum(each.get(name, 0) for each in used) for name in counted}
    costs = [each["cost"] for each in used if each["calls"]]
    return {
        **tokens,
        "cached_share": share(tokens["cached"], tokens["input"]),
        "cost": fsum(costs) if costs and None not in costs else None,
    }


def agreement(people: Sequence[Mapping[K, float]]) -> tuple[int, float | None]:
    """Return how many questions two or more people answered, and their disagreement. This is the
    squared difference of two people's scores (0..1), averaged over all pairs at a question, then
    over questions: MANGO's MSE (arXiv 2403.19913, section 3.4, Table 13). 0 is full agreement, 1 is
    the opposite; None if no two people answered the same question.
    """
    shared: dict[K, list[float]] = {}
    for earned in people:
        for question, value in earned.items():
            shared.setdefault(question, []).append(value)
    several = [values for values in shared.values() if len(values) > 1]
    errors = [fmean((a - b) ** 2 for a, b in combinations(each, 2)) for each in several]
    return len(several), fmean(errors) if errors else None


def _cell(rows: Sequence[Row], resamples: int, seed: int) -> dict[str, Any]:
    worlds = _grouped((row.world, row) for row in rows)
    parts = [counts(some) for some in worlds.values()]
    found = ratios(parts, SHARES, signed=SIGNED)
    bounds = intervals(found, resamples=resamples, seed=seed)
    statuses = Counter(row.status for row in rows)
    return {
        **{name: ratio.value for name, ratio in found.items()},
        "answered": share(statuses[AnswerStatus.ANSWERED], len(rows)),
        "abstained": share(statuses[AnswerStatus.ABSTAINED], len(rows)),
        "counts": {
            "worlds": len(worlds),
            "counted_worlds": sum(part["counted"] > 0 for part in parts),
            "questions": len(rows),
            "answerable": sum(row.shown for row in rows),
            **{name: whole(fsum(part[sum_] for part in parts)) for name, sum_ in _SUMS.items()},
            **{str(status): statuses[status] for status in AnswerStatus},
        },
        "ci": {name: list(each) if each else None for name, each in bounds.items()},
    }


def _grouped(named: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Group values by name, and sort the groups by name."""
    found: dict[str, list[T]] = {}
    for name, value in named:
        found.setdefault(name, []).append(value)
    return dict(sorted(found.items()))
