"""What inspect_ai finds of worldquiz: ``inspect eval worldquiz/t2q``, ``worldquiz/mango``, …."""

from worldquiz.evals.llm.scoring import quiz, shares
from worldquiz.evals.llm.task import sitting, t2q
from worldquiz.evals.mango.asking.prompting import told
from worldquiz.evals.mango.games.mapping_task import mango_triplets, triplet_accuracy, triplets
from worldquiz.evals.mango.games.minigame_task import mango_minigames, minigame_shares, next_moves
from worldquiz.evals.mango.running.task import asks, mango, mango_means, routes

__all__ = [
    "asks", "mango", "mango_means", "mango_minigames", "mango_triplets", "minigame_shares",
    "next_moves", "quiz", "routes", "shares", "sitting", "t2q", "told", "triplet_accuracy",
    "triplets",
]  # fmt: skip
