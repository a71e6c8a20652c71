"""Contests for tests of the report: real questions about generated mazes, answers made by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mango_answering
from worldquiz.mango.asking.ask import Asked, questions
from worldquiz.mango.mapper.mapper import Mapper, trajectory
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.scoring.contest import Contest, Contestant, Marked
from worldquiz.mango.scoring.grade import Question, Task, Ways, grade

NASTY = "</script><img src=x onerror=alert(1)> & \"'"
"""A reply, or a name, that would break a careless page."""

RULES = ("exact", "paper", "release")
Reader = Callable[[Maze, Question, int], object]


def maze(name: str = "cave", seed: int = 3, **knobs: Any) -> Maze:
    """Return a small maze with loops, one-way moves, and moves that are no directions."""
    wanted: dict[str, Any] = {"size": 12, "loops": 0.2, "one_way": 0.15, "non_compass": 0.15}
    return generate(Knobs(**(wanted | knobs)), seed, name=name)


def mapper(maze: Maze, question: Question, steps: int) -> object:
    """Answer as the map builder does, in the form of the prompt."""
    shown = maze.prefix(steps)
    reader = Mapper(shown.walkthrough, shown.places, shown.actions)
    if question.task is Task.DF:
        legs = reader.destination(question.source, question.actions)
    else:
        legs = reader.route(question.source, question.target)
    return json.dumps(trajectory(legs))


def careless(maze: Maze, question: Question, steps: int) -> object:
    """Answer rightly, nearly, wrongly, brokenly or harmfully, as it happens."""
    draw = random.Random(question.id)
    route = _walk(maze, question, draw)
    return mango_answering.answer(draw, route, maze).reply if route else None


def nasty(maze: Maze, question: Question, steps: int) -> object:
    """Answer with markup."""
    if question.task is Task.DF:
        return NASTY
    return [{"prev_node": NASTY, "node": NASTY, "action": NASTY}]


def silent(maze: Maze, question: Question, steps: int) -> object:
    """Answer nothing."""
    return None


def contestant(
    name: str, mazes: Mapping[str, Maze], reader: Reader, asked: Asked, **settings: Any
) -> Contestant:
    """Return a contestant that was asked the questions of some mazes."""
    marked = []
    for each in mazes.values():
        ways = Ways(each)
        for question in questions(each, asked, asked.steps):
            reply = reader(each, question, asked.steps)
            marked.append(Marked(question, asked.steps, question.level(asked.steps), reply,
                                 grade(ways, question, reply)))  # fmt: skip
    manifest = {"kind": "mango", "model": name, "steps": asked.steps, "seed": asked.seed}
    return Contestant(name, manifest | settings, tuple(marked), {}, dict.fromkeys(RULES))


def contest(
    mazes: Sequence[Maze] = (), *, steps: int = 25, per_maze: int = 8, **readers: Reader
) -> Contest:
    """Return a contest; without readers the map builder stands beside a careless one."""
    named = {each.name: each for each in mazes or (maze(), maze("keep", 4))}
    asked = Asked(steps, per_maze=per_maze)
    who = readers or {"mapper": mapper, "careless": careless}
    return Contest(
        named,
        tuple(contestant(name, named, reader, asked) for name, reader in who.items()),
    )


def _walk(maze: Maze, question: Question, draw: random.Random) -> list[Edge]:
    """Return a question's moves, or a random walk from its source."""
    here, found = question.source, []
    wanted = list(question.actions) or [""] * (question.shortest or 1)
    for action in wanted:
        exits = [e for e in maze.edges if e.source == here and action in ("", e.action)]
        if not exits:
            break
        edge = draw.choice(exits)
        found.append(edge)
        here = edge.target
    return found
