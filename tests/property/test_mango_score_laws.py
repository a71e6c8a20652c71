"""Scoring equals a second implementation that shares nothing with it, on any answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mango_answering
import mango_brute
from deep import DEEP
from mango_data import edge, mango_data, maze_of, mazes
from worldquiz.mango.grade import Question, Rule, Task, Ways, grade, read_moves
from worldquiz.mango.mazes import Edge, Maze
from worldquiz.mango.published import Layout, games, read
from worldquiz.mango.walkthrough import Move

ANSWERS = 2_000 if DEEP else 250
TWISTED = maze_of(
    edge("Attic", "down", "Hall", 1),
    edge("Hall", "up", "Attic", 2),
    edge("Hall", "north", "Kitchen", 3),
    edge("Hall", "north", "Cellar", 4),  # one action, two places
    edge("Kitchen", "south", "Hall", 5),
    edge("Kitchen", "out", "Hall", 5),  # two actions, one place
    edge("Kitchen", "jump", "Kitchen", 6),  # nowhere else
    edge("Kitchen", "north", "Bob's [dark] house, 2nd", 7),
    edge("Bob's [dark] house, 2nd", "Say 'xyzzy'", "Maze", 8),
    edge("Cellar", "north", "Maze", 9),
    edge("Maze", "north", "Maze 2", 9),
    edge("Maze", "south", "Attic", 9),
    edge("Maze 2", "n", "Hall", 9),
    name="twisted",
)


def routes(maze: Maze, most: int) -> Iterator[tuple[Edge, ...]]:
    """Yield simple paths of a maze, short ones first."""
    found: list[tuple[Edge, ...]] = [(e,) for e in maze.edges if e.source != e.target]
    for route in found:
        yield route
        past = {e.source for e in route} | {route[-1].target}
        if len(found) < most:
            found.extend(
                (*route, e)
                for e in maze.edges
                if e.source == route[-1].target and e.target not in past
            )


def question(task: Task, route: Sequence[Edge], maze: Maze) -> Question:
    triples = [(e.source, e.action, e.target) for e in maze.edges]
    source, target = route[0].source, route[-1].target
    actions = tuple(e.action for e in route) if task is Task.DF else ()
    length = len(route) if task is Task.DF else mango_brute.shortest(triples, source, target)
    return Question(maze.name, "q", task, source, actions, target, length, 1, 1)


def brute(
    asked: Question, maze: Maze, told: mango_brute.Told | None, rule: Rule
) -> tuple[float, float, float]:
    triples = [(e.source, e.action, e.target) for e in maze.edges]
    if asked.task is Task.DF:
        return mango_brute.destination_score(triples, asked.source, asked.actions, told, rule)
    return mango_brute.route_score(triples, asked.source, asked.target, told, rule)


def check(maze: Maze, count: int, seed: int, most: int = 300) -> Counter[str]:
    """Compare so many drawn answers; return what kinds they were."""
    draw, kinds = random.Random(seed), Counter[str]()
    known, ways = list(routes(maze, most)), {rule: Ways(maze, rule) for rule in Rule}
    for _ in range(count):
        route = draw.choice(known)
        asked = question(draw.choice(list(Task)), route, maze)
        given = mango_answering.answer(draw, route, maze)
        for rule in Rule:
            found = grade(ways[rule], asked, given.reply)
            wanted = brute(asked, maze, given.told, rule)
            assert tuple(found.values()) == pytest.approx(wanted), given
            assert bool(read_moves(given.reply)) == (given.told is not None), given
        kinds[given.kind] += 1
    return kinds


@pytest.mark.slow
def test_many_answers_score_as_the_brute_force_says() -> None:
    kinds = check(TWISTED, ANSWERS, seed=1)
    assert kinds.total() == ANSWERS
    assert set(kinds) == {*mango_answering.CHANGES, "hostile", "ill-formed"}
    assert min(kinds.values()) >= ANSWERS // 40


def test_answers_about_published_mazes_score_as_the_brute_force_says() -> None:
    for home in games(mango_data(), Layout.STEPS70):
        maze = read(home)
        if len(maze.places) <= 12:  # the brute force tries every route
            check(maze, 150, seed=2)


@settings(max_examples=30, deadline=None)
@given(mazes(), st.integers(0, 10**6))
def test_answers_about_any_maze_score_as_the_brute_force_says(maze: Maze, seed: int) -> None:
    if any(e.source != e.target for e in maze.edges):
        check(maze, 8, seed, most=40)


names = st.text(max_size=12)


@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=5))
def test_whatever_moves_are_told_are_read_back(told: mango_answering.Told) -> None:
    assert read_moves(repr(mango_answering.steps(told))) == tuple(Move(*move) for move in told)


@settings(deadline=None)
@given(st.text(alphabet="[]{}(),:'\"\\ \n#naprev_ode<think>/1-", max_size=300))
def test_no_text_harms_the_reader(text: str) -> None:
    assert isinstance(read_moves(text), tuple)


@settings(deadline=None)
@given(st.permutations(TWISTED.edges), st.integers(0, 10**6))
def test_no_order_of_a_file_changes_a_score(edges: list[Edge], seed: int) -> None:
    draw = random.Random(seed)
    route = draw.choice(list(routes(TWISTED, 60)))
    given = mango_answering.answer(draw, route, TWISTED)
    other = Maze("twisted", TWISTED.places[::-1], tuple(edges), (), 99)
    for task in Task:
        asked = question(task, route, TWISTED)
        assert grade(Ways(TWISTED), asked, given.reply) == grade(Ways(other), asked, given.reply)
