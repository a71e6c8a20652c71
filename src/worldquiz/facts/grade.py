"""Grading: exact and deterministic. What cannot be read is wrong, never dropped.

On a question that no episode made answerable only abstaining is right; on an answerable one only
the answer is (arXiv 2601.09503, equations 2 and 3).
"""

from __future__ import annotations

from typing import assert_never

from worldquiz.facts.answer_text import abstains, categories, normal, yes_no
from worldquiz.facts.question import Description, Graded, Question, What, Where, Which, YesNo


def grade(question: Question, *, answerable: bool, reply: str) -> Graded:
    """Return 1 for the right reply to a question, else 0."""
    if not answerable or abstains(reply):
        return Graded(float(abstains(reply) and not answerable))
    return Graded(float(_right(question, reply)))


def _right(question: Question, reply: str) -> bool:
    match question:
        case YesNo(answer=answer):
            return yes_no(reply) is answer
        case Which(answer=text):
            return normal(reply) == normal(text)
        case Where(answers=answers) | What(answers=answers):
            return normal(reply) in {normal(answer) for answer in answers}
        case Description(categories=found):
            return categories(reply) == set(found)
        case _:
            assert_never(question)
