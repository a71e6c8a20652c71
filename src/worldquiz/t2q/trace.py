"""What a language model did beside playing and answering: its words, its prompts.

None of this decides a score; it says where a score comes from. Commands and answers themselves are
in the episodes and answers, like anybody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from worldquiz.facts.requirement import Moment
from worldquiz.llm.records import Status, Usage


@dataclass(frozen=True, slots=True)
class CommandReply:
    """A model's reply when asked for a command, as given."""

    moment: Moment  # of the step that came of it
    raw: str
    status: Status
    left_out: int = 0  # turns that the prompt left out because the window was full


@dataclass(frozen=True, slots=True)
class Context:
    """What a memory handed over, kept once however often it was shown."""

    id: str  # a hash of the text
    text: str
    left_out: int = 0  # turns left out because the window was full


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply to a question, as given; the part of it that is graded is the `Answer`."""

    question: str
    raw: str
    status: Status
    context: str  # the id of the context that it answered from
    confidence: float | None = None  # 0..1, where it was asked for and given


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
    GUESSED = "guessed"  # right on an answerable question that what was recalled does not settle
    EXPLORE = "explore"  # never shown, and rightly not answered
    REMEMBER = "remember"  # wrong: shown, but what was recalled does not settle it
    REASON = "reason"  # wrong: shown and recalled
    OVERCLAIM = "overclaim"  # wrong: never shown, answered all the same
    UNREAD = "unread"  # wrong: no answer could be read from the reply


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The causes of one world's answers, and how many of them are beyond doubt."""

    causes: tuple[Cause | None, ...]  # one a result, in their order; None where there is no grade
    exact: int  # graded questions whose context could be read line by line
