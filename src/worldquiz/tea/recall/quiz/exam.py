"""The quiz on an apartment, and its questions' standing and grades after a walk.

The quiz is drawn from the apartment alone, whatever was walked: so walks can be compared by it, and
nothing in a question tells whether its answer was shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from worldquiz.facts.answer_text import abstains
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.grade import grade
from worldquiz.facts.question import Format, Result, Score, Unscored
from worldquiz.tea.recall.quiz.kinds import Apartment, FlatQuestion, QuestionKind
from worldquiz_scenes.scene import Scene

EACH = 8
"""Questions of each kind about a flat, at most."""
UNCLEAR = "hinted at, and not shown clearly"
NO_ANSWER = "no answer on record"


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


def results(
    scene: str, items: Iterable[FlatQuestion], evidence: Evidence, replies: Mapping[str, str]
) -> Iterator[Result]:
    """Grade a quiz, in its order; `replies` are by question.

    Unclear questions and those without a reply are `Unscored`: counted, in no share.
    """
    for item in items:
        question, now = item.question, standing(item, evidence)
        reply = replies.get(question.id)
        score: Score
        if now is Standing.UNCLEAR:
            score = Unscored(UNCLEAR)
        elif reply is None:
            score = Unscored(NO_ANSWER)
        else:
            score = grade(question, answerable=now is Standing.ANSWERABLE, reply=reply)
        yield Result(
            world=scene,
            level="scene",
            question=question.id,
            type=question.type,
            format=Format(question.kind),
            answerable=evidence.earliest(question.requires),
            reply=reply or "",
            abstained=reply is not None and abstains(reply),
            score=score,
        )
