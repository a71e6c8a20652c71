"""A Task2Quiz run as rows: one for each question that was asked, graded from the run's records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import assert_never

from worldquiz.facts.question import Format, Question, Result, Unscored, Which, gold
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.records import Status
from worldquiz.runs.answer_lines import result_fields, status_of
from worldquiz.t2q.diagnosis import diagnose
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.store import Played, RunRecord
from worldquiz.t2q.trace import Cause, Reply


def rows(runs: Iterable[RunRecord]) -> Iterator[Row]:
    """Yield every question of some runs, in their order."""
    for run in runs:
        for played in run.worlds:
            yield from _of_world(run, played)


def _of_world(run: RunRecord, played: Played) -> Iterator[Row]:
    graded = results(played)
    found = diagnose(played, graded)
    causes = found.causes if found else (None,) * len(graded)
    replies = {reply.question: reply for reply in played.trace.replies}
    for question, result, cause in zip(played.bundle.questions, graded, causes, strict=True):
        yield _row(run, question, result, replies.get(question.id), cause)


def _row(
    run: RunRecord, question: Question, result: Result, reply: Reply | None, cause: Cause | None
) -> Row:
    status = _status(result, reply)
    read = status in (AnswerStatus.ANSWERED, AnswerStatus.ABSTAINED)
    return Row(
        run=_name(run.path, run.manifest.get("epoch")),
        benchmark="t2q",
        agent=run.agent,
        answerer=run.answerer,
        level=result.level,
        type=str(result.type),
        text=question.text,
        choices=question.choices if isinstance(question, Which) else (),
        gold=gold(question),
        reply=reply.raw if reply else result.reply,
        answer=result.reply if read else None,
        status=status,
        chance=_chance(question) if result.answerable else None,
        confidence=reply.confidence if reply else None,
        cause=str(cause) if cause else None,
        **result_fields(result),
    )


def _name(path: Path, epoch: int | None) -> str:
    """Return how rows call a run: its folder, or a log with the epoch where it has several."""
    return path.name if epoch is None else f"{path.name}, epoch {epoch}"


def _status(result: Result, reply: Reply | None) -> AnswerStatus:
    """Return what became of a question."""
    if isinstance(result.score, Unscored):
        return AnswerStatus.FAILED
    lost = reply.status if reply and reply.status not in (Status.CLEAN, Status.REPAIRED) else None
    return status_of(lost, readable=bool(result.reply.strip()), abstained=result.abstained)


def _chance(question: Question) -> float | None:
    """Return what a guess among the choices scores on average; None where nothing is to choose."""
    match format := Format(question.kind):
        case Format.YES_NO:
            return 0.5
        case Format.WHICH:
            return 1 / len(question.choices) if isinstance(question, Which) else None
        case Format.WHERE | Format.WHAT | Format.DESCRIPTION:
            return None
        case _:
            assert_never(format)
