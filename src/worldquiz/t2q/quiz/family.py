"""A family of questions: one file with all that belongs to a type of question.

    rule       yields a world's questions, in groups, each with what settles it
    wordings   the ways to ask; of each, what a reader of the text answers from its map, and what
               somebody guesses who holds nothing but the question sheet
    preset     of which worlds it is asked, and its share of their questions

The rule is given the world (`Draft`), a reader its map (`reader.graph.Graph`), a guesser the sheet
(`quiz.sheet.Sheet`), and none of them anything else: answers are found on two independent roads.
`quiz.ask` lists the families. One that forgets a part cannot be made, and Python names the part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from worldquiz import rng
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.requirement import Infer, Inferred, Requirement
from worldquiz.t2q.question import Question
from worldquiz.t2q.quiz.sheet import Guess
from worldquiz.t2q.world.game import first_screen
from worldquiz.t2q.world.spec import Task, WorldSpec

INFER = "infer"
"""The preset of questions that have to be inferred."""
CHOICES = 4
"""How many questions of other kinds are asked by turns, and how many choices a question has."""
Group = Sequence[Question]
"""Questions that are asked whole or not at all."""


@dataclass(frozen=True)
class Wording:
    """One way to ask: its words, with the roles of the names that it is about in braces.

    The quiz is written by it, and readers read it by it: wordings are no part of what these have to
    find out each for itself. It states every convention by which it is graded.

    `read` and `guess` take a map or a sheet, then the names in the order of the words. `read`
    returns the answer that the map settles: True or False to a question of yes or no, None where
    it settles none. `guess` returns the likeliest answer with how likely it is; how likely yes is,
    to a question of yes or no; None where it has none. A wording that offers choices has no guess,
    for one is as good as another; its `read` is told each first, and says whether it is right.
    """

    name: str  # in the table of guessing rates
    text: str
    read: Callable[..., str | bool | None]
    guess: Callable[..., Guess | float | None] | None
    by_kind: bool = False  # whether guesses are measured for each kind of thing

    @cached_property
    def roles(self) -> Sequence[str]:
        """The roles of the names, in the order of the words."""
        return [role for role in _ROLE.findall(self.text) if role != "preposition"]


_ROLE = re.compile(r"\{(\w+)\}")


def pattern(text: str) -> re.Pattern[str]:
    """Return the words of a question as a pattern, a group for each role."""
    words = re.escape(text).replace(r"\{preposition\}", "(?P<preposition>in|on)")
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", words))


@dataclass(frozen=True)
class Family:
    """Questions of one type."""

    type: str
    rule: Callable[[Draft], Iterator[Group]]
    wordings: tuple[Wording, ...]
    preset: str = ""
    """The only one whose worlds it is asked of; by default all that have none of their own."""
    share: float = 400  # of the questions, beside the shares of the other families
    alone: bool = False
    """Of the families that say so a world is asked one: they share its rooms, and the choice of
    pairs in one would tell answers of another."""


class Draft:
    """A world, evidence of its start and chance: all that the rule of one type draws on."""

    def __init__(
        self, spec: WorldSpec, tasks: Iterable[Task], type: str, infer: Infer | None = None
    ) -> None:
        self.spec, self.type, self._infer = spec, type, infer
        self.rng = rng.child(spec.seed, "quiz", type)
        tasks = tuple(tasks)
        self.goals = {name for task in tasks for goal in task.goal for name in goal.args}
        """What the tasks are about."""
        told = [fact for task in tasks for fact in task.discloses]
        if any(task.later for task in tasks):
            told += map(spec.dated, first_screen(spec.later))
        self._start = Evidence.of_steps([[*first_screen(spec), *told]])

    def settled(self, requirement: Requirement) -> bool:
        """Tell whether the first screen and the task list are enough to know something."""
        return self._start.earliest(requirement, self._infer) is not None

    def begun(self, group: Group) -> bool:
        """Tell whether the start settles a question of a group."""
        return any(self.settled(question.requires) for question in group)

    def shuffled(self, items: Iterable[Any]) -> list[Any]:
        """Return items, which come in a fixed order, in one drawn by seed."""
        order = list(items)
        self.rng.shuffle(order)
        return order

    def ask(
        self, make: Callable[..., Question], wording: Wording, *answer: Any,
        requires: Requirement | None = None, preposition: str = "", **names: str,
    ) -> Question:  # fmt: skip
        """Return a question without its id, about what it names, in the order of the words.

        Without a requirement it is answerable once the wording's `read` answers it from the map.
        """
        text, about = wording.text.format(preposition=preposition, **names), tuple(names.values())
        return make("", self.type, text, requires or Inferred(wording.name, about), about, *answer)
