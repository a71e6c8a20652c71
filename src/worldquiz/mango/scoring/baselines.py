"""Lower-bound baselines of MANGO's questions: contestants that have no map, in every table.

    go         the word "go": as often as the shortest route has moves, and as the destination
    source     the place where the question starts; from there to the target in one move
    frequent   the place where most paths of so many moves end; the move that finds most routes of
               that length if it is repeated, as often as the shortest route has moves
    walk       a random walk in the maze, of as many moves as are asked for or as the shortest route
               has

They are told what no contestant is (how long the shortest route is, which place and which move are
frequent, what leads where), so each is the best of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

from worldquiz import rng
from worldquiz.mango.mapper.drawnmap import Leg, trajectory
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.mango.scoring.guessing import Guessing


class Baseline(StrEnum):
    """Baseline that has no map."""

    GO = "go"
    SOURCE = "source"
    FREQUENT = "frequent"
    WALK = "walk"


def answered(
    baseline: Baseline, maze: Maze, asked: Sequence[Question]
) -> list[list[dict[str, str]]]:
    """Return a baseline's replies to all questions about a maze, as lists of moves.

    The maze is as the steps show it that were read. Equal questions have equal replies.
    """
    guessing = Guessing(maze, maze.steps)
    end, move = cache(guessing.end), cache(guessing.move)
    leaving: dict[str, dict[str, list[str]]] = {}
    for edge in sorted(maze.edges, key=lambda edge: edge.key):
        leaving.setdefault(edge.source, {}).setdefault(edge.action, []).append(edge.target)

    def said(question: Question) -> list[Leg]:
        length = len(question.actions) or question.shortest or 1
        if baseline is Baseline.WALK:
            return _walked(question, length, leaving)
        if baseline is Baseline.GO:
            return _told(question, length, "go", "go")
        if baseline is Baseline.FREQUENT:
            return _told(question, length, move(length), end(length))
        return _told(question, 1, f"go to {question.target}", question.source)

    return [trajectory(said(question)) for question in asked]


def _walked(
    question: Question, length: int, leaving: Mapping[str, Mapping[str, Sequence[str]]]
) -> list[Leg]:
    draw = rng.child(0, "walk", question.game, question.task, question.id)
    here, legs = question.source, []
    for _ in range(length):
        if here not in leaving:
            break
        action = draw.choice(list(leaving[here]))
        there = draw.choice(leaving[here][action])
        legs.append(Leg(here, action, there))
        here = there
    return legs


def _told(question: Question, length: int, move: str, place: str) -> list[Leg]:
    """Return one place as the destination, or one move all the way to the target.

    All moves but the last lead nowhere.
    """
    df = question.task is Task.DF
    moves, here = (question.actions if df else [move] * length), question.source
    last = Leg(here, moves[-1], place if df else question.target)
    return [*(Leg(here, each, here) for each in moves[:-1]), last]
