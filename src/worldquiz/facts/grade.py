"""Grading: exact and deterministic. An unreadable reply is never right, and never dropped.

On a question that no episode made answerable only abstaining is right; on an answerable one only
the answer is (arXiv 2601.09503, equations 2 and 3). `answer_text` is the grammar of replies.
"""

from __future__ import annotations

from typing import assert_never

from worldquiz.facts import answer_text as text
from worldquiz.facts.fact import DOOR_AT
from worldquiz.facts.question import Description, Question, What, Where, Which, YesNo
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen
from worldquiz.facts.row import AnswerStatus

_NAME = 15
"""Words that the name of a place or thing may have, with what stands around it."""


def grade(question: Question, *, answerable: bool, reply: str) -> float:
    """Return 1 for the right reply to a question, else 0."""
    return graded(question, status(question, reply), answerable=answerable, reply=reply)


def graded(question: Question, given: AnswerStatus, *, answerable: bool, reply: str) -> float:
    """Return the same where the reply's `status` is known."""
    if not answerable:
        return float(given is AnswerStatus.ABSTAINED)
    return float(given is AnswerStatus.ANSWERED and _right(question, reply) is True)


def status(question: Question, reply: str) -> AnswerStatus:
    """Return whether a reply answers a question, rightly or wrongly, abstains, or does neither."""
    if text.abstains(reply):
        return AnswerStatus.ABSTAINED
    if text.refuses(reply):
        return AnswerStatus.REFUSED
    unread = _right(question, reply) is None
    return AnswerStatus.UNREADABLE if unread else AnswerStatus.ANSWERED


def _right(question: Question, reply: str) -> bool | None:
    """Tell whether a reply is right, None where no answer can be read in it."""
    match question:
        case YesNo():
            told = text.yes_no(reply, question.text)
            return None if told is None else told is question.answer
        case Which():
            chosen = reply if reply in question.choices else None
            chosen = chosen or text.choice(reply, question.choices, question.text, question.about)
            return None if chosen is None else chosen == question.answer
        case Description():
            found = text.categories(reply, question.text, question.about)
            return None if found is None else found == set(question.categories)
        case What(answers=answers) if all(map(text.direction, answers)):
            way = text.bearing(reply, question.text, question.about)
            right = way in {text.direction(answer) for answer in answers}
            return right or (False if _name(question, reply) else None)
        case Where() | What():
            right = reply in question.answers or _named(question, reply)
            return right or (False if _name(question, reply) else None)
        case _:
            assert_never(question)


def _named(question: Where | What, reply: str) -> bool:
    """Tell whether all that a reply names is right, and joined as it is in the world.

    A thing is in a holder that stands in a room, so naming both is right and the floor is wrong. A
    door is in both of its rooms.
    """
    names = {text.normal(answer) for answer in question.answers}
    place = isinstance(question, Where)
    door, two = place and _of_door(question.requires), place and len(names) > 1
    given = text.names(reply, question.text)
    for head, rest in given:
        found = text.names_in(
            head, names, question.about, asked=question.text,
            more=text.TOGETHER if door and two else (),
        )  # fmt: skip
        apart = place and "between" in head and len(set(found or ())) < 2
        if not found or apart or (two and not door and "floor" in head):
            return False
        if not text.explains(rest, {*names, *question.about}):
            return False
    return bool(given)


def _of_door(requires: Requirement) -> bool:
    """Tell whether a place is asked of a door: it is known once seen from either room."""
    match requires:
        case Seen(fact):
            return fact.predicate == DOOR_AT.name
        case AnyOf(parts) | All(parts):
            return bool(parts) and all(map(_of_door, parts))
        case Reachable():
            return False
        case _:
            assert_never(requires)


def _name(question: Where | What, reply: str) -> bool:
    """Tell whether a reply could be a name: a few words, and no second answer."""
    given = text.names(reply, question.text)
    return len({head for head, _ in given}) == 1 and all(
        any(map(str.isalpha, head))
        and not text.unsure(head)
        and len(text.tokens(head)) <= _NAME
        and not text.hedges(head)
        and not text.takes_back(rest)
        for head, rest in given
    )
