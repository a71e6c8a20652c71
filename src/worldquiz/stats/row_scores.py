"""Scores of any run, from its rows: means with their counts and 95 % intervals.

    {"score": 0..1 or null,            the mean over questions that have a grade
     "answered": 0..1, "abstained": 0..1,
     "counts": {"worlds", "questions", "answerable", "scored", and each status},
     "ci": {"score": [low, high]},     clustered by world; null where there is nothing to draw from
     "by_type": {TYPE: the same}}

A benchmark may have a document of its own; this one serves those that have none, comparisons, and
notebooks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from typing import Any

from worldquiz.facts.knowledge import mean, share
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.stats.intervals import RESAMPLES, Ratio, differences, intervals

ONE_WORLD = "one world: an interval and a p-value need two"


def scores(rows: Iterable[Row], *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return means, counts and intervals of some rows, in all and by type."""
    every = tuple(rows)
    types: dict[str, list[Row]] = {}
    for row in every:
        types.setdefault(row.type, []).append(row)
    return {
        **_cell(every, resamples, seed),
        "by_type": {name: _cell(some, resamples, seed) for name, some in sorted(types.items())},
    }


def compare(
    left: Sequence[Row], right: Sequence[Row], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Any]:
    """Return how two runs differ on the questions that both were asked, in all and by type.

    Each cell: ``{"left", "right", "questions", "worlds", "difference", "ci", "p", "note"}``; left
    minus right, paired by question, drawn by world; ``note`` says why there is no ``ci`` and ``p``.
    Raises `ValueError` where they share no question.
    """
    ours, theirs = _graded(left), _graded(right)
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        both = len({_key(row) for row in left} & {_key(row) for row in right})
        raise ValueError(
            f"none of the {both} questions that were asked in both runs has a grade in both"
            if both
            else "no question was asked in both runs: run both on the same folder"
        )
    pairs = [(ours[key], theirs[key]) for key in shared]
    types: dict[str, list[tuple[Row, Row]]] = {}
    for pair in pairs:
        types.setdefault(pair[0].type, []).append(pair)
    draw = {"resamples": resamples, "seed": seed}
    by_type = {name: _difference(some, **draw) for name, some in sorted(types.items())}
    return {**_difference(pairs, **draw), "by_type": by_type}


def _graded(rows: Sequence[Row]) -> dict[tuple[str, str, str], Row]:
    return {_key(row): row for row in rows if row.score is not None}


def _key(row: Row) -> tuple[str, str, str]:
    return row.world, row.type, row.question


def _cell(rows: Sequence[Row], resamples: int, seed: int) -> dict[str, Any]:
    graded = [row for row in rows if row.score is not None]
    statuses = Counter(row.status for row in rows)
    ratio = _ratio([(row.world, row.score or 0.0) for row in graded])
    found = intervals({"score": ratio}, resamples=resamples, seed=seed)
    return {
        "score": mean([row.score or 0.0 for row in graded]),
        "answered": share(statuses[AnswerStatus.ANSWERED], len(rows)),
        "abstained": share(statuses[AnswerStatus.ABSTAINED], len(rows)),
        "counts": {
            "worlds": len({row.world for row in rows}),
            "questions": len(rows),
            "answerable": sum(row.answerable for row in rows),
            "scored": len(graded),
            **{str(status): statuses[status] for status in AnswerStatus},
        },
        "ci": {key: list(bounds) if bounds else None for key, bounds in found.items()},
    }


def _ratio(graded: Sequence[tuple[str, float]]) -> Ratio:
    """Return sums of scores over numbers of questions, one of each a world."""
    worlds: dict[str, list[float]] = {}
    for world, score in graded:
        worlds.setdefault(world, []).append(score)
    return Ratio(
        tuple(fsum(some) for _, some in sorted(worlds.items())),
        tuple(float(len(some)) for _, some in sorted(worlds.items())),
    )


def _difference(pairs: Sequence[tuple[Row, Row]], *, resamples: int, seed: int) -> dict[str, Any]:
    sides = [[(row.world, row.score or 0.0) for row in side] for side in zip(*pairs, strict=True)]
    ratios = (_ratio(sides[0]), _ratio(sides[1]))
    found = differences({"score": ratios}, resamples=resamples, seed=seed)["score"]
    means = [mean([score for _, score in side]) for side in sides]
    return {
        "left": means[0],
        "right": means[1],
        "questions": len(pairs),
        "worlds": len({row.world for row, _ in pairs}),
        "difference": (ratios[0].value or 0.0) - (ratios[1].value or 0.0),
        "ci": [found.low, found.high] if found else None,
        "p": found.p if found else None,
        "note": None if found else ONE_WORLD,
    }
