"""Knowledge of an agent: counts over graded questions, and the shares that follow from them.

The paper scores a quiz by EUS = correct / all (arXiv 2601.09503, equation 3), where abstaining is
correct on a question that no episode made answerable. An agent that sees little can thus score much
by abstaining. The other shares take EUS apart: ``known`` pays nothing for abstaining, ``coverage``
is what the player went to see, ``accuracy_answerable`` what the answerer made of it, and
``EUS = known + abstained_rightly / questions``.

Unscored questions are in no numerator and no denominator; they are counted, and always shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import fsum
from typing import ClassVar

from worldquiz.facts.question import Graded, Result
from worldquiz.facts.row import UNREAD

FRACTIONS: Mapping[str, tuple[str, str]] = {
    "eus": ("correct", "questions"),  # environment understanding score (equation 3)
    "known": ("correct_answerable", "questions"),  # abstaining earns nothing
    "coverage": ("answerable", "questions"),  # what the player went to see
    "accuracy_answerable": ("correct_answerable", "answerable"),  # what was made of what was seen
    "abstention_precision": ("abstained_rightly", "abstained"),
    "abstention_recall": ("abstained_rightly", "non_answerable"),
    "overclaim": ("overclaimed", "non_answerable"),
}
"""Each share as (numerator, denominator), both names of counts."""


def share(numerator: float, denominator: float) -> float | None:
    """Return a share, None where there is nothing to take it of."""
    return numerator / denominator if denominator else None


def mean(values: Sequence[float]) -> float | None:
    """Return a mean, None where there is nothing to take it of."""
    return share(fsum(values), len(values))


def whole(value: float) -> float:
    """Return a number as an integer where it is one: counts read "5", not "5.0"."""
    return int(value) if float(value).is_integer() else value


@dataclass(frozen=True)
class Counts:
    """Counts by name, and the shares that are made of them: 0..1, None where undefined."""

    fractions: ClassVar[Mapping[str, tuple[str, str]]]

    def share(self, name: str) -> float | None:
        """Return one of the shares by name."""
        above, below = self.fractions[name]
        return share(getattr(self, above), getattr(self, below))

    def shares(self) -> dict[str, float | None]:
        """Return all shares by name."""
        return {name: self.share(name) for name in self.fractions}

    def counts(self) -> dict[str, float]:
        """Return every count by name, whole ones as integers."""
        return {name: whole(value) for name, value in sorted(asdict(self).items())}


@dataclass(frozen=True)
class Knowledge(Counts):
    """Counts over the graded questions of a quiz."""

    fractions = FRACTIONS
    questions: int  # graded ones
    answerable: int
    non_answerable: int  # no episode made them answerable
    correct: float  # sum of grades: whole where each grade is 0 or 1
    correct_answerable: float  # the part of it earned on answerable questions
    abstained: int
    abstained_rightly: int  # on non-answerable questions
    overclaimed: int  # non-answerable questions that were answered all the same, readably
    unscored: int  # not among `questions`


def of(results: Iterable[Result]) -> Knowledge:
    """Count graded questions. The order of the results changes nothing."""
    asked = tuple(results)
    graded = [(result, result.score.value) for result in asked if isinstance(result.score, Graded)]
    blind = [result for result, _ in graded if result.answerable is None]
    return Knowledge(
        questions=len(graded),
        answerable=len(graded) - len(blind),
        non_answerable=len(blind),
        correct=fsum(value for _, value in graded),
        correct_answerable=fsum(value for result, value in graded if result.answerable is not None),
        abstained=sum(result.abstained for result, _ in graded),
        abstained_rightly=sum(result.abstained for result in blind),
        overclaimed=sum(not each.abstained and each.status not in UNREAD for each in blind),
        unscored=len(asked) - len(graded),
    )


def split(knowledge: Knowledge) -> dict[str, float | None]:
    """Return where correct answers come from (appendix D, figure 8): facts or rightly abstaining.

    The first two are shares of all that is correct, the others of what was asked.
    """
    abstaining = knowledge.correct - knowledge.correct_answerable
    return {
        "from_answerable": share(knowledge.correct_answerable, knowledge.correct),
        "from_non_answerable": share(abstaining, knowledge.correct),
        "accuracy_answerable": knowledge.share("accuracy_answerable"),
        "accuracy_non_answerable": share(abstaining, knowledge.non_answerable),
    }
