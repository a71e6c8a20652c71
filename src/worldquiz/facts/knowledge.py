"""Knowledge: how much of what was shown is known, corrected for guessing; and false answers.

    an answer to a question that was shown      right      1 - guess points
                                                wrong         -guess
    no answer to it                                           0
    whatever is said of one that was not shown                0

    knowledge      sum of points / sum of (1 - guess), over all questions that count
    false answers  the share of questions that were not shown and got an answer

``guess`` is the share of such questions that a guesser gets right who was shown nothing; it is
fixed when the data are built (`Row.guess`). A question counts if it has a grade, and a guess below
1, and the start does not settle it: no task list and no first screen that everybody is shown.
Credit in part counts as it is: an answer that is half right earns 0.5 - guess.

So knowledge is accuracy corrected for chance, as Cohen's kappa corrects agreement (1960). All shown
and all right is 1. An answerer that was shown nothing has 0, whatever it says, and so has one that
says nothing. One that guesses about what was shown has 0 on average. The *ceiling* of a run is its
value if all that was shown were known; no knowledge is below -(guesses of shown questions) / (sum
of 1 - guess).

Six questions, as one works them out by hand:

    guess   shown   answer     points   worth
    0.5     yes     right       0.5     0.5
    0.5     yes     wrong      -0.5     0.5
    0.25    yes     right       0.75    0.75
    0.25    yes     none        0       0.75
    0.0     no      wrong       0       1         a false answer
    0.0     no      abstains    0       1
    sum                         0.75    4.5

Knowledge is 0.75 / 4.5 = 0.17 of at most 2.5 / 4.5 = 0.56, with 1 of 2 false answers. The worst
here is -1.5 / 4.5 = -0.33.

The paper of Task2Quiz scores a quiz by EUS = correct / all (arXiv 2601.09503, equation 3), where
abstaining is correct of what no episode made answerable: who sees little scores much by abstaining.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum

from worldquiz.facts.row import AnswerStatus, Row

FRACTIONS: Mapping[str, tuple[str, str]] = {
    "knowledge": ("points", "worth"),
    "ceiling": ("worth_shown", "worth"),  # of an answerer who knows all that was shown
    "false_answers": ("answered_unshown", "non_answerable"),
    "eus": ("correct", "questions"),  # environment understanding score (equation 3)
    "coverage": ("answerable", "questions"),  # what the player went to see
    "accuracy_answerable": ("correct_answerable", "answerable"),  # what was made of what was seen
    "abstention_precision": ("abstained_rightly", "abstained"),
    "abstention_recall": ("abstained_rightly", "non_answerable"),
}
"""Each share as (numerator, denominator), both names of `counts`: the headline first."""
SIGNED = frozenset({"knowledge"})
"""Shares that may be below 0."""


def counts(asked: Iterable[Row]) -> dict[str, float]:
    """Return counts of questions by name, and sums of points; whole ones as integers.

    Questions without a grade are in no other count than ``unscored``.
    """
    every = list(asked)
    graded = [(row, grade) for row in every if (grade := row.grade) is not None]
    scored = [(row, worth) for row in every if (worth := row.worth) is not None]
    shown = [grade for row, grade in graded if row.shown]
    hidden = [row.status for row, _ in graded if not row.shown]
    found = {
        "abstained": sum(row.status is AnswerStatus.ABSTAINED for row, _ in graded),
        "abstained_rightly": hidden.count(AnswerStatus.ABSTAINED),
        "answerable": len(shown),
        "answered_unshown": hidden.count(AnswerStatus.ANSWERED),
        "correct": fsum(grade for _, grade in graded),
        "correct_answerable": fsum(shown),
        "counted": len(scored),
        "non_answerable": len(hidden),
        "points": fsum(row.points or 0.0 for row, _ in scored),
        "questions": len(graded),
        "unscored": len(every) - len(graded),
        "worth": fsum(worth for _, worth in scored),
        "worth_shown": fsum(worth for row, worth in scored if row.shown),
    }
    return {name: whole(value) for name, value in found.items()}


def knowledge(asked: Iterable[Row]) -> float | None:
    """Return the knowledge of some rows, at most 1; None where no question counts."""
    found = counts(asked)
    return share(found["points"], found["worth"])


def share(numerator: float, denominator: float) -> float | None:
    """Return a share, None where there is nothing to take it of."""
    return numerator / denominator if denominator else None


def whole(value: float) -> float:
    """Return a number as an integer where it is one: counts read "5", not "5.0"."""
    return int(value) if float(value).is_integer() else value
