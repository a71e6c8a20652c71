"""Knowledge: how much of what was shown is known, corrected for guessing; and lost points.

    an answer to a question that was shown      right      1 - guess points
                                                wrong         -guess
    no answer to it                                           0
    any reply to a question that was not shown                0

    knowledge      sum of points / sum of (1 - guess), over all questions that count
    false answers  the share of questions that were not shown and got an answer

A question was shown if the agent saw enough to answer it. ``guess`` is the share of such questions
that an answerer who saw nothing gets right, fixed when the data are built (`Row.guess`). A question
counts if it has a grade and a guess below 1, and if the task list and the first screen, which
everybody sees, do not give its answer away. A half-right answer scores 0.5 - guess.

So knowledge is accuracy corrected for chance, as Cohen's kappa (1960) corrects agreement. It is 1
if everything was shown and every answer is right. It is 0 for an answerer that was shown nothing,
whatever it answers, and for one that never answers; for one that guesses, it is 0 on average. The
*ceiling* of a run is the knowledge that it would have if it answered every shown question rightly.
The least possible value is -(sum of guesses of shown questions) / (sum of 1 - guess).

Six questions, worked out by hand:

    guess   shown   answer     points   worth
    0.5     yes     right       0.5     0.5
    0.5     yes     wrong      -0.5     0.5
    0.25    yes     right       0.75    0.75
    0.25    yes     none        0       0.75
    0.0     no      wrong       0       1         a false answer
    0.0     no      abstains    0       1
    sum                         0.75    4.5

Knowledge is 0.75 / 4.5 = 0.17. It could be at most 2.5 / 4.5 = 0.56 and at least -1.5 / 4.5 =
-0.33. Of the 2 questions that were not shown, 1 got a false answer.

The paper of Task2Quiz scores a quiz by EUS = correct / all (arXiv 2601.09503, equation 3). There
abstaining is correct if the question is not answerable, so an agent that sees little scores high.

`lost_points` divides the points that a run lacks, 1 - knowledge, among their causes:

    1 - knowledge = not explored + lost by memory + no readable answer + misread

exactly, in every benchmark. A question that counts is worth 1 - guess, and loses points as follows:

    not shown                               loses its worth   not explored
    shown and answered rightly              loses nothing
    shown, without a readable answer        loses its worth   no readable answer
    shown, but abstained (loses its worth) or answered wrongly (loses 1)
        the memory did not recall what was shown              lost by memory
        the memory recalled it, or there is no memory         misread
        the memory recalls prose                              one of the two, unknown which

Each sum is divided by the worth of all questions that count. Where a memory recalls prose, the
shares of two causes are intervals: between none and all of these points were lost by memory, and
the rest were misread. The score cannot distinguish a right answer that was known from a lucky
guess. False answers lose no points, since questions that were not shown lose their worth anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from math import fsum

from worldquiz.facts.row import AnswerStatus, Cause, Row

Bounds = Sequence[float]
"""The least and the greatest value of a share: a list, as in JSON."""
CAUSES = (Cause.EXPLORE, Cause.MEMORY, Cause.UNREAD, Cause.MISREAD)
"""Causes of lost points, in the order of tables."""
FRACTIONS: Mapping[str, tuple[str, str]] = {
    "knowledge": ("points", "worth"),
    "ceiling": ("worth_shown", "worth"),  # of an answerer who knows all that was shown
    "false_answers": ("answered_unshown", "non_answerable"),
    "eus": ("correct", "questions"),  # environment understanding score (equation 3)
    "coverage": ("answerable", "questions"),  # share of questions that were shown
    "accuracy_answerable": ("correct_answerable", "answerable"),  # of these, answered rightly
    "abstention_precision": ("abstained_rightly", "abstained"),
    "abstention_recall": ("abstained_rightly", "non_answerable"),
}
"""Numerator and denominator of each share, by their names in `counts`; the headline first."""
SIGNED = frozenset({"knowledge"})
"""Shares that may be below 0."""


def counts(asked: Iterable[Row]) -> dict[str, float]:
    """Return counts of questions and sums of points, by name; whole numbers are integers.

    Questions without a grade are counted only as ``unscored``.
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
    """Return the knowledge score of some rows, at most 1; None if no question counts."""
    found = counts(asked)
    return share(found["points"], found["worth"])


def lost_points(rows: Iterable[Row]) -> dict[str, Bounds]:
    """Return the least and the greatest share of the points that each of `CAUSES` may have lost.

    Empty where no question counts. All shares add up to 1 - knowledge if those of memory and
    misreading are the least of one and the greatest of the other.
    """
    worth: list[float] = []
    lost: dict[Cause, list[float]] = {cause: [] for cause in Cause}
    for row in rows:
        if row.worth is not None:
            worth.append(row.worth)
            if row.cause:
                lost[row.cause].append(row.worth - (row.points or 0.0))
    if not (whole := fsum(worth)):
        return {}
    shares = {cause: fsum(points) / whole for cause, points in lost.items()}
    may_be = dict.fromkeys((Cause.MEMORY, Cause.MISREAD), shares[Cause.EITHER])
    return {str(each): [shares[each], shares[each] + may_be.get(each, 0.0)] for each in CAUSES}


def share(numerator: float, denominator: float) -> float | None:
    """Return a ratio, None where the denominator is 0."""
    return numerator / denominator if denominator else None


def guess_among(choices: Sized) -> float | None:
    """Return the chance that a guess among k choices is right, 1/k; None without choices."""
    return 1 / len(choices) if choices else None


def whole(value: float) -> float:
    """Return a whole number as an integer, so that counts are written "5" and not "5.0"."""
    return int(value) if float(value).is_integer() else value
