"""Why answers are wrong, where the truth is known: memories and models that a test made so.

A real server replies, through the real client. Each cause must be right where it is said, bounds
must hold the truth where it is not, and a killed attribution must end with the bytes of a calm one.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import worldquiz
from command import worldquiz as command
from modelserver import Request, Script, Text, constant, liar, perfect, serving
from modelserver.prompts import read_sheet, role_of
from process import ended, killed_amid
from worldquiz.facts.question import gold, prompt
from worldquiz.memory.base import Entry, Recalled
from worldquiz.memory.worldgraph.context import read_context
from worldquiz.t2q import scoring
from worldquiz.t2q.builder import build
from worldquiz.t2q.front import load
from worldquiz.t2q.store import read_run
from worldquiz.t2q.suites import Plan, Suite

NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
ABSTAINS = constant('{"answer": "non-answerable", "reason": ""}')
YES = constant('{"answer": "yes", "reason": ""}')
CAUSES = {"known", "guessed", "explore", "remember", "reason", "misused", "overclaim", "unread"}


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return build(Plan("easy", seed=11, worlds=1), tmp_path_factory.mktemp("easy") / "suite")


class Told:
    """A memory that hands over one text, whatever happened."""

    def __init__(self, text: str) -> None:
        self.text = text

    async def add(self, entry: Entry) -> None:
        """Keep nothing."""

    async def recall(self, query: str) -> Recalled:
        """Return the text."""
        return Recalled((self.text,))


class Retold:
    """A memory that keeps all and hands it over in words that no reader of ours knows."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def add(self, entry: Entry) -> None:
        """Keep the turns."""
        self.texts.append(entry.text)

    async def recall(self, query: str) -> Recalled:
        """Return all turns, under a line of prose."""
        return Recalled(("This is how I remember it.\n", *self.texts))


def names(suite: Suite) -> str:
    questions = suite.bundle(suite.worlds[0]).questions
    return ", ".join(sorted({name for question in questions for name in question.about}))


Memory = Callable[[Suite], object]
MEMORIES: dict[str, Memory] = {
    "names only": lambda suite: Told(f"Names that came up: {names(suite)}.\n"),
    "one false sentence": lambda suite: Told(f"All of these ({names(suite)}) are in the attic.\n"),
    "everything, in other words": lambda suite: Retold,
    "verbatim": lambda suite: "in-context",
    "empty": lambda suite: "none",
}
MODELS: dict[str, Script] = {
    "reads what it is shown": perfect(),
    "never answers": ABSTAINS,
    "says the contrary": liar(),
}


def knows(suite: Suite) -> Script:
    """Return a model that knows this suite by heart, whatever it is shown."""
    questions = suite.bundle(suite.worlds[0]).questions
    answers = {prompt(question): gold(question) for question in questions}

    def reply(request: Request) -> Text:
        sheet = read_sheet(request.text)
        assert sheet
        return Text(json.dumps({"answer": answers[sheet.prompts[0]], "reason": ""}))

    return reply


def counts(run: worldquiz.Run) -> dict[str, list[int]]:
    """Return the causes that occur, with their bounds."""
    found = run.scores["attribution"]["counts"]
    assert set(found) == CAUSES
    return {cause: bounds for cause, bounds in found.items() if any(bounds)}


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a run, hidden ones too, but for inspect's logs."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "logs" not in path.relative_to(folder).parts
    }


def both(low: int, high: int | None = None) -> list[int]:
    return [low, low if high is None else high]


def played(suite: Suite, script: Script, out: Path, memory: str, **given: Any) -> worldquiz.Run:
    """Return a model's run with one of the `MEMORIES`."""
    with serving(script) as server:
        return load(suite.path).run(
            agent=given.pop("agent", "explorer"), model="m", base_url=server.base_url, out=out,
            memory=MEMORIES[memory](suite), **given,
        )  # fmt: skip


def asked(run: worldquiz.Run, script: Script) -> tuple[worldquiz.Run, int]:
    """Return a run attributed by asking a model again, and how many calls that took."""
    with serving(script) as server:
        found = worldquiz.t2q.attribute(run, base_url=server.base_url)
        assert {call.role for call in server.calls} <= {"quiz"}
        return found, len(server.calls)


@pytest.mark.parametrize(
    ("memory", "model", "cause"),
    [
        ("names only", "reads what it is shown", "remember"),
        ("one false sentence", "reads what it is shown", "remember"),
        ("names only", "never answers", "misused"),
        ("one false sentence", "never answers", "misused"),
        ("everything, in other words", "says the contrary", "misused"),
    ],
)
def test_a_wrong_answer_from_prose_is_bounded_then_decided_by_asking(
    easy: Suite, tmp_path: Path, memory: str, model: str, cause: str
) -> None:
    run = played(easy, MODELS[model], tmp_path / "run", memory)
    total = run.scores["counts"]["questions"]
    assert run.scores["counts"]["answerable"] == total
    assert counts(run) == {"remember": both(0, total), "reason": both(0, total)}
    found, calls = asked(run, MODELS[model])
    assert counts(found) == {cause: both(total)}
    assert calls == found.scores["attribution"]["asked"] == total
    assert {row.cause for row in found.rows} == {cause}


def test_right_answers_are_known_where_they_come_of_the_memory(easy: Suite, tmp_path: Path) -> None:
    run = played(easy, perfect(), tmp_path / "run", "everything, in other words")
    total = run.scores["counts"]["correct"]
    assert total == run.scores["counts"]["questions"]
    assert counts(run) == {"known": both(0, total), "guessed": both(0, total)}
    assert counts(asked(run, perfect())[0]) == {"known": both(total)}


def test_right_answers_are_guessed_where_they_come_without_the_memory(
    easy: Suite, tmp_path: Path
) -> None:
    run = played(easy, knows(easy), tmp_path / "run", "names only")
    total = run.scores["counts"]["questions"]
    assert counts(asked(run, knows(easy))[0]) == {"guessed": both(total)}


def test_a_constant_answer_is_guessed_where_it_is_right_and_misused_where_it_is_wrong(
    easy: Suite, tmp_path: Path
) -> None:
    run = played(easy, YES, tmp_path / "run", "names only")
    right, unread = (int(run.scores["counts"][name]) for name in ("correct", "unread"))
    wrong = run.scores["counts"]["questions"] - right - unread
    assert min(right, wrong, unread) > 0
    assert counts(run) == {
        "known": both(0, right), "guessed": both(0, right), "reason": both(0, wrong),
        "remember": both(0, wrong), "unread": both(unread),
    }  # fmt: skip
    found, calls = asked(run, YES)
    assert counts(found) == {
        "guessed": both(right), "misused": both(wrong), "unread": both(unread)
    }  # fmt: skip
    assert calls == right + wrong


@pytest.mark.parametrize(
    ("memory", "model", "cause"),
    [
        ("verbatim", "reads what it is shown", "known"),
        ("verbatim", "never answers", "reason"),
        ("empty", "reads what it is shown", "remember"),
        ("empty", "never answers", "remember"),
    ],
)
def test_what_can_be_read_exactly_is_decided_without_a_call(
    easy: Suite, tmp_path: Path, memory: str, model: str, cause: str
) -> None:
    run = played(easy, MODELS[model], tmp_path / "run", memory)
    total = run.scores["counts"]["questions"]
    before = tree(tmp_path / "run")
    assert counts(run) == {cause: both(total)}
    assert run.scores["attribution"]["exact"] == total
    found, calls = asked(run, MODELS[model])
    assert calls == 0
    assert counts(found) == {cause: both(total)}
    assert tree(tmp_path / "run") == before


def test_what_was_never_shown_is_not_asked_again(easy: Suite, tmp_path: Path) -> None:
    run = played(easy, YES, tmp_path / "run", "names only", agent="idle")
    known = {row.question for row in run.rows if row.answerable}
    asked(run, YES)
    again = {reply.question for w in read_run(run.path).worlds for reply in w.trace.again}
    assert 0 < len(again) < len(run.rows)
    assert again <= known


def test_the_model_is_shown_turns_that_settle_the_question_or_nothing(
    easy: Suite, tmp_path: Path
) -> None:
    run = played(easy, YES, tmp_path / "run", "names only", laws=True)
    right = {row.text for row in run.rows if row.score == 1}
    with serving(YES) as server:
        worldquiz.t2q.attribute(run, base_url=server.base_url)
        sent = [(read_sheet(call.prompt), call.prompt) for call in server.calls]
    assert sent
    for sheet, text in sent:
        assert sheet
        assert "leads back the way it came" in text
        assert bool(sheet.context) is (sheet.prompts[0].text not in right)
        assert read_context(sheet.context).exact
        assert "Names that came up" not in text


def mute(script: Script) -> Script:
    """Reply to no question without a context, and to no question about the turns."""
    return lambda request: (
        Text("") if role_of(request) == "quiz" and "Names that" not in request.text
        else script(request)
    )  # fmt: skip


def test_a_second_reply_that_cannot_be_read_decides_nothing(easy: Suite, tmp_path: Path) -> None:
    run = played(easy, YES, tmp_path / "run", "names only")
    before = counts(run)
    found, calls = asked(run, mute(YES))
    assert calls == found.scores["attribution"]["undecided"] > 0
    assert counts(found) == before


@pytest.fixture(scope="module")
def calm(easy: Suite, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run before and after it was attributed without a disturbance."""
    before, after = (tmp_path_factory.mktemp("calm") / name for name in ("before", "after"))
    played(easy, YES, before, "names only")
    shutil.copytree(before, after)
    with serving(YES, minimum=NEVER) as server:
        worldquiz.t2q.attribute(after, base_url=server.base_url)
    return before, after


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 1])
def test_one_that_was_stopped_after_any_call_goes_on_there(
    calm: tuple[Path, Path], tmp_path: Path, share: float
) -> None:
    """What a killed process leaves: some whole lines, and perhaps the beginning of another."""
    before, after = calm
    lines = (after / "attribution" / "answers.jsonl").read_text().splitlines(keepends=True)
    kept = round(share * len(lines))
    out = tmp_path / "run"
    shutil.copytree(before, out)
    (out / "attribution").mkdir()
    shutil.copy(after / "attribution" / "manifest.json", out / "attribution")
    half = lines[kept][:20] if kept < len(lines) else ""
    (out / "attribution" / ".answers.journal").write_text("".join(lines[:kept]) + half)
    with serving(YES, minimum=NEVER) as server:
        worldquiz.t2q.attribute(out, base_url=server.base_url)
        assert len(server.calls) == len(lines) - kept
    assert tree(out) == tree(after)


def test_a_killed_command_goes_on_and_ends_with_the_same_bytes(
    calm: tuple[Path, Path], tmp_path: Path
) -> None:
    before, after = calm
    out = tmp_path / "run"
    shutil.copytree(before, out)
    with serving(YES, minimum=NEVER, latency=0.3) as server:
        words = ("t2q", "attribute", out, "--base-url", server.base_url, "--connections", 1)
        killed_amid(out / "attribution" / ".answers.journal", 2, *words)
        assert tree(out) != tree(after)
        said = ended(*words, "--json")
    assert tree(out) == tree(after)
    assert json.loads(said.out)["attribution"] == worldquiz.Run(out).scores["attribution"]


def test_the_command_says_beforehand_what_it_takes_and_afterwards_what_it_took(
    calm: tuple[Path, Path], tmp_path: Path
) -> None:
    before, _ = calm
    out = tmp_path / "run"
    shutil.copytree(before, out)
    with serving(YES) as server:
        said = command("t2q", "attribute", out, "--base-url", server.base_url)
        calls = server.calls
    assert said.code == 0
    told = re.search(rf"m: {len(calls)} questions to ask, about ([0-9,]+) tokens", said.err)
    assert told
    took = sum(call.tokens for call in calls)
    assert f"asked again: {len(calls)} calls, {took:,} tokens of prompts" in said.out
    assert took <= int(told[1].replace(",", "")) <= 1.7 * took
    assert command("score", out, "--json").json["attribution"]["asked"] == len(calls)


def test_the_command_scores_the_run_once(
    calm: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = calm
    out = tmp_path / "run"
    shutil.copytree(before, out)
    scored: list[scoring.Scores] = []

    def keeping(sittings: Iterable[scoring.Sitting]) -> scoring.Scores:
        scored.append(scores(sittings))
        return scored[-1]

    scores = scoring.scores
    monkeypatch.setattr(scoring, "scores", keeping)
    with serving(YES, minimum=NEVER) as server:
        said = command("t2q", "attribute", out, "--base-url", server.base_url)
    assert said.code == 0
    assert len(scored) == 1
    assert tree(out) == tree(after)


def test_what_cannot_be_attributed_is_refused(
    easy: Suite, calm: tuple[Path, Path], tmp_path: Path
) -> None:
    before, after = calm
    load(easy.path).run(agent="idle", answerer="abstainer", out=tmp_path / "scripted")
    said = command("t2q", "attribute", tmp_path / "scripted")
    assert said.code == 2
    assert "abstainer answered, no language model" in said.err
    said = command("t2q", "attribute", before)
    assert said.code == 2
    assert "give its URL" in said.err
    assert not (before / "attribution").exists()
    other = tmp_path / "other"
    shutil.copytree(after, other)
    replies = next(other.glob("worlds/*/replies.jsonl"))
    replies.write_text(replies.read_text().replace("yes", "no"))
    with pytest.raises(worldquiz.WorldquizError, match="is about other answers than this run's"):
        read_run(other)
