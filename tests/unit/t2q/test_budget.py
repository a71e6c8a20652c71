from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthetic
from command import Said
from played import read_run
from worldquiz.errors import KnobError, RecordError
from worldquiz.t2q.budget import (
    PerTask,
    Walkthroughs,
    budget,
    walkthrough,
)
from worldquiz.t2q.front import load
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.suites import Plan, Suite
from worldquiz.t2q.world.task import Proof, Solution, Task


def tasks(*lengths: int) -> tuple[Task, ...]:
    plain, _ = synthetic.tasks()
    return tuple(
        replace(plain, id=f"t{n}", walkthrough=Solution(("look",) * length, Proof.SHORTEST))
        for n, length in enumerate(lengths)
    )


def test_what_a_task_leaves_goes_to_the_next() -> None:
    """1.5 times 4, 2 and 5 commands are 6, then 9, then 17 together."""
    allowed, asked = Walkthroughs(1.5), tasks(4, 2, 5)
    assert allowed.left(asked, 0, 0) == 6
    assert allowed.left(asked, 1, 6) == 3  # the first task was lost: the second keeps its own
    assert allowed.left(asked, 1, 4) == 5
    assert allowed.left(asked, 2, 4) == 13
    assert PerTask(50).left(asked, 2, 400) == 50


@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=8),
    st.floats(0.1, 9).map(lambda x: round(x, 2)),
    st.data(),
)
def test_no_agent_exceeds_its_budget(lengths: list[int], times: float, data: st.DataObject) -> None:
    asked, allowed, given_so_far = tasks(*lengths), Walkthroughs(times), 0
    for number in range(len(asked)):
        left = allowed.left(asked, number, given_so_far)
        before = allowed.of(walkthrough(asked[:number]))
        assert left >= allowed.of(walkthrough(asked[: number + 1])) - before  # its own, at least
        given_so_far += data.draw(st.integers(0, left))
        assert given_so_far <= allowed.of(walkthrough(asked[: number + 1]))


def test_a_multiple_is_exact() -> None:
    assert Walkthroughs(1.1).of(10) == 11  # 11.000000000000002 in floating point


def test_one_budget_is_asked_for_or_the_suites_is_taken() -> None:
    plain = Walkthroughs(1.5)
    assert budget(None, None, plain) == plain
    assert budget(7, None, plain) == PerTask(7)
    assert budget(None, 2.0, plain) == Walkthroughs(2.0)
    with pytest.raises(KnobError, match="give one of them"):
        budget(7, 2.0, plain)


@pytest.mark.parametrize("times", [0.0, -1.0, float("inf"), float("nan")])
def test_a_budget_of_nothing_is_refused(times: float) -> None:
    with pytest.raises(KnobError, match="above 0"):
        Walkthroughs(times)


def _suite(preset: str, **settings: str) -> Suite:
    plan = Plan(preset, 1, 1, tuple(settings.items()))
    return Suite(Path("suite"), {"plan": plan.record(), "worlds": []})


@pytest.mark.parametrize(
    ("suite", "wanted"),
    [
        (_suite("easy"), Walkthroughs(1.5)),
        (_suite("hard"), Walkthroughs(1.5)),
        (_suite("explore"), Walkthroughs(3)),
        (_suite("explore", budget="2"), Walkthroughs(2)),
        (_suite("paper"), PerTask(50)),
        (_suite("paper", budget="2"), Walkthroughs(2)),
        (Suite(Path("own"), {"worlds": []}), PerTask(50)),
    ],
)
def test_each_suite_has_a_budget(suite: Suite, wanted: object) -> None:
    assert suite.budget == wanted


@pytest.mark.parametrize("agent", ["random", "explorer", "walkthrough", "idle"])
def test_agents_keep_within_the_suites_budget(agent: str, suite: Suite, tmp_path: Path) -> None:
    load(suite.path).run(agent=agent, answerer="abstainer", out=tmp_path / "run")
    found = read_run(tmp_path / "run")
    assert found.manifest["budget"] == 1.5
    for played in found.worlds:
        given_so_far = 0
        for number, episode in enumerate(played.episodes):
            given_so_far += episode.actions
            assert given_so_far <= Walkthroughs(1.5).of(
                walkthrough(played.bundle.tasks[: number + 1])
            )


def test_an_older_run_opens_and_is_not_resumed_with_another_budget(
    suite: Suite, tmp_path: Path
) -> None:
    run(suite, Trial("idle", "abstainer"), tmp_path)
    old = read_run(tmp_path)
    assert (old.manifest["max_steps"], "budget" in old.manifest) == (50, False)
    with pytest.raises(RecordError, match=r"budget was None, is now 1\.5; max_steps was 50"):
        load(suite.path).run(agent="idle", answerer="abstainer", out=tmp_path)
    load(suite.path).run(agent="idle", answerer="abstainer", max_steps=50, out=tmp_path)


def test_the_command_line_takes_either(
    cli: Callable[..., Said], suite: Suite, tmp_path: Path
) -> None:
    ran = ("t2q", "run", suite.path, "--agent", "random", "--answerer", "abstainer", "--json")
    done = cli(*ran, "--budget", 1, "--out", tmp_path / "run")
    counts = done.json["counts"]
    assert counts["commands"] <= counts["walkthrough"]
    both = cli(*ran, "--budget", 1, "--max-steps", 4, "--out", tmp_path / "both")
    assert both.code == 2
    assert "give one of them" in both.err
