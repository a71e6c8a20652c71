"""One answered question is one row, in every benchmark.

Every use of a finished run (`score`, `report`, `export`, `human`, `frame`) reads its rows. A
benchmark computes them from the run's records; nothing is replayed and no model is called.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AnswerStatus(StrEnum):
    """Status of a question's answer."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"  # the reply says that the question cannot be answered
    UNREADABLE = "unreadable"  # the reply holds nothing of the form that was asked for
    REFUSED = "refused"  # the model declines, which says nothing about what it was shown
    OVERFLOW = "overflow"  # the prompt did not fit the model's context window
    FILTERED = "filtered"  # the provider withheld the reply
    FAILED = "failed"  # no reply on record


UNREAD = (
    AnswerStatus.UNREADABLE, AnswerStatus.REFUSED, AnswerStatus.OVERFLOW, AnswerStatus.FILTERED,
)  # fmt: skip
"""There was a reply, or an attempt at one, and no answer in it: nothing was claimed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question that one run was asked. None means absent, never 0 and never an empty text."""

    run: str  # the run's folder name
    benchmark: str  # "t2q"
    agent: str | None = None  # who acted; None where nobody acts
    answerer: str  # who answered: a model by its name, a memory, a baseline or a person
    world: str  # the world, maze or scene
    level: str | None = None  # the world's difficulty, or a question's split
    question: str  # the id, unique within a world
    type: str  # what is asked about: "location"
    format: str  # how it is answered: "yes_no"
    text: str  # as the answerer was shown it
    choices: tuple[str, ...] = ()
    gold: str  # the true answer, as an answerer would write it
    reply: str  # as given; empty where there is none
    answer: str | None = None  # what was read from the reply and graded
    answerable: bool  # whether the trajectory could have shown the answer
    episode: int | None = None  # where the question became answerable, from 0
    step: int | None = None  # in that episode; 0 is the observation at reset
    status: AnswerStatus
    score: float | None  # 0..1; None where there is no grade
    unscored: str | None = None  # why there is no grade
    points: float | None = None  # in the knowledge score, at most 1; None: it does not count there
    chance: float | None = None  # the score of an answerer who reads the question only, 0..1
    confidence: float | None = None  # 0..1, as the answerer stated it
    cause: str | None = None  # why the answer is right or wrong
    calls: int | None = None  # of a model, for this question alone
    tokens: int | None = None  # of those calls' prompts and replies
    cost: float | None = None  # US dollars
    seconds: float | None = None  # that the answer took
