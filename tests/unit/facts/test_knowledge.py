"""Knowledge of a quiz: its counts and shares, and the knowledge score with its laws.

Guessing never pays, and what was shown is the ceiling.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthetic
from worldquiz.facts import knowledge, knowledge_score
from worldquiz.facts.knowledge import Knowledge
from worldquiz.facts.knowledge_score import TOO_EASY, Points, penalty, points
from worldquiz.facts.question import Format, Graded, Result, Score, Type, Unscored
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import UNREAD, AnswerStatus
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


def test_split_tells_answering_from_abstaining() -> None:
    found = knowledge.split(knowledge.of(SIX))
    assert found["from_answerable"] == pytest.approx(2 / 3)
    assert found["from_non_answerable"] == pytest.approx(1 / 3)
    assert (found["accuracy_answerable"], found["accuracy_non_answerable"]) == (0.5, 0.5)


def test_the_exams_results_count_as_the_handmade_world_says() -> None:
    found = knowledge.of(results(synthetic.played("easy-00", "easy", "scout")))
    assert (found.correct, found.questions, found.correct_answerable) == (4, 6, 2)
    assert (found.answerable, found.abstained_rightly, found.overclaimed) == (3, 2, 1)


# Points

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


def test_every_count_of_points() -> None:
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


# Laws

RATES = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.62, TOO_EASY, 0.9])


@st.composite
def asked_(draw: st.DrawFn) -> Result:
    """A question as the exam leaves it before anybody answers: rightly abstained or not."""
    shown = draw(st.booleans())
    return Result(
        world="w", level="easy", question="q", type=draw(st.sampled_from(Type)),
        format=draw(st.sampled_from(Format)), answerable=Moment(0, 1) if shown else None,
        reply="r", abstained=True, score=Graded(float(not shown)), status=AnswerStatus.ABSTAINED,
        at_start=shown and draw(st.booleans()), blind=draw(RATES),
    )  # fmt: skip


def said(question: Result, *, right: bool) -> Result:
    """The question with an answer: a right one has a grade only where it was shown."""
    score = Graded(float(right and question.answerable is not None))
    return replace(question, abstained=False, status=AnswerStatus.ANSWERED, score=score)


@st.composite
def replied(draw: st.DrawFn) -> Result:
    question = draw(asked_())
    return said(question, right=draw(st.booleans())) if draw(st.booleans()) else question


quizzes = st.lists(asked_(), max_size=30)
graded = st.lists(replied(), max_size=30)


def expected(quiz: Sequence[tuple[Result, float]]) -> float:
    """What answers earn that are right with these probabilities: an exact sum, nothing is drawn."""
    return sum(
        probability * (points(said(one, right=True)) or 0)
        + (1 - probability) * (points(said(one, right=False)) or 0)
        for one, probability in quiz
    )


@given(quizzes, st.randoms(use_true_random=False))
def test_whoever_guesses_no_better_than_the_table_expects_nothing(
    quiz: list[Result], chance: random.Random
) -> None:
    """Each question is answered or not, and rightly with any probability up to its rate."""
    answered = [one for one in quiz if chance.random() < 0.7]
    guesses = [(one, chance.random() * (one.blind or 0)) for one in answered]
    assert expected(guesses) <= 1e-9


@given(RATES, st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_only_the_mean_of_a_cell_matters(rate: float, sure: list[float]) -> None:
    """Surer here and less sure there: no more is earned if the answers' mean is the rate."""
    mean = sum(sure) / len(sure)
    scaled = [one * min(1.0, rate / mean) if mean else 0.0 for one in sure]
    shown = Result(
        "w", "easy", "q", Type.MATCH, Format.WHICH, Moment(0, 1), "r", False, Graded(1.0),
        AnswerStatus.ANSWERED, False, rate,
    )  # fmt: skip
    assert expected([(shown, one) for one in scaled]) <= 1e-9


@given(RATES)
def test_guessing_at_the_measured_rate_is_worth_exactly_abstaining(rate: float) -> None:
    assert rate - (1 - rate) * penalty(rate) == pytest.approx(0)


@given(quizzes)
def test_an_abstainer_has_nothing(quiz: list[Result]) -> None:
    assert knowledge_score.of(quiz).points == 0


@given(graded)
def test_an_agent_who_saw_the_start_only_has_no_ceiling_and_earns_nothing(
    quiz: list[Result],
) -> None:
    """All that an idle agent's episodes settle is settled at the start."""
    idle = [replace(one, at_start=one.answerable is not None) for one in quiz]
    found = knowledge_score.of(idle)
    assert found.reachable == 0
    assert found.points <= 0


@given(quizzes)
def test_the_oracle_of_what_was_shown_has_the_ceiling(quiz: list[Result]) -> None:
    told = [said(one, right=True) if one.answerable else one for one in quiz]
    found = knowledge_score.of(told)
    assert found.share("knowledge") == found.share("knowledge_ceiling")


@given(graded)
def test_nobody_has_more_than_the_ceiling_or_less_than_the_largest_penalty(
    quiz: list[Result],
) -> None:
    found = knowledge_score.of(quiz)
    knowledge, ceiling = found.share("knowledge"), found.share("knowledge_ceiling")
    if knowledge is not None and ceiling is not None:
        worst = max(penalty(one.blind or 0) for one in quiz)
        assert -worst - 1e-9 <= knowledge <= ceiling <= 1


@given(quizzes, st.randoms(use_true_random=False))
def test_seeing_more_never_lowers_the_ceiling(quiz: list[Result], chance: random.Random) -> None:
    more = [
        replace(one, answerable=one.answerable or (Moment(1, 0) if chance.random() < 0.5 else None))
        for one in quiz
    ]
    before, after = knowledge_score.of(quiz), knowledge_score.of(more)
    assert after.counted == before.counted
    assert after.reachable >= before.reachable


@given(graded, graded)
def test_counts_and_points_add_up(left: list[Result], right: list[Result]) -> None:
    one, other = knowledge_score.of(left).counts(), knowledge_score.of(right).counts()
    total = {name: one[name] + other[name] for name in one}
    assert knowledge_score.of(left + right).counts() == pytest.approx(total)


@given(graded, st.randoms(use_true_random=False))
def test_order_changes_nothing(quiz: list[Result], chance: random.Random) -> None:
    mixed = list(quiz)
    chance.shuffle(mixed)
    assert knowledge_score.of(mixed) == knowledge_score.of(quiz)
