"""One row for each question of a run: as many as were asked, and they add up to its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import people
import synthetic
import worldquiz
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.model import Status
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.rows import rows
from worldquiz.t2q.store import RunRecord
from worldquiz.t2q.trace import Trace

RUNS = [
    synthetic.run("scout", "reader"),
    synthetic.run("idle", "abstainer"),
    synthetic.run(replies=synthetic.REPLIES[:5]),
    synthetic.model_run(),
]


def share(found: Sequence[Row], *, answerable: bool = False) -> float:
    """Return the sum of scores over all graded questions."""
    graded = [row for row in found if row.score is not None]
    earned = [row.score or 0 for row in graded if row.shown or not answerable]
    return sum(earned) / len(graded)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.path.name)
def test_rows_add_up_to_the_headline(run: RunRecord) -> None:
    found, told = list(rows(run)), scores(run)
    counts = told["counts"]
    assert len(found) == counts["questions"] + counts["unscored"]
    assert share(found) == pytest.approx(told["eus"])
    assert share(found, answerable=True) == pytest.approx(told["known"])
    assert sum(row.score is None for row in found) == counts["unscored"]
    points = [row.points for row in found if row.points is not None]
    assert len(points) == counts["counted"]
    assert sum(points) / len(points) == pytest.approx(told["knowledge"])


def test_rows_are_in_the_order_of_runs_and_worlds() -> None:
    found = [row for run in RUNS[:2] for row in rows(run)]
    assert [row.run for row in found] == ["scout-reader"] * 12 + ["idle-abstainer"] * 12
    assert [row.world for row in found[:12]] == ["easy-00"] * 6 + ["hard-01"] * 6


def test_a_row_says_all_of_its_question() -> None:
    assert list(rows(RUNS[0]))[2] == Row(
        run="scout-reader", benchmark="t2q", agent="scout", answerer="reader", world="easy-00",
        level="easy", item="connectivity-001", type="connectivity", format="which",
        prompt="Which room is next to the hall?", choices=("attic", "vault"), gold="attic",
        reply="attic", answer="attic", shown=True, episode=0, step=2,
        status=AnswerStatus.ANSWERED, correct=1.0, points=1.0, guess=0.5,
    )  # fmt: skip


def test_what_nothing_showed_has_no_moment_and_keeps_its_true_answer() -> None:
    row = next(rows(RUNS[0]))
    assert (row.shown, row.episode, row.step, row.guess) == (False, None, None, None)
    assert (row.gold, row.reply, row.score) == ("iron chest", "non-answerable", 1.0)
    assert row.status is AnswerStatus.ABSTAINED


def test_a_missing_grade_is_absent_with_its_reason_and_never_0() -> None:
    row = list(rows(RUNS[2]))[5]
    assert (row.score, row.unscored) == (None, "no answer on record")
    assert row.status is AnswerStatus.FAILED


def test_a_models_rows_say_how_it_answered_and_why_it_was_wrong() -> None:
    row = list(rows(RUNS[3]))[1]
    assert (row.agent, row.answerer) == ("maker/m1", "in-context")
    assert (row.confidence, row.cause) == (0.95, "overclaim")
    assert (row.reply, row.answer) == ("{\"answer\": 'yes'}", "yes")


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        (Status.CLEAN, AnswerStatus.ANSWERED),
        (Status.REPAIRED, AnswerStatus.ANSWERED),
        (Status.UNREADABLE, AnswerStatus.UNREADABLE),
        (Status.OVERFLOW, AnswerStatus.OVERFLOW),
        (Status.FILTERED, AnswerStatus.FILTERED),
    ],
)
def test_every_status_of_a_reply_has_one_of_a_row(status: Status, wanted: AnswerStatus) -> None:
    run = synthetic.model_run(worlds=1)
    (played,) = run.worlds
    replies = tuple(replace(reply, status=status) for reply in played.trace.replies)
    trace: Trace = replace(played.trace, replies=replies)
    changed = replace(run, worlds=(replace(played, trace=trace),))
    assert list(rows(changed))[2].status is wanted
    lost = 0 if wanted is AnswerStatus.ANSWERED else len(replies)
    counts = scores(changed)["counts"]
    assert counts["unread"] == lost
    assert counts["overclaimed"] == (0 if lost else 1)  # nothing was claimed


def test_a_run_on_disk_has_the_same_rows(tmp_path: Path) -> None:
    run = worldquiz.Run(people.worlds(tmp_path / "scout-reader"))
    assert run.rows == tuple(rows(RUNS[0]))
    assert run.frame("arrow").num_rows == 12
    assert run.scores == scores(RUNS[0])
    assert run.export(tmp_path / "q.parquet").is_file()
