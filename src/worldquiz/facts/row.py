"""One answered question is one row, in every benchmark.

A run keeps its rows in ``rows.jsonl`` (`runs.rows`). `score`, `report`, `compare`, `export`,
`human` and `frame` use only the rows of a finished run: nothing is replayed, no model is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

TASK = "task"
"""Type of a row about a task that an agent played; means over questions leave it out."""
ABSTAIN = "non-answerable"
"""The reply that abstains, in the wording of arXiv 2601.09503."""


class AnswerStatus(StrEnum):
    """Status of a question's answer."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"  # the reply says that the question cannot be answered
    UNREADABLE = "unreadable"  # the reply holds nothing of the form that was asked for
    REFUSED = "refused"  # the model declines, which says nothing about what it was shown
    OVERFLOW = "overflow"  # the prompt did not fit the model's context window
    FILTERED = "filtered"  # the provider withheld the reply
    CUT = "cut"  # the reply ended at the limit of tokens, before its answer did
    FAILED = "failed"  # no reply on record


UNREAD = (
    AnswerStatus.UNREADABLE, AnswerStatus.REFUSED, AnswerStatus.OVERFLOW, AnswerStatus.FILTERED,
    AnswerStatus.CUT,
)  # fmt: skip
"""Statuses of replies without a readable answer: nothing was claimed."""


class Cause(StrEnum):
    """Cause of the points that a question lost."""

    EXPLORE = "explore"  # it was not shown
    UNREAD = "unread"  # it was shown, and the reply holds no readable answer
    MEMORY = "memory"  # it was shown, and the memory did not recall it
    MISREAD = "misread"  # it was shown, and recalled if there is a memory
    EITHER = "memory or misread"  # the memory recalls prose: which of the two is unknown


class Purpose(StrEnum):
    """Purpose of a model call."""

    ACT = "act"
    QUIZ = "quiz"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls of a model with their tokens, as the provider counted them."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  # pydantic reads it

    calls: int
    input: int  # tokens of prompts, cached ones among them
    cached: int  # tokens of prompts that were read from the provider's cache
    output: int  # tokens of replies, thinking among them
    cost: float | None  # US dollars; None where no price is known
    unknown: int = 0  # calls for which the provider reported no numbers of tokens

    def __add__(self, other: Usage) -> Usage:
        known = self.cost is not None and other.cost is not None
        return Usage(
            calls=self.calls + other.calls,
            input=self.input + other.input,
            cached=self.cached + other.cached,
            output=self.output + other.output,
            cost=(self.cost or 0) + (other.cost or 0) if known else None,
            unknown=self.unknown + other.unknown,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question that one run was asked. None means absent, never 0 and never an empty text."""

    run: str  # the run's folder name
    benchmark: str  # "t2q"
    agent: str | None = None  # who acted; None where nobody acts
    answerer: str  # who answered: a model by its name, a memory, a baseline or a person
    world: str  # the world, maze or scene
    level: str | None = None  # the world's difficulty, or a question's split
    item: str  # the question's id, unique within a world and type
    type: str  # what is asked about: "location"
    format: str  # how it is answered: "yes_no"
    prompt: str  # the question as the answerer was shown it
    choices: tuple[str, ...] = ()
    gold: str  # the true answer, as an answerer would write it
    reply: str  # as given; empty where there is none
    answer: str | None = None  # what was read from the reply and graded
    shown: bool  # whether what was seen settles the question
    episode: int | None = None  # in which it was settled, from 0
    step: int | None = None  # in that episode; 0 is the observation at reset
    status: AnswerStatus
    correct: float | None  # the reply against the gold, 0..1; None where nothing was answered
    unscored: str | None = None  # why there is no grade
    guess: float | None = None  # the share that a guesser who was shown nothing gets right
    handed_over: bool | None = True  # whether a memory, if any, recalled it; None: unknown
    usage: Mapping[str, Any] | None = None  # of a model's calls for this question alone
    seconds: float | None = None  # taken by the answer
    measures: Mapping[str, Any] = field(default_factory=dict)  # a benchmark's other measurements

    @property
    def asked(self) -> bool:
        """True for a question, False for a task that was played."""
        return self.type != TASK

    @property
    def worth(self) -> float | None:
        """Points that a right answer gets if the question was shown; None if it does not count.

        A question counts in knowledge if it has a grade and a guess below 1, and if its answer is
        not given away at the start (``at_start`` in its measures).
        """
        if self.guess is None or self.grade is None or self.measures.get("at_start"):
            return None
        return 1 - self.guess or None

    @property
    def points(self) -> float | None:
        """Points of the answer in the knowledge score (`facts.knowledge`), at most `worth`."""
        if self.worth is None or self.guess is None:
            return None
        answered = self.shown and self.status is AnswerStatus.ANSWERED
        return (self.correct or 0.0) - self.guess if answered else 0.0

    @property
    def cause(self) -> Cause | None:
        """Cause of lost points; None if the question was answered rightly or has no grade."""
        if self.unscored is not None or self.status is AnswerStatus.FAILED or not self.asked:
            return None
        if not self.shown:
            return Cause.EXPLORE
        if self.status in UNREAD:
            return Cause.UNREAD
        if self.status is AnswerStatus.ANSWERED and self.correct == 1:
            return None
        if self.handed_over is None:
            return Cause.EITHER
        return Cause.MISREAD if self.handed_over else Cause.MEMORY

    @property
    def grade(self) -> float | None:
        """Grade from 0 to 1: `correct` if the question was shown, else 1 for abstaining, 0 if not.

        None if there is no grade; `unscored` says why.
        """
        if self.unscored is not None or self.status is AnswerStatus.FAILED:
            return None
        if self.shown:
            return self.correct or 0.0
        return float(self.status is AnswerStatus.ABSTAINED)

    @property
    def calls(self) -> int | None:
        """Number of model calls for this question alone; None if there were none."""
        return (self.usage or {}).get("calls") or None

    @property
    def tokens(self) -> int | None:
        """Tokens of prompts and replies in the calls for this question."""
        return self.usage["input"] + self.usage["output"] if self.usage and self.calls else None

    @property
    def cost(self) -> float | None:
        """Cost in US dollars of the calls for this question, where it is known."""
        return self.usage["cost"] if self.usage and self.calls else None
