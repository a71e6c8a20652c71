"""Why each answer of a model came out as it did: one cause for each graded question.

What the model's memory had recalled for a question is on record (`Trace.contexts`), so a wrong
answer can be laid at one door: the player never saw enough, the memory did not hand it over, or the
model had it before its eyes. In this order:

    UNREAD      wrong, and no answer could be read from the reply, or the model refused
    EXPLORE     not answerable, and the model abstained
    OVERCLAIM   not answerable, and the model answered all the same
    KNOWN       right, and what was recalled settles it
    GUESSED     right, though what was recalled does not settle it
    REASON      wrong, though what was recalled settles it; abstaining is wrong here
    REMEMBER    wrong, and what was recalled does not settle it

A text settles a question if the right answer follows from it. That is exact where every line can be
read: turns and the sentences of the worldgraph. It is strict: a turn without the turns before it
leaves open what those may have changed, however unlikely. Of prose it is an estimate: two lines
on end that could not be read have the names that were asked about, and where more than yes or no
was asked, a right answer too. `Diagnosis.exact` counts the questions that needed no estimate.

A question without a grade has no cause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from worldquiz.errors import RecordError
from worldquiz.facts.question import (
    Description,
    Graded,
    Question,
    Result,
    What,
    Where,
    Which,
    YesNo,
    gold,
    prompt,
)
from worldquiz.facts.row import UNREAD
from worldquiz.t2q.memory.worldgraph.context import ReadText, read_context
from worldquiz.t2q.memory.worldgraph.questions import settled, spot_of
from worldquiz.t2q.store import Played
from worldquiz.t2q.trace import Cause, Diagnosis, Reply


def diagnose(played: Played, results: Sequence[Result]) -> Diagnosis | None:
    """Return why the answers of one world came out as they did, None where no model answered.

    Raises `RecordError` where a graded question has no reply on record, or its context is missing.
    """
    if not played.trace.replies:
        return None
    questions = {question.id: question for question in played.bundle.questions}
    replies = {reply.question: reply for reply in played.trace.replies}
    contexts = {context.id: context.text for context in played.trace.contexts}
    causes: list[Cause | None] = []
    exact = 0
    for result in results:
        if not isinstance(result.score, Graded):
            causes.append(None)
            continue
        reply = _on_record(result, replies, contexts)
        read = read_context(contexts[reply.context])
        exact += read.exact
        right = result.score.value == 1
        causes.append(_cause(result, right, questions[result.question], read))
    return Diagnosis(tuple(causes), exact)


def _on_record(result: Result, replies: dict[str, Reply], contexts: dict[str, str]) -> Reply:
    at = f"world {result.world!r}, question {result.question!r}"
    reply = replies.get(result.question)
    if reply is None:
        raise RecordError(f"{at}: has an answer and no reply on record; play the world again")
    if reply.context not in contexts:
        raise RecordError(
            f"{at}: its reply names context {reply.context!r}, which is not on record; "
            "play the world again"
        )
    return reply


def _cause(result: Result, right: bool, question: Question, read: ReadText) -> Cause:
    if result.status in UNREAD and not right:
        return Cause.UNREAD
    if result.answerable is None:
        return Cause.EXPLORE if result.abstained else Cause.OVERCLAIM
    if _settles(read, question):
        return Cause.KNOWN if right else Cause.REASON
    return Cause.GUESSED if right else Cause.REMEMBER


def _settles(read: ReadText, question: Question) -> bool:
    """Tell whether the right answer follows from a text, as far as it could be read, or seems to.

    A text that settles a wrong answer does not settle the question.
    """
    found = settled(read.graph, prompt(question))
    if found is not None:
        return found in _right(question)
    return any(
        _mentioned(question, " ".join(lines))
        for lines in zip_longest(read.unread, read.unread[1:], fillvalue="")
    )


def _mentioned(question: Question, text: str) -> bool:
    """Tell whether prose names what was asked about and, of an open question, a right answer."""
    told = " ".join(text.lower().split())
    if not all(_occurs(name, told) for name in question.about):
        return False
    match question:
        case YesNo() | Description():
            return True
    return any(_occurs(spot_of(answer), told) for answer in _right(question))


def _right(question: Question) -> tuple[str, ...]:
    match question:
        case Where(answers=answers) | What(answers=answers):
            return answers
        case Which() | YesNo() | Description():
            return (gold(question),)


def _occurs(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None
