"""Questions about the initial state of a world, and replies to them.

A question holds its answer and the evidence required for it; an answerer gets only the `Prompt`.
The formats are the paper's (arXiv 2601.09503, appendix C): yes_no, which, where, what, description.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, assert_never

from pydantic import Field

from worldquiz.facts.requirement import Requirement
from worldquiz.facts.row import AnswerStatus

LAWS = (
    "A thing is in one place only.",
    "A passage leads back the way it came.",
    "A passage has one door or none, the same from both of its rooms.",
    "A key fits one lock at most, and a lock takes one key.",
    "An open thing is not locked, and a locked one is not open.",
    "A key fits only what was locked at the start.",
)
"""Laws of every text world, which every answerer may know: a question counts as answerable once
the facts that were shown settle it under these laws."""
CATEGORIES = ("object", "container", "supporter", "food", "key")
"""What a `Description` may name (the paper's list)."""
TWO_TIMES = BEFORE, AFTER = "before", "after"
"""Types of questions about places before and after somebody moved things."""
NO_EXIT = "no such exit"
"""The answer to a question that supposes an exit where there is none."""
MIX = {
    "location": 611, "connectivity": 422, "direction": 405, "match": 170, "property": 359,
}  # fmt: skip
"""Number of questions of each type of the paper's taxonomy (section 3.1) over its 30 worlds,
derived from the percentages in its Table 2 (see docs/explanation/t2q.md); the paper states only
their sum, 1,967."""


Format = Literal["yes_no", "which", "where", "what", "description"]
"""How a question is answered."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Question as the answerer sees it."""

    text: str
    format: Format
    choices: tuple[str, ...] = ()  # only `which` has any
    of_start: bool = True  # whether all that it asks is about the initial state


@dataclass(frozen=True, slots=True)
class _Asked:
    """Fields that all questions have."""

    id: str
    type: str  # the family that asks it (`quiz.family`)
    text: str
    requires: Requirement
    about: tuple[str, ...]  # entities asked about
    guess: float | None = field(default=None, kw_only=True)
    """The share, 0..1, that somebody who was shown nothing gets right, fixed when a world is built;
    1/k if there are k possible answers. None: unknown; the question does not count."""


@dataclass(frozen=True, slots=True)
class YesNo(_Asked):
    """Answered by yes or no."""

    answer: bool
    kind: Literal["yes_no"] = "yes_no"


@dataclass(frozen=True, slots=True)
class Which(_Asked):
    """Answered by the exact text of one of the choices."""

    choices: tuple[str, ...]
    answer: str
    kind: Literal["which"] = "which"


@dataclass(frozen=True, slots=True)
class Where(_Asked):
    """Answered by a place: any of `answers` is right (a holder, or the room of that holder)."""

    answers: tuple[str, ...]
    kind: Literal["where"] = "where"


@dataclass(frozen=True, slots=True)
class What(_Asked):
    """Answered by a short phrase: any of `answers` is right."""

    answers: tuple[str, ...]
    kind: Literal["what"] = "what"


@dataclass(frozen=True, slots=True)
class Description(_Asked):
    """Answered by the kinds of things in a place: exactly this set, or "nothing" if empty."""

    categories: tuple[str, ...]  # in the order of CATEGORIES
    kind: Literal["description"] = "description"


Question = Annotated[YesNo | Which | Where | What | Description, Field(discriminator="kind")]


def prompt(question: Question) -> Prompt:
    """Return the public part of a question."""
    choices = question.choices if isinstance(question, Which) else ()
    return Prompt(question.text, question.kind, choices, question.type not in TWO_TIMES)


def golds(question: Question) -> tuple[str, ...]:
    """Return the right answers as an answerer would write them, the plainest first."""
    match question:
        case YesNo(answer=answer):
            return ("yes" if answer else "no",)
        case Which(answer=text):
            return (text,)
        case Where(answers=answers) | What(answers=answers):
            return answers
        case Description(categories=found):
            return (", ".join(found) or "nothing",)
        case _:
            assert_never(question)


def gold(question: Question) -> str:
    """Return the answer as an answerer would write it."""
    return golds(question)[0]


@dataclass(frozen=True, slots=True)
class Context:
    """Text that a memory returned, stored once however often it was shown."""

    id: str  # a hash of the text
    text: str
    left_out: int = 0  # turns left out because the window was full
    whole: bool = False  # all turns are in it, word for word


@dataclass(frozen=True, slots=True)
class Answer:
    """A recorded answer to one question; only models fill fields other than the reply."""

    reply: str | None = None  # as given; None: none is on record
    lost: AnswerStatus | None = None  # why it cannot hold an answer
    context: Context | None = None  # from which it was answered
    failure: str | None = None  # why the call failed
