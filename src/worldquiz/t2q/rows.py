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

from worldquiz.errors import RecordError
from worldquiz.facts import grade
from worldquiz.facts.episode import Episode, Outcome
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.grade import graded
from worldquiz.facts.knowledge_score import points
from worldquiz.facts.question import (
    Format,
    Graded,
    Question,
    Result,
    Score,
    Type,
    Unscored,
    What,
    Where,
    Which,
    gold,
    prompt,
)
from worldquiz.facts.requirement import START, Moment
from worldquiz.facts.row import TASK, UNREAD, AnswerStatus, Row
from worldquiz.llm.model import CommandReply, Purpose, Reply, Status, Usage, kept_usage
from worldquiz.runs.rows import RowLine, UsageLine, result_fields
from worldquiz.t2q.quiz.answerability import Checkpoints, checkpoint
from worldquiz.t2q.scoring.blind import guessing_rates
from worldquiz.t2q.store import Cause, Finding, Played, Trace
from worldquiz.t2q.world.spec import Task

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
    by_paper = shown_at(played, Checkpoints.PAPER)
    for question, result, (moment, at_start), finding in zip(
        played.bundle.questions, found, by_paper, findings, strict=True
    ):
        reply = replies.get(question.id)
        gap = gaps.get(reply.context, 0) if reply else 0
        row = _question(question, result, reply, gap, finding, head)
        rule = {"shown": _told(moment), "at_start": at_start}
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


def results(
    played: Played, checkpoints: Checkpoints = Checkpoints.LAWS, *, all_seen: bool = False
) -> tuple[Result, ...]:
    """Grade one world of a run, question by question, in quiz order.

    Answerability is computed over all of the agent's episodes in that world; with `all_seen` every
    question counts as answerable, as if the agent had seen all. A question without an answer on
    record is `Unscored`: it is counted, not graded 0 and not dropped.
    """
    spec = played.bundle.spec
    replies = {answer.question: answer.reply for answer in played.answers}
    said = {reply.question: reply for reply in played.trace.replies}
    graded = []
    rates, shown = guessing_rates(played.bundle), shown_at(played, checkpoints)
    for question, rate, (first, at_start) in zip(
        played.bundle.questions, rates, shown, strict=True
    ):
        moment = START if all_seen else first
        reply = replies.get(question.id)
        given = AnswerStatus.FAILED if reply is None else grade.status(question, reply)
        score: Score = (
            Unscored("no answer on record")
            if reply is None
            else grade.graded(question, given, answerable=moment is not None, reply=reply)
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
                abstained=given is AnswerStatus.ABSTAINED,
                score=score,
                status=status(given, said.get(question.id)),
                at_start=at_start,
                blind=rate,
            )
        )
    return tuple(graded)


def shown_at(played: Played, checkpoints: Checkpoints) -> list[tuple[Moment | None, bool]]:
    """Return when each question was first answerable, and whether the first screens sufficed."""
    spec = played.bundle.spec
    evidence = Evidence.of(played.episodes, spec.initial)
    start = Evidence.of(first_screens(played.episodes), spec.initial)
    needed = [checkpoint(spec, question, checkpoints) for question in played.bundle.questions]
    return [(evidence.earliest(each), start.earliest(each) is not None) for each in needed]


def first_screens(episodes: Sequence[Episode]) -> tuple[Episode, ...]:
    """Return episodes cut to what was seen before any command: the objectives, the first room.

    An agent that gives up at once sees just this, whatever else others see.
    """
    return tuple(replace(episode, steps=episode.steps[:1]) for episode in episodes)


def status(given: AnswerStatus, said: Reply | None) -> AnswerStatus:
    """Return what became of a question; `said` is a model's reply as it was given, if one is kept.

    `given` is what the text that is graded does, `FAILED` where no answer is on record.
    """
    lost = str(said.status) if said and given is not AnswerStatus.FAILED else None
    return AnswerStatus(lost) if lost in UNREAD else given


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
    from worldquiz.t2q.reader.memory import read_context
    from worldquiz.t2q.reader.questions import read_question, settled

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
