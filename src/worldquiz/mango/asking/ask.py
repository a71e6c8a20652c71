"""MANGO's questions with their labels, drawn for the part of a walkthrough that is read.

Asking and scoring both make a question here, so both give it the same id and the same labels. A
path's labels are those of its own moves. Which routes there are between two places, and which of
them are shortest, depends on what was read: a route-finding question belongs to the maze as so many
steps show it, as in the paper's Tables 5 and 6.

Only questions that the part of the walkthrough that is read answers are asked. A sample is drawn
evenly from easy and hard questions; equal seeds ask the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from worldquiz import rng
from worldquiz.errors import KnobError
from worldquiz.llm.tokens import ESTIMATE
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.official import pair_id, path_id
from worldquiz.mango.paths.pairs import Pairs, Route, pairs
from worldquiz.mango.paths.path_tree import ABSENT, Label, Net, sample
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.stats.sampling import shares

STEPS = 70
"""Steps read at most where nothing else is said; the published 70-step set knows none beyond."""
PER_MAZE = 50
"""Questions of each kind that a maze is asked by default."""
RESERVE = 512
"""Tokens kept free for an answer by default; what the released programs allow one."""


class Template(StrEnum):
    """Source of a prompt's wording: the paper or the release."""

    PAPER = "paper"  # arXiv 2403.19913, Examples 7 and 8
    RELEASE = "release"  # what the released programs send to a chat model


class Text(StrEnum):
    """Text of each walkthrough step in a prompt."""

    FULL = "full"  # the act and the game's answer
    SIMPLIFIED = "simplified"  # the act and the name of the place where one then is (section 3.1)


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits to the tokens that may be read; each limit may be absent, but not both."""

    tokens: int | None = None  # of the walkthrough as it is shown
    window: int | None = None  # the model's: for a whole prompt and its answer
    reserve: int = RESERVE  # of the window, for the answer
    tokenizer: str = ESTIMATE

    def __post_init__(self) -> None:
        """Raise `KnobError` for a limit that nothing can meet."""
        for name in ("tokens", "window"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise KnobError(f"{name} {value}: give tokens from 1")
        if self.window is not None and not 0 <= self.reserve < self.window:
            raise KnobError(
                f"reserve {self.reserve}: a window of {self.window} tokens needs one from 0 and "
                "less than itself"
            )

    @classmethod
    def of(
        cls, tokens: int | None, window: int | None, reserve: int, tokenizer: str
    ) -> Budget | None:
        """Return a budget, None where neither limit is given."""
        limited = tokens is not None or window is not None
        return cls(tokens, window, reserve, tokenizer) if limited else None

    def record(self) -> dict[str, Any]:
        """Return its settings that bear on the part that is read."""
        reserve = {} if self.window is None else {"reserve": self.reserve}
        limits = {"tokens": self.tokens, "window": self.window, **reserve}
        given = {name: value for name, value in limits.items() if value is not None}
        return {**given, "tokenizer": self.tokenizer}


@dataclass(frozen=True, slots=True)
class Asked:
    """Settings of a maze's questions. Equal values ask the same questions in the same words."""

    steps: int = STEPS  # of the walkthrough that are read at most
    tasks: tuple[Task, ...] = (Task.DF, Task.RF)
    per_maze: int = PER_MAZE  # questions of each task at most
    seed: int = 0
    rf_easy: Route = Route.SHORTEST
    template: Template = Template.PAPER
    text: Text = Text.FULL
    budget: Budget | None = None  # a further limit to what is read
    constrained: bool = False  # replies are held to a schema; the prompts are the same

    def __post_init__(self) -> None:
        """Raise `KnobError` where nothing would be asked."""
        if self.steps < 0 or self.per_maze < 1:
            raise KnobError(
                f"steps {self.steps} and {self.per_maze} questions a maze: give steps from 0 and "
                "questions from 1"
            )

    def record(self) -> dict[str, Any]:
        """Return it as a manifest tells it."""
        return {
            "steps": self.steps,
            "budget": self.budget.record() if self.budget else None,
            "tasks": [str(each) for each in self.tasks],
            "per_maze": self.per_maze,
            "seed": self.seed,
            "rf_easy": str(self.rf_easy),
            "template": str(self.template),
            "walkthrough": str(self.text),
            **({"constrained": True} if self.constrained else {}),
        }


def questions(maze: Maze, asked: Asked, steps: int) -> tuple[Question, ...]:
    """Return a maze's questions for a reader of so many steps, destination finding first."""
    found: list[Question] = []
    if Task.DF in asked.tasks:
        seed = rng.child_seed(asked.seed, "df")
        drawn = sample(maze.prefix(steps), asked.per_maze, seed, limit=steps)
        found += [destination(maze.name, path) for path in drawn]
    if Task.RF in asked.tasks:
        every = sorted(Routes(maze, steps, asked.rf_easy), key=lambda each: each.id)
        groups = {
            level: [each for each in every if str(each.level(steps)) == level]
            for level in ("easy", "hard")
        }
        size = shares({level: len(group) for level, group in groups.items()}, asked.per_maze)
        for level, group in groups.items():
            draw = rng.child(asked.seed, "rf", maze.name, level)
            found += sorted(
                draw.sample(group, size.get(level, 0)),
                key=lambda each: (each.shortest or 0, each.source, each.target),
            )
    return tuple(found)


def destination(game: str, path: Sequence[Edge]) -> Question:
    """Return the destination-finding question of a path."""
    easy, told = ([edge.told.forward for edge in path], [edge.told.first for edge in path])
    return Question(
        game, path_id(path), Task.DF, path[0].source,
        tuple(edge.action for edge in path), path[-1].target, len(path),
        *(None if None in steps else max(step or 0 for step in steps) for steps in (easy, told)),
    )  # fmt: skip


class Routes:
    """The route-finding questions of a maze as so many steps show it."""

    def __init__(self, maze: Maze, steps: int, easy: Route) -> None:
        """Find all routes. A question is easy by one choice of them, and answerable by any."""
        self._net = Net.of(maze.prefix(steps))
        self._any = pairs(self._net, Route.ANY)
        self._easy = self._any if easy is Route.ANY else pairs(self._net, easy)

    def __iter__(self) -> Iterator[Question]:
        """Yield the question of every pair with a route, by the names of its places."""
        for source in self._net.places:
            for target in self._net.places:
                if question := self.question(source, target):
                    yield question

    def question(self, source: str, target: str) -> Question | None:
        """Return the question of two different places, None where no route is shown."""
        number = self._net.number
        if source not in number or target not in number:
            return None
        pair = number[source], number[target]
        if not self._any.shortest[pair[0]][pair[1]]:
            return None
        return route(self._net.name, self._net, pair, easy=self._easy, every=self._any)


def route(game: str, net: Net, pair: tuple[int, int], *, easy: Pairs, every: Pairs) -> Question:
    """Return the route-finding question of a pair of places, by their numbers.

    It is easy by one choice of routes, and answerable by any.
    """
    source, target = (net.places[number] for number in pair)
    return Question(
        game, pair_id(source, target), Task.RF, source, (), target,
        every.shortest[pair[0]][pair[1]],
        _label(easy, Label.TOLD_FORWARD, pair),
        _label(every, Label.TOLD_FIRST, pair),
    )  # fmt: skip


def _label(found: Pairs, label: Label, pair: tuple[int, int]) -> int | None:
    step = found.labels[label][pair[0]][pair[1]]
    return None if step == ABSENT else step
