"""Whoever has no map earns no knowledge: rates bound guessers, and baselines stay below 0."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings

from mango_data import edge, maze_of, mazes
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.guessing import Guessing
from worldquiz.mango.mazes import Maze
from worldquiz.mango.paths import Net, Route, paths
from worldquiz.mango.questions import Routes, destination
from worldquiz.mango.run import Book

STEPS = 99
TOWER = maze_of(
    edge("hall", "up", "attic", 1), edge("attic", "down", "hall", 2),
    edge("hall", "north", "yard", 3), edge("yard", "south", "hall", 4),
    edge("yard", "north", "wood", 5), edge("wood", "south", "yard", 6),
)  # fmt: skip


def every(maze: Maze) -> list[Question]:
    """Return all questions about a maze."""
    net = Net(maze.prefix(STEPS))
    found = [destination(maze.name, path) for path in paths(net)]
    return [*found, *Routes(maze.prefix(STEPS), Route.SHORTEST)]


def walks(shown: Maze, whole: Maze, moves: int, *ends: str) -> Iterator[tuple[set[str], Fraction]]:
    """Yield where every walk of so many moves ends, and how likely it is; it may fork."""
    if not moves:
        yield set(ends), Fraction(1)
        return
    actions = {each.action for each in shown.edges if each.source in ends}
    for action in actions:
        led = [e.target for e in whole.edges if e.source in ends and e.action == action]
        for reached, share in walks(shown, whole, moves - 1, *sorted(set(led))):
            yield reached, share / len(actions)


@given(mazes())
@settings(max_examples=25, deadline=None)
def test_no_random_walk_is_right_more_often_than_the_rate(maze: Maze) -> None:
    guessing = Guessing(maze, STEPS)
    shown = maze.prefix(STEPS)
    forked = len({(e.source, e.action) for e in maze.edges}) < len(maze.edges)
    for question in every(maze)[:40]:
        moves = len(question.actions) or question.shortest or 0
        if moves <= (1 if forked else 4):
            led = walks(shown, maze, moves, question.source)
            hit = sum((share for ends, share in led if question.target in ends), Fraction(0))
            assert float(hit) <= guessing.rate(question) + 1e-9


@given(mazes())
@settings(max_examples=25, deadline=None)
def test_no_place_and_no_repeated_move_is_right_more_often_than_the_rate(maze: Maze) -> None:
    guessing, asked = Guessing(maze, STEPS), every(maze)
    ends = [each for each in asked if each.task is Task.DF]
    for place, length in {(place, n) for place in maze.places for n in (1, 2, 3, 4)}:
        some = [each for each in ends if len(each.actions) == length]
        hits = sum(each.target == place for each in some)
        assert not some or hits / len(some) <= min(map(guessing.rate, some)) + 1e-9
    book = Book(maze)
    for action, length in {(e.action, n) for e in maze.edges for n in (1, 2, 3)}:
        some = [each for each in asked if each.task is Task.RF and each.shortest == length]
        told = json.dumps([{"prev_node": "x", "action": action, "node": "x"}] * length)
        hits = sum(book.graded(each, STEPS, {"reply": told})["correct"] == 1 for each in some)
        assert not some or hits / len(some) <= min(map(guessing.rate, some)) + 1e-9


def test_a_readable_example() -> None:
    guessing = Guessing(TOWER, STEPS)
    (up,) = [each for each in every(TOWER) if each.actions == ("up",)]
    assert guessing.rate(up) == 0.5  # two ways leave the hall
    routes = {(q.source, q.target): q for q in every(TOWER) if q.task is Task.RF}
    far = routes["attic", "wood"]
    assert guessing.rate(far) == pytest.approx(0.25)  # down, then north of two, then of two
    assert guessing.rate(Question("g", "q", Task.DF, "moon", ("up",), "sun", 1, 1, 1)) == 0
