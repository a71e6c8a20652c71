"""What can be earned without seeing anything: the chance that each type's scores stand beside.

one_answer  the mean that the best single reply to all tasks of a type earns: of words and
            counts the share of the commonest answer; of lengths and boxes the best among the
            type's own answers
words_only  the share that the best reply to each wording gets right, `match.unseen`: nobody
            who reads and sees nothing gets more; not told of lengths and boxes
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from worldquiz.tea.exam.match import level, plain, unseen
from worldquiz.tea.exam.sample import families
from worldquiz.tea.scoring.grade import worth
from worldquiz.tea.scoring.parse import Value
from worldquiz.tea.taskgraph import Box3, Goal, Instance, Truth

TRIED = 200
"""Answers of a type that are tried as the one reply to all, at even distances where it has more."""


def chance(tasks: Iterable[Instance]) -> dict[str, dict[str, float | None]]:
    """Return both chances of each type, 0..1."""
    return {
        name: {
            "one_answer": one_answer(some),
            "words_only": unseen(some) if plain(some) else None,
        }
        for name, some in families(tasks).items()
    }


def one_answer(tasks: Sequence[Instance]) -> float:
    """Return the mean worth of the best single reply to some tasks of a type, 0..1."""
    if plain(tasks):
        levels = [level(task.truth) for task in tasks]
        return max(map(levels.count, set(levels))) / len(levels)
    truths = sorted((task.truth for task in tasks), key=repr)
    step = max(1, -(-len(truths) // TRIED))
    return max(fmean(worth(truth, _said(tried)) for truth in truths) for tried in truths[::step])


def _said(truth: Truth) -> Value:
    """Return an answer as it is graded. Raises `ValueError` for one that is done, not said."""
    if isinstance(truth, Goal):
        raise ValueError(f"{truth} is to be walked to, not said")
    return (*truth.centre, *truth.size) if isinstance(truth, Box3) else truth.value
