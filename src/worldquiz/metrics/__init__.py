"""From graded questions and episodes to numbers: pure functions, counts beside every share."""

from worldquiz.metrics.contract import (
    COUNTED,
    KEYS,
    Scores,
    Sitting,
    differences,
    scores,
    sitting,
)
from worldquiz.metrics.knowledge import FRACTIONS, Knowledge, Split
from worldquiz.metrics.stats import Difference, Interval
from worldquiz.metrics.success import Attempt, Success

__all__ = [
    "COUNTED",
    "FRACTIONS",
    "KEYS",
    "Attempt",
    "Difference",
    "Interval",
    "Knowledge",
    "Scores",
    "Sitting",
    "Split",
    "Success",
    "differences",
    "scores",
    "sitting",
]
