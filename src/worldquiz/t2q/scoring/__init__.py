"""From graded questions and episodes to numbers: pure functions, counts beside every share."""

from worldquiz.facts.knowledge_score import SIGNED
from worldquiz.stats.intervals import Difference, holm
from worldquiz.t2q.scoring.scores_schema import (
    COUNTED,
    KEYS,
    Scores,
    differences,
    quiz_counts,
    scores,
    shares,
)
from worldquiz.t2q.scoring.sitting import Attempt, Sitting, sitting, steps, task_counts

__all__ = [
    "COUNTED", "KEYS", "SIGNED", "Attempt", "Difference", "Scores", "Sitting", "differences",
    "holm", "quiz_counts", "scores", "shares", "sitting", "steps", "task_counts",
]  # fmt: skip
