"""Rows of a played world: one for each task, one for each question, graded from its records.

A task is a row of type ``task``: its reply is the commands that were given, and it is right if it
was won. All numbers of a run are computed from its rows. Beside the grade, ``measures`` holds

    of a task        walkthrough, commands, outcome, refused, repeated; of a model its `moves`
    of a question    at_start and paper: see `Checkpoints`; of a model how its reply was `read`,
                     the id of the `context` that it answered from, and turns `left_out` there
    of a world       in its first row, the `usage` of a model by purpose
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import Field

from worldquiz.facts.episode import Episode, Outcome
from worldquiz.facts.grade import graded
from worldquiz.facts.knowledge_score import points
from worldquiz.facts.question import Format, Question, Result, Type, Which, gold
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import TASK, AnswerStatus, Row
from worldquiz.llm.model import CommandReply, Purpose, Status, Usage, kept_usage
from worldquiz.runs.journal import UsageLine, result_fields
from worldquiz.runs.rows import RowLine
from worldquiz.t2q.diagnosis import diagnose
from worldquiz.t2q.quiz.answerability import Checkpoints
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.store import Played
from worldquiz.t2q.trace import Cause, Finding, Reply, Trace
from worldquiz.t2q.world.task import Task

PLAY = "play"
"""The format of a task's row."""
_CAUSES = "|".join(Cause)


@dataclass(frozen=True, kw_only=True)
class Move:
    """A model's reply when asked for a command: see `CommandReply`."""

    step: int
    reply: str
    read: Status
    left_out: int


@dataclass(frozen=True, kw_only=True)
class PaperRule:
    """A question's answerability by the paper's rule."""

    shown: tuple[int, int] | None
    at_start: bool


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Schema of the measures, those of tasks and of questions."""

    walkthrough: int = 0
    commands: int = 0
    outcome: Outcome = Outcome.GAVE_UP
    refused: int = 0
    repeated: int = 0
    moves: Sequence[Move] = ()
    at_start: bool = False
    paper: PaperRule | None = None
    read: Status | None = None
    context: str = ""
    left_out: int = 0
    usage: Mapping[Purpose, UsageLine] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class WorldRow(RowLine):
    """A line of ``rows.jsonl``."""

    type: Type | Literal["task"]
    format: Format | Literal["play"]
    cause: Annotated[str, Field(pattern=f"^({_CAUSES})( or ({_CAUSES}))?$")] | None = None
    measures: Measures  # type: ignore[assignment]


def rows_of(
    played: Played, agent: str, answerer: str, graded: Sequence[Result] | None = None
) -> list[Row]:
    """Return the rows of one world, its tasks first, for an agent and an answerer of these names.

    `graded` are its results, where these are known.
    """
    found = results(played) if graded is None else graded
    head = {"run": "", "benchmark": "t2q", "agent": agent, "answerer": answerer}
    head |= {"level": played.bundle.spec.level}
    rows = [*_tasks(played, head), *_questions(played, found, head)]
    if rows and played.trace.usage:
        used = {str(each.purpose): kept_usage(each) for each in played.trace.usage}
        rows[0] = replace(rows[0], measures={**rows[0].measures, "usage": used})
    return rows


def _tasks(played: Played, head: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of a world's tasks; of a world that failed, none was played."""
    spec, tasks = played.bundle.spec, played.bundle.tasks
    if played.lost is None and len(tasks) != len(played.episodes):
        raise ValueError(f"world {spec.id!r}: its episodes are not one for each task, in order")
    for number, task in enumerate(tasks):
        row = Row(
            **head, world=spec.id, item=task.id, type=TASK, format=PLAY, prompt=task.objective,
            gold="; ".join(task.walkthrough.commands), reply="", shown=True,
            status=AnswerStatus.FAILED, correct=None, unscored=played.lost,
        )  # fmt: skip
        if played.lost is None:
            moves = [move for move in played.trace.moves if move.moment.episode == number]
            row = _played(row, task, played.episodes[number], moves)
        yield row


def _played(row: Row, task: Task, episode: Episode, moves: Sequence[CommandReply]) -> Row:
    if task.id != episode.task:
        raise ValueError(f"task {task.id!r} was paired with an episode of {episode.task!r}")
    given = [step.action for step in episode.steps if step.action is not None]
    said = [(step.command or step.action, step.observation.text) for step in episode.steps[1:]]
    measures: dict[str, Any] = {
        "walkthrough": len(task.walkthrough.commands),
        "commands": episode.actions,
        "outcome": str(episode.outcome),
        "refused": sum(step.action is not None and step.command is None for step in episode.steps),
        "repeated": sum(before == after for before, after in pairwise(said)),
    }
    if moves:
        measures["moves"] = [
            {"step": move.moment.step, "reply": move.raw, "read": str(move.status),
             "left_out": move.left_out}
            for move in moves
        ]  # fmt: skip
    return replace(
        row, reply="; ".join(given), status=AnswerStatus.ANSWERED, measures=measures,
        correct=float(episode.outcome is Outcome.WON),
    )  # fmt: skip


def _questions(played: Played, found: Sequence[Result], head: Mapping[str, Any]) -> Iterator[Row]:
    findings = diagnose(played, found) or (None,) * len(found)
    replies = {reply.question: reply for reply in played.trace.replies}
    gaps = {context.id: context.left_out for context in played.trace.contexts}
    why = {failure.question: failure.reason for failure in played.failures}
    by_paper = results(played, Checkpoints.PAPER)
    for question, result, paper, finding in zip(
        played.bundle.questions, found, by_paper, findings, strict=True
    ):
        reply = replies.get(question.id)
        gap = gaps.get(reply.context, 0) if reply else 0
        row = _question(question, result, reply, gap, finding, head)
        rule = {"shown": _told(paper.answerable), "at_start": paper.at_start}
        row = replace(row, measures={**row.measures, "paper": rule})
        reason = why.get(question.id, played.lost)
        yield row if reason is None else replace(row, unscored=reason)


def _question(
    question: Question,
    result: Result,
    reply: Reply | None,
    left_out: int,
    finding: Finding | None,
    head: Mapping[str, Any],
) -> Row:
    assert result.status is not None  # the exam tells it of every question
    read = result.status in (AnswerStatus.ANSWERED, AnswerStatus.ABSTAINED)
    measures: dict[str, Any] = {"at_start": result.at_start}
    if reply:
        measures |= {"read": str(reply.status), "context": reply.context}
        measures["left_out"] = left_out
    return Row(
        **head,
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
        guess=result.blind,
        cause=" or ".join(finding) if finding else None,
        measures=measures,
        **result_fields(result),
    )


def _told(moment: Moment | None) -> list[int] | None:
    return None if moment is None else [moment.episode, moment.step]


def played_by(rows: Iterable[Row]) -> Trace:
    """Return what a model that played a world left of its playing, from the world's rows."""
    moves: list[CommandReply] = []
    usage: tuple[Usage, ...] = ()
    tasks = (row for row in rows if row.type == TASK)
    for number, row in enumerate(tasks):
        moves += [
            CommandReply(Moment(number, m["step"]), m["reply"], Status(m["read"]), m["left_out"])
            for m in row.measures.get("moves", ())
        ]
        if told := row.measures.get("usage", {}).get(Purpose.ACT):
            usage = (Usage(Purpose.ACT, **told),)
    return Trace(tuple(moves), usage=usage) if moves else Trace()
