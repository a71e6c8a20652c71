"""Laws of the knowledge score: who saw nothing has 0, guessing is worth 0, what was shown is 1.

Also of the counts beside it, which take a paper's shares apart.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import worldquiz as wq
from scored import run_of, scores_of
from synthetic import row
from worldquiz import AnswerStatus, Row
from worldquiz.facts.row import UNREAD

GUESSES = st.floats(0, 0.95) | st.sampled_from([0.0, 0.25, 1 / 3, 0.5])
TYPES = ("location", "connectivity", "direction", "match", "property")
SILENT, SAID = AnswerStatus.ABSTAINED, AnswerStatus.ANSWERED


@st.composite
def replies(draw: st.DrawFn) -> Row:
    """A question with any reply; of what was not shown any answer may be right, too."""
    status = draw(st.sampled_from([SAID, SAID, SILENT, *UNREAD]))
    correct = draw(st.sampled_from([0.0, 0.4, 1.0]))
    settled, shown = draw(st.sampled_from([False, False, True])), draw(st.booleans())
    guess, type = draw(GUESSES | st.none()), draw(st.sampled_from(TYPES))
    return row(correct, shown=shown, status=status, guess=guess, at_start=settled, type=type)


quizzes = st.lists(replies(), min_size=1, max_size=30)


def known(quiz: list[Row]) -> float:
    """Return the knowledge of a quiz in which something counts."""
    found = scores_of(quiz)["knowledge"]
    assume(found is not None)
    return float(found)


def test_the_six_questions_of_the_definition() -> None:
    quiz = [
        row(1.0, guess=0.5), row(0.0, guess=0.5), row(1.0, guess=0.25),
        row(status=SILENT, guess=0.25), row(0.0, shown=False, guess=0.0),
        row(status=SILENT, shown=False, guess=0.0),
    ]  # fmt: skip
    assert [each.points for each in quiz] == [0.5, -0.5, 0.75, 0, 0, 0]
    found = scores_of(quiz)
    assert found["knowledge"] == pytest.approx(0.75 / 4.5)
    assert found["ceiling"] == pytest.approx(2.5 / 4.5)
    assert found["false_answers"] == 1 / 2


@given(quizzes)
def test_whoever_was_shown_nothing_has_0_whatever_he_says(quiz: list[Row]) -> None:
    assert known([replace(each, shown=False) for each in quiz]) == 0


@given(quizzes)
def test_who_says_nothing_has_0(quiz: list[Row]) -> None:
    assert known([replace(each, status=SILENT, correct=None) for each in quiz]) == 0


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
def test_it_is_points_by_worth_and_reaches_its_bounds(quiz: list[Row]) -> None:
    counted = [each for each in quiz if each.worth]
    worth = sum(each.worth or 0 for each in counted)
    assume(worth)
    found = scores_of(quiz)
    assert found["knowledge"] == pytest.approx(sum(each.points or 0 for each in counted) / worth)
    shown = [each for each in counted if each.shown]
    ceiling = sum(each.worth or 0 for each in shown) / worth
    low = -sum(each.guess or 0 for each in shown) / worth
    assert low - 1e-9 <= found["knowledge"] <= ceiling + 1e-9 <= 1 + 1e-9
    assert found["ceiling"] == pytest.approx(ceiling)
    for right, bound in ((1.0, ceiling), (0.0, low)):
        said = [replace(each, status=SAID, correct=right) for each in quiz]
        assert known(said) == pytest.approx(bound)


@pytest.mark.parametrize(
    "question",
    [row(1.0, at_start=True), row(1.0, guess=None), row(None, unscored="no answer on record")],
    ids=["settled at the start", "no guess known", "no grade"],
)
def test_what_does_not_count(question: Row) -> None:
    assert (question.points, question.worth) == (None, None)
    assert scores_of([question])["knowledge"] is None
    assert scores_of([question, row(1.0)])["counts"]["counted"] == 1


def test_a_confident_guesser_beats_nobody_by_the_headline_of_a_comparison(tmp_path: Path) -> None:
    """The mean grade has the opposite sign: abstaining of what was not shown is right there."""
    asked = [replace(row(1.0), world=f"w{n % 8}") for n in range(80)]
    reader = [replace(one, correct=float(n % 8 > 0), shown=n % 2 == 0)
              for n, one in enumerate(asked)]  # fmt: skip
    silent = [replace(one, status=SILENT, correct=None, shown=False) for one in asked]
    found = wq.compare(run_of(reader, tmp_path / "reader"), run_of(silent, tmp_path / "silent"))
    assert (found["score"], found["right"]) == ("knowledge", 0)
    assert found["difference"] > 0 > found["grade"]["difference"]


# Counts


@st.composite
def kept(draw: st.DrawFn) -> Row:
    """A question as any answerer may leave it; some answers are lost."""
    return replace(draw(replies()), unscored=None if draw(st.integers(0, 9)) else "lost")


@given(st.lists(kept(), min_size=1, max_size=12))
def test_the_shares_take_eus_apart(quiz: list[Row]) -> None:
    """EUS is what was shown and answered rightly, and what is rightly abstained."""
    counts = scores_of(quiz)["counts"]
    assert counts["correct"] == pytest.approx(
        counts["correct_answerable"] + counts["abstained_rightly"]
    )
    lost = sum(each.grade is not None and each.status in UNREAD and not each.shown for each in quiz)
    known = counts["abstained_rightly"] + counts["answered_unshown"]
    assert known + lost == counts["non_answerable"]


@given(st.lists(kept(), min_size=1, max_size=12))
def test_saying_nothing_more_changes_no_knowledge(quiz: list[Row]) -> None:
    """Adding rightly abstained questions raises EUS, if anything, and never what is known."""
    before, after = scores_of(quiz), scores_of([*quiz, row(shown=False, status=SILENT)])
    for name in ("correct_answerable", "points"):
        assert before["counts"][name] == after["counts"][name]
    assert before["eus"] is None or after["eus"] >= before["eus"]


@given(
    st.lists(st.lists(kept(), min_size=1, max_size=12), min_size=1, max_size=4),
    st.randoms(use_true_random=False),
)
def test_counts_add_up_over_questions_types_and_worlds_in_any_order(
    worlds: list[list[Row]], chance: random.Random
) -> None:
    """No question is lost."""
    played = [[replace(each, world=f"w{n}") for each in quiz] for n, quiz in enumerate(worlds)]
    every = [each for quiz in played for each in quiz]
    whole: dict[str, Any] = scores_of(every)
    parts = [scores_of(quiz)["counts"] for quiz in played]
    types = [block["counts"] for block in whole["by_type"].values()]
    for name, count in whole["counts"].items():
        if name in types[0]:
            assert count == pytest.approx(sum(part[name] for part in types))
            assert count == pytest.approx(sum(part[name] for part in parts))
    assert whole["counts"]["questions"] + whole["counts"]["unscored"] == len(every)
    chance.shuffle(every)
    assert scores_of(every)["counts"] == pytest.approx(whole["counts"])
