"""The quiz on an apartment, and its questions' standing after a walk.

The quiz is drawn from the apartment alone, whatever was walked: so walks can be compared by it, and
nothing in a question tells whether its answer was shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from worldquiz.facts.evidence import Evidence
from worldquiz.tea.recall.quiz.kinds import Apartment, FlatQuestion, QuestionKind
from worldquiz_scenes.scene import Scene

EACH = 8
"""Questions of each kind about a flat, at most."""


class Standing(StrEnum):
    """Standing of a question after a walk."""

    ANSWERABLE = "answerable"
    UNCLEAR = "unclear"  # there is a hint of the answer, and no more: it is not asked
    NOT_SHOWN = "not shown"


def ask(
    scene: Scene, kinds: Iterable[QuestionKind], *, each: int | None = EACH, seed: int = 0
) -> tuple[FlatQuestion, ...]:
    """Return an apartment's quiz, by kind and id; with ``each=None`` all that can be asked.

    Equal scenes and seeds, equal quizzes.
    """
    flat = Apartment(scene)
    return tuple(item for kind in kinds for item in kind.items(flat, each, seed))


def standing(item: FlatQuestion, evidence: Evidence) -> Standing:
    """Return how a question stands after a walk; more views never lower it."""
    if evidence.earliest(item.question.requires) is not None:
        return Standing.ANSWERABLE
    hinted = evidence.earliest(item.hints) is not None
    return Standing.UNCLEAR if hinted else Standing.NOT_SHOWN
