"""The exam: which questions the episodes made answerable, from which step, and the grades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worldquiz.facts import grade
from worldquiz.facts.episode import Episode
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.question import Format, Result, Score, Unscored
from worldquiz.facts.requirement import START
from worldquiz.facts.row import UNREAD, AnswerStatus
from worldquiz.t2q.quiz.answerability import Checkpoints, checkpoint
from worldquiz.t2q.scoring.blind import guessing_rates
from worldquiz.t2q.store import Played
from worldquiz.t2q.trace import Reply


def results(
    played: Played, checkpoints: Checkpoints = Checkpoints.LAWS, *, all_seen: bool = False
) -> tuple[Result, ...]:
    """Grade one world of a run, question by question, in quiz order.

    Answerability is computed over all of the agent's episodes in that world; with `all_seen` every
    question counts as answerable, as if the agent had seen all. A question without an answer on
    record is `Unscored`: it is counted, not graded 0 and not dropped.
    """
    spec = played.bundle.spec
    evidence = Evidence.of(played.episodes, spec.initial)
    start = Evidence.of(first_screens(played.episodes), spec.initial)
    replies = {answer.question: answer.reply for answer in played.answers}
    said = {reply.question: reply for reply in played.trace.replies}
    graded = []
    for question, rate in zip(played.bundle.questions, guessing_rates(played.bundle), strict=True):
        requires = checkpoint(spec, question, checkpoints)
        moment = START if all_seen else evidence.earliest(requires)
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
                at_start=start.earliest(requires) is not None,
                blind=rate,
            )
        )
    return tuple(graded)


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
