"""From graded questions and episodes to numbers: pure functions, counts beside every share."""

from worldquiz.facts.knowledge_score import SIGNED
from worldquiz.t2q.scoring.scores_schema import (
    COUNTED,
    KEYS,
    Scores,
    quiz_counts,
    scores,
)
from worldquiz.t2q.scoring.sitting import Attempt, Sitting, sitting, sittings, steps, task_counts

__all__ = [
    "COUNTED", "KEYS", "SIGNED", "Attempt", "Scores", "Sitting",
    "quiz_counts", "scores", "sitting", "sittings", "steps", "task_counts",
]  # fmt: skip
