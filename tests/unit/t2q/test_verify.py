from __future__ import annotations

from dataclasses import replace

import pytest

from worldquiz.errors import WorldError
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.verify import Verdict, record, replay, verify
from worldquiz.t2q.world.spec import Proof, Solution


def test_our_suites_are_sound(suite: Suite) -> None:
    verdicts = verify(suite)
    assert [verdict.world for verdict in verdicts] == list(suite.worlds)
    assert all(verdict.faults == () for verdict in verdicts)
    for verdict in verdicts:
        bundle = suite.bundle(verdict.world)
        assert (verdict.tasks, verdict.targets) == (len(bundle.tasks), len(bundle.spec.kinds))


def test_the_number_of_processes_changes_nothing(suite: Suite) -> None:
    assert verify(suite, jobs=2) == verify(suite)


@pytest.mark.parametrize(
    ("commands", "fault"),
    [
        (lambda commands: (*commands, "look"), "won before command"),
        (lambda commands: commands[:-1], "its walkthrough does not win"),
        (lambda commands: (), "its walkthrough does not win"),
        (lambda commands: ("sing", *commands), "command 1, 'sing', became None"),
        (lambda commands: ("l", *commands), "command 1, 'l', became 'look'"),
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
        assert list(replay(world, task)) == []


def test_the_record_counts_and_keeps_the_faults() -> None:
    found = record((Verdict("a", 3, 10, ()), Verdict("b", 4, 20, ("no task covers 'attic'",))))
    assert (found["worlds"], found["tasks"], found["targets"]) == (2, 7, 30)
    assert found["sound"] is False
    assert [fault["world"] for fault in found["faults"]] == ["b"]
    assert record(())["sound"] is True


@pytest.mark.slow
def test_the_engine_changes_nothing(suite: Suite, suite_with_games: Suite) -> None:
    assert verify(suite_with_games, engine="textworld") == verify(suite)
    with pytest.raises(WorldError, match="build the suite with --games"):
        verify(suite, engine="textworld")
