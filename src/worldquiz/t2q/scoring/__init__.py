"""From graded questions and episodes to numbers: pure functions, counts beside every share."""

from worldquiz.facts.knowledge import FRACTIONS, Knowledge
from worldquiz.facts.knowledge_score import SIGNED
from worldquiz.stats.intervals import Difference, Interval, holm
from worldquiz.t2q.scoring.scores_schema import (
    COUNTED,
    KEYS,
    Scores,
    differences,
    quiz_counts,
    scores,
    shares,
)
from worldquiz.t2q.scoring.sitting import Sitting, sitting
from worldquiz.t2q.scoring.success import Attempt, Success

__all__ = [
    "COUNTED",
    "FRACTIONS",
    "KEYS",
    "SIGNED",
    "Attempt",
    "Difference",
    "Interval",
    "Knowledge",
    "Scores",
    "Sitting",
    "Success",
    "differences",
    "holm",
    "quiz_counts",
    "scores",
    "shares",
    "sitting",
]
