"""Tasks won, and commands against the walkthrough."""

from __future__ import annotations

from worldquiz.facts.episode import Outcome
from worldquiz.t2q.scoring import Attempt, steps, task_counts

FOUR = (
    Attempt(4, 4, Outcome.WON),  # as short as the walkthrough
    Attempt(4, 8, Outcome.WON),  # twice as long
    Attempt(4, 2, Outcome.WON),  # shorter than a walkthrough by dependency order
    Attempt(4, 6, Outcome.STEP_LIMIT),
)


def test_success_weighted_by_path_length() -> None:
    found = steps(FOUR)
    assert found["spl"] == (1 + 0.5 + 1 + 0) / 4
    assert found["efficiency_won"] == (1 + 0.5 + 1) / 3
    assert (found["commands"], found["walkthrough"]) == (20 / 4, 4)
    assert task_counts(FOUR) == {"commands": 20, "tasks": 4, "walkthrough": 16, "won": 3}
    assert steps([Attempt(2, 0, Outcome.WON)])["spl"] == 1  # won without a command


def test_without_attempts_all_is_undefined() -> None:
    assert set(steps([]).values()) == {None}
    lost = steps(FOUR[3:])
    assert (lost["efficiency_won"], lost["spl"]) == (None, 0)
