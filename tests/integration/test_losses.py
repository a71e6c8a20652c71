"""Runs that meet what long runs meet: hostile replies, failing calls, limits, kills at any call.

Every run ends with scores, and whatever disturbed it, it ends with the bytes of one that was not.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import worldquiz as wq
from command import Said, worldquiz
from deep import some
from evil import mutated
from modelserver import Failure, Reply, Request, Script, Text, constant, perfect, serving
from modelserver.faults import (
    FAULTS,
    PASSING,
    TEXTS,
    hostile,
    in_turn_hostile,
    overflows,
)
from modelserver.models import lot
from modelserver.prompts import role_of
from played import tree

CALLS = ".calls"
"""Where a run keeps calls of units that are under way."""
FAILING = [kind for kind in FAULTS if kind not in PASSING]
FEW = ("--max-steps", 1, "--connections")
"""Options by which each task takes one call."""


def questions(suite: Path) -> int:
    """Return how many questions the one world of a suite is asked."""
    (world,) = wq.load(suite).worlds
    return len(wq.load(suite).bundle(world).questions)


def in_calls(suite: Path) -> int:
    """Return in how many calls its world is played and asked with `FEW`."""
    (world,) = wq.load(suite).worlds
    return len(wq.load(suite).bundle(world).tasks) + questions(suite)


def asked(
    command: str, data: Path, script: Script, out: Path, *more: object, model: str = "m"
) -> tuple[Said, int]:
    """Run a model on data, and return what was said and how many calls were made."""
    choice = ("--choice", "published") if command == "mango" else ()
    with serving(script, minimum=10**9) as server:
        said = worldquiz(
            command, "run", data, "--model", model, "--base-url", server.base_url, "--retries", 0,
            "--out", out, "--json", *choice, *more,
        )  # fmt: skip
        return said, len(server.calls)


@pytest.fixture(scope="module")
def calm(lone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing disturbed."""
    out = tmp_path_factory.mktemp("calm") / "run"
    said, calls = asked("t2q", lone, perfect(), out, *FEW, 1)
    assert (said.code, calls) == (0, in_calls(lone))
    return out


def of_quiz(script: Script) -> Script:
    """Return a script for questions; commands are right."""
    return lambda request: (script if role_of(request) == "quiz" else perfect())(request)


def garbled(request: Request) -> Reply:
    """Reply with a right text of which some bytes were changed."""
    right = perfect()(request)
    assert isinstance(right, Text)
    data = mutated(Random(request.digest), right.text.encode("utf-8"))
    return Text(data.decode("utf-8", "replace"))


@pytest.mark.parametrize(
    "script",
    [*(in_turn_hostile([*TEXTS][part::2], perfect()) for part in (0, 1)), garbled],
    ids=["hostile", "more hostile", "garbled"],
)
def test_a_world_ends_with_scores_whatever_is_replied(
    lone: Path, tmp_path: Path, script: Script
) -> None:
    out = tmp_path / "run"
    said, calls = asked("t2q", lone, script, out, "--max-steps", 1)
    assert (said.code, calls > 20) == (0, True), said.err
    assert "failed" not in said.json
    assert said.json["counts"]["questions"] == questions(lone)
    for verb in (("score",), ("show",), ("report", "--out", tmp_path / "page.html")):
        assert worldquiz(verb[0], out, *verb[1:]).code == 0


def test_mazes_end_with_scores_whatever_is_replied(mazes: Path, tmp_path: Path) -> None:
    kinds, out = [*TEXTS, *FAILING], tmp_path / "run"
    said, calls = asked("mango", mazes, in_turn_hostile(kinds, constant("[]")), out,
                        "--per-maze", 45)  # fmt: skip
    assert said.code == 0, said.err
    assert calls >= len(kinds)
    assert said.json["failed"]["questions"] == len(FAILING)
    assert worldquiz("export", out, "--out", tmp_path / "rows.parquet").code == 0
    again, calls = asked("mango", mazes, constant("[]"), out, "--per-maze", 45, "--retry-failed")
    assert (again.code, calls) == (0, len(FAILING))
    assert "failed" not in again.json


def test_each_question_whose_call_fails_is_a_failed_one(lone: Path, tmp_path: Path) -> None:
    quiz = of_quiz(in_turn_hostile(FAILING, perfect()))
    said, _ = asked("t2q", lone, quiz, tmp_path / "run", "--max-steps", 1)
    assert said.code == 0, said.err
    found = said.json["failed"]
    assert (found["questions"], found["of"]) == (len(FAILING), questions(lone))
    assert sum(found["reasons"].values()) == len(FAILING)
    assert found["score_with"] < found["score_without"]
    assert worldquiz("score", tmp_path / "run", "--json").json["failed"] == found
    assert "Failed: " in worldquiz("score", tmp_path / "run").out
    every = of_quiz(lambda request: FAULTS["400"])
    said, _ = asked("t2q", lone, every, tmp_path / "none", "--max-steps", 1)
    assert (said.code, said.json["failed"]["questions"]) == (2, questions(lone))
    assert "every question failed: " in said.err.splitlines()[-1]


def test_a_call_is_made_as_often_as_the_retries_say(mazes: Path, tmp_path: Path) -> None:
    failing = hostile("500 without end", constant("[]"))
    said, calls = asked("mango", mazes, failing, tmp_path / "run", "--per-maze", 2)
    assert (said.code, calls) == (2, 4), said.err  # questions of both tasks


def question(number: int) -> Callable[[Request], bool]:
    """Return what picks the question of that number."""
    seen: list[str] = []

    def strikes(request: Request) -> bool:
        if role_of(request) != "quiz":
            return False
        if request.digest not in seen:
            seen.append(request.digest)
        return seen.index(request.digest) == number

    return strikes


def test_what_failed_is_asked_again_and_nothing_else(
    lone: Path, calm: Path, tmp_path: Path
) -> None:
    failing = hostile("500 without end", perfect(), question(1))
    said, _ = asked("t2q", lone, failing, tmp_path / "run", *FEW, 1)
    assert (said.code, said.json["failed"]["questions"]) == (0, 1), said.err
    same, calls = asked("t2q", lone, perfect(), tmp_path / "run", *FEW, 1)
    assert (same.json["failed"], calls) == (said.json["failed"], 0)
    again, calls = asked("t2q", lone, perfect(), tmp_path / "run", *FEW, 1, "--retry-failed")
    assert (again.code, calls) == (0, 1)
    assert tree(tmp_path / "run") == tree(calm)


@pytest.mark.parametrize("kind", some(PASSING, 2))
def test_what_says_nothing_of_the_questions_leaves_them_unfinished(
    lone: Path, calm: Path, tmp_path: Path, kind: str
) -> None:
    said, _ = asked("t2q", lone, hostile(kind, perfect(), question(1)), tmp_path / "run", *FEW, 1)
    assert said.code == 2
    assert "run the same command again" in said.err
    again, calls = asked("t2q", lone, perfect(), tmp_path / "run", *FEW, 1)
    assert (again.code, calls) == (0, questions(lone) - 1)
    assert tree(tmp_path / "run") == tree(calm)


def test_a_limit_ends_a_run_that_goes_on_with_a_higher_one(
    mazes: Path, lone: Path, calm: Path, tmp_path: Path
) -> None:
    whole, part = tmp_path / "whole" / "run", tmp_path / "part" / "run"
    few = ("--per-maze", 5, "--connections", 1)

    def ask(out: Path, *limit: object) -> tuple[Said, int]:
        return asked("mango", mazes, constant("[]"), out, *few, *limit)

    ask(whole)
    said, calls = ask(part, "--max-tokens", 1000)
    assert (said.code, 0 < calls < 10) == (3, True)
    assert "--max-tokens 1000 is reached" in said.err
    found = worldquiz("score", part, "--json").json
    assert found["unfinished"]["units"] == 10 - calls
    assert "Unfinished: " in worldquiz("score", part).out
    said, none = ask(part, "--max-tokens", 1000)
    assert (said.code, none) == (3, 0)
    said, rest = ask(part)
    assert (said.code, calls + rest) == (0, 10)
    assert tree(part) == tree(whole)
    within = tmp_path / "within" / "run"
    said, calls = asked("t2q", lone, perfect(), within, *FEW, 1, "--max-tokens", 700)
    again, rest = asked("t2q", lone, perfect(), within, *FEW, 1)
    assert (said.code, again.code, calls + rest) == (3, 0, in_calls(lone))
    assert tree(within) == tree(calm)


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_run_killed_at_any_call_asks_the_calls_under_way_again_and_no_other(
    lone: Path, calm: Path, tmp_path: Path, at_once: int
) -> None:
    """What a kill leaves is the folder as it is when a call arrives at the server.

    Questions asked at once leave no other files than questions asked in turn.
    """
    out = tmp_path / "out" / "run"
    shots: list[Path] = []

    def script(request: Request) -> Reply:
        shots.append(tmp_path / f"killed-{len(shots)}" / "run")
        shutil.copytree(out, shots[-1])
        return perfect()(request)

    asked("t2q", lone, script, out, *FEW, at_once)
    assert tree(out) == tree(calm)
    every = in_calls(lone)
    for arrived, shot in some(list(enumerate(shots)), 6):
        said, calls = asked("t2q", lone, perfect(), shot, *FEW, 4 - at_once)
        assert said.code == 0
        assert every - arrived <= calls < every - arrived + at_once
        assert tree(shot) == tree(calm)


def late(request: Request) -> Reply:
    """Reply rightly, each reply after a time of its own; a few calls fail."""
    said, drawn = perfect()(request), lot(request.digest)
    return (
        replace(said, after=drawn / 10) if isinstance(said, Text) and drawn > 0.1 else FAULTS["400"]
    )


@pytest.mark.parametrize("window", [10**6, 1000, 700, 20])
def test_neither_their_number_nor_the_order_of_replies_decides_what_is_kept(
    lone: Path, tmp_path: Path, window: int
) -> None:
    """Of questions asked at once, also where a prompt finds no room, or where a call fails."""
    trees = []
    for at_once in (1, 9):
        out, more = tmp_path / f"{at_once}" / "run", ("--max-steps", 6, "--connections")
        said, _ = asked("t2q", lone, overflows(of_quiz(late), window), out, *more, at_once)
        assert said.code == 0, said.err
        found = tree(out)
        trees.append({name: found[name] for name in found if not name.startswith(".calls")})
    assert trees[0] == trees[1]


def test_moves_that_lead_elsewhere_start_the_world_over(
    lone: Path, calm: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    asked("t2q", lone, hostile("401", perfect(), question(0)), out, *FEW, 1)
    (path,) = (out / CALLS).iterdir()
    path.write_bytes(path.read_bytes().replace(b'"prompt":"', b'"prompt":"x'))
    again, calls = asked("t2q", lone, perfect(), out, *FEW, 1)
    assert (again.code, calls) == (0, in_calls(lone))
    assert "it is played again" in again.err
    assert tree(out) == tree(calm)


def test_where_replies_cannot_be_kept_no_more_are_asked_for(
    mazes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each further one would be paid and lost: the disk is as full for all."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def script(request: Request) -> Reply:
        monkeypatch.setattr(os, "fsync", full)
        return Text("x")

    one = ("--connections", 1, "--per-maze", 4)
    said, calls = asked("mango", mazes, script, tmp_path / "run", *one)
    assert (said.code, calls) == (2, 1), said.err
    assert "No space left on device" in said.err
    assert len(said.err.splitlines()) == 1


def test_a_key_that_a_server_repeats_is_written_nowhere(
    lone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an error, in a reply, and in the error that ends a run before it begins."""
    key, calls = "sk-SECRETSECRET12345", iter(range(10**6))
    monkeypatch.setenv("OPENAI_API_KEY", key)

    def script(request: Request) -> Reply:
        if role_of(request) != "act" and next(calls) % 2:
            return Failure(400, f"bad request, headers were Bearer {key}")
        return Text(f'{{"answer": "{key}", "command": "look"}}')

    said, made = asked("t2q", lone, script, tmp_path / "run", "--max-steps", 1)
    assert (said.code, made > 3) == (0, True), said.err
    page = worldquiz("report", tmp_path / "run", "--out", tmp_path / "run" / "page.html")
    wrong: Script = lambda _: Failure(401, f"wrong: {key}")  # noqa: E731
    refused, _ = asked("t2q", lone, wrong, tmp_path / "no", model="n")
    assert refused.code == 2
    printed = [text for each in (said, page, refused) for text in (each.out, each.err)]
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(key in text for text in printed)
    assert not any(key.encode() in data for data in written)
