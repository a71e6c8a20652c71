"""What a language model did beside playing and answering: its words, its prompts, their price.

None of this decides a score; it says where a score comes from. Commands and answers themselves are
in the episodes and answers, like anybody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from worldquiz.model.requirement import Moment


class Status(StrEnum):
    """How a reply could be read."""

    CLEAN = "clean"  # the JSON that was asked for
    REPAIRED = "repaired"  # JSON after repair: fences, thinking, quotes, a missing brace
    UNREADABLE = "unreadable"  # no JSON with what was asked for: a wasted step, a wrong answer
    OVERFLOW = "overflow"  # the prompt was too long even with nothing left to leave out: as above
    FILTERED = "filtered"  # the provider withheld the reply: as above


@dataclass(frozen=True, slots=True)
class Move:
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


class Purpose(StrEnum):
    """What a call of a model was for."""

    ACT = "act"
    QUIZ = "quiz"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls and tokens of one world for one purpose, as the provider counted them."""

    purpose: Purpose
    calls: int = 0
    input: int = 0  # tokens of prompts, cached ones among them
    cached: int = 0  # tokens of prompts that were read from the provider's cache
    output: int = 0  # tokens of replies, thinking among them
    cost: float | None = None  # US dollars; None where no price is known

    def __add__(self, other: Usage) -> Usage:
        if self.purpose is not other.purpose:
            raise ValueError(f"usage for {self.purpose} and for {other.purpose} is not one sum")
        known = self.cost is not None and other.cost is not None
        return Usage(
            self.purpose,
            calls=self.calls + other.calls,
            input=self.input + other.input,
            cached=self.cached + other.cached,
            output=self.output + other.output,
            cost=(self.cost or 0) + (other.cost or 0) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Trace:
    """The side of one world's play and quiz that only a model has."""

    moves: tuple[Move, ...] = ()  # empty where somebody else played
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
