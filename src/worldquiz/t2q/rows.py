"""A Task2Quiz run as rows: one for each question that was asked, graded from the run's records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from worldquiz.facts.grade import graded
from worldquiz.facts.knowledge_score import points
from worldquiz.facts.question import Question, Result, Which, gold
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.runs.journal import result_fields
from worldquiz.t2q.diagnosis import diagnose
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.store import Played, RunRecord
from worldquiz.t2q.trace import Finding, Reply


def rows(run: RunRecord) -> Iterator[Row]:
    """Yield every question of a run, in order."""
    for played in (*run.worlds, *run.lost):
        yield from _of_world(run, played)


def _of_world(run: RunRecord, played: Played) -> Iterator[Row]:
    every = results(played)
    found = diagnose(played, every)
    findings = found or (None,) * len(every)
    replies = {reply.question: reply for reply in played.trace.replies}
    why = {failure.question: failure.reason for failure in played.failures}
    for question, result, finding in zip(played.bundle.questions, every, findings, strict=True):
        row = _row(run, question, result, replies.get(question.id), finding)
        reason = why.get(question.id, played.lost)
        yield row if reason is None else replace(row, unscored=reason)


def _row(
    run: RunRecord,
    question: Question,
    result: Result,
    reply: Reply | None,
    finding: Finding | None,
) -> Row:
    assert result.status is not None  # the exam tells it of every question
    read = result.status in (AnswerStatus.ANSWERED, AnswerStatus.ABSTAINED)
    return Row(
        run=run.path.name,
        benchmark="t2q",
        agent=run.agent,
        answerer=run.answerer,
        level=result.level,
        type=str(result.type),
        prompt=question.text,
        choices=question.choices if isinstance(question, Which) else (),
        gold=gold(question),
        reply=reply.raw if reply else result.reply,
        answer=result.reply if read else None,
        status=result.status,
        points=points(result),
        correct=(
            graded(question, result.status, answerable=True, reply=result.reply).value
            if result.status is AnswerStatus.ANSWERED
            else None
        ),
        guess=result.blind if result.answerable else None,
        confidence=reply.confidence if reply else None,
        cause=" or ".join(finding) if finding else None,
        **result_fields(result),
    )
