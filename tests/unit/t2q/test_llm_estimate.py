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
from worldquiz.errors import KnobError, RecordError
from worldquiz.llm.client import Reach
from worldquiz.llm.estimate import ENDS
from worldquiz.llm.price import Price
from worldquiz.llm.records import TOKENS
from worldquiz.memory import catalog as memories
from worldquiz.memory.base import Granularity, Wiring
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.llm.estimate import _shared, estimate
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.run import Trial, run
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
    found = estimate(suite, Subject("none"), None)
    walked = sum(len(task.walkthrough.commands) for task in tasks)
    for name, least, most in (
        ("low", walked, walked),
        ("likely", 4 * walked, 4.5 * walked),
        ("high", 50 * len(tasks), 50 * len(tasks)),
    ):
        assert least <= found[name]["by_purpose"]["act"]["calls"] <= most
        questions = sum(len(bundle.questions) for bundle in bundles)
        assert found[name]["by_purpose"]["quiz"]["calls"] == questions


@pytest.mark.parametrize("memory", [line.name for line in memories.memories()])
def test_no_memory_takes_more_at_least_than_at_most(alone: Suite, memory: str) -> None:
    found = estimate(alone, Subject(memory, budget=PerTask(20)), Price(5, 0.1, 1))
    low, likely, high = [{"all": found[end], **found[end]["by_purpose"]} for end in ENDS]
    assert low.keys() == likely.keys() == high.keys()
    for purpose in low:
        for column in (*TOKENS, "cost"):
            numbers = [part[purpose][column] for part in (low, likely, high)]
            assert numbers == sorted(numbers), (purpose, column)


def test_what_an_agent_saw_on_its_way_is_recalled_at_most(counted: Counted) -> None:
    """A map of one room is shorter than one of all rooms that the walkthroughs enter."""
    found = counted(memory="worldgraph")
    low, high = (found[name]["by_purpose"]["quiz"]["input"] for name in ("low", "high"))
    nothing = counted(memory="none")["low"]["by_purpose"]["quiz"]["input"]
    assert high - nothing > 0.8 * (low - nothing)


@pytest.mark.parametrize("memory", ["amem"])
def test_what_is_recalled_beside_turns_is_counted(counted: Counted, memory: str) -> None:
    plain = counted(memory="summary")
    more = counted(memory=memory)
    for name in ("low", "high"):
        quiz = [found[name]["by_purpose"]["quiz"]["input"] for found in (plain, more)]
        assert quiz[1] > 1.2 * quiz[0]


@pytest.mark.slow
def test_a_real_run_lies_between_low_and_high_and_near_what_a_pilot_says(
    suite: Suite, alone: Suite, tmp_path: Path
) -> None:
    with serving(perfect()) as server:
        reach = Reach("m", server.base_url)
        subject = Subject("summary", budget=PerTask(20))
        took: Any = scores(run_model(suite, subject, reach, tmp_path / "run"))["usage"]
    found = estimate(suite, subject, None)
    corrected = estimate(suite, subject, None, like=tmp_path / "run")
    for purpose, used in took["by_purpose"].items():
        for column in ("calls", "input", "output"):
            low, _, high = (found[end]["by_purpose"][purpose][column] for end in ENDS)
            assert low <= used[column] <= high, (purpose, column)
            likely = corrected["likely"]["by_purpose"][purpose][column]
            assert likely == pytest.approx(used[column], rel=0.02), (purpose, column)
    with pytest.raises(RecordError, match="one of the same suite"):
        estimate(replace(alone, manifest={**alone.manifest, "digest": "x"}), subject, None,
                 like=tmp_path / "run")  # fmt: skip


def test_a_run_without_a_model_is_no_pilot(suite: Suite, tmp_path: Path) -> None:
    run(suite, Trial("idle", "abstainer"), tmp_path / "run")
    with pytest.raises(RecordError, match="it tells nothing"):
        estimate(suite, Subject(), None, like=tmp_path / "run")


def test_a_tokenizer_and_long_replies_are_counted(alone: Suite, counted: Counted) -> None:
    plain = counted(memory="none")["likely"]
    subject = Subject("none", budget=PerTask(20))
    found = estimate(alone, subject, None, tokenizer="chars/2", reply=600)
    assert found["assumes"]["characters_per_token"] == pytest.approx(2, abs=0.01)
    assert found["likely"]["input"] == pytest.approx(2 * plain["input"], rel=0.01)
    assert found["likely"]["output"] == 10 * plain["output"]
    with pytest.raises(KnobError, match="no such tokenizer"):
        estimate(alone, subject, None, tokenizer="words")


def test_batches_and_scripted_players_take_fewer_calls(counted: Counted) -> None:
    plain = counted()["low"]
    batched = counted(options=Options(batch=10))["low"]
    watched = counted(agent="walkthrough")["low"]
    assert batched["by_purpose"]["quiz"]["calls"] < plain["by_purpose"]["quiz"]["calls"] / 5
    assert "act" not in watched["by_purpose"]


def test_memories_that_call_a_model_are_counted_by_addition(alone: Suite, counted: Counted) -> None:
    found = counted(memory="mem0")["likely"]["by_purpose"]
    tasks = sum(len(alone.bundle(world).tasks) for world in alone.worlds)
    assert found["memory"]["calls"] == found["act"]["calls"] + tasks
    whole = Wiring(granularity=Granularity.TASK)
    found = counted(memory="mem0", wiring=whole)["likely"]["by_purpose"]
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
