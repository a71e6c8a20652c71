"""Record of a language model beside its play and answers: its words, its prompts.

None of this decides a score; it says where a score comes from. Commands and answers themselves are
in the episodes and answers, like anybody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from worldquiz.facts.requirement import START
from worldquiz.llm.model import CommandReply, Context, Status, Usage


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply to a question, as given; the part of it that is graded is the `Answer`."""

    question: str
    raw: str
    status: Status
    context: str  # the id of the context that it answered from
    confidence: float | None = None  # 0..1, where it was asked for and given


@dataclass(frozen=True, slots=True)
class Failure:
    """Failure to finish a world or a question; it says nothing of the agent or answerer."""

    question: str | None  # its id; None: the whole world
    reason: str


@dataclass(frozen=True, slots=True)
class Trace:
    """The side of one world's play and quiz that only a model has."""

    moves: tuple[CommandReply, ...] = ()  # empty where somebody else played
    replies: tuple[Reply, ...] = ()  # in quiz order; empty where somebody else answered
    contexts: tuple[Context, ...] = ()
    usage: tuple[Usage, ...] = ()


def without_texts(trace: Trace) -> Trace:
    """Return what is counted of a trace: statuses, confidences, usage, and the largest gap.

    Prompts and replies take nearly all of a model's records, and no number is made of them.
    """
    gaps = (context.left_out for context in trace.contexts)
    return Trace(
        moves=tuple(_counted(move.status, move.left_out) for move in trace.moves),
        replies=tuple(
            Reply(reply.question, "", reply.status, "", reply.confidence) for reply in trace.replies
        ),
        contexts=(Context("", "", max(gaps)),) if trace.contexts else (),
        usage=trace.usage,
    )


@lru_cache(1024)
def _counted(status: Status, left_out: int) -> CommandReply:
    """Return what is counted of a move: equal ones are one object."""
    return CommandReply(START, "", status, left_out)


class Cause(StrEnum):
    """Why a question came out as it did: every graded question has exactly one cause."""

    KNOWN = "known"  # right, and what was recalled settles it
    GUESSED = "guessed"  # right without what settles it
    EXPLORE = "explore"  # never shown, and rightly not answered
    REMEMBER = "remember"  # wrong: what was recalled does not settle it
    REASON = "reason"  # wrong: shown and recalled
    OVERCLAIM = "overclaim"  # wrong: never shown, answered all the same
    UNREAD = "unread"  # wrong: no answer could be read from the reply


Finding = tuple[Cause, ...]
"""Why one question came out as it did: one cause, or the two between which it lies."""
