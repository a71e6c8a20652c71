"""What inspect_ai finds of worldquiz: ``inspect eval worldquiz/t2q`` and ``worldquiz/mango``."""

from worldquiz.evals.llm.scoring import quiz, shares
from worldquiz.evals.llm.task import sitting, t2q
from worldquiz.evals.mango.task import asks, mango, mango_means, routes

__all__ = ["asks", "mango", "mango_means", "quiz", "routes", "shares", "sitting", "t2q"]
