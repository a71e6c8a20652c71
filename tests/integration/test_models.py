"""Models on real worlds, through inspect, from a real server: every number in the scores is right.

The perfect reader answers from the text in its prompt alone. So with the whole history it knows all
that was shown, and with any memory it loses exactly what that memory has lost.
"""

from __future__ import annotations

import asyncio
import gc
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from modelserver import Raw, Reply, Request, Running, Script, constant, liar, perfect, serving
from modelserver.faults import (
    REPAIRABLE,
    UNREADABLE,
    breaks_json,
    filters,
    overflow,
    overflows,
    vllm_overflow,
)
from played import RunRecord
from remembering import run_model
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Price
from worldquiz.memory.base import Granularity, Query, Wiring
from worldquiz.memory.catalog import memories
from worldquiz.t2q.budget import PerTask, Walkthroughs, walkthrough
from worldquiz.t2q.builder import build
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.store import Played
from worldquiz.t2q.suites import Plan, Suite

MEMORIES = tuple(entry.name for entry in memories())
EXACT = ("in-context", "none", "bm25", "embedding", "mem0", "langmem", "worldgraph", "summary")
"""Memories whose text, with the server as their model, can be read line by line."""


@pytest.fixture(scope="module")
def medium(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return build(Plan("medium", seed=7, worlds=1), tmp_path_factory.mktemp("medium") / "suite")


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return build(Plan("easy", seed=11, worlds=2), tmp_path_factory.mktemp("easy") / "suite")


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return build(Plan("easy", seed=11, worlds=1), tmp_path_factory.mktemp("lone") / "suite")


class Sat:
    """A finished run, its scores and the server's calls."""

    def __init__(self, found: RunRecord, server: Running) -> None:
        self.run, self.server = found, server
        self.scores: Any = found.scores

    @property
    def causes(self) -> Counter[str]:
        """Return how many questions have each cause for certain."""
        found = self.scores["attribution"]["counts"]
        return Counter({cause: least for cause, (least, _) in found.items()})

    def calls(self, *roles: str) -> int:
        return sum(call.role in roles for call in self.server.calls)

    def of(self, role: str) -> Sequence[Any]:
        return [call for call in self.server.calls if call.role == role]


Sit = Callable[..., Sat]


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Return a function that runs a subject against a server with a script."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    number = iter(range(100))

    def sitting(
        suite: Suite, script: Script, server: dict[str, Any] | None = None, **subject: Any
    ) -> Sat:
        with serving(script, **(server or {})) as running:
            reach = Reach("m", running.base_url, retries=2)
            subject = {"embedder": f"openai:e@{running.base_url}", **subject}
            out = tmp_path / f"run-{next(number)}"
            return Sat(run_model(suite, Subject(**subject), reach, out), running)

    return sitting


def test_the_perfect_reader_knows_all_that_it_was_shown(medium: Suite, sit: Sit) -> None:
    whole = sit(medium, perfect(), agent="walkthrough")
    part = sit(medium, perfect(), budget=PerTask(4))
    for sat in (whole, part):
        _all_known(sat)
    assert whole.scores["usage"]["by_purpose"]["quiz"]["cached_share"] >= 0.8
    assert part.scores["abstention_recall"] == 1.0


def _all_known(sat: Sat) -> None:
    told = sat.scores
    assert told["eus"] == told["accuracy_answerable"] == 1.0
    assert sat.causes["known"] == told["counts"]["answerable"]
    assert sat.causes["explore"] == told["counts"]["non_answerable"]
    assert told["attribution"]["exact"] == told["counts"]["questions"]
    _counts_agree(sat)


def _counts_agree(sat: Sat) -> None:
    """What the records say was called and used is what the server was asked and counted."""
    used = sat.scores["usage"]["by_purpose"]
    for purpose, roles in (("act", ("act",)), ("quiz", ("quiz", "batch"))):
        calls = [call for call in sat.server.calls if call.role in roles]
        assert used[purpose]["calls"] == len(calls)
        assert used[purpose]["input"] == sum(call.tokens for call in calls)
        assert used[purpose]["cached"] == sum(call.cached for call in calls)
        assert used[purpose]["output"] == sum(call.completion for call in calls)
    others = [c for c in sat.server.calls if c.role.startswith("memory") and c.status == 200]
    assert used["memory"]["calls"] == len(others)
    assert used["memory"]["input"] == sum(call.tokens for call in others)


@pytest.mark.parametrize("memory", MEMORIES)
def test_a_memory_costs_exactly_what_it_lost_and_worlds_at_once_share_nothing(
    easy: Suite, sit: Sit, memory: str
) -> None:
    calm = {"latency": 0.05}
    sat = sit(easy, perfect(), calm, memory=memory, agent="walkthrough", budget=PerTask(5))
    told, causes = sat.scores, sat.causes
    wrong = told["counts"]["answerable"] - told["counts"]["correct_answerable"]
    assert causes["overclaim"] == causes["unread"] == 0
    if memory in EXACT:
        assert told["attribution"]["exact"] == told["counts"]["questions"]
        assert (causes["remember"], causes["reason"], causes["guessed"]) == (wrong, 0, 0)
    else:
        least, most = told["attribution"]["counts"]["remember"]
        assert least <= wrong == most
    if memory in ("in-context", "worldgraph"):
        assert wrong == 0
    if memory == "none":
        assert told["known"] == 0
    _counts_agree(sat)
    assert sat.server.stats()["most_at_once"] > 1
    for played in sat.run.worlds if memory != "none" else ():
        own = _names(played)
        foreign = set().union(*map(_names, sat.run.worlds)) - own
        text = "\n".join(context.text for context in played.trace.contexts)
        assert foreign, "no name tells these worlds apart"
        assert any(_occurs(name, text) for name in own), "the check would see nothing"
        assert not [name for name in foreign if _occurs(name, text)]


def _names(played: Played) -> set[str]:
    return {name for name in played.bundle.spec.kinds if " " in name}


def _occurs(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None


@pytest.mark.parametrize("memory", ["summary", "mem0"])
def test_a_model_that_forgets_more_knows_less(lone: Suite, sit: Sit, memory: str) -> None:
    kept = sit(lone, perfect(), memory=memory, agent="walkthrough")
    lost = sit(lone, perfect(lossy=0.6), memory=memory, agent="walkthrough")
    assert lost.scores["known"] < kept.scores["known"]
    assert lost.causes["remember"] > kept.causes["remember"]


def test_a_liar_is_wrong_in_two_ways(medium: Suite, sit: Sit) -> None:
    sat = sit(medium, liar(), agent="idle")
    told = sat.scores
    assert told["eus"] == told["abstention_recall"] == 0
    assert told["overclaim"] == 1
    assert sat.causes["overclaim"] == told["counts"]["non_answerable"] > 0
    assert sat.causes["reason"] == told["counts"]["answerable"] > 0


def test_broken_json_is_counted_as_it_was_broken(medium: Suite, sit: Sit) -> None:
    sat = sit(medium, breaks_json(perfect(), 0.5, 3), budget=PerTask(8))
    replies = sat.scores["replies"]
    for purpose, role in (("act", "act"), ("quiz", "quiz")):
        notes = Counter(_kind(call.note) for call in sat.of(role))
        assert replies[purpose]["clean"] == notes["clean"]
        assert replies[purpose]["repaired"] == notes["repaired"] > 0
        lost = replies[purpose]["unreadable"] + replies[purpose]["prose"]
        assert lost == notes["unreadable"] > 0
    assert replies["act"]["prose"] == 0  # sentences are read for an answer, never for a command
    wasted = replies["act"]["unreadable"]
    assert replies["wasted"] == wasted
    prose = replies["quiz"]["prose"]  # in some of which an answer is found
    assert 0 <= sat.causes["unread"] - replies["quiz"]["unreadable"] <= prose
    empty = [step for step in _steps(sat) if step.action == ""]
    assert len(empty) == wasted
    assert all(step.command is None for step in empty)


def _kind(note: str) -> str:
    if note in UNREADABLE:
        return "unreadable"
    return "repaired" if note in REPAIRABLE else "clean"


def _steps(sat: Sat) -> list[Any]:
    return [s for p in sat.run.worlds for e in p.episodes for s in e.steps[1:]]


@pytest.mark.parametrize("wording", [overflow, vllm_overflow])
def test_a_full_window_leaves_out_the_oldest_turns(
    lone: Suite, sit: Sit, wording: Callable[[int, int], Raw]
) -> None:
    sat = sit(lone, overflows(perfect(), 700, wording), agent="walkthrough")
    told = sat.scores
    assert told["replies"]["quiz"]["overflow"] == 0
    assert told["replies"]["left_out"] > 0
    assert told["counts"]["correct"] < told["counts"]["questions"]
    assert sat.causes["remember"] == told["counts"]["questions"] - told["counts"]["correct"]


def test_a_window_too_small_for_anything_is_counted(medium: Suite, sit: Sit) -> None:
    sat = sit(medium, overflows(perfect(), 20), budget=PerTask(2))
    replies = sat.scores["replies"]
    assert replies["act"]["overflow"] == sat.scores["commands"]["given"] > 0
    assert replies["quiz"]["overflow"] == sat.scores["counts"]["questions"]
    assert sat.causes["unread"] == sat.scores["counts"]["questions"]
    assert sat.scores["eus"] == 0


def test_withheld_replies_are_counted(medium: Suite, sit: Sit) -> None:
    sat = sit(medium, filters(perfect(), 0.3), agent="walkthrough")
    withheld = sum(call.finish == "content_filter" for call in sat.of("quiz"))
    assert sat.scores["replies"]["quiz"]["filtered"] == withheld > 0
    assert sat.causes["unread"] == withheld


def test_the_wiring_decides_what_memory_is_told_and_asked(easy: Suite, sit: Sit) -> None:
    wiring = Wiring(Granularity.TASK, k=1, query=Query.FULL, recent=0)
    sat = sit(easy, perfect(), memory="bm25", wiring=wiring)
    played = sat.run.worlds[0]
    shown = [re.findall(r"\[task (\d+), step 0\]", c.text) for c in played.trace.contexts]
    assert any(shown)
    assert all(len(tasks) <= 1 for tasks in shown)  # none where no word of the question occurs
    assert sat.run.manifest["wiring"] == {
        "granularity": "task", "k": 1, "query": "full", "recent": 0,
    }  # fmt: skip


def test_batches_ask_all_questions_in_fewer_calls(easy: Suite, sit: Sit) -> None:
    one = sit(easy, perfect(), agent="walkthrough")
    ten = sit(easy, perfect(), agent="walkthrough", options=Options(batch=10))
    assert [p.answers for p in ten.run.worlds] == [p.answers for p in one.run.worlds]
    assert ten.calls("batch") == sum(-(-len(p.answers) // 10) for p in ten.run.worlds)
    assert ten.run.manifest["options"] == {"batch": 10}


def test_no_fact_reaches_the_model(easy: Suite, sit: Sit) -> None:
    sat = sit(easy, perfect(), budget=PerTask(8))
    answers = re.compile(r"\b(?:match|leads|at|on|in|no_exit|player_at)\([a-z ]+, ?[a-z ]+\)")
    assert not [call for call in sat.server.calls if answers.search(call.prompt)]


def test_memory_calls_go_to_their_own_model(easy: Suite, tmp_path: Path) -> None:
    settings, says = set(), perfect()

    def noting(request: Request) -> Reply:
        settings.add((request.model, request.max_tokens, request.temperature))
        return says(request)

    with serving(noting) as server:
        found = run_model(
            easy, Subject(memory="summary", budget=PerTask(2)),
            Reach("player", server.base_url, generate={"max_tokens": 99, "temperature": 0.5}),
            tmp_path / "run", memory_model="keeper",
        )  # fmt: skip
    by_model = {
        model: {c.role.split()[0] for c in server.calls if c.model == model}
        for model in ("player", "keeper")
    }
    assert by_model == {"player": {"act", "quiz"}, "keeper": {"memory"}}
    assert {("player", 99, 0.5), ("keeper", None, 0.5)} <= settings
    assert ("keeper", 99, 0.5) not in settings
    assert found.manifest["memory_model"] == "keeper"


def connections() -> set[asyncio.Transport]:
    """Return the open connections of this process, of asyncio's event loops."""
    found = [each for each in gc.get_objects() if issubclass(type(each), asyncio.Transport)]
    return {each for each in found if not each.is_closing()}


def test_a_price_that_is_given_makes_the_cost(easy: Suite, tmp_path: Path) -> None:
    with serving(perfect()) as server:
        reach = Reach("priced", server.base_url, price=Price(1.0, 0.1, 10.0))
        found = run_model(easy, Subject(budget=PerTask(2)), reach, tmp_path / "run")
    used = found.scores["usage"]
    assert found.manifest["price"] == [1.0, 0.1, 10.0]
    for part in (used, *used["by_purpose"].values()):
        fresh = part["input"] - part["cached"]
        expected = (fresh + 0.1 * part["cached"] + 10 * part["output"]) / 1e6
        assert part["cost"] == pytest.approx(expected if part["calls"] else None)


def test_equal_replies_give_equal_records(lone: Suite, sit: Sit) -> None:
    def records(sat: Sat) -> dict[str, bytes]:
        files = sorted(sat.run.path.rglob("*.jsonl"))
        return {str(f.relative_to(sat.run.path)): f.read_bytes() for f in files}

    never = {"minimum": 10**9}
    one, other = (sit(lone, perfect(), never, memory="bm25", budget=PerTask(2)) for _ in range(2))
    assert records(one) == records(other)


def test_a_model_keeps_within_the_budget(easy: Suite, sit: Sit) -> None:
    """One that never wins uses up what the walkthroughs allow, task by task."""
    budget = Walkthroughs(1.5)
    sat = sit(easy, constant('{"command": "look"}'), budget=budget)
    assert sat.run.manifest["budget"] == 1.5
    for played in sat.run.worlds:
        given = accumulate(episode.actions for episode in played.episodes)
        tasks = played.bundle.tasks
        allowed = [budget.of(walkthrough(tasks[: n + 1])) for n in range(len(tasks))]
        assert list(given) == allowed
