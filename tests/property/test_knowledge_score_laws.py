"""Laws of the knowledge score: who saw nothing has 0, guessing is worth 0, what was shown is 1."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from synthetic import row
from worldquiz.facts.knowledge import counts, knowledge, share
from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.stats.row_scores import compare, scores

GUESSES = st.floats(0, 0.95) | st.sampled_from([0.0, 0.25, 1 / 3, 0.5])
SILENT, SAID = AnswerStatus.ABSTAINED, AnswerStatus.ANSWERED


@st.composite
def replies(draw: st.DrawFn) -> Row:
    """A question with any reply; of what was not shown any answer may be right, too."""
    status = draw(st.sampled_from([SAID, SAID, SILENT, *UNREAD]))
    correct = draw(st.sampled_from([0.0, 0.4, 1.0]))
    settled, shown = draw(st.sampled_from([False, False, True])), draw(st.booleans())
    guess = draw(GUESSES | st.none())
    return row(correct, shown=shown, status=status, guess=guess, at_start=settled)


quizzes = st.lists(replies(), min_size=1, max_size=30)


def known(quiz: list[Row]) -> float:
    """Return the knowledge of a quiz in which something counts."""
    found = knowledge(quiz)
    assume(found is not None)
    assert found is not None
    return found


def test_the_six_questions_of_the_definition() -> None:
    quiz = [
        row(1.0, guess=0.5), row(0.0, guess=0.5), row(1.0, guess=0.25),
        row(status=SILENT, guess=0.25), row(0.0, shown=False, guess=0.0),
        row(status=SILENT, shown=False, guess=0.0),
    ]  # fmt: skip
    assert [each.points for each in quiz] == [0.5, -0.5, 0.75, 0, 0, 0]
    found = scores(quiz, resamples=0)
    assert found["knowledge"] == pytest.approx(0.75 / 4.5)
    assert found["ceiling"] == pytest.approx(2.5 / 4.5)
    assert found["false_answers"] == 1 / 2


@given(quizzes)
def test_whoever_was_shown_nothing_has_0_whatever_he_says(quiz: list[Row]) -> None:
    assert known([replace(each, shown=False) for each in quiz]) == 0


@given(quizzes)
def test_who_says_nothing_has_0(quiz: list[Row]) -> None:
    assert known([replace(each, status=SILENT, correct=None) for each in quiz]) == 0


@given(quizzes, st.randoms(use_true_random=False))
def test_the_order_of_questions_changes_nothing(quiz: list[Row], draw: random.Random) -> None:
    again = quiz[:]
    draw.shuffle(again)
    assert known(again) == pytest.approx(known(quiz))


@given(quizzes, replies())
def test_a_right_answer_to_what_was_shown_never_lowers_it(quiz: list[Row], one: Row) -> None:
    better = replace(one, shown=True, status=SAID, correct=1.0)
    for worse in (replace(better, correct=0.0), replace(better, status=SILENT, correct=None)):
        assert known([*quiz, better]) >= known([*quiz, worse]) - 1e-12


@given(st.lists(GUESSES, min_size=1, max_size=20), st.integers(0, 20))
def test_who_is_right_at_the_rate_of_guesses_expects_0(guesses: list[float], silent: int) -> None:
    """Exactly, whichever questions he answers; nothing is drawn."""
    asked = [row(guess=guess) for guess in guesses[: len(guesses) - silent]]
    expected = sum(
        guess * (replace(one, correct=1.0).points or 0)
        + (1 - guess) * (replace(one, correct=0.0).points or 0)
        for one in asked
        for guess in [one.guess or 0.0]
    )
    assert expected == pytest.approx(0, abs=1e-12)


@given(quizzes)
def test_it_lies_between_its_bounds_and_reaches_them(quiz: list[Row]) -> None:
    found = known(quiz)
    told = counts(quiz)
    guessed = sum(each.guess or 0 for each in quiz if each.worth is not None and each.shown)
    low, ceiling = -guessed / told["worth"], told["worth_shown"] / told["worth"]
    assert low - 1e-9 <= found <= ceiling + 1e-9 <= 1 + 1e-9
    for right, bound in ((1.0, ceiling), (0.0, low)):
        said = [replace(each, status=SAID, correct=right) for each in quiz]
        assert known(said) == pytest.approx(bound)


@given(quizzes)
def test_any_group_is_the_sum_of_its_points_by_the_sum_of_its_worth(quiz: list[Row]) -> None:
    counted = [each for each in quiz if each.worth is not None]
    points = sum(each.points or 0 for each in counted)
    worth = sum(each.worth or 0 for each in counted)
    expected = share(points, worth)
    assert knowledge(quiz) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    "question",
    [row(1.0, at_start=True), row(1.0, guess=None), row(None, unscored="no answer on record")],
    ids=["settled at the start", "no guess known", "no grade"],
)
def test_what_does_not_count(question: Row) -> None:
    assert (question.points, question.worth) == (None, None)
    assert knowledge([question]) is None
    assert scores([question, row(1.0)], resamples=0)["counts"]["counted"] == 1


def test_a_confident_guesser_beats_nobody_by_the_headline_of_a_comparison() -> None:
    """The mean grade has the opposite sign: abstaining of what was not shown is right there."""
    asked = [replace(row(1.0), world=f"w{n % 8}", item=str(n)) for n in range(80)]
    reader = [replace(one, correct=float(n % 8 > 0), shown=n % 2 == 0)
              for n, one in enumerate(asked)]  # fmt: skip
    silent = [replace(one, status=SILENT, correct=None, shown=False) for one in asked]
    found = compare(reader, silent)
    assert (found["score"], found["right"]) == ("knowledge", 0)
    assert found["difference"] > 0 > found["grade"]["difference"]
