"""From graded questions and episodes to numbers: pure functions, counts beside every share."""

from worldquiz.metrics.contract import (
    COUNTED,
    KEYS,
    Scores,
    differences,
    scores,
)
from worldquiz.metrics.knowledge import FRACTIONS, Knowledge, Split
from worldquiz.metrics.sitting import Diagnosed, Sitting, sitting
from worldquiz.metrics.stats import Difference, Interval, holm
from worldquiz.metrics.success import Attempt, Success

__all__ = [
    "COUNTED",
    "FRACTIONS",
    "KEYS",
    "Attempt",
    "Diagnosed",
    "Difference",
    "Interval",
    "Knowledge",
    "Scores",
    "Sitting",
    "Split",
    "Success",
    "differences",
    "holm",
    "scores",
    "sitting",
]
