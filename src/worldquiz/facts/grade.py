"""Grading: exact and deterministic. An unreadable reply is never right, and never dropped.

On a question that no episode made answerable only abstaining is right; on an answerable one only
the answer is (arXiv 2601.09503, equations 2 and 3). `answer_values` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, assert_never

from worldquiz.facts import answer_values as told
from worldquiz.facts.answer_text import declined, normal
from worldquiz.facts.question import Description, Question, What, Where, Which, YesNo
from worldquiz.facts.replies import claim
from worldquiz.facts.row import AnswerStatus

Kinds = Mapping[str, str]
"""The kind of everything that has a name in a world, by name: "room", or one of `CATEGORIES`."""
_NOTHING: Kinds = MappingProxyType({})
_PLACES = ("room", "container", "supporter")
_FLOOR = re.compile(r"\bfloor\b")


class Reading(NamedTuple):
    """Outcome of reading a reply: its status, and whether it is right."""

    status: AnswerStatus
    right: bool = False
    answer: str | None = None  # its words; None where it neither answers nor abstains


def read(question: Question, reply: str, kinds: Kinds = _NOTHING) -> Reading:
    """Return what a reply to a question says.

    A place is answered by a name of the world's rooms and holders, or of the question's answers; a
    thing's name tells its kind. Nothing but what is right depends on the answers.
    """
    said = claim(reply)
    if status := declined(said):
        return Reading(status, answer=said if status is AnswerStatus.ABSTAINED else None)
    right = _right(question, said, kinds)
    if right is None:
        return Reading(AnswerStatus.UNREADABLE)
    return Reading(AnswerStatus.ANSWERED, right, said)


def _right(question: Question, reply: str, kinds: Kinds) -> bool | None:
    """Tell whether a reply is right, None where no answer can be read in it."""
    asked = question.text
    names = [name for name, kind in kinds.items() if kind in _PLACES]
    match question:
        case YesNo(answer=answer):
            truth = told.yes_no(reply, asked)
            return None if truth is None else truth is answer
        case Description(categories=right):
            found = told.categories(reply, asked, question.about, kinds)
            return None if found is None else found == set(right)
        case Which(choices=known, answer=answer) if all(map(told.direction, known)):
            way = told.bearing(reply, asked, question.about)
            ways = [told.direction(each) for each in known]
            return way == told.direction(answer) if way in ways else None
        case What(answers=answers) if all(map(told.direction, answers)):
            way = told.bearing(reply, asked, question.about)
            return None if way is None else way in map(told.direction, answers)
        case Which(choices=choices, answer=answer):
            others = dict.fromkeys(map(normal, (*names, *question.about)), "")
            found = told.named(reply, asked, {**others, **_same(choices)})
            return found == {normal(answer)} if found and len(found) == 1 else None
        case Where() | What():
            return _named(question, reply, names)
        case _:
            assert_never(question)


def _named(question: Where | What, reply: str, names: Sequence[str]) -> bool | None:
    """Tell whether all that a reply names is right: one or two places.

    A thing is in a holder that stands in a room, so naming both is right and the floor is wrong. A
    door is in both of its rooms.
    """
    right = {normal(answer) for answer in question.answers}
    about = dict.fromkeys(map(normal, question.about), "")
    found = told.named(reply, question.text, {**_same((*names, *question.answers)), **about})
    if found is None or len(found) > 2:
        return None
    return found <= right and not (len(right) > 1 and _FLOOR.search(reply.lower()))


def _same(names: Iterable[str]) -> dict[str, str]:
    return {normal(name): normal(name) for name in names}
