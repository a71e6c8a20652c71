"""Laws of the knowledge score: guessing never pays, and what was shown is its ceiling."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts import knowledge_score
from worldquiz.facts.knowledge_score import TOO_EASY, penalty, points
from worldquiz.facts.question import Format, Graded, Result, Type
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import AnswerStatus

RATES = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.62, TOO_EASY, 0.9])


@st.composite
def asked(draw: st.DrawFn) -> Result:
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
def result(draw: st.DrawFn) -> Result:
    question = draw(asked())
    return said(question, right=draw(st.booleans())) if draw(st.booleans()) else question


quizzes = st.lists(asked(), max_size=30)
graded = st.lists(result(), max_size=30)


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
