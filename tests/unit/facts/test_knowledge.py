"""Counts over a quiz of six questions, each of another fate."""

from __future__ import annotations

import pytest

import synthetic
from worldquiz.facts import knowledge
from worldquiz.facts.knowledge import Knowledge, mean
from worldquiz.facts.question import Format, Graded, Result, Score, Type, Unscored
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.rows import results


def result(
    score: Score | float,
    *,
    answerable: bool = True,
    abstained: bool = False,
    type: Type = Type.MATCH,
    level: str = "easy",
) -> Result:
    return Result(
        world="w", level=level, question="q", type=type, format=Format.WHAT,
        answerable=Moment(0, 1) if answerable else None, reply="r", abstained=abstained,
        score=Graded(score) if isinstance(score, int | float) else score,
    )  # fmt: skip


SIX = (
    result(1),
    result(1),
    result(0),
    result(0, abstained=True),
    result(1, answerable=False, abstained=True),
    result(0, answerable=False),
)


def test_every_count() -> None:
    assert knowledge.of(SIX) == Knowledge(
        questions=6, answerable=4, non_answerable=2, correct=3, correct_answerable=2, abstained=2,
        abstained_rightly=1, overclaimed=1, unscored=0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("eus", 3 / 6),
        ("known", 2 / 6),
        ("coverage", 4 / 6),
        ("accuracy_answerable", 2 / 4),
        ("abstention_precision", 1 / 2),
        ("abstention_recall", 1 / 2),
        ("overclaim", 1 / 2),
    ],
)
def test_every_share(name: str, value: float) -> None:
    found = knowledge.of(SIX)
    assert found.share(name) == value


def test_all_seen_leaves_recall_and_overclaim_undefined() -> None:
    found = knowledge.of([result(1), result(0)])
    for name in ("abstention_precision", "abstention_recall", "overclaim"):
        assert found.share(name) is None
    assert found.share("coverage") == 1


def test_unscored_questions_leave_both_sides_of_every_share_and_are_counted() -> None:
    lost = result(Unscored("no answer on record"), answerable=False)
    found = knowledge.of((*SIX, lost, lost))
    assert found.unscored == 2
    assert found.counts() == {**knowledge.of(SIX).counts(), "unscored": 2}
    assert found.share("overclaim") == knowledge.of(SIX).share("overclaim")


def test_partial_grades_add_up_and_whole_counts_are_integers() -> None:
    found = knowledge.of([result(0.5), result(0.25), result(1)])
    assert (found.correct, found.share("eus")) == (1.75, 1.75 / 3)
    assert found.counts()["correct"] == 1.75
    assert repr(knowledge.of(SIX).counts()["correct"]) == "3"


def test_the_mean_is_the_sum_by_the_number_and_undefined_of_nothing() -> None:
    assert mean([1, 2, 4.5]) == 2.5
    assert mean([]) is None


def test_split_tells_answering_from_abstaining() -> None:
    found = knowledge.split(knowledge.of(SIX))
    assert found["from_answerable"] == pytest.approx(2 / 3)
    assert found["from_non_answerable"] == pytest.approx(1 / 3)
    assert (found["accuracy_answerable"], found["accuracy_non_answerable"]) == (0.5, 0.5)


def test_the_exams_results_count_as_the_handmade_world_says() -> None:
    found = knowledge.of(results(synthetic.played("easy-00", "easy", "scout")))
    assert (found.correct, found.questions, found.correct_answerable) == (4, 6, 2)
    assert (found.answerable, found.abstained_rightly, found.overclaimed) == (3, 2, 1)
