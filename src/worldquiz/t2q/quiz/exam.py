"""The exam: which questions the episodes made answerable, from which step, and the grades."""

from __future__ import annotations

from worldquiz.facts.answer_text import abstains
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.grade import grade
from worldquiz.facts.question import Format, Result, Score, Unscored
from worldquiz.t2q.store import Played


def results(played: Played) -> tuple[Result, ...]:
    """Grade one world of a run, question by question, in quiz order.

    Answerability is computed over all of the agent's episodes in that world. A question without an
    answer on record is `Unscored`: it is counted, not graded 0 and not dropped.
    """
    spec = played.bundle.spec
    evidence = Evidence.of(played.episodes, spec.initial)
    replies = {answer.question: answer.reply for answer in played.answers}
    graded = []
    for question in played.bundle.questions:
        moment = evidence.earliest(question.requires)
        reply = replies.get(question.id)
        score: Score = (
            Unscored("no answer on record")
            if reply is None
            else grade(question, answerable=moment is not None, reply=reply)
        )
        graded.append(
            Result(
                world=spec.id,
                level=spec.level,
                question=question.id,
                type=question.type,
                format=Format(question.kind),
                answerable=moment,
                reply=reply or "",
                abstained=reply is not None and abstains(reply),
                score=score,
            )
        )
    return tuple(graded)
