"""Models on real worlds, from a real server: every number in the scores is right.

The perfect reader answers from the text in its prompt alone. So with the whole history it knows all
that was shown, and with any memory it loses exactly what that memory has lost.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from math import ceil
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import worldquiz
from conftest import Cli, Shared
from modelserver import Raw, Reply, Request, Running, Script, Text, constant, liar, perfect, serving
from modelserver.faults import (
    REPAIRABLE,
    UNREADABLE,
    breaks_json,
    filters,
    overflow,
    overflows,
    vllm_overflow,
)
from played import episodes

MEMORIES = {each["name"]: each for each in worldquiz("t2q", "memories", "--json").json["memories"]}
EXACT = ("in-context", "none", "bm25", "embedding", "mem0", "langmem", "summary")
"""Memories whose text, with the server as their model, can be read line by line."""
TURNS = ("bm25", "embedding", "mem0", "langmem")
"""Memories whose turns out of context this reader is too strict to take as they stand."""
NEVER = {"minimum": 10**9}  # tokens from which on prompts are cached


class Sat:
    """A finished run, its scores and the server's calls."""

    def __init__(self, run: wq.Run, server: Running) -> None:
        self.run, self.server, self.scores = run, server, dict(run.scores)
        self.episodes = episodes(run.path)

    def handed(self, world: str) -> list[str]:
        """Return the texts that the memory handed over in a world."""
        lines = map(json.loads, (self.run.path / "contexts.jsonl").read_text().splitlines())
        return [line["text"] for line in lines if line["world"] == world]

    @property
    def causes(self) -> Counter[str]:
        """How many questions lost points, by where these went."""
        return Counter(row.cause for row in self.run.rows if row.cause)

    def of(self, *roles: str) -> list[Any]:
        return [call for call in self.server.calls if call.role in roles]


Sit = Callable[..., Sat]


@pytest.fixture(scope="session")
def medium(shared: Shared) -> Path:
    return shared("medium", lambda out: wq.t2q.build("medium", worlds=1, seed=7, out=out))


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Return a function that runs a model with a script on a suite."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    number = iter(range(100))

    def sitting(
        suite: Path, script: Script, server: dict[str, Any] | None = None, **changes: Any
    ) -> Sat:
        with serving(script, **(server or {})) as running:
            told: dict[str, Any] = {"model": "m", "retries": 2, "base_url": running.base_url}
            told |= {"embedder": f"openai:e@{running.base_url}", **changes}
            out = tmp_path / f"run-{next(number)}"
            return Sat(wq.t2q.load(suite).run(out=out, **told), running)

    return sitting


def counts_agree(sat: Sat) -> None:
    """See that what the scores say was called and used is what the server counted."""
    whole, used = sat.scores["usage"], sat.scores["usage"]["by_purpose"]
    for key in ("calls", "input", "cached", "output"):
        assert whole[key] == sum(part[key] for part in used.values())
    for purpose in ("act", "quiz"):
        calls = sat.of(purpose)
        assert used[purpose]["calls"] == len(calls)
        assert used[purpose]["input"] == sum(call.tokens for call in calls)
        assert used[purpose]["cached"] == sum(call.cached for call in calls)
        assert used[purpose]["output"] == sum(call.completion for call in calls)
    others = [c for c in sat.server.calls if c.role.startswith("memory") and c.status == 200]
    assert used["memory"]["calls"] == len(others)
    assert used["memory"]["input"] == sum(call.tokens for call in others)


@pytest.mark.parametrize("who", [{"agent": "walkthrough"}, {"max_steps": 4}], ids=str)
def test_the_perfect_reader_knows_all_that_it_was_shown(
    medium: Path, sit: Sit, who: dict[str, Any]
) -> None:
    sat = sit(medium, perfect(), **who)
    told = sat.scores
    assert told["eus"] == told["accuracy_answerable"] == 1.0
    assert sat.causes.total() == sat.causes["explore"] == told["counts"]["non_answerable"]
    assert all(told["lost"][cause] == [0, 0] for cause in ("memory", "misread", "unread"))
    if "agent" in who:
        assert told["usage"]["by_purpose"]["quiz"]["cached_share"] >= 0.8
    else:
        assert told["abstention_recall"] == 1.0
    counts_agree(sat)


@pytest.mark.parametrize("memory", MEMORIES)
def test_a_memory_costs_exactly_what_it_lost_and_worlds_at_once_share_nothing(
    easy: Path, sit: Sit, memory: str
) -> None:
    sat = sit(easy, perfect(), {"latency": 0.01}, memory=memory, agent="walkthrough", max_steps=3)
    told, causes, manifest = sat.scores, sat.causes, sat.run.manifest
    assert manifest["versions"][memory]
    assert manifest["memory_model"] == ("m" if MEMORIES[memory]["model"] else None)
    assert (manifest["embedder"] is not None) == MEMORIES[memory]["embedder"]
    wrong = told["counts"]["answerable"] - told["counts"]["correct_answerable"]
    assert causes["explore"] == told["counts"]["non_answerable"]
    assert (causes.total(), causes["unread"]) == (wrong + causes["explore"], 0)
    if memory in EXACT:
        assert causes["memory or misread"] == 0
    if memory not in TURNS:
        assert causes["misread"] == 0
    if memory == "in-context":
        assert wrong == 0
    if memory == "none":
        assert told["knowledge"] == 0
    counts_agree(sat)
    assert sat.server.stats()["most_at_once"] > 1
    suite = wq.load(easy)
    names = {each: {name for name in suite.bundle(each).spec.kinds if " " in name}
             for each in suite.worlds}  # fmt: skip
    for world, own in names.items() if memory != "none" else ():
        foreign = set().union(*names.values()) - own
        text = "\n".join(sat.handed(world)).lower()
        assert foreign, "no name tells these worlds apart"
        assert any(occurs(name, text) for name in own), "the check would see nothing"
        assert not [name for name in foreign if occurs(name, text)]


def occurs(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name.lower())}\b", text) is not None


@pytest.mark.parametrize("memory", ["summary", "mem0"])
def test_a_model_that_forgets_more_knows_less(lone: Path, sit: Sit, memory: str) -> None:
    kept = sit(lone, perfect(), memory=memory, agent="walkthrough")
    lost = sit(lone, perfect(lossy=0.6), memory=memory, agent="walkthrough")
    assert lost.scores["knowledge"] < kept.scores["knowledge"]
    assert lost.causes["memory"] > kept.causes["memory"]


def test_a_reply_that_is_cut_is_no_answer_and_the_run_says_what_to_do(
    lone: Path, tmp_path: Path, cli: Cli
) -> None:
    for text, status in (("The lamp was in the", "cut"), ('{"answer": "no"}\nQ', "answered")):
        out, reply = tmp_path / status, Text(text, finish="length")
        with serving(partial(lambda reply, _: reply, reply)) as server:
            said = cli("t2q", "run", lone, "--agent", "idle", "--model", "m", "--base-url",
                       server.base_url, "--out", out)  # fmt: skip
        assert said.code == 0, said.err
        rows = wq.load(out).rows
        assert sum(row.status == status for row in rows) >= sum(r.format == "yes_no" for r in rows)
        words = f"{len(rows)} of {len(rows)} replies were cut at the token limit"
        assert (words in said.out) is (status == "cut")
    assert "unreadable." in said.out  # "no" is an answer to some questions alone


def test_a_liar_is_wrong_in_two_ways(medium: Path, sit: Sit) -> None:
    sat = sit(medium, liar(), agent="idle")
    told = sat.scores
    assert told["eus"] == told["abstention_recall"] == 0
    assert told["false_answers"] > 0.9  # it knows no other place to name now and then
    assert sat.causes["explore"] == told["counts"]["non_answerable"] > 0
    wrong = sat.causes["misread"] + sat.causes["unread"]  # where it knows no other place
    assert wrong == told["counts"]["answerable"] > 0


def acted(sat: Sat) -> Counter[str]:
    """Return how the replies of a model that played were read."""
    return Counter(move["read"] for task in sat.run.tasks for move in task.measures["moves"])


def test_broken_json_is_counted_as_it_was_broken(medium: Path, sit: Sit) -> None:
    sat = sit(medium, breaks_json(perfect(), 0.5, 3), max_steps=8)
    quiz = Counter(str(row.status) for row in sat.run.rows)
    for role, replies in (("act", acted(sat)), ("quiz", quiz)):
        notes = [call.note for call in sat.of(role)]
        broken, mended = (
            sum(note in kinds for note in notes) for kinds in (UNREADABLE, REPAIRABLE)
        )
        lost = replies["unreadable"] + replies["cut"]
        prose = broken if role == "quiz" else 0  # in some an answer is found, never a command
        assert broken - prose <= lost <= broken + mended  # what was cut is not mended
    steps = [s for some in sat.episodes.values() for each in some for s in each["steps"][1:]]
    empty = [step for step in steps if step["action"] == ""]
    assert len(empty) == acted(sat)["unreadable"] + acted(sat)["cut"]
    assert all(step["command"] is None for step in empty)


@pytest.mark.parametrize("wording", [overflow, vllm_overflow])
def test_a_full_window_leaves_out_the_oldest_turns(
    lone: Path, sit: Sit, wording: Callable[[int, int], Raw]
) -> None:
    sat = sit(lone, overflows(perfect(), 700, wording), agent="walkthrough")
    told = sat.scores
    assert "overflow" not in {row.status for row in sat.run.rows}
    assert max(row.measures["left_out"] for row in sat.run.rows) > 0
    assert told["counts"]["correct"] < told["counts"]["questions"]
    wrong = told["counts"]["questions"] - told["counts"]["correct"]
    assert sat.causes["memory"] + sat.causes["misread"] == wrong > sat.causes["misread"]


def test_replies_that_are_withheld_or_find_no_room_are_counted(medium: Path, sit: Sit) -> None:
    sat = sit(medium, overflows(perfect(), 20), max_steps=2)
    counts = sat.scores["counts"]
    assert acted(sat) == {"overflow": counts["commands"]}
    assert {row.status for row in sat.run.rows} == {"overflow"}
    assert (counts["unread"], sat.scores["eus"]) == (counts["questions"], 0)
    sat = sit(medium, filters(perfect(), 0.3), agent="walkthrough")
    withheld = sum(call.finish == "content_filter" for call in sat.of("quiz"))
    assert sum(row.status == "filtered" for row in sat.run.rows) == withheld > 0
    assert sat.scores["counts"]["unread"] == sat.causes["unread"] == withheld


def test_the_wiring_decides_what_memory_is_told_and_asked(easy: Path, sit: Sit) -> None:
    wiring = {"granularity": "task", "k": 1, "recent": 0}
    sat = sit(easy, perfect(), memory="bm25", max_steps=5, **wiring)
    world = sat.run.rows[0].world
    shown = [re.findall(r"\[task (\d+), step 0\]", text) for text in sat.handed(world)]
    assert any(shown)
    assert all(len(tasks) <= 1 for tasks in shown)  # none where no word of the question occurs
    assert sat.run.manifest["wiring"] == wiring


def test_no_fact_reaches_the_model_and_equal_replies_give_equal_records(
    lone: Path, sit: Sit
) -> None:
    sats = [sit(lone, perfect(), NEVER, memory="bm25", max_steps=4) for _ in range(2)]
    one, other = (
        {path.name: path.read_bytes() for path in sat.run.path.glob("*.jsonl")} for sat in sats
    )
    assert one.keys() == {"rows.jsonl", "episodes.jsonl", "contexts.jsonl"}
    assert one == other
    facts = re.compile(r"\b(?:match|leads|at|on|in|no_exit|player_at)\([a-z ]+, ?[a-z ]+\)")
    assert not [call for call in sats[0].server.calls if facts.search(call.prompt)]


def test_memory_calls_go_to_their_own_model(easy: Path, sit: Sit) -> None:
    settings, says = set(), perfect()

    def noting(request: Request) -> Reply:
        settings.add((request.model, request.max_tokens, request.temperature))
        return says(request)

    sat = sit(easy, noting, model="player", memory="summary", memory_model="keeper", max_steps=2,
              generate={"max_tokens": 99, "temperature": 0.5})  # fmt: skip
    called = {(call.model, call.role.split()[0]) for call in sat.server.calls}
    assert called == {("player", "act"), ("player", "quiz"), ("keeper", "memory")}
    assert {("player", 99, 0.5), ("keeper", None, 0.5)} <= settings
    assert ("keeper", 99, 0.5) not in settings
    assert sat.run.manifest["memory_model"] == "keeper"


def test_a_model_keeps_within_the_budget(easy: Path, sit: Sit) -> None:
    """One that never wins uses up what the walkthroughs allow, task by task."""
    sat = sit(easy, constant('{"command": "look"}'), budget=1.5)
    assert sat.run.manifest["budget"] == 1.5
    for world in sat.episodes:
        tasks = [row.measures for row in sat.run.tasks if row.world == world]
        given = accumulate(task["commands"] for task in tasks)
        least = accumulate(task["walkthrough"] for task in tasks)
        assert list(given) == [ceil(1.5 * steps) for steps in least]
