"""What a run will take, said beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from modelserver import perfect, serving
from remembering import run_model
from worldquiz.errors import KnobError
from worldquiz.llm.client import Reach
from worldquiz.llm.price import Price
from worldquiz.llm.records import TOKENS
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.llm.estimate import _shared, estimate
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.memory import catalog as memories
from worldquiz.t2q.memory.base import Granularity, Wiring
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.suites import Suite

Counted = Callable[..., Any]


@pytest.fixture(scope="module")
def alone(suite: Suite) -> Suite:
    """The suite's first world as a suite."""
    return replace(suite, manifest={**suite.manifest, "worlds": suite.manifest["worlds"][:1]})


@pytest.fixture(scope="module")
def counted(alone: Suite) -> Counted:
    """Return what a subject takes in one world, counted once for all tests that ask."""

    @cache
    def count(**subject: Any) -> Any:
        return estimate(alone, Subject(**{"budget": PerTask(20), **subject}), None)

    return count


def test_calls_are_commands_and_questions(suite: Suite) -> None:
    bundles = [suite.bundle(world) for world in suite.worlds]
    tasks = [task for bundle in bundles for task in bundle.tasks]
    found = estimate(suite, Subject(), None)
    for name, commands in (
        ("low", sum(len(task.walkthrough.commands) for task in tasks)),
        ("high", 50 * len(tasks)),
    ):
        assert found[name]["by_purpose"]["act"]["calls"] == commands
        questions = sum(len(bundle.questions) for bundle in bundles)
        assert found[name]["by_purpose"]["quiz"]["calls"] == questions
        assert found[name]["calls"] == commands + questions


@pytest.mark.parametrize("memory", [line.name for line in memories.memories()])
def test_no_memory_takes_more_at_least_than_at_most(alone: Suite, memory: str) -> None:
    """Prices make the columns independent: a high estimate may have more of its input cached."""
    found = estimate(alone, Subject(memory, budget=PerTask(20)), Price(5, 0.1, 1))
    parts = [{"all": found[end], **found[end]["by_purpose"]} for end in ("low", "high")]
    assert parts[0].keys() == parts[1].keys()
    for purpose, low in parts[0].items():
        for column in (*TOKENS, "cost"):
            assert low[column] <= parts[1][purpose][column], (purpose, column)


def test_what_an_agent_saw_on_its_way_is_recalled_at_most(counted: Counted) -> None:
    """A map of one room is shorter than one of all rooms that the walkthroughs enter."""
    found = counted(memory="worldgraph")
    low, high = (found[name]["by_purpose"]["quiz"]["input"] for name in ("low", "high"))
    nothing = counted(memory="none")["low"]["by_purpose"]["quiz"]["input"]
    assert high - nothing > 0.8 * (low - nothing)


@pytest.mark.parametrize("memory", ["amem", "arigraph"])
def test_what_is_recalled_beside_turns_is_counted(counted: Counted, memory: str) -> None:
    plain = counted(memory="summary")
    more = counted(memory=memory)
    for name in ("low", "high"):
        quiz = [found[name]["by_purpose"]["quiz"]["input"] for found in (plain, more)]
        assert quiz[1] > 1.2 * quiz[0]


@pytest.mark.slow
def test_a_real_run_lies_between_least_and_most(suite: Suite, tmp_path: Path) -> None:
    found = estimate(suite, Subject(), None)
    with serving(perfect()) as server:
        reach = Reach("m", server.base_url)
        told: Any = scores(run_model(suite, Subject(), reach, tmp_path / "run"))
    assert found["low"]["calls"] <= told["usage"]["calls"] <= found["high"]["calls"]
    assert found["low"]["input"] / 1.3 <= told["usage"]["input"] <= found["high"]["input"] * 1.3


def test_batches_and_scripted_players_take_fewer_calls(counted: Counted) -> None:
    plain = counted()["low"]
    batched = counted(options=Options(batch=10))["low"]
    watched = counted(agent="walkthrough")["low"]
    assert batched["by_purpose"]["quiz"]["calls"] < plain["by_purpose"]["quiz"]["calls"] / 5
    assert "act" not in watched["by_purpose"]


def test_memories_that_call_a_model_are_counted_by_addition(alone: Suite, counted: Counted) -> None:
    found = counted(memory="mem0")["low"]["by_purpose"]
    tasks = sum(len(alone.bundle(world).tasks) for world in alone.worlds)
    assert found["memory"]["calls"] == found["act"]["calls"] + tasks
    whole = Wiring(granularity=Granularity.TASK)
    found = counted(memory="mem0", wiring=whole)["low"]["by_purpose"]
    assert found["memory"]["calls"] == tasks


def test_a_price_makes_a_cost(alone: Suite, counted: Counted) -> None:
    found = estimate(alone, Subject(budget=PerTask(20)), Price(2, 1, 4))["low"]
    fresh = found["input"] - found["cached"]
    assert found["cost"] == pytest.approx((2 * fresh + found["cached"] + 4 * found["output"]) / 1e6)
    assert counted()["low"]["cost"] is None


@pytest.mark.parametrize("text", ["", "1", "1,2", "1,2,3,4", "a,b,c"])
def test_a_price_is_three_numbers(text: str) -> None:
    with pytest.raises(KnobError, match="INPUT,CACHED,OUTPUT"):
        Price.read(text)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [("", "", 0), ("abc", "abd", 2), ("abc", "abc", 3), ("abc", "abcd", 3), ("x", "y", 0)],
)
def test_what_two_prompts_start_with(one: str, other: str, alike: int) -> None:
    assert _shared(one, other) == alike
