"""A run's plan, made once: its mazes, how much of each is read, and every question.

Limits in tokens become steps, for each maze by itself. For a model's window the longest prompt of a
maze counts: its walkthrough, lists and question, and what is kept free for the answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

from worldquiz.errors import KnobError, MissingExtra
from worldquiz.llm.prompts import Count, counter
from worldquiz.mango.asking.ask import Asked, Budget, Template, Text, questions
from worldquiz.mango.asking.prompts import Prompts, Reading
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import published, released
from worldquiz.mango.paths.walk import Show, simplified, steps_within
from worldquiz.mango.scoring.answers import about
from worldquiz.mango.scoring.grade import Question, Task

FRAME = 32
"""Tokens that what is around a prompt may take: roles, and a system's message."""


@dataclass(frozen=True, slots=True)
class AskingPlan:
    """The questions of a run and their mazes; mazes are whole, and in order of their names."""

    asked: Asked
    mazes: Mapping[str, Maze] = field(repr=False)
    readings: Mapping[str, Reading] = field(repr=False)  # by maze
    questions: tuple[Question, ...] = field(repr=False)  # in the order of their answers

    def steps(self, game: str) -> int:
        """Return how many steps of a maze are read."""
        return self.readings[game].steps

    @property
    def prompts(self) -> Prompts[Question]:
        """The prompts of all questions."""
        return Prompts(
            {f"{each.game}-{each.task}-{each.id[:16]}": each for each in self.questions},
            lambda question: {**about(question), "steps": self.steps(question.game)},
            lambda question: self.readings[question.game].prompt(question),
            lambda question: self.readings[question.game].system,
            lambda question: self.readings[question.game].form if self.asked.constrained else None,
        )

    def record(self) -> dict[str, Any]:
        """Return it as a manifest tells it."""
        read = {game: reading.steps for game, reading in self.readings.items()}
        return {**self.asked.record(), "read": read, "questions": len(self.questions)}


def planned(mazes: Mapping[str, Maze], asked: Asked) -> AskingPlan:
    """Plan a run.

    Raises `MissingExtra`, and `KnobError` for a maze without text, for a tokenizer that is not to
    be had, for limits that not even step 0 meets, and where nothing is left to ask.
    """
    require_libraries()
    readings: dict[str, Reading] = {}
    found: list[Question] = []
    for name in sorted(mazes):
        readings[name], drawn = _fitted(mazes[name], asked)
        found += drawn
    if not found:
        read = ", ".join(f"{name} {each.steps}" for name, each in readings.items())
        raise KnobError(
            f"nothing to ask: the steps read ({read}) answer no question of "
            f"{', '.join(asked.tasks)}: read more"
        )
    return AskingPlan(asked, {name: mazes[name] for name in sorted(mazes)}, readings, tuple(found))


def require_libraries() -> None:
    """Raise `MissingExtra` unless questions can be drawn and answers scored. Imports nothing."""
    for library in ("numpy", "rapidfuzz"):
        if find_spec(library) is None:
            raise MissingExtra(library, "mango")


def reading(maze: Maze, steps: int, template: Template, text: Text) -> Reading:
    """Return so many steps of a maze's walkthrough as a run with these settings reads them."""
    return Reading(simplified(maze) if text is Text.SIMPLIFIED else maze, steps, template)


def _fitted(maze: Maze, asked: Asked) -> tuple[Reading, tuple[Question, ...]]:
    """Return the part of a maze that is read, and the questions about it.

    For a model's window, bare prompts are fitted first; then questions are drawn, and while the
    longest prompt is too much for what is left a step less is read (and other questions drawn).
    """
    text = simplified(maze) if asked.text is Text.SIMPLIFIED else maze
    most, budget = min(asked.steps, maze.steps), asked.budget or Budget()
    count = counter(budget.tokenizer) if asked.budget else len
    if budget.tokens is not None:
        paper = asked.template is Template.PAPER
        show: Show = published if paper else partial(released, last=maze.steps)
        most = min(most, steps_within(text, budget.tokens, count, show=show))
    read = cache(lambda steps: Reading(text, steps, asked.template))
    if budget.window is None:
        return read(most), questions(text, asked, most)
    room = budget.window - budget.reserve - FRAME
    bare = cache(lambda steps: max(count(read(steps).bare(task)) for task in asked.tasks))
    fitting = bisect_right(range(most + 1), room, key=bare)  # more steps have no smaller prompt
    for steps in range(fitting - 1, -1, -1):
        found = questions(text, asked, steps)
        if _longest(read(steps), found, count) <= room:
            return read(steps), found
    raise KnobError(
        f"maze {maze.name!r}: a prompt with step 0 alone has {bare(0)} tokens by "
        f"{budget.tokenizer}, and a window of {budget.window} leaves {room} for it"
    )


def _longest(reading: Reading, asked: Sequence[Question], count: Count) -> int:
    """Return the tokens of the longest prompt, 0 where nothing is asked."""
    longest: dict[Task, tuple[int, str, Question]] = {}
    for question in asked:
        size = (count(reading.size(question)), question.id, question)
        longest[question.task] = max(longest.get(question.task, size), size)
    return max((count(reading.prompt(each)) for _, _, each in longest.values()), default=0)
