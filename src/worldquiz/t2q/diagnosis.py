"""Causes of a model's answers: one cause for each graded question.

A run records what the model's memory recalled for a question (`Trace.contexts`), so a wrong answer
has one cause: the player never saw enough, the memory did not hand it over, or the model had it in
its prompt. In this order:

    `UNREAD`      wrong, and no answer could be read from the reply, or the model refused
    `EXPLORE`     not answerable, and the model abstained
    `OVERCLAIM`   not answerable, and the model answered all the same
    `KNOWN`       right, and what was recalled settles it
    `GUESSED`     right, though what was recalled does not settle it
    `REASON`      wrong, though what was recalled settles it; abstaining is wrong here
    `REMEMBER`    wrong, and what was recalled does not settle it

A text settles a question if the right answer follows from it. That can be told where every line can
be read: turns and the sentences of the worldgraph. It is strict: a turn without the turns before it
leaves open what those may have changed, however unlikely.

Of any other text, and of questions in a world's own words, nothing is guessed: a right answer is
KNOWN or GUESSED, a wrong one REMEMBER or REASON, and stays undecided.

A question without a grade has no cause.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldquiz.errors import RecordError
from worldquiz.facts.question import Graded, Question, Result, What, Where, gold, prompt
from worldquiz.facts.row import UNREAD
from worldquiz.t2q.reader.memory import read_context
from worldquiz.t2q.reader.questions import read_question, settled
from worldquiz.t2q.store import Played
from worldquiz.t2q.trace import Cause, Finding

OPEN = {True: (Cause.KNOWN, Cause.GUESSED), False: (Cause.REASON, Cause.REMEMBER)}
"""By whether an answer is right: its cause where the context settles it, and where it does not."""

Findings = tuple[Finding | None, ...]
"""One a result, in their order; None where there is no grade."""


def diagnose(played: Played, results: Sequence[Result]) -> Findings | None:
    """Return why the answers of one world came out as they did, None where no model answered.

    Raises `RecordError` where a graded question has no reply on record, or its context is missing.
    """
    if not played.trace.replies:
        return None
    questions = {question.id: question for question in played.bundle.questions}
    replies = {reply.question: reply for reply in played.trace.replies}
    contexts = {context.id: context.text for context in played.trace.contexts}

    def found(result: Result) -> Finding | None:
        if not isinstance(result.score, Graded):
            return None
        reply = replies.get(result.question)
        if reply is None or reply.context not in contexts:
            what = "reply" if reply is None else f"context {reply.context!r}"
            raise RecordError(
                f"world {result.world!r}, question {result.question!r}: its {what} is not on "
                "record; play the world again"
            )
        right = result.score.value == 1
        return _finding(result, right, questions[result.question], contexts[reply.context])

    return tuple(map(found, results))


def _finding(result: Result, right: bool, question: Question, context: str) -> Finding:
    if result.status in UNREAD and not right:
        return (Cause.UNREAD,)
    if result.answerable is None:
        return (Cause.EXPLORE if result.abstained else Cause.OVERCLAIM,)
    read = read_context(context)
    if not read.exact or read_question(question.text) is None:
        return OPEN[right]
    golds = question.answers if isinstance(question, Where | What) else (gold(question),)
    settles = settled(read.graph, prompt(question)) in golds
    return (OPEN[right][not settles],)
