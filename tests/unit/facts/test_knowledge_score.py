"""What each fate of a question earns in the knowledge score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from worldquiz.facts import knowledge_score
from worldquiz.facts.knowledge_score import TOO_EASY, Points, points
from worldquiz.facts.question import Format, Graded, Result, Type, Unscored
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import UNREAD, AnswerStatus

RIGHT = Result(
    world="w", level="easy", question="q", type=Type.MATCH, format=Format.WHICH,
    answerable=Moment(0, 1), reply="r", abstained=False, score=Graded(1.0),
    status=AnswerStatus.ANSWERED, at_start=False, blind=0.25,
)  # fmt: skip
WRONG = replace(RIGHT, score=Graded(0.0))
SILENT = replace(RIGHT, score=Graded(0.0), abstained=True, status=AnswerStatus.ABSTAINED)
RIGHTLY_SILENT = replace(SILENT, answerable=None, score=Graded(1.0))
CLAIMED = replace(WRONG, answerable=None)
GUESSED = replace(RIGHT, answerable=None)  # whatever its grade says
KNOWN_BEFORE = replace(RIGHT, at_start=True)
LOST = replace(RIGHT, score=Unscored("no answer on record"), status=AnswerStatus.FAILED)


@pytest.mark.parametrize(
    ("result", "earned"),
    [
        (RIGHT, 1),
        (WRONG, -1 / 3),
        (CLAIMED, -1 / 3),
        (GUESSED, -1 / 3),
        (SILENT, 0),
        (RIGHTLY_SILENT, 0),
    ],
)
def test_what_each_reply_earns(result: Result, earned: float) -> None:
    assert points(result) == pytest.approx(earned)


@pytest.mark.parametrize("status", UNREAD)
@pytest.mark.parametrize("moment", [Moment(0, 1), None])
def test_a_reply_without_an_answer_is_worth_as_much_as_abstaining(
    status: AnswerStatus, moment: Moment | None
) -> None:
    lost = replace(WRONG, status=status, answerable=moment)
    assert points(lost) == 0
    assert knowledge_score.of([lost, RIGHT]).unread == 1


@pytest.mark.parametrize(
    "result",
    [KNOWN_BEFORE, LOST, replace(RIGHT, blind=None), replace(RIGHT, blind=TOO_EASY + 0.01)],
    ids=["settled at the start", "no grade", "rate not measured", "given away by its form"],
)
def test_what_does_not_count(result: Result) -> None:
    assert points(result) is None
    found = knowledge_score.of([result, WRONG, RIGHT])
    assert found.counted == 2
    assert found.points == pytest.approx(2 / 3)


def test_a_question_at_the_highest_rate_counts_and_a_wrong_answer_costs_three_points() -> None:
    easiest = [replace(one, blind=TOO_EASY) for one in (RIGHT, WRONG)]
    assert [points(one) for one in easiest] == [1, -3]
    assert knowledge_score.of(easiest).counted == 2


def test_every_count() -> None:
    unread = replace(CLAIMED, status=AnswerStatus.OVERFLOW)
    found = knowledge_score.of(
        (RIGHT, RIGHT, WRONG, SILENT, RIGHTLY_SILENT, CLAIMED, KNOWN_BEFORE, LOST, unread)
    )
    assert found == Points(points=found.points, counted=7, reachable=4, at_start=1, unread=1)
    assert found.points == pytest.approx(2 - 2 / 3)
    assert found.share("knowledge") == pytest.approx((2 - 2 / 3) / 7)
    assert found.share("knowledge_ceiling") == 4 / 7
    assert repr(found.counts()["counted"]) == "7"


@pytest.mark.parametrize("choices", [2, 3, 4])
def test_at_the_rate_of_chance_it_is_the_classical_correction_for_guessing(choices: int) -> None:
    """R - W / (k - 1), as Holzinger (1924) has it."""
    asked = [replace(one, blind=1 / choices) for one in (RIGHT, RIGHT, RIGHT, WRONG, SILENT)]
    assert knowledge_score.of(asked).points == pytest.approx(3 - 1 / (choices - 1))
