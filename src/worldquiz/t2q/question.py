"""Questions about the initial state of a world, and replies to them.

A question holds its answers and the evidence required for it; an answerer gets only the `Prompt`.
The formats are the paper's (arXiv 2601.09503, appendix C): yes_no, which, where, what, description.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
"""The kinds of things that a `description` may name (the paper's list)."""
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
"""How a question is answered: by yes or no; by the exact text of one of the choices; by a place (a
holder, or the room of that holder); by a short phrase; or by the kinds of things in a place, all of
them and no others, or "nothing"."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Question as the answerer sees it."""

    text: str
    format: Format
    choices: tuple[str, ...] = ()  # only `which` has any
    of_start: bool = True  # whether all that it asks is about the initial state


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its right answers and the evidence that it requires."""

    id: str
    type: str  # the family that asks it (`quiz.family`)
    text: str
    requires: Requirement
    about: tuple[str, ...]  # entities asked about
    format: Format
    answers: tuple[str, ...]  # each is right, the plainest first, as an answerer writes it
    choices: tuple[str, ...] = ()  # only `which` has any
    guess: float | None = None
    """The share, 0..1, that somebody who was shown nothing gets right, fixed when a world is built;
    1/k if there are k possible answers. None: unknown; the question does not count."""

    @property
    def gold(self) -> str:
        """The plainest right answer."""
        return self.answers[0]


def prompt(question: Question) -> Prompt:
    """Return the public part of a question."""
    of_start = question.type not in TWO_TIMES
    return Prompt(question.text, question.format, question.choices, of_start)


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
