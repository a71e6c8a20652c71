"""A family of questions: one file with all that belongs to a type of question.

    rule       yields a world's questions in groups, each question with its requirement
    wordings   the ways to ask; for each, how a reader of the text finds the answer in its map, and
               how somebody with only the question sheet guesses it
    preset     the worlds in which the family is asked, and its share of their questions

The rule gets only the world (`Draft`), a reader only its map (`reader.graph.Graph`), and a guesser
only the sheet (`quiz.sheet.Sheet`). So rule and reader find the answers independently.
`quiz.ask` lists the families.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from worldquiz import rng
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.requirement import Infer, Inferred, Requirement, all_of, any_of
from worldquiz.t2q.question import Format, Question
from worldquiz.t2q.quiz.sheet import Guess
from worldquiz.t2q.world.game import first_screen
from worldquiz.t2q.world.spec import Task, WorldSpec

INFER = "infer"
"""The preset of questions that have to be inferred."""
CHOICES = 4
"""Number of choices of a question, and of neighbours asked for after each four pairs of rooms."""
Group = Sequence[Question]
"""Questions that are asked whole or not at all."""


@dataclass(frozen=True)
class Wording:
    """One way to ask: a text with roles in braces for the names in it.

    Questions are written and read by the same wordings, so readers need not guess what is asked.
    The text states every convention by which answers are graded.

    `read` and `guess` take a map or a sheet, then the names in the order of the text. `read`
    returns the answer that the map settles (True or False for yes or no), None if it settles none.
    `guess` returns the likeliest answer with its probability (for yes or no, the probability of
    yes), None if there is no guess. A wording with choices has no `guess`, since all choices are
    equally likely; its `read` takes a choice before the names, and returns whether it is right.
    """

    name: str  # in the table of guessing rates
    text: str
    read: Callable[..., str | bool | None]
    guess: Callable[..., Guess | float | None] | None
    by_kind: bool = False  # whether guesses are measured for each kind of thing

    @cached_property
    def roles(self) -> Sequence[str]:
        """The roles of the names, in the order of the text."""
        return [role for role in _ROLE.findall(self.text) if role != "preposition"]


_ROLE = re.compile(r"\{(\w+)\}")


def pattern(text: str) -> re.Pattern[str]:
    """Return the text of a wording as a pattern with a group for each role."""
    words = re.escape(text).replace(r"\{preposition\}", "(?P<preposition>in|on)")
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", words))


@dataclass(frozen=True)
class Family:
    """Questions of one type."""

    type: str
    rule: Callable[[Draft], Iterator[Group]]
    wordings: tuple[Wording, ...]
    preset: str = ""
    """The only preset in which it is asked; "" for all presets without families of their own."""
    share: float = 400  # of the questions, relative to the shares of the other families
    alone: bool = False
    """A world gets only one of the families with this mark: they use the same rooms, and the choice
    of pairs in one would give away answers of another."""


class Draft:
    """A world, the evidence at its start, and a random stream: all that a family's rule may use."""

    def __init__(
        self, spec: WorldSpec, tasks: Iterable[Task], type: str, infer: Infer | None = None
    ) -> None:
        self.spec, self.type, self._infer = spec, type, infer
        self.rng = rng.child(spec.seed, "quiz", type)
        tasks = tuple(tasks)
        self.goals = {name for task in tasks for goal in task.goal for name in goal.args}
        """Names in the goals of the tasks."""
        told = [fact for task in tasks for fact in task.discloses]
        if any(task.later for task in tasks):
            told += map(spec.dated, first_screen(spec.later))
        self._start = Evidence.of_steps([[*first_screen(spec), *told]])

    def settled(self, requirement: Requirement) -> bool:
        """Return whether the first screen and the task list show what a question requires."""
        return self._start.earliest(requirement, self._infer) is not None

    def begun(self, group: Group) -> bool:
        """Return whether the first screen and the task list settle any question of a group."""
        return any(self.settled(question.requires) for question in group)

    def shuffled(self, items: Iterable[Any]) -> list[Any]:
        """Return items, given in a fixed order, in an order drawn by seed."""
        order = list(items)
        self.rng.shuffle(order)
        return order

    def ask(
        self, format: Format, wording: Wording, answers: bool | str | tuple[str, ...], *,
        choices: tuple[str, ...] = (), requires: Requirement | None = None, preposition: str = "",
        **names: str,
    ) -> Question:  # fmt: skip
        """Return a question, without an id, about the names given, in the order of the text.

        `answers` is the right answer, or a tuple of all right answers; for yes or no, True or
        False. Without `requires`, the question is answerable once the wording's `read` finds the
        answer, or rules out all other choices.
        """
        text, about = wording.text.format(preposition=preposition, **names), tuple(names.values())
        if isinstance(answers, bool):
            answers = "yes" if answers else "no"
        if isinstance(answers, str):
            answers = (answers,)
        if requires is None and format == "which":
            right = answers[0]
            if right not in choices or len({*choices}) < max(2, len(choices)):
                raise ValueError(f"{text!r}: {right!r} must be one of different choices: {choices}")
            known = {each: Inferred(wording.name, (each, *about)) for each in choices}
            requires = any_of(known.pop(right), all_of(*known.values()))
        requires = requires or Inferred(wording.name, about)
        return Question("", self.type, text, requires, about, format, answers, choices)
