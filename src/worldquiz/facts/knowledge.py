"""Counts of a quiz about things that were shown, or not; and the knowledge score.

The paper of Task2Quiz scores a quiz by EUS = correct / all (arXiv 2601.09503, equation 3), where
abstaining is correct on a question that no episode made answerable. An agent that sees little can
thus score much by abstaining. The other shares take EUS apart: ``known`` pays nothing for
abstaining, ``coverage`` is what the player went to see, ``accuracy_answerable`` what the answerer
made of it, and ``EUS = known + abstained_rightly / questions``. Questions without a grade are in no
numerator and no denominator; they are counted.

The knowledge score is a quiz scored by formula, that is, corrected for guessing:

    right answer to an answerable question                       1
    abstaining, and a reply in which no answer can be read       0
    wrong answer, or any answer to a non-answerable question    -b / (1 - b)

b is the question's guessing rate (`Row.guess`): how often it is answered rightly by somebody who
saw no transcript. The score is the mean over the questions that count. A question counts if the
task list and the first screen leave it open, and b is at most `TOO_EASY`: above that a right answer
says little, and a wrong one costs more than three right ones earn. So the score lies between
-max b / (1 - b) and 1, and a guesser who is right on a share p <= b of the answers that he gives
expects at most p - (1 - p) * b / (1 - b) <= 0 for each.

For b = 1/k this is the classical R - W / (k - 1) (Thurstone 1919; Holzinger 1924); here the rate is
measured, where it exceeds 1/k. A guesser no better than the rates cannot expect to gain; one that
can tell on which questions it does better can (docs/explanation/t2q.md). The upper limit is the
*ceiling*: the share of these questions that the episodes made answerable. An answerer who answers
just what was shown, and rightly, earns exactly that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from worldquiz.facts.row import AnswerStatus, Row

FRACTIONS: Mapping[str, tuple[str, str]] = {
    "eus": ("correct", "questions"),  # environment understanding score (equation 3)
    "known": ("correct_answerable", "questions"),  # abstaining earns nothing
    "coverage": ("answerable", "questions"),  # what the player went to see
    "accuracy_answerable": ("correct_answerable", "answerable"),  # what was made of what was seen
    "abstention_precision": ("abstained_rightly", "abstained"),
    "abstention_recall": ("abstained_rightly", "non_answerable"),
    "overclaim": ("overclaimed", "non_answerable"),  # the false-answer rate
}
"""Each share as (numerator, denominator), both names of counts."""
TOO_EASY = 0.75
"""Questions with a higher guessing rate do not count: a wrong answer would cost over 3 points."""


def points(row: Row) -> float | None:
    """Return what a question earns, None where it does not count.

    A question does not count if it has no grade, if the start settles it (``at_start`` of its
    measures), if it is guessed too often, or if its guessing rate is not known.
    """
    guess = row.guess
    if row.score is None or row.measures.get("at_start") or guess is None or guess > TOO_EASY:
        return None
    if row.status is not AnswerStatus.ANSWERED:
        return 0.0
    right = (row.correct or 0.0) * row.shown
    return right - (1 - right) * penalty(guess)


def penalty(guess: float) -> float:
    """Return what a wrong answer costs where guesses are right at a rate of 0 <= guess < 1."""
    return guess / (1 - guess)


def counts(asked: Iterable[Row]) -> dict[str, float]:
    """Return counts of questions by name, whole ones as integers."""
    every = list(asked)
    graded = [(row, value) for row in every if (value := row.score) is not None]
    shown = [value for row, value in graded if row.shown]
    hidden = [row.status for row, _ in graded if not row.shown]
    found = {
        "abstained": sum(row.status is AnswerStatus.ABSTAINED for row, _ in graded),
        "abstained_rightly": hidden.count(AnswerStatus.ABSTAINED),
        "answerable": len(shown),
        "correct": fsum(value for _, value in graded),
        "correct_answerable": fsum(shown),
        "non_answerable": len(hidden),
        "overclaimed": hidden.count(AnswerStatus.ANSWERED),
        "questions": len(graded),
        "unscored": len(every) - len(graded),
    }
    return {name: whole(value) for name, value in found.items()}


def share(numerator: float, denominator: float) -> float | None:
    """Return a share, None where there is nothing to take it of."""
    return numerator / denominator if denominator else None


def mean(values: Sequence[float]) -> float | None:
    """Return a mean, None where there is nothing to take it of."""
    return share(fsum(values), len(values))


def whole(value: float) -> float:
    """Return a number as an integer where it is one: counts read "5", not "5.0"."""
    return int(value) if float(value).is_integer() else value
