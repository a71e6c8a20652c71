"""Tasks won, and commands against the walkthrough."""

from __future__ import annotations

import pytest

import synthetic
from worldquiz.facts.episode import Episode, Outcome
from worldquiz.facts.fact import EATEN
from worldquiz.t2q.scoring import success
from worldquiz.t2q.scoring.success import attempt
from worldquiz.t2q.world.task import Proof, Solution, Task, Verb


def task(length: int, id: str = "t") -> Task:
    plan = Solution(("look",) * length, Proof.DEPENDENCY)
    return Task(id, Verb.EAT, "moon", (EATEN("moon"),), "Eat the moon.", (), (), plan)


def episode(actions: int, outcome: Outcome = Outcome.WON, id: str = "t") -> Episode:
    steps = tuple(synthetic.step(n, "look" if n else None, "") for n in range(actions + 1))
    return Episode("w", id, "a", 0, outcome, steps)


FOUR = (
    attempt(task(4), episode(4)),  # as short as the walkthrough
    attempt(task(4), episode(8)),  # twice as long
    attempt(task(4), episode(2)),  # shorter than a walkthrough by dependency order
    attempt(task(4), episode(6, Outcome.STEP_LIMIT)),
)


def test_success_rate_counts_won_tasks() -> None:
    assert success.of(FOUR).tsr == 0.75


def test_success_weighted_by_path_length() -> None:
    found = success.of(FOUR)
    assert found.spl == (1 + 0.5 + 1 + 0) / 4
    assert found.efficiency_won == (1 + 0.5 + 1) / 3


def test_beating_a_walkthrough_earns_no_more_than_matching_it() -> None:
    assert success.of(FOUR[2:3]).spl == 1


def test_commands_are_counted_over_won_and_lost() -> None:
    found = success.of(FOUR)
    assert (found.mean_commands, found.mean_walkthrough) == (20 / 4, 4)
    assert success.counts(found) == {"commands": 20, "tasks": 4, "walkthrough": 16, "won": 3}


def test_without_attempts_all_is_undefined() -> None:
    assert set(success.steps(success.of([])).values()) == {None}
    assert success.of([]).tsr is None


def test_nothing_won_has_no_efficiency_but_zero_spl() -> None:
    found = success.of(FOUR[3:])
    assert (found.efficiency_won, found.spl) == (None, 0)


def test_a_task_won_without_a_command_is_as_efficient_as_its_walkthrough() -> None:
    assert success.of([attempt(task(2), episode(0))]).spl == 1


def test_an_episode_of_another_task_is_refused() -> None:
    with pytest.raises(ValueError, match="task 't' was paired with an episode of 'u'"):
        attempt(task(1), episode(1, id="u"))


def test_counts_add_up() -> None:
    assert success.of(FOUR[:2]) + success.of(FOUR[2:]) == success.of(FOUR)
