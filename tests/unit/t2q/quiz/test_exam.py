"""What the exam says of each question beside its grade: its status, what the start settles."""

from __future__ import annotations

from dataclasses import replace

import pytest

import synthetic
from fact_texts import facts
from worldquiz.facts.requirement import Seen
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.t2q.question import Answer, YesNo
from worldquiz.t2q.rollout import Played, question_rows
from worldquiz.t2q.scores import by_paper, scores

FACT = facts("on(brass key, pine table)")[0]
SEEN_AT_ONCE = YesNo(
    "location-003", "location", "Was the brass key on the pine table?",
    Seen(FACT), ("brass key", "pine table"), True,
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
