"""Knowledge of an agent: counts over graded questions, and the shares that follow from them.

The paper scores a quiz by EUS = correct / all (arXiv 2601.09503, equation 3), where abstaining is
correct on a question that no episode made answerable. An agent that sees little can thus score much
by abstaining. The other shares take EUS apart: ``known`` pays nothing for abstaining, ``coverage``
is what the player went to see, ``accuracy_answerable`` what the answerer made of it, and
``EUS = known + abstained_rightly / questions``.

Unscored questions are in no numerator and no denominator; they are counted, and always shown.
Counts add up: ``of(a + b) == of(a) + of(b)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import fsum

from worldquiz.facts.question import Graded, Result, Type
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


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Counts over the graded questions of a quiz; shares are 0..1, None where undefined."""

    questions: int  # graded ones
    answerable: int
    correct: float  # sum of grades: whole where each grade is 0 or 1
    correct_answerable: float  # the part of it earned on answerable questions
    abstained: int
    abstained_rightly: int  # on non-answerable questions
    overclaimed: int  # non-answerable questions that were answered all the same, readably
    unscored: int  # not among `questions`

    @property
    def non_answerable(self) -> int:
        """Questions that no episode made answerable."""
        return self.questions - self.answerable

    def share(self, name: str) -> float | None:
        """Return one of the `FRACTIONS` by name."""
        above, below = FRACTIONS[name]
        return share(getattr(self, above), getattr(self, below))

    def shares(self) -> dict[str, float | None]:
        """Return all `FRACTIONS` by name."""
        return {name: self.share(name) for name in FRACTIONS}

    def counts(self) -> dict[str, float]:
        """Return every count by name, whole ones as integers."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        named["non_answerable"] = self.non_answerable
        return {name: whole(value) for name, value in sorted(named.items())}

    def __add__(self, other: Knowledge) -> Knowledge:
        return Knowledge(
            *(getattr(self, field.name) + getattr(other, field.name) for field in fields(self))
        )


def whole(value: float) -> float:
    """Return a number as an integer where it is one: counts read "5", not "5.0"."""
    return int(value) if float(value).is_integer() else value


def of(results: Iterable[Result]) -> Knowledge:
    """Count graded questions. The order of the results changes nothing."""
    asked = tuple(results)
    graded = [(result, result.score.value) for result in asked if isinstance(result.score, Graded)]
    blind = [result for result, _ in graded if result.answerable is None]
    return Knowledge(
        questions=len(graded),
        answerable=len(graded) - len(blind),
        correct=fsum(value for _, value in graded),
        correct_answerable=fsum(value for result, value in graded if result.answerable is not None),
        abstained=sum(result.abstained for result, _ in graded),
        abstained_rightly=sum(result.abstained for result in blind),
        overclaimed=sum(_claimed(result) for result in blind),
        unscored=len(asked) - len(graded),
    )


def _claimed(result: Result) -> bool:
    return not result.abstained and result.status not in UNREAD


def by_type(results: Iterable[Result]) -> dict[Type, Knowledge]:
    """Count per type of question, all five types in the paper's order, asked or not."""
    asked = tuple(results)
    return {type: of(result for result in asked if result.type is type) for type in Type}


def by_level(results: Iterable[Result]) -> dict[str, Knowledge]:
    """Count per level, in the order in which levels first occur."""
    asked = tuple(results)
    levels = dict.fromkeys(result.level for result in asked)
    return {level: of(result for result in asked if result.level == level) for level in levels}


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
