"""Calibration of stated confidences, and the gain from abstaining by them.

An answer has a confidence c in 0..1 and an outcome y, its grade: 1 for right, 0 for wrong. Saying
"non-answerable" is an answer like any other: right where nothing was shown. The order of the
answers changes nothing; equal confidences are one group everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import fsum
from typing import Any, NamedTuple

from worldquiz.facts.knowledge import mean

BINS = 10
"""Bins of equal width, closed below: [0, 0.1), [0.1, 0.2) ... [0.9, 1]."""


class Stated(NamedTuple):
    """An answer's confidence and what became of it."""

    confidence: float  # 0..1
    grade: float  # 0..1


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers whose confidence lies in one bin; means are None where there are none."""

    low: float
    high: float
    answers: int
    confidence: float | None  # mean
    accuracy: float | None  # mean grade


class Retained(NamedTuple):
    """Coverage and risk when only answers of some confidence or more are given."""

    confidence: float  # the least that is kept
    share: float  # of all answers that are kept
    risk: float  # of those kept, the share that is wrong


def brier(answers: Sequence[Stated]) -> float | None:
    """Return the mean of (c - y)^2: 0 is best, 0.25 what saying 0.5 always earns.

    Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78
    (1950), in its form for two outcomes.
    """
    return mean([(stated.confidence - stated.grade) ** 2 for stated in answers])


def bins(answers: Iterable[Stated]) -> tuple[Bin, ...]:
    """Sort answers into `BINS` bins of equal width; empty ones are among them."""
    sorted_in: list[list[Stated]] = [[] for _ in range(BINS)]
    for stated in answers:
        sorted_in[min(int(stated.confidence * BINS), BINS - 1)].append(stated)
    return tuple(
        Bin(
            number / BINS,
            (number + 1) / BINS,
            len(some),
            mean([stated.confidence for stated in some]),
            mean([stated.grade for stated in some]),
        )
        for number, some in enumerate(sorted_in)
    )


def ece(answers: Sequence[Stated]) -> float | None:
    """Return the expected calibration error: sum over bins of n_b / n * |accuracy_b - mean c_b|.

    Guo et al., "On calibration of modern neural networks" (arXiv 1706.04599, equation 3), with 10
    bins of equal width.
    """
    gaps = [
        found.answers * abs(found.accuracy - found.confidence)
        for found in bins(answers)
        if found.accuracy is not None and found.confidence is not None
    ]
    return fsum(gaps) / len(answers) if answers else None


def risk_coverage(answers: Iterable[Stated]) -> tuple[Retained, ...]:
    """Return the risk at each share of answers kept, surest first, one point a confidence.

    Geifman and El-Yaniv, "Selective classification for deep neural networks" (arXiv 1705.08500,
    section 2): keep the answers with c at or above a threshold; the risk is the share wrong among
    them.
    """
    groups = list(_groups(answers))
    total = sum(count for _, count, _ in groups)
    points, kept, wrong = [], 0, 0.0
    for confidence, count, lost in groups:
        kept, wrong = kept + count, wrong + lost
        points.append(Retained(confidence, kept / total, wrong / kept))
    return tuple(points)


def aurc(answers: Iterable[Stated]) -> float | None:
    """Return the area under the risk-coverage curve: the mean of the risks of keeping 1, 2 ... n.

    Geifman, Uziel and El-Yaniv, "Bias-reduced uncertainty estimation" (arXiv 1805.08206, section
    2). Answers of equal confidence count as kept in random order: the mean over all orders. Without
    any ranking it is the error rate; lower is better.
    """
    risks: list[float] = []
    wrong = 0.0
    for _, count, lost in _groups(answers):
        before = len(risks)
        risks += [(wrong + lost * n / count) / (before + n) for n in range(1, count + 1)]
        wrong += lost
    return mean(risks)


def document(answers: Iterable[Stated], *, silent: int) -> dict[str, Any]:
    """Return all of it as the JSON contract names it; `silent` answers came without confidence."""
    stated = sorted(answers)
    return {
        "answers": len(stated),
        "silent": silent,
        "confidence": mean([each.confidence for each in stated]),
        "accuracy": mean([each.grade for each in stated]),
        "brier": brier(stated),
        "ece": ece(stated),
        "aurc": aurc(stated),
        "bins": [asdict(found) for found in bins(stated)],
        "risk_coverage": [point._asdict() for point in risk_coverage(stated)],
    }


def _groups(answers: Iterable[Stated]) -> Iterator[tuple[float, int, float]]:
    """Yield each confidence, highest first, with its number of answers and of wrong ones."""
    surest_first = sorted(answers, reverse=True)
    for confidence, group in groupby(surest_first, key=lambda stated: stated.confidence):
        grades = [stated.grade for stated in group]
        yield confidence, len(grades), fsum(1 - grade for grade in grades)
