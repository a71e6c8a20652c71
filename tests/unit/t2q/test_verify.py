"""``t2q check``: every walkthrough is replayed, and one that is wrong is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from worldquiz.errors import WorldError
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.verify import replay, verify
from worldquiz.t2q.world.spec import Proof, Solution


def test_our_suites_are_sound(suite: Suite) -> None:
    found = verify(suite)
    assert (found["worlds"], found["sound"], found["faults"]) == (len(suite.worlds), True, [])
    assert found["tasks"] == sum(len(suite.bundle(world).tasks) for world in suite.worlds)
    assert verify(suite, jobs=2) == found


@pytest.mark.parametrize(
    ("commands", "fault"),
    [
        (lambda commands: (*commands, "look"), "won before command"),
        (lambda commands: commands[:-1], "its walkthrough does not win"),
        (lambda commands: ("sing", *commands), "command 1, 'sing', became None"),
    ],
)
def test_a_walkthrough_that_is_wrong_is_found(suite: Suite, commands: object, fault: str) -> None:
    bundle = suite.bundle("easy-00")
    task = bundle.tasks[0]
    assert callable(commands)
    wrong = Solution(commands(task.walkthrough.commands), Proof.SHORTEST)
    with suite.opened(bundle) as world:
        (found,) = replay(world, replace(task, walkthrough=wrong))
        assert fault in found


@pytest.mark.slow
def test_the_engine_changes_nothing(suite: Suite, suite_with_games: Suite) -> None:
    assert verify(suite_with_games, engine="textworld") == verify(suite)
    with pytest.raises(WorldError, match="build the suite with --games"):
        verify(suite, engine="textworld")
