"""MANGO's questions as a model is asked them: which ones, and in which words.

A prompt is the walkthrough's prefix, then the paper's template (arXiv 2403.19913, Examples 7 and
8): what is the same for all of a maze's questions comes first, so that providers can cache it. Only
questions that the prefix answers are asked. A sample is drawn evenly from easy and hard questions;
equal seeds ask the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz import rng
from worldquiz.agents.prompts import filled
from worldquiz.errors import KnobError
from worldquiz.evals.mango.skeletons import destination, route
from worldquiz.metrics.mango.grade import Question, Task
from worldquiz.model.maze import Maze
from worldquiz.quiz.paths.net import Net
from worldquiz.quiz.paths.pairs import Route, pairs
from worldquiz.quiz.paths.prefix import published
from worldquiz.quiz.paths.sample import sample, shares

STEPS = 70
"""Steps that are read by default, as in the published 70-step set."""
PER_MAZE = 50
"""Questions of each kind that a maze is asked by default."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of each maze. Equal values ask the same questions in the same words."""

    steps: int = STEPS  # of the walkthrough that are read
    tasks: tuple[Task, ...] = (Task.DF, Task.RF)
    per_maze: int = PER_MAZE  # questions of each task at most
    seed: int = 0
    rf_easy: Route = Route.SHORTEST

    def __post_init__(self) -> None:
        if self.steps < 0 or self.per_maze < 1:
            raise KnobError(
                f"steps {self.steps} and {self.per_maze} questions a maze: give steps from 0 and "
                "questions from 1"
            )


def questions(maze: Maze, asked: Asked) -> tuple[Question, ...]:
    """Return what a maze is asked, destination finding first."""
    shown = maze.prefix(asked.steps)
    found: list[Question] = []
    if Task.DF in asked.tasks:
        drawn = sample(shown, asked.per_maze, rng.child_seed(asked.seed, "df"), limit=asked.steps)
        found += [destination(maze.name, path) for path in drawn]
    if Task.RF in asked.tasks:
        found += _routes(shown, asked)
    return tuple(found)


def _routes(shown: Maze, asked: Asked) -> list[Question]:
    """Draw route-finding questions: half easy, half hard, as far as there are."""
    net = Net.of(shown)
    found = pairs(net, asked.rf_easy)
    every = [
        route(shown.name, net, (source, target), easy=found, every=found)
        for source in range(len(net.places))
        for target in range(len(net.places))
        if found.shortest[source][target]
    ]
    groups = {
        level: sorted(
            (each for each in every if str(each.level(asked.steps)) == level),
            key=lambda each: each.id,
        )
        for level in ("easy", "hard")
    }
    size = shares({level: len(group) for level, group in groups.items()}, asked.per_maze)
    drawn: list[Question] = []
    for level, group in groups.items():
        chosen = rng.child(asked.seed, "rf", shown.name, level).sample(group, size.get(level, 0))
        drawn += sorted(chosen, key=lambda each: (each.shortest or 0, each.source, each.target))
    return drawn


class Reading:
    """What a maze's questions have in common, and the paper's words around each."""

    def __init__(self, maze: Maze, steps: int) -> None:
        """Read so many steps. Raises `KnobError` for a maze without its walkthrough's text."""
        shown = maze.prefix(steps)
        if not shown.walkthrough:
            raise KnobError(
                f"maze {maze.name!r} has no walkthrough text here; give the steps70 layout"
            )
        self._common = {
            "walkthrough": published(shown.walkthrough),
            "actions": ", ".join(sorted(shown.actions)),
            "places": ", ".join(sorted(shown.places)),
        }

    def prompt(self, question: Question) -> str:
        """Return a question in the paper's words, behind what is read of the walkthrough."""
        asked = {**self._common, "source": question.source}
        if question.task is Task.DF:
            return filled("mango_df", **asked, moves=", ".join(question.actions))
        return filled("mango_rf", **asked, target=question.target)
