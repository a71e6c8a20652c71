"""From graded questions and episodes to numbers: pure functions, counts beside every share."""

from worldquiz.facts.knowledge import FRACTIONS, Knowledge
from worldquiz.stats.intervals import Difference, Interval, holm
from worldquiz.t2q.scoring.scores_schema import COUNTED, KEYS, Scores, differences, scores
from worldquiz.t2q.scoring.sitting import Sitting, sitting
from worldquiz.t2q.scoring.success import Attempt, Success

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
    "Success",
    "differences",
    "holm",
    "scores",
    "sitting",
]
