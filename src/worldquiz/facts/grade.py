"""Grading: exact and deterministic. An unreadable reply is never right, and never dropped.

On a question that no episode made answerable only abstaining is right; on an answerable one only
the answer is (arXiv 2601.09503, equations 2 and 3). `answer_text` is the grammar of replies.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import assert_never

from worldquiz.facts import answer_text as text
from worldquiz.facts.question import Description, Question, What, Where, Which, YesNo
from worldquiz.facts.replies import claim
from worldquiz.facts.row import AnswerStatus

_FLOOR = re.compile(r"\bfloor\b")


def grade(
    question: Question, *, answerable: bool, reply: str, names: Collection[str] = ()
) -> float:
    """Return 1 for the right reply to a question, else 0. `names` as in `read`."""
    status, right = read(question, reply, names)
    return float(right if answerable else status is AnswerStatus.ABSTAINED)


def read(question: Question, reply: str, names: Collection[str] = ()) -> tuple[AnswerStatus, bool]:
    """Return whether a reply answers, abstains or does neither, and whether it is right.

    A place or thing is answered by one of the world's `names`; those of the question's answers
    are among them. Nothing but what is right depends on the answers.
    """
    reply, _ = claim(reply)
    if text.abstains(reply):
        return AnswerStatus.ABSTAINED, False
    if text.refuses(reply):
        return AnswerStatus.REFUSED, False
    right = _right(question, reply, names)
    return (AnswerStatus.UNREADABLE, False) if right is None else (AnswerStatus.ANSWERED, right)


def _right(question: Question, reply: str, names: Collection[str]) -> bool | None:
    """Tell whether a reply is right, None where no answer can be read in it."""
    asked = question.text
    match question:
        case YesNo(answer=answer):
            told = text.yes_no(reply, asked)
            return None if told is None else told is answer
        case Description(categories=right):
            kinds = text.categories(reply, asked, question.about)
            return None if kinds is None else kinds == set(right)
        case Which(choices=known, answer=answer) if all(map(text.direction, known)):
            way = text.bearing(reply, asked, question.about)
            ways = [text.direction(each) for each in known]
            return way == text.direction(answer) if way in ways else None
        case What(answers=answers) if all(map(text.direction, answers)):
            way = text.bearing(reply, asked, question.about)
            return None if way is None else way in map(text.direction, answers)
        case Which(choices=choices, answer=answer):
            about = [name for name in question.about if name not in choices]
            found = text.named(reply, choices, asked, about, names)
            return found == {text.normal(answer)} if found and len(found) == 1 else None
        case Where() | What():
            return _named(question, reply, names)
        case _:
            assert_never(question)


def _named(question: Where | What, reply: str, names: Collection[str]) -> bool | None:
    """Tell whether all that a reply names is right: one or two places.

    A thing is in a holder that stands in a room, so naming both is right and the floor is wrong. A
    door is in both of its rooms.
    """
    right = {text.normal(answer) for answer in question.answers}
    found = text.named(reply, (*names, *question.answers), question.text, question.about)
    if found is None or len(found) > 2:
        return None
    return found <= right and not (len(right) > 1 and _FLOOR.search(reply.lower()))
