"""Scores of any run, from its rows: means with their counts and 95 % intervals.

    {"score": 0..1 or null,            the mean over questions that have a grade
     "answered": 0..1, "abstained": 0..1,
     "counts": {"worlds", "questions", "answerable", "scored", and each status},
     "ci": {"score": [low, high]},     clustered by world; null where there is nothing to draw from
     "by_type": {TYPE: the same}}

Where rows have points, "knowledge" stands first: their mean over the "counted" questions, with its
interval; it may be below 0 (`facts.knowledge`).

A benchmark may have a document of its own; this one serves those that have none, comparisons, and
notebooks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from sys import intern
from typing import Any, TypeVar

from worldquiz.facts.knowledge import mean, share
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.stats.intervals import (
    RESAMPLES,
    Difference,
    Ratio,
    differences,
    intervals,
    too_few,
)

T = TypeVar("T")
Key = tuple[str, str, str]
"""A question of a run: its world, its type and its id."""
Value = Callable[[Row], float | None]
Valued = Mapping[Key, tuple[float | None, float | None]]
"""Questions with their score and their points."""


def scores(rows: Iterable[Row], *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return means, counts and intervals of some rows, in all and by type."""
    every = tuple(rows)
    types = _grouped((row.type, row) for row in every)
    return {
        **_cell(every, resamples, seed),
        "by_type": {name: _cell(some, resamples, seed) for name, some in types.items()},
    }


def recall_shares(
    rows: Sequence[Row], *, resamples: int = RESAMPLES, seed: int = 0, always: bool = False
) -> dict[str, dict[str, Any]]:
    """Return what a quiz with questions that cannot be answered is reported by; empty without any.

    With `always` also without any: of a run that was shown all, the false-answer rate is None.

    Known (right answers to answerable questions / all), coverage (answerable / all), and the
    false-answer rate (questions that are not answerable and were answered / all such), each as
    ``{"value", "above", "below", "ci"}``. Questions without a grade are in no part.
    """
    graded = [row for row in rows if row.score is not None]
    if not always and all(row.shown for row in graded):
        return {}
    ratios = {
        "known": _part(graded, lambda row: (row.score or 0.0) * row.shown, lambda _: True),
        "coverage": _part(graded, lambda row: row.shown, lambda _: True),
        "overclaim": _part(
            graded,
            lambda row: not row.shown and row.status is AnswerStatus.ANSWERED,
            lambda row: not row.shown,
        ),
    }
    found = intervals(ratios, resamples=resamples, seed=seed)
    return {
        name: {
            "value": ratio.value, "above": sum(ratio.above), "below": int(sum(ratio.below)),
            "ci": found[name],
        }
        for name, ratio in ratios.items()
    }  # fmt: skip


def both_asked(left: Mapping[str, str], right: Mapping[str, str]) -> Callable[[str], bool]:
    """Return a function that tells whether a world is the same in two runs.

    `left` and `right` are digests of their data (`runs.folder.data_of`): of each world, or of all
    under "". Of runs without digests every world counts as the same.
    """
    same = {name for name, digest in left.items() if right.get(name) == digest}
    unknown = not left or not right
    return lambda world: unknown or "" in same or world in same


def compare(
    left: Iterable[Row],
    right: Iterable[Row],
    *,
    noun: str = "world",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Any]:
    """Return how two runs differ on the questions that both were asked, in all and by type.

    Each cell: ``{"left", "right", "questions", "worlds", "difference", "ci", "p", "note"}``; left
    minus right, paired by question, drawn by world (as `noun` calls it); ``note`` says why there
    is no ``ci`` and ``p``. Where rows have points, "knowledge" holds the same cells of the
    knowledge score, over the questions that count in it. Raises `ValueError` where they share no
    question.
    """
    draw = {"noun": noun, "resamples": resamples, "seed": seed}
    ours, theirs = _valued(left), _valued(right)
    by_score = _compared(ours, theirs, 0, **draw)
    if by_score is None:
        both = len(ours.keys() & theirs.keys())
        raise ValueError(
            f"none of the {both} questions that were asked in both runs has a grade in both"
            if both
            else "no question was asked in both runs: run both on the same folder"
        )
    by_points = _compared(ours, theirs, 1, **draw)
    return by_score if by_points is None else {"knowledge": by_points, **by_score}


def _compared(left: Valued, right: Valued, which: int, **draw: Any) -> dict[str, Any] | None:
    """Return the cells of a comparison in one value, None where no question has it twice."""
    ours, theirs = (
        {key: value for key, values in side.items() if (value := values[which]) is not None}
        for side in (left, right)
    )
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        return None
    types = _grouped((key[1], key) for key in shared)
    return {
        **_difference(shared, ours, theirs, **draw),
        "by_type": {name: _difference(some, ours, theirs, **draw) for name, some in types.items()},
    }


def _valued(rows: Iterable[Row]) -> Valued:
    """Return score and points of rows, which need not be held, by world, type and question."""
    return {
        (row.world, intern(row.type), intern(row.item)): (row.score, row.points) for row in rows
    }


def _cell(rows: Sequence[Row], resamples: int, seed: int) -> dict[str, Any]:
    counted = sum(row.points is not None for row in rows)
    ratios = {"knowledge": _mean(rows, lambda row: row.points, signed=True)} if counted else {}
    ratios["score"] = _mean(rows, lambda row: row.score)
    found = intervals(ratios, resamples=resamples, seed=seed)
    statuses = Counter(row.status for row in rows)
    return {
        **{name: ratio.value for name, ratio in ratios.items()},
        "answered": share(statuses[AnswerStatus.ANSWERED], len(rows)),
        "abstained": share(statuses[AnswerStatus.ABSTAINED], len(rows)),
        "counts": {
            "worlds": len({row.world for row in rows}),
            "questions": len(rows),
            "answerable": sum(row.shown for row in rows),
            "scored": sum(row.score is not None for row in rows),
            **({"counted": counted} if counted else {}),
            **{str(status): statuses[status] for status in AnswerStatus},
        },
        "ci": {key: list(bounds) if bounds else None for key, bounds in found.items()},
    }


def _mean(rows: Sequence[Row], value: Value, *, signed: bool = False) -> Ratio:
    """Return the mean of a value as sums over questions that have it, one of each a world."""
    return _part(
        rows, lambda row: value(row) or 0.0, lambda row: value(row) is not None, signed=signed
    )


def _part(
    rows: Sequence[Row],
    above: Callable[[Row], float],
    below: Callable[[Row], bool],
    *,
    signed: bool = False,
) -> Ratio:
    """Return a share of some rows as sums, one of each a world."""
    worlds = _grouped((row.world, row) for row in rows).values()
    return Ratio(
        tuple(fsum(map(above, some)) for some in worlds),
        tuple(float(sum(map(below, some))) for some in worlds),
        signed,
    )


def _ratio(values: Sequence[tuple[str, float]]) -> Ratio:
    """Return sums of values over numbers of questions, one of each a world."""
    worlds = _grouped(values).values()
    return Ratio(tuple(map(fsum, worlds)), tuple(float(len(some)) for some in worlds))


def _grouped(named: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Return what stands beside each name, in the order of the names."""
    found: dict[str, list[T]] = {}
    for name, value in named:
        found.setdefault(name, []).append(value)
    return dict(sorted(found.items()))


def _difference(
    shared: Sequence[Key],
    ours: Mapping[Key, float],
    theirs: Mapping[Key, float],
    noun: str,
    **draw: int,
) -> dict[str, Any]:
    sides = [[(key[0], side[key]) for key in shared] for side in (ours, theirs)]
    ratios = (_ratio(sides[0]), _ratio(sides[1]))
    found = differences({"value": ratios}, **draw)["value"] or Difference(0.0)
    means = [mean([value for _, value in side]) for side in sides]
    worlds = len({key[0] for key in shared})
    return {
        "left": means[0],
        "right": means[1],
        "questions": len(shared),
        "worlds": worlds,
        "difference": found.value,
        "ci": list(found.interval) if found.interval else None,
        "p": found.p,
        "note": too_few(worlds, noun),
    }
