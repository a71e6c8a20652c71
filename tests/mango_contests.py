"""Contests over generated mazes, whose outcomes follow from a rule of the test's choice."""

from __future__ import annotations

import random
from collections.abc import Callable

from worldquiz.llm.reply_lists import Form
from worldquiz.mango.asking.ask import Routes, destination
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.paths.path_tree import sample
from worldquiz.mango.scoring.contest import Contest, Contestant, Marked
from worldquiz.mango.scoring.grade import Grade, Question

Chance = Callable[[Question, Maze], float]


def some_mazes(number: int, *, least: int = 5) -> dict[str, Maze]:
    """Generate mazes of growing size."""
    return {
        name: generate(Knobs(size=least + place, loops=0.1), place, name=name)
        for place, name in enumerate(f"maze-{each:02}" for each in range(number))
    }


def asked(maze: Maze, steps: int, size: int = 30) -> list[Question]:
    """Return some questions of both tasks that so many steps settle."""
    drawn = [
        destination(maze.name, path)
        for path in sample(maze.prefix(steps), size, 0, limit=min(steps, maze.steps))
    ]
    return [*drawn, *list(Routes(maze, steps, Route.SHORTEST))[:size]]


def contestant(
    name: str, mazes: dict[str, Maze], chance: Chance, *, steps: int = 10**6, seed: int = 0
) -> Contestant:
    """Return somebody who is right with a chance, and whose reasoning is right if he is."""
    draw = random.Random(seed)
    marked = []
    for maze in mazes.values():
        for question in asked(maze, steps):
            right = float(draw.random() < chance(question, maze))
            grade = Grade(Form.CLEAN, right, right, right)
            marked.append(Marked(question, steps, question.level(steps), "", grade))
    return Contestant(name, {}, tuple(marked), {}, {})


def contest(mazes: dict[str, Maze], *contestants: Contestant) -> Contest:
    """Return a contest."""
    return Contest(mazes, contestants)
