"""The quiz on an apartment, its questions' standing after a walk, and the views that settle them.

The quiz is drawn from the apartment alone, whatever was walked: so walks can be compared by it, and
nothing in a question tells whether its answer was shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from worldquiz.facts.answer_text import abstains
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact
from worldquiz.facts.grade import grade
from worldquiz.facts.question import Format, Result, Score, Unscored
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen
from worldquiz.tea.recall.quiz.kinds import Apartment, FlatQuestion, QuestionKind
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

EACH = 8
"""Questions of each kind about a flat, at most."""
UNCLEAR = "hinted at, and not shown clearly"
NO_ANSWER = "no answer on record"
LEVEL = "scene"
_OF_THINGS = ("clear", "together")
"""Facts that tell how well a view shows a thing."""


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
) -> tuple[Result, ...]:
    """Grade a quiz, in its order; `replies` are by question.

    Unclear questions and those without a reply are `Unscored`: counted, in no share.
    """
    return tuple(_result(scene, item, evidence, replies.get(item.question.id)) for item in items)


def _result(scene: str, item: FlatQuestion, evidence: Evidence, reply: str | None) -> Result:
    question, now = item.question, standing(item, evidence)
    shown = now is Standing.ANSWERABLE
    score: Score
    if now is Standing.UNCLEAR:
        score = Unscored(UNCLEAR)
    elif reply is None:
        score = Unscored(NO_ANSWER)
    else:
        score = grade(question, answerable=shown, reply=reply)
    return Result(
        world=scene,
        level=LEVEL,
        question=question.id,
        type=question.type,
        format=Format(question.kind),
        answerable=evidence.earliest(question.requires),
        reply=reply or "",
        abstained=reply is not None and abstains(reply),
        score=score,
    )


@dataclass(frozen=True, slots=True)
class FirstView:
    """Evidence of a fact in the first view that showed it."""

    fact: str  # "clear(mug-1)"
    view: str  # its id
    thing: str | None = None  # None: it is about a room or a doorway
    pixels: int | None = None  # that show the thing
    visible: float | None = None  # share of the thing that nothing covers or cuts off; 0..1


def proof(item: FlatQuestion, found: Evidence, views: Sequence[View]) -> tuple[FirstView, ...]:
    """Return the first views of a walk that show the facts that a question needs, by view.

    For an answerable question they are enough.
    """
    facts = sorted(set(_facts(item.question.requires)))
    met = [(found.first_seen[fact], fact) for fact in facts if fact in found.first_seen]
    return tuple(_piece(fact, views[moment.step - 1]) for moment, fact in sorted(met))


def _facts(requirement: Requirement) -> Iterator[Fact]:
    match requirement:
        case Seen(fact):
            yield fact
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _facts(part)
        case Reachable():
            return
        case _:
            assert_never(requirement)


def _piece(fact: Fact, view: View) -> FirstView:
    if fact.predicate not in _OF_THINGS:
        return FirstView(str(fact), view.id)
    seen = view.seen[fact.args[0]]
    return FirstView(str(fact), view.id, seen.thing, seen.pixels, seen.visible)
