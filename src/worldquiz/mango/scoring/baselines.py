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

from collections.abc import Callable, Sequence
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
    said = _SPEAKERS[baseline](maze)
    return [trajectory(said(question)) for question in asked]


Said = Callable[[Question], list[Leg]]


def _go(_maze: Maze) -> Said:
    return lambda question: _repeated(question, "go", "go")


def _source(_maze: Maze) -> Said:
    def said(question: Question) -> list[Leg]:
        if question.task is Task.DF:
            return _told(question, question.actions, question.source)
        return [Leg(question.source, f"go to {question.target}", question.target)]

    return said


def _frequent(maze: Maze) -> Said:
    guessing = Guessing(maze, maze.steps)
    end, move = cache(guessing.end), cache(guessing.move)
    return lambda question: _repeated(question, move(_moves(question)), end(_moves(question)))


def _walk(maze: Maze) -> Said:
    leaving: dict[str, dict[str, list[str]]] = {}
    for edge in sorted(maze.edges, key=lambda edge: edge.key):
        leaving.setdefault(edge.source, {}).setdefault(edge.action, []).append(edge.target)

    def said(question: Question) -> list[Leg]:
        draw = rng.child(0, "walk", question.game, question.task, question.id)
        here, legs = question.source, []
        for _ in range(_moves(question)):
            if here not in leaving:
                break
            action = draw.choice(list(leaving[here]))
            there = draw.choice(leaving[here][action])
            legs.append(Leg(here, action, there))
            here = there
        return legs

    return said


_SPEAKERS = {
    Baseline.GO: _go, Baseline.SOURCE: _source, Baseline.FREQUENT: _frequent, Baseline.WALK: _walk,
}  # fmt: skip


def _repeated(question: Question, move: str, place: str) -> list[Leg]:
    """Return one place as the destination, or one move all the way to the target."""
    if question.task is Task.DF:
        return _told(question, question.actions, place)
    return _told(question, [move] * _moves(question), question.target)


def _told(question: Question, moves: Sequence[str], end: str) -> list[Leg]:
    """Return moves that all but the last lead nowhere."""
    here = question.source
    return [*(Leg(here, move, here) for move in moves[:-1]), Leg(here, moves[-1], end)]


def _moves(question: Question) -> int:
    return len(question.actions) or question.shortest or 1
