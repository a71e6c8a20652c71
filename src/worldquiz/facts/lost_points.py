"""Lost points of a run, cause by cause: what it lacks of a knowledge of 1.

    1 - knowledge = not explored + lost by memory + no readable answer + misread

exactly, in every benchmark. Of a question that counts, the right answer is worth 1 - guess:

    it was not shown                        loses its worth   not explored
    it was shown and answered rightly       loses nothing
    the reply holds no readable answer      loses its worth   no readable answer
    no answer; a wrong one                  loses its worth; 1
        the memory did not hand it over                       lost by memory
        it did, or no memory stood between                    misread
        the memory hands over prose                           one or the other: nobody can tell

Each sum is divided by the worth of all questions that count. Where a memory hands over prose, two
causes have an interval: the memory lost between none and all of these points, and the rest was
misread. Of a right answer nothing is said: it may be known or guessed. False answers are no part of
the sum, since what is said of a question that was not shown is worth nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

from worldquiz.facts.row import Cause, Row

Bounds = Sequence[float]
"""A share at least, and at most: a list, as JSON has it."""
CAUSES = (Cause.EXPLORE, Cause.MEMORY, Cause.UNREAD, Cause.MISREAD)
"""The causes that points are told by."""


def lost_points(rows: Iterable[Row]) -> dict[str, Bounds]:
    """Return the share of points that each of `CAUSES` took, at least and at most.

    Empty where no question counts. The least of one undecided cause and the most of the other add
    up with the rest to 1 - knowledge.
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
