"""Runs that meet what long runs meet: hostile replies, failing calls, limits, kills at any call.

Every run ends with scores, and whatever disturbed it, it ends with the bytes of one that was not.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from command import Said, worldquiz
from deep import some
from modelserver import Failure, Reply, Request, Script, Text, constant, perfect, serving
from modelserver.hostile import BODIES, FAULTS, TEXTS, hostile, in_turn_hostile
from modelserver.prompts import role_of
from played import tree
from worldquiz.runs.journal import CALLS, JournalFile

NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
PASSING = ("429 without end", "401", "a redirect")
SLOW = ("no answer in time", "braces of 10 MB", "prose of 10 MB")
FAILING = [kind for kind in FAULTS if kind not in (*PASSING, *SLOW)]
READ = [kind for kind in (*TEXTS, *BODIES) if kind not in SLOW]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite") / "easy"
    said = worldquiz(
        "t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 11, "--out", folder
    )
    assert said.code == 0, said.err
    return folder


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mazes") / "mazes"
    said = worldquiz("mango", "build", "--mazes", 1, "--size", 8, "--seed", 1, "--out", folder)
    assert said.code == 0, said.err
    return folder


def asked(
    command: str, data: Path, script: Script, out: Path, *more: object, model: str = "m"
) -> tuple[Said, int]:
    """Run a model on data, and return what was said and how many calls were made."""
    with serving(script, minimum=NEVER) as server:
        said = worldquiz(
            command, "run", data, "--model", model, "--base-url", server.base_url, "--retries", 0,
            "--out", out, "--json", *more,
        )  # fmt: skip
        return said, len(server.calls)


def play(
    suite: Path, script: Script, out: Path, *more: object, at_once: int = 1
) -> tuple[Said, int]:
    """Play a world in six calls: three commands, and three sheets of questions."""
    few = ("--max-steps", 1, "--batch", 9, "--questions-at-once", at_once)
    return asked("t2q", suite, script, out, *few, *more)


@pytest.fixture(scope="module")
def calm(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing disturbed."""
    out = tmp_path_factory.mktemp("calm") / "run"
    said, calls = play(suite, perfect(), out)
    assert (said.code, calls) == (0, 6)
    assert not (out / CALLS).exists()
    return out


def parts(kinds: Sequence[str], size: int) -> list[Sequence[str]]:
    return [kinds[start : start + size] for start in range(0, len(kinds), size)]


@pytest.mark.parametrize("kinds", parts(some(READ, 20), 23), ids=len)
def test_a_world_ends_with_scores_whatever_is_replied(
    suite: Path, tmp_path: Path, kinds: Sequence[str]
) -> None:
    script = in_turn_hostile(kinds, perfect())
    said, calls = asked("t2q", suite, script, tmp_path / "run", "--max-steps", 1)
    assert said.code == 0, said.err
    assert calls > len(kinds)
    assert "failed" not in said.json
    assert said.json["counts"]["questions"] == 23
    for verb in ("score", "show"):
        assert worldquiz(verb, tmp_path / "run").code == 0
    report = worldquiz("report", tmp_path / "run", "--out", tmp_path / "page.html")
    assert report.code == 0, report.err


def test_each_question_whose_call_fails_is_a_failed_one(suite: Path, tmp_path: Path) -> None:
    quiz = in_turn_hostile(FAILING, perfect())

    def script(request: Request) -> Reply:
        return quiz(request) if role_of(request) == "quiz" else perfect()(request)

    said, _ = asked("t2q", suite, script, tmp_path / "run", "--max-steps", 1)
    assert said.code == 0, said.err
    found = said.json["failed"]
    assert (found["questions"], found["of"]) == (len(FAILING), 23)
    assert sum(found["reasons"].values()) == len(FAILING)
    assert found["score_with"] < found["score_without"]
    assert worldquiz("score", tmp_path / "run", "--json").json["failed"] == found
    assert "Failed: " in worldquiz("score", tmp_path / "run").out


def test_a_run_of_which_every_question_failed_ends_with_2(suite: Path, tmp_path: Path) -> None:
    def script(request: Request) -> Reply:
        return FAULTS[FAILING[0]] if role_of(request) == "quiz" else perfect()(request)

    said, _ = asked("t2q", suite, script, tmp_path / "run", "--max-steps", 1)
    assert said.code == 2
    assert said.json["failed"]["questions"] == 23
    assert "every question failed: " in said.err.splitlines()[-1]


def test_a_call_is_made_as_often_as_the_retries_say(mazes: Path, tmp_path: Path) -> None:
    """The client's library retries by itself, beneath inspect."""
    said, calls = asked(
        "mango",
        mazes,
        hostile("500 without end", constant("[]")),
        tmp_path / "run",
        "--per-maze",
        2,
    )
    assert said.code == 2, said.err
    assert calls == 4  # questions of both tasks


def test_mazes_end_with_scores_whatever_is_replied(mazes: Path, tmp_path: Path) -> None:
    kinds = [*some(READ, 20), *FAILING]
    script = in_turn_hostile(kinds, constant("[]"))
    said, calls = asked("mango", mazes, script, tmp_path / "run", "--per-maze", 45)
    assert said.code == 0, said.err
    assert calls >= len(kinds)
    assert said.json["failed"]["questions"] == len(FAILING)
    rows = worldquiz("export", tmp_path / "run", "--out", tmp_path / "rows.parquet")
    assert rows.code == 0, rows.err
    before = tree(tmp_path / "run")
    again, calls = asked(
        "mango", mazes, constant("[]"), tmp_path / "run", "--per-maze", 45, "--retry-failed"
    )
    assert (again.code, calls) == (0, len(FAILING))
    assert "failed" not in again.json
    assert before != tree(tmp_path / "run")


def sheet(number: int) -> Any:
    """Return what picks the sheet of questions of that number."""
    seen: list[str] = []

    def strikes(request: Request) -> bool:
        if role_of(request) != "batch":
            return False
        if request.digest not in seen:
            seen.append(request.digest)
        return seen.index(request.digest) == number

    return strikes


def test_what_failed_is_asked_again_and_nothing_else(
    suite: Path, calm: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    said, _ = play(suite, hostile("500 without end", perfect(), sheet(1)), out)
    assert said.code == 0, said.err
    assert said.json["failed"]["questions"] == 9
    same, calls = play(suite, perfect(), out)
    assert (same.json["failed"], calls) == (said.json["failed"], 0)
    again, calls = play(suite, perfect(), out, "--retry-failed")
    assert (again.code, calls) == (0, 1)
    assert tree(out) == tree(calm)


@pytest.mark.parametrize("kind", some(PASSING, 2))
def test_what_says_nothing_of_the_questions_leaves_them_unfinished(
    suite: Path, calm: Path, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / "run"
    said, _ = play(suite, hostile(kind, perfect(), sheet(1)), out)
    assert said.code == 2
    assert "give the same command again" in said.err
    again, calls = play(suite, perfect(), out)
    assert (again.code, calls) == (0, 2)
    assert tree(out) == tree(calm)


def test_a_limit_ends_a_run_that_goes_on_with_a_higher_one(mazes: Path, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    few = ("--per-maze", 5, "--connections", 1, "--price", "1,1,1")

    def ask(out: Path, *limit: object) -> tuple[Said, int]:
        # a price holds as long as the process, so the model is one of this test's own
        return asked("mango", mazes, constant("[]"), out, *few, *limit, model="priced")

    ask(whole)
    said, calls = ask(part, "--max-tokens", 1000)
    assert said.code == 3
    assert "--max-tokens 1000 is reached" in said.err
    assert 0 < calls < 10
    found = worldquiz("score", part, "--json").json
    assert found["unfinished"]["units"] == 10 - calls
    assert found["df"]["all"] is not None
    assert "Unfinished: " in worldquiz("score", part).out
    said, none = ask(part, "--max-cost", 0.0001)
    assert (said.code, none) == (3, 0)
    said, rest = ask(part)
    assert (said.code, calls + rest) == (0, 10)
    assert tree(part) == tree(whole)


def test_a_limit_within_a_world_costs_no_call(suite: Path, calm: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    said, calls = play(suite, perfect(), out, "--max-tokens", 700)
    assert said.code == 3
    again, rest = play(suite, perfect(), out, "--max-time", "1h")
    assert (again.code, calls + rest) == (0, 6)
    assert 0 < calls < 6
    assert tree(out) == tree(calm)


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_run_killed_at_any_call_asks_the_calls_under_way_again_and_no_other(
    suite: Path, calm: Path, tmp_path: Path, at_once: int
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

    play(suite, script, out, at_once=at_once)
    assert tree(out) == tree(calm)
    for arrived, shot in enumerate(shots):
        said, calls = play(suite, perfect(), shot, at_once=4 - at_once)
        assert said.code == 0
        assert 6 - arrived <= calls < 6 - arrived + at_once
        assert tree(shot) == tree(calm)


def test_moves_that_lead_elsewhere_start_the_world_over(
    suite: Path, calm: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    play(suite, hostile("401", perfect(), sheet(0)), out)
    (path,) = (out / CALLS).iterdir()
    journal = JournalFile(path)
    others = [line.replace(b'"prompt": "', b'"prompt": "x') for line in journal.read()]
    journal.write(others)
    again, calls = play(suite, perfect(), out)
    assert (again.code, calls) == (0, 6)
    assert "it starts over" in again.err
    assert tree(out) == tree(calm)


@pytest.mark.parametrize("kind", ["mango"])
def test_where_replies_cannot_be_kept_no_more_are_asked_for(
    suite: Path, mazes: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each further one would be paid and lost: the disk is as full for all."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    one = ("--connections", 1, "--per-maze", 4)
    with monkeypatch.context() as patched:
        patched.setattr(JournalFile, "append", full)
        said, calls = (
            play(suite, perfect(), tmp_path / "run")
            if kind == "t2q"
            else asked("mango", mazes, constant("x"), tmp_path / "run", *one)
        )
    assert (said.code, calls) == (2, 1), said.err
    assert "No space left on device" in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("kind", ["t2q"])
def test_a_key_that_a_server_repeats_is_written_nowhere(
    suite: Path, mazes: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an error, in a reply, and in the error that ends a run before it begins."""
    key, calls = "sk-SECRETSECRET12345", iter(range(10**6))
    monkeypatch.setenv("OPENAI_API_KEY", key)

    def script(request: Request) -> Reply:
        if role_of(request) != "act" and next(calls) % 2:
            return Failure(400, f"bad request, headers were Bearer {key}")
        return Text(f'{{"answer": "{key}", "command": "look"}}')

    data = suite if kind == "t2q" else mazes
    more = ("--max-steps", 1) if kind == "t2q" else ("--per-maze", 4)
    said, made = asked(kind, data, script, tmp_path / "run", *more)
    assert (said.code, made > 3) == (0, True), said.err
    page = worldquiz("report", tmp_path / "run", "--out", tmp_path / "run" / "page.html")
    refused, _ = asked(
        kind, data, lambda _: Failure(401, f"wrong: {key}"), tmp_path / "no", model="n"
    )
    assert refused.code == 2
    printed = [text for each in (said, page, refused) for text in (each.out, each.err)]
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(key in text for text in printed)
    assert not any(key.encode() in data for data in written)
