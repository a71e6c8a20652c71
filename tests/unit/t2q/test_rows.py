"""One row for each question of a run: as many as were asked, and they add up to its scores."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import synthetic
import worldquiz
from fact_texts import facts
from played import RunRecord
from worldquiz import AnswerStatus, Row
from worldquiz.facts.requirement import Seen
from worldquiz.t2q.question import Answer, Question
from worldquiz.t2q.rollout import Played, question_rows
from worldquiz.t2q.scores import by_paper, scores

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


FACT = facts("on(brass key, pine table)")[0]
SEEN_AT_ONCE = Question(
    "location-003", "location", "Was the brass key on the pine table?",
    Seen(FACT), ("brass key", "pine table"), "yes_no", ("yes",),
)  # fmt: skip


def played(agent: str) -> Played:
    """A world with one more question, which the first screen settles."""
    one = synthetic.played("easy-00", "easy", agent)
    bundle = replace(one.bundle, questions=(*one.bundle.questions, SEEN_AT_ONCE))
    return Played(bundle, one.episodes, (*one.answers, Answer("yes")))


def rows(played: Played) -> list[Row]:
    return list(question_rows(played))


def test_what_the_start_settles_is_what_an_idle_agent_can_know() -> None:
    scouted, idled = rows(played("scout")), rows(played("idle"))
    settled = [row.measures["at_start"] for row in scouted]
    assert settled == [row.shown for row in idled] == [False] * 6 + [True]
    assert settled == [row.measures["at_start"] for row in idled]


def test_each_question_has_a_row_in_quiz_order_with_points_by_its_rate() -> None:
    """The scout: two right, one wrong; one answer to what was never shown; two abstentions."""
    scouted = played("scout")
    found, rates = rows(scouted), synthetic.rates()
    assert [row.item for row in found] == [each.id for each in scouted.bundle.questions]
    assert [row.reply for row in found] == [each.reply for each in scouted.answers]
    assert [row.guess for row in found] == [q.guess for q in scouted.bundle.questions]
    earned = {row.item: row.points for row in found if row.points}
    assert earned == pytest.approx({
        "direction-001": -rates["direction-001"], **{
            row.item: 1 - rates[row.item] for row in found if row.correct == 1 and row.points},
    })  # fmt: skip
    assert {row.points for row in rows(played("idle"))} <= {0, None}


def test_a_question_without_an_answer_on_record_is_counted_and_not_graded() -> None:
    scouted = played("scout")
    *others, last = rows(replace(scouted, answers=scouted.answers[:-1]))
    assert (last.grade, last.unscored) == (None, "no answer on record")
    assert (last.reply, last.status) == ("", AnswerStatus.FAILED)
    assert others == rows(scouted)[:-1]


def test_by_the_paper_it_is_enough_to_have_reached_the_place() -> None:
    """The scout never opened the chest in the attic; it saw the attic in its second command."""
    (apple,) = (row for row in rows(played("scout")) if row.item == "location-001")
    assert (apple.shown, apple.grade) == (False, 1)  # it abstained
    assert apple.measures["paper"] == {"shown": [0, 2], "at_start": False}
    assert scores([apple])["eus"] == 1
    assert scores([by_paper(apple)])["eus"] == 0


@pytest.mark.parametrize(
    ("reply", "said", "found"),
    [
        ("attic", None, AnswerStatus.ANSWERED),
        ("non-answerable", None, AnswerStatus.ABSTAINED),
        (" ", None, AnswerStatus.UNREADABLE),
        (None, None, AnswerStatus.FAILED),
        ("attic", AnswerStatus.CUT, AnswerStatus.CUT),
        ("", AnswerStatus.OVERFLOW, AnswerStatus.OVERFLOW),
        ("", AnswerStatus.FILTERED, AnswerStatus.FILTERED),
    ],
)
def test_status(reply: str | None, said: AnswerStatus | None, found: AnswerStatus) -> None:
    one = played("scout")
    assert rows(replace(one, answers=(Answer(reply, said),)))[0].status is found
