"""Record of a language model beside its play and answers: its words, its prompts.

None of this decides a score; it says where a score comes from. Commands and answers themselves are
in the episodes and answers, like anybody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from worldquiz.llm.model import CommandReply, Context, Status, Usage


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply to a question, as given; the part of it that is graded is the `Answer`."""

    question: str
    raw: str
    status: Status
    context: str  # the id of the context that it answered from


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
