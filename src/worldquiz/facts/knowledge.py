"""Knowledge: how much of what was shown is known, corrected for guessing; and lost points.

    an answer to a question that was shown      right      1 - guess points
                                                wrong         -guess
    no answer to it                                           0
    any reply to a question that was not shown                0

    knowledge      sum of points / sum of (1 - guess), over all questions that count
    false answers  the share of questions that were not shown and got an answer

``guess`` is the share of such questions that an answerer gets right who was shown nothing; it is
fixed when the data are built (`Row.guess`). A question counts if it has a grade and a guess below
1, and if the task list and the first screen, which everybody is shown, do not give its answer away.
An answer that is half right earns 0.5 - guess.

So knowledge is accuracy corrected for chance, as Cohen's kappa corrects agreement (1960). It is 1
if all was shown and all answers are right. It is 0 for an answerer that was shown nothing, whatever
it says, and for one that says nothing; for one that guesses it is 0 on average. The *ceiling* of a
run is its value if all that was shown were known. The least possible value is -(guesses of shown
questions) / (sum of 1 - guess).

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

The paper of Task2Quiz scores a quiz by EUS = correct / all (arXiv 2601.09503, equation 3). There
abstaining is correct if the question is not answerable, so an agent that sees little scores high.

`lost_points` splits the points that a run lacks of a knowledge of 1 by cause:

    1 - knowledge = not explored + lost by memory + no readable answer + misread

exactly, in every benchmark. Of a question that counts, the right answer is worth 1 - guess:

    it was not shown                        loses its worth   not explored
    it was shown and answered rightly       loses nothing
    the reply holds no readable answer      loses its worth   no readable answer
    no answer; a wrong one                  loses its worth; 1
        the memory did not hand it over                       lost by memory
        it did, or there is no memory                         misread
        the memory hands over prose                           one of the two, unknown which

Each sum is divided by the worth of all questions that count. Where a memory hands over prose, two
causes have an interval: the memory lost between none and all of these points, and the rest was
misread. A right answer may be known or guessed; the score cannot tell. False answers are not in the
sum, since a reply to a question that was not shown is worth nothing.
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


def lost_points(rows: Iterable[Row]) -> dict[str, Bounds]:
    """Return the share of points that each of `CAUSES` took, at least and at most.

    Empty where no question counts. With the least value of one undecided cause and the greatest of
    the other, all add up to 1 - knowledge.
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
    """Return the share that guesses among choices get right, 1/k; None where there are none."""
    return 1 / len(choices) if choices else None


def whole(value: float) -> float:
    """Return a number as an integer where it is one: counts read "5", not "5.0"."""
    return int(value) if float(value).is_integer() else value
