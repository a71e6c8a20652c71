"""One row for each question of a run: as many as were asked, and they add up to its scores."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import synthetic
import worldquiz
from played import RunRecord
from worldquiz import AnswerStatus, Row

RUNS = [
    synthetic.run("scout", "reader"),
    synthetic.run("idle", "abstainer"),
    synthetic.run(replies=synthetic.REPLIES[:5]),
    synthetic.model_run(),
]


def asked(run: RunRecord) -> list[Row]:
    return [row for row in run.rows if row.asked]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.manifest["agent"])
def test_rows_add_up_to_the_headline(run: RunRecord) -> None:
    found, told = asked(run), run.scores
    counts = told["counts"]
    assert len(found) == counts["questions"] + counts["unscored"]
    graded = [row.grade for row in found if row.grade is not None]
    assert sum(graded) / len(graded) == pytest.approx(told["eus"])
    assert len(found) - len(graded) == counts["unscored"]
    scored = [row for row in found if row.worth is not None]
    assert len(scored) == counts["counted"]
    points, worth = (sum(getattr(row, name) for row in scored) for name in ("points", "worth"))
    assert points / worth == pytest.approx(told["knowledge"])


def test_tasks_stand_before_the_questions_of_their_world() -> None:
    found = RUNS[0].rows
    assert [row.world for row in found] == ["easy-00"] * 8 + ["hard-01"] * 8
    assert [row.type == "task" for row in found[:8]] == [True] * 2 + [False] * 6
    won, lost = found[:2]
    assert (won.correct, won.reply, won.gold) == (1, "fly <b>away</b>; go north", "go north")
    assert won.measures == {
        "walkthrough": 1, "commands": 2, "outcome": "won", "refused": 1, "repeated": 0
    }  # fmt: skip
    assert (lost.correct, lost.guess, lost.points) == (0, None, None)


def test_a_row_says_all_of_its_question() -> None:
    assert asked(RUNS[0])[2] == Row(
        run="", benchmark="t2q", agent="scout", answerer="reader", world="easy-00",
        level="easy", item="connectivity-001", type="connectivity", format="which",
        prompt="Which room is next to the hall?", choices=("attic", "vault"), gold="attic",
        reply="attic", answer="attic", shown=True, episode=0, step=2,
        status=AnswerStatus.ANSWERED, correct=1.0, guess=0.5, handed_over=True,
        measures={"at_start": False, "paper": {"shown": [0, 0], "at_start": True}},
    )  # fmt: skip


def test_what_nothing_showed_has_no_moment_and_keeps_its_true_answer() -> None:
    row = asked(RUNS[0])[0]
    assert (row.shown, row.episode, row.step) == (False, None, None)
    assert (row.gold, row.reply, row.grade) == ("iron chest", "non-answerable", 1.0)
    assert row.status is AnswerStatus.ABSTAINED


def test_a_models_rows_say_how_it_answered_and_why_it_was_wrong() -> None:
    row = asked(RUNS[3])[1]
    assert (row.agent, row.answerer) == ("maker/m1", "in-context")
    assert row.cause == "explore"
    assert (row.reply, row.answer) == ("yes", "yes")


def test_a_run_on_disk_has_the_same_rows(tmp_path: Path) -> None:
    run = worldquiz.load(RUNS[0].written(tmp_path / "scout-reader"))
    assert [replace(row, run="") for row in (*run.tasks, *run.rows)] == sorted(
        RUNS[0].rows, key=lambda row: row.asked
    )
    assert len(run.frame()) == 12
    assert run.scores.items() >= json.loads(json.dumps(RUNS[0].scores)).items()
    assert run.export(tmp_path / "q.parquet").is_file()
