"""Strata follow the walk as one would with a finger; samples are even over them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from mango_data import edge, maze_of
from worldquiz.mango.asking.ask import Asked, Routes, Sampling, questions
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.paths.walk import taken
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.mango.scoring.strata import CLASSES, Strata, Walk, words


def walked(*actions: str) -> tuple[WalkStep, ...]:
    return tuple(WalkStep(n, action, "") for n, action in enumerate(("Init", *actions)))


LINE = maze_of(
    edge("hall", "up", "attic", 1, 2), edge("attic", "down", "hall", 2, 1),
    edge("hall", "north", "yard", 3, 4), edge("yard", "south", "hall", 4, 3),
    edge("yard", "east", "wood", 6), edge("wood", "west", "yard", None, 6), steps=7,
)  # fmt: skip
WALK = Maze("line", LINE.places, LINE.edges,
            walked("up", "down", "north", "south", "north", "east", "wait"), 7)  # fmt: skip


def strata(source: str, target: str, steps: int = 7) -> Strata | None:
    question = Question("line", "q", Task.RF, source, (), target, None, None, None)
    return Walk(WALK, steps).strata(question)


def test_a_readable_walk() -> None:
    assert strata("attic", "hall") == Strata(1, age=5, imputed=0, reversals=0, loops=1)
    assert strata("hall", "attic") == Strata(1, age=5, imputed=0, reversals=1, loops=1)
    assert strata("wood", "hall") == Strata(2, age=2, imputed=1, reversals=2, loops=2)
    assert strata("attic", "wood") == Strata(3, age=5, imputed=0, reversals=0, loops=2)
    assert strata("hall", "wood", steps=4) is None  # not shown by then


def test_classes_have_words_and_leave_nothing_out() -> None:
    assert [words("distance", n) for n in range(5)] == ["1", "2-3", "4-7", "8-15", "16+"]
    assert [words("loops", n) for n in range(4)] == ["0", "1", "2-3", "4+"]
    assert Strata(17, 300, 2, 2, 4).classes == {
        "distance": "16+", "age": "280+", "imputed": "2+", "reversals": "2+", "loops": "4+",
    }  # fmt: skip
    assert Strata(1, 0, 0, 0, 0).stratum == (0,) * len(CLASSES)


@given(st.integers(0, 200), st.integers(1, 60))
@settings(max_examples=25, deadline=None)
def test_strata_are_what_a_slow_count_says(seed: int, steps: int) -> None:
    maze = generate(Knobs(10, loops=0.4, one_way=0.2), seed, name="drawn")
    moves = taken(maze, min(steps, maze.steps))
    walk = Walk(maze, steps)
    for question in Routes(maze, min(steps, maze.steps), Route.SHORTEST):
        found = walk.strata(question)
        assert found is not None
        assert found.distance == question.shortest
        assert 0 <= found.reversals <= found.distance
        assert 0 <= found.imputed <= found.distance
        assert 0 <= found.age <= steps
        assert found.loops <= found.distance + 1
        if found.distance == 1:
            ends = {question.source, question.target}
            passed = [n for n, each in moves.items() if {each.source, each.target} == ends]
            assert found.age == min(steps, maze.steps) - passed[-1]


def test_a_sample_is_even_over_strata_and_the_same_again() -> None:
    maze = generate(Knobs(40, loops=0.5), 3, name="large")
    asked = Asked(steps=maze.steps, per_maze=40, sampling=Sampling.STRATA)
    drawn = questions(maze, asked, maze.steps)
    assert drawn == questions(maze, asked, maze.steps)
    assert len({(each.task, each.id) for each in drawn}) == len(drawn) == 80
    walk = Walk(maze, maze.steps)
    for task in Task:
        found = [walk.strata(each) for each in drawn if each.task is task]
        counts = Counter(each.stratum for each in found if each)
        by_levels = Asked(steps=maze.steps, per_maze=40, tasks=(task,))
        even = [walk.strata(each) for each in questions(maze, by_levels, maze.steps)]
        assert len(counts) > len({each.stratum for each in even if each})
        assert max(counts.values()) <= max(Counter(each.stratum for each in even if each).values())
