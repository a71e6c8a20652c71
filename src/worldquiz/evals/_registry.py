"""What inspect_ai finds of worldquiz: ``inspect eval worldquiz/t2q``."""

from worldquiz.evals.llm.scoring import quiz, shares
from worldquiz.evals.llm.task import sitting, t2q

__all__ = ["quiz", "shares", "sitting", "t2q"]
