"""The knowledge score: a quiz scored by formula, that is, corrected for guessing.

    right answer to an answerable question                       1
    abstaining, and a reply in which no answer can be read       0
    wrong answer, or any answer to a non-answerable question    -b / (1 - b)

b is the question's guessing rate (`Result.blind`): how often it is answered rightly by somebody who
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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

from worldquiz.facts.knowledge import Counts
from worldquiz.facts.question import Graded, Result
from worldquiz.facts.row import UNREAD

SCORES: Mapping[str, tuple[str, str]] = {
    "knowledge": ("points", "counted"),
    "knowledge_ceiling": ("reachable", "counted"),
}
"""The score and its ceiling as (numerator, denominator), both names of counts."""
SIGNED = frozenset({"knowledge"})
"""What may be below 0, and so is no share."""
TOO_EASY = 0.75
"""Questions with a higher guessing rate do not count: a wrong answer would cost over 3 points."""


@dataclass(frozen=True)
class Points(Counts):
    """Points of a quiz, over the questions that have a grade."""

    fractions = SCORES
    points: float  # their sum over the questions that count
    counted: int  # the questions that count
    reachable: int  # those of them that the episodes made answerable
    at_start: int  # settled by the task list and the first screen: they do not count
    unread: int  # counting or not, their replies held no answer that could be read


def of(results: Iterable[Result]) -> Points:
    """Add up graded questions. The order of the results changes nothing."""
    graded = [result for result in results if isinstance(result.score, Graded)]
    earned = {n: value for n, each in enumerate(graded) if (value := points(each)) is not None}
    return Points(
        points=fsum(earned.values()),
        counted=len(earned),
        reachable=sum(graded[n].answerable is not None for n in earned),
        at_start=sum(result.at_start for result in graded),
        unread=sum(result.status in UNREAD for result in graded),
    )


def points(result: Result) -> float | None:
    """Return what a question earns, None where it does not count.

    A question does not count if it has no grade, if the start settles it, if it is guessed too
    often (at a rate above `TOO_EASY`), or if its guessing rate is not known.
    """
    blind = result.blind
    if not isinstance(result.score, Graded) or result.at_start or blind is None or blind > TOO_EASY:
        return None
    if result.abstained or result.status in UNREAD:
        return 0.0
    right = result.score.value if result.answerable is not None else 0.0
    return right - (1 - right) * penalty(blind)


def penalty(blind: float) -> float:
    """Return what a wrong answer costs where guesses are right at a rate of 0 <= blind < 1."""
    return blind / (1 - blind)
