"""From graded questions and episodes to numbers: pure functions, counts beside every share."""

from worldquiz.facts.knowledge_score import SIGNED
from worldquiz.t2q.scoring.counts import Attempt, Sitting, sitting, sittings, steps, task_counts
from worldquiz.t2q.scoring.scores_schema import (
    COUNTED,
    KEYS,
    Scores,
    quiz_counts,
    scores,
)

__all__ = [
    "COUNTED", "KEYS", "SIGNED", "Attempt", "Scores", "Sitting",
    "quiz_counts", "scores", "sitting", "sittings", "steps", "task_counts",
]  # fmt: skip
