"""Tasks won, and commands against the walkthrough."""

from __future__ import annotations

import pytest

import synthetic
from worldquiz.facts.episode import Episode, Outcome
from worldquiz.facts.fact import EATEN
from worldquiz.t2q.scoring import Attempt, steps, task_counts
from worldquiz.t2q.world.spec import Proof, Solution, Task, Verb


def task(length: int, id: str = "t") -> Task:
    plan = Solution(("look",) * length, Proof.DEPENDENCY)
    return Task(id, Verb.EAT, "moon", (EATEN("moon"),), "Eat the moon.", (), (), plan)


def episode(actions: int, outcome: Outcome = Outcome.WON, id: str = "t") -> Episode:
    steps = tuple(synthetic.step(n, "look" if n else None, "") for n in range(actions + 1))
    return Episode("w", id, "a", 0, outcome, steps)


FOUR = (
    Attempt.of(task(4), episode(4)),  # as short as the walkthrough
    Attempt.of(task(4), episode(8)),  # twice as long
    Attempt.of(task(4), episode(2)),  # shorter than a walkthrough by dependency order
    Attempt.of(task(4), episode(6, Outcome.STEP_LIMIT)),
)


def test_success_weighted_by_path_length() -> None:
    found = steps(FOUR)
    assert found["spl"] == (1 + 0.5 + 1 + 0) / 4
    assert found["efficiency_won"] == (1 + 0.5 + 1) / 3
    assert (found["commands"], found["walkthrough"]) == (20 / 4, 4)
    assert task_counts(FOUR) == {"commands": 20, "tasks": 4, "walkthrough": 16, "won": 3}
    assert steps([Attempt.of(task(2), episode(0))])["spl"] == 1  # won without a command


def test_without_attempts_all_is_undefined() -> None:
    assert set(steps([]).values()) == {None}
    lost = steps(FOUR[3:])
    assert (lost["efficiency_won"], lost["spl"]) == (None, 0)


def test_an_episode_of_another_task_is_refused() -> None:
    with pytest.raises(ValueError, match="task 't' was paired with an episode of 'u'"):
        Attempt.of(task(1), episode(1, id="u"))
