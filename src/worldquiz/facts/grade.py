"""Grading: exact and deterministic. An unreadable reply is never right, and never dropped.

On a question that no episode made answerable only abstaining is right; on an answerable one only
the answer is (arXiv 2601.09503, equations 2 and 3). `answer_text` is the grammar of replies.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from worldquiz.facts import answer_text as text
from worldquiz.facts.fact import DOOR_AT
from worldquiz.facts.question import Description, Graded, Question, What, Where, Which, YesNo
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen
from worldquiz.facts.row import AnswerStatus

_NAME = 15
"""Words that the name of a place or thing may have, with what stands around it."""


def grade(question: Question, *, answerable: bool, reply: str) -> Graded:
    """Return 1 for the right reply to a question, else 0."""
    return graded(question, status(question, reply), answerable=answerable, reply=reply)


def graded(question: Question, given: AnswerStatus, *, answerable: bool, reply: str) -> Graded:
    """Return the same where the reply's `status` is known."""
    if not answerable:
        return Graded(float(given is AnswerStatus.ABSTAINED))
    return Graded(float(given is AnswerStatus.ANSWERED and _right(question, reply)))


def status(question: Question, reply: str) -> AnswerStatus:
    """Return whether a reply answers a question, rightly or wrongly, abstains, or does neither."""
    if text.abstains(reply):
        return AnswerStatus.ABSTAINED
    if text.refuses(reply):
        return AnswerStatus.REFUSED
    return AnswerStatus.ANSWERED if _readable(question, reply) else AnswerStatus.UNREADABLE


def _readable(question: Question, reply: str) -> bool:
    match question:
        case YesNo():
            return text.yes_no(reply, question.text) is not None
        case Which():
            return _chosen(question, reply) is not None
        case Description():
            return text.categories(reply, question.text, question.about) is not None
        case Where() | What():
            return _right(question, reply) or _name(question, reply)
        case _:
            assert_never(question)


def _right(question: Question, reply: str) -> bool:
    match question:
        case YesNo(answer=answer):
            return text.yes_no(reply, question.text) is answer
        case Which(answer=right):
            return _chosen(question, reply) == right
        case Where(answers=answers):
            return reply in answers or _placed(question, reply)
        case What(answers=answers) if all(map(text.direction, answers)):
            way = text.bearing(reply, question.text, question.about)
            return way in {text.direction(answer) for answer in answers}
        case What(answers=answers):
            return reply in answers or _named(question, reply)
        case Description(categories=found):
            return text.categories(reply, question.text, question.about) == set(found)
        case _:
            assert_never(question)


def _chosen(question: Which, reply: str) -> str | None:
    """Return the choice that a reply names, as it stands or by the grammar."""
    if reply in question.choices:
        return reply
    return text.choice(reply, question.choices, question.text, question.about)


def _placed(question: Where, reply: str) -> bool:
    """Tell whether all places that a reply names are right, and joined as they are in the world.

    A thing is in a holder that stands in a room, so naming both is right and the floor is wrong. A
    door is in both of its rooms.
    """
    names = {text.normal(answer) for answer in question.answers}
    door, two = _of_door(question.requires), len(names) > 1
    more = text.TOGETHER if door and two else ()
    return _all_right(
        _places(head, names, question, more)
        and not (two and not door and "floor" in head)
        and text.explains(rest, {*names, *question.about})
        for head, rest in text.names(reply, question.text)
    )


def _places(head: str, names: set[str], question: Where, more: frozenset[str] | tuple[()]) -> bool:
    found = text.names_in(head, names, question.about, asked=question.text, more=more)
    return bool(found) and not ("between" in head and len(set(found or ())) < 2)


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


def _named(question: What, reply: str) -> bool:
    names = {text.normal(answer) for answer in question.answers}
    return _all_right(
        bool(text.names_in(head, names, question.about, asked=question.text))
        and text.explains(rest, {*names, *question.about})
        for head, rest in text.names(reply, question.text)
    )


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


def _all_right(each: Iterable[bool]) -> bool:
    found = list(each)
    return bool(found) and all(found)
