"""Worlds of a level by number, made when they are first played.

Each number has a world of its own, and there is no end of them (`splits`).
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache

from worldquiz.errors import KnobError
from worldquiz.splits import Split, check_choice, check_count, check_split, split_seed
from worldquiz.t2q import budget as budgets
from worldquiz.t2q.builder import make
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Plan, Slot
from worldquiz.t2q.training.rewards import Knowing, Watched
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game

KEPT = 256
"""Worlds that a process keeps: making one takes longer than an episode of a few dozen commands."""


def world_seed(level: str, split: Split, number: int) -> int:
    """Return the seed of a world, which no suite's world and no other split's has."""
    return split_seed(split, number, level)


@lru_cache(KEPT)
def built(level: str, split: Split, number: int) -> Bundle:
    """Return a world with its tasks and questions."""
    slot = Slot(level, world_seed(level, split, number), f"{level}-{split}-{number}")
    return make(Plan(level, 0), slot).bundle


@lru_cache(KEPT)
def _unplayed(level: str, split: Split, number: int) -> tuple[Game, Knowing]:
    """Return a world that nobody has played, and what is known of it then; give out copies."""
    bundle = built(level, split, number)
    return Game(bundle.spec), Knowing(bundle)


class Worlds:
    """Worlds of one level."""

    def __init__(
        self,
        level: str = "easy",
        split: Split = "train",
        *,
        worlds: int | None = None,
        max_steps: int | None = None,
        budget: float | None = None,
    ) -> None:
        """Choose them; none is made yet.

        Args:
            level: A level of `worldquiz t2q build`.
            split: "train" or "test"; they share no world.
            worlds: How many worlds there are; None for no end of them.
            max_steps: Most commands in each task.
            budget: Most commands, as a multiple of the walkthroughs'. Without either, the
                level's own.

        Raises `KnobError`.
        """
        check_choice("level", level, PRESETS)
        check_split(split, worlds)
        check_count("max_steps", max_steps, least=0)
        self.level, self.split, self._count = level, split, worlds
        self.budget = budgets.budget(max_steps, budget, budgets.Walkthroughs(PRESETS[level].budget))

    def opened(self, number: int) -> Watched:
        """Return world `number`, which nobody has played yet.

        Raises `KnobError` for what is no whole number from 0 up.
        """
        if not isinstance(number, int) or number < 0:
            raise KnobError(f"world {number!r}: give a whole number from 0 up")
        number = number if self._count is None else number % self._count
        bundle = built(self.level, self.split, number)
        game, knowing = _unplayed(self.level, self.split, number)
        return Watched(copy(game), bundle, number, knowing.again())
