"""Task2Quiz for TRL's `GRPOTrainer`: a class whose methods are tools, and reward functions.

    from functools import partial
    from worldquiz.t2q.training import trl as t2q

    GRPOTrainer(
        ...,
        train_dataset=Dataset.from_list(t2q.rows(1000)),
        environment_factory=partial(t2q.T2QTools, "easy"),
        reward_funcs=[t2q.task_reward, t2q.knowledge_reward, t2q.quiz_reward],
    )

Rows of the dataset name worlds by their seeds, so the completions of a group play one world. A call
that cannot be carried out raises `ToolError`, whose text TRL hands to the model. Nothing here
imports TRL: it takes any class of this form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from worldquiz.splits import Split
from worldquiz.t2q.training.rewards import Rewards
from worldquiz.t2q.training.tools import ToolEpisode, TypedTools
from worldquiz.t2q.training.worlds import Worlds


class T2QTools(TypedTools):
    """An environment of TRL: each public method but `reset` is a tool."""

    def __init__(
        self,
        level: str = "easy",
        split: Split = "train",
        *,
        questions: int | None = None,
        worlds: int | None = None,
        max_steps: int | None = None,
        budget: float | None = None,
    ) -> None:
        """Make it of the options of `Worlds` and `ToolEpisode`; no world is built before a reset.

        Raises `KnobError`.
        """
        self._episode = ToolEpisode(
            Worlds(level, split, worlds=worlds, max_steps=max_steps, budget=budget), questions
        )

    def reset(self, seed: int = 0, **row: Any) -> str:
        """Begin the world of a row; return what the model is told first."""
        self._episode.begin(seed)
        return self._episode.look()

    @property
    def rewards(self) -> Rewards:
        """What the episode has earned so far."""
        return self._episode.rewards

    def _call(self, tool: str, /, **arguments: object) -> str:
        return self._episode.call(tool, **arguments)


def rows(worlds: int, first: int = 0) -> list[dict[str, Any]]:
    """Return rows of a dataset, one for each world. The prompt is empty: `reset` tells it."""
    return [
        {"prompt": [{"role": "user", "content": ""}], "seed": seed}
        for seed in range(first, first + worlds)
    ]


def task_reward(environments: Sequence[T2QTools], **row: Any) -> list[float]:
    """Return the task success rate of each episode, 0..1."""
    return [each.rewards.task for each in environments]


def knowledge_reward(environments: Sequence[T2QTools], **row: Any) -> list[float]:
    """Return by how much each episode raised the coverage, 0..1."""
    return [each.rewards.knowledge for each in environments]


def quiz_reward(environments: Sequence[T2QTools], **row: Any) -> list[float]:
    """Return the signed knowledge score of each episode's quiz, at most 1."""
    return [each.rewards.quiz for each in environments]
