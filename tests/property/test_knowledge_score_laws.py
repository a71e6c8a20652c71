"""Laws of the knowledge score: guessing never pays, and what was shown is its ceiling."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic import row
from worldquiz.facts.knowledge import TOO_EASY, counts, penalty, points
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.t2q.scores import Scores, scores

RATES = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.62, TOO_EASY, 0.9])
SILENT = AnswerStatus.ABSTAINED


@st.composite
def asked(draw: st.DrawFn) -> Row:
    """A question before anybody answers it."""
    shown = draw(st.booleans())
    settled = shown and draw(st.booleans())
    return row(shown=shown, status=SILENT, at_start=settled, guess=draw(RATES))


def but(question: Row, **change: object) -> Row:
    """The question with a change, and the points that it has then."""
    told = {name: getattr(question, name) for name in ("correct", "shown", "status", "guess")}
    told["at_start"] = question.measures["at_start"]
    return row(**{**told, **change})


def said(question: Row, *, right: bool) -> Row:
    """The question with an answer."""
    return but(question, correct=float(right), status=AnswerStatus.ANSWERED)


@pytest.mark.parametrize(
    ("guess", "counted"), [(None, False), (0.0, True), (TOO_EASY, True), (TOO_EASY + 0.01, False)]
)
def test_a_question_counts_whose_guessing_rate_is_known_and_not_too_high(
    guess: float | None, counted: bool
) -> None:
    one = row(1.0, guess=guess)
    assert points(one) == (1.0 if counted else None)
    assert points(replace(one, correct=0.0)) == (-penalty(guess or 0.0) if counted else None)
    assert points(replace(one, unscored="no answer on record", correct=None)) is None


def test_abstentions_and_answers_are_counted_apart() -> None:
    quiz = [row(1.0), row(0.0, shown=False), *[row(status=SILENT, shown=False)] * 3]
    found = counts(quiz)
    assert (found["abstained"], found["abstained_rightly"], found["overclaimed"]) == (3, 3, 1)
    assert (found["questions"], found["correct"]) == (5, 4)
    assert all(isinstance(value, int) for value in found.values())


quizzes = st.lists(asked(), min_size=1, max_size=30)
graded = st.lists(
    asked() | st.builds(lambda one, right: said(one, right=right), asked(), st.booleans()),
    min_size=1, max_size=30,
)  # fmt: skip


def told(quiz: Sequence[Row]) -> Scores:
    return scores(quiz, resamples=0)


def expected(quiz: Sequence[tuple[Row, float]]) -> float:
    """What answers earn that are right with these probabilities: an exact sum, nothing is drawn."""
    return sum(
        probability * (said(one, right=True).points or 0)
        + (1 - probability) * (said(one, right=False).points or 0)
        for one, probability in quiz
    )


@given(quizzes, st.randoms(use_true_random=False))
def test_whoever_guesses_no_better_than_the_table_expects_nothing(
    quiz: list[Row], chance: random.Random
) -> None:
    """Each question is answered or not, and rightly with any probability up to its rate."""
    answered = [one for one in quiz if chance.random() < 0.7]
    guesses = [(one, chance.random() * (one.guess or 0)) for one in answered]
    assert expected(guesses) <= 1e-9


@given(RATES, st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_only_the_mean_of_a_cell_matters(rate: float, sure: list[float]) -> None:
    """Surer here and less sure there: no more is earned if the answers' mean is the rate."""
    mean = sum(sure) / len(sure)
    scaled = [one * min(1.0, rate / mean) if mean else 0.0 for one in sure]
    assert expected([(row(1.0, guess=rate), one) for one in scaled]) <= 1e-9


@given(RATES)
def test_guessing_at_the_measured_rate_is_worth_exactly_abstaining(rate: float) -> None:
    assert rate - (1 - rate) * penalty(rate) == pytest.approx(0)


@given(quizzes)
def test_an_abstainer_has_nothing_and_the_oracle_of_what_was_shown_the_ceiling(
    quiz: list[Row],
) -> None:
    assert told(quiz)["counts"]["points"] == 0
    found = told([said(one, right=True) if one.shown else one for one in quiz])
    assert found["knowledge"] == found["knowledge_ceiling"]


@given(graded)
def test_an_agent_who_saw_the_start_only_has_no_ceiling_and_earns_nothing(quiz: list[Row]) -> None:
    """All that an idle agent's episodes settle is settled at the start."""
    found = told([but(one, at_start=one.shown) for one in quiz])["counts"]
    assert found["reachable"] == 0
    assert found["points"] <= 0


@given(graded)
def test_nobody_has_more_than_the_ceiling_or_less_than_the_largest_penalty(
    quiz: list[Row],
) -> None:
    found = told(quiz)
    if found["knowledge"] is not None:
        worst = max(penalty(one.guess or 0) for one in quiz)
        assert -worst - 1e-9 <= found["knowledge"] <= found["knowledge_ceiling"] <= 1


@given(quizzes, st.randoms(use_true_random=False))
def test_seeing_more_never_lowers_the_ceiling(quiz: list[Row], chance: random.Random) -> None:
    more = [replace(one, shown=one.shown or chance.random() < 0.5) for one in quiz]
    before, after = told(quiz)["counts"], told(more)["counts"]
    assert after["counted"] == before["counted"]
    assert after["reachable"] >= before["reachable"]
