"""A maze's sheet of questions tells nothing of its map: partners may exchange their names on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mango_data import mazes
from worldquiz.mango.generate import generate
from worldquiz.mango.grade import Question, Task, Ways
from worldquiz.mango.mazes import Edge, Maze, Sight
from worldquiz.mango.questions import questions
from worldquiz.mango.settings import Knobs, QuizSettings
from worldquiz.mango.sheets import partners
from worldquiz.mango.walkthrough import plain

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def sheet(maze: Maze, seed: int, most: int = 40) -> tuple[Question, ...]:
    return questions(maze, QuizSettings(per_maze=most, seed=seed), maze.steps)


def words(question: Question) -> tuple[object, ...]:
    """Return what a reader sees of a question."""
    return question.task, question.source, question.actions or question.target


@FEW
@given(mazes(), st.integers(0, 3))
def test_a_maze_whose_partners_exchange_their_names_has_the_same_sheet(
    maze: Maze, seed: int
) -> None:
    """It is the same in order, too: whoever knows the seed learns nothing by it."""
    asked = [words(question) for question in sheet(maze, seed)]
    assert len({*asked}) == len(asked)
    for one, other in partners(maze, maze):
        new = {one: other, other: one}
        other_maze = replace(
            maze, places=tuple(new.get(place, place) for place in maze.places),
            edges=tuple(
                replace(edge, source=new.get(edge.source, edge.source),
                        target=new.get(edge.target, edge.target))
                for edge in maze.edges
            ),
        )  # fmt: skip
        assert [words(question) for question in sheet(other_maze, seed)] == asked


@FEW
@given(mazes(), st.integers(0, 40))
def test_partners_are_the_same_however_much_is_read(maze: Maze, steps: int) -> None:
    assert {*partners(maze, maze.prefix(steps))} <= {*partners(maze, maze)}


@FEW
@given(mazes(), st.integers(0, 3))
def test_moves_end_where_they_lead_in_the_map_or_cannot_be_made(maze: Maze, seed: int) -> None:
    for question in sheet(maze, seed):
        if question.task is Task.DF:
            here = {question.source}
            for action in map(plain, question.actions):
                here = {e.target for e in maze.edges if e.source in here
                        and plain(e.action) == action and e.told.first is not None}  # fmt: skip
            assert here == ({question.target} if question.target else set())


FORKED = Maze("forked", ("attic", 'b "quoted"', "cellar", "100% dark"), (
    Edge("attic", "north", "attic", Sight(), Sight()),
    Edge("attic", "north", 'b "quoted"', Sight(), Sight(None, 1)),
    Edge("cellar", "up", "attic", Sight(), Sight(None, 1)),
    Edge("100% dark", "north", "attic", Sight(), Sight(None, 1)),
), (), 9)  # fmt: skip
"""A move leads to two places, one of which was not told."""


@settings(max_examples=40, deadline=None)
@example(FORKED, 0)
@given(mazes(), st.integers(0, 3))
def test_no_moves_are_right_for_two_of_four_routes(maze: Maze, seed: int) -> None:
    """So whoever cannot tell partners apart is right about one route in four."""
    routes = [each for each in sheet(maze, seed) if each.task is Task.RF]
    ways = Ways(maze)
    words = [
        w for n in range(1, 4) for w in product(sorted({e.action for e in maze.edges}), repeat=n)
    ]
    for four in zip(*[iter(routes)] * 4, strict=True):
        for moves in words[:2000]:
            ends = (ways.ends(each.source, map(ways.taken, moves)) for each in four)
            assert sum(each.target in some for each, some in zip(four, ends, strict=True)) <= 1


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([10, 20, 40]))
def test_no_constant_reply_is_right_more_often_than_the_guess(seed: int, size: int) -> None:
    maze = generate(Knobs(size=size), seed, name="m")
    asked = [each for each in sheet(maze, seed, 400) if each.task is Task.DF]
    ends = [each.target for each in asked]
    assert max(map(ends.count, set(ends))) <= len(asked) / 2


def test_an_open_maze_is_asked_without_counting_its_paths() -> None:
    """A grid of 8 x 8 has more than two thousand million self-avoiding paths."""
    maze = generate(Knobs(size=64, branching=4, loops=1.0), 7, name="open")
    assert len(sheet(maze, 0, 10)) > 10
