"""Mazes: what a prefix of the walkthrough still shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.mango.maze import Edge, Maze, Sight
from worldquiz.mango.walkthrough import WalkStep

STEPS = st.none() | st.integers(1, 9)
SIGHTS = st.builds(Sight, STEPS, STEPS)
PLACES = ("attic", "barn", "cellar")


@st.composite
def mazes(draw: st.DrawFn) -> Maze:
    keys = st.tuples(st.sampled_from(PLACES), st.sampled_from("nsew"), st.sampled_from(PLACES))
    edges = [Edge(*key, draw(SIGHTS), draw(SIGHTS)) for key in draw(st.lists(keys, unique=True))]
    walk = tuple(WalkStep(n, "n" if n else "Init", f"text {n}") for n in range(10))
    return Maze("m", PLACES, tuple(edges), walk, 9)


@given(mazes(), st.integers(0, 9), st.integers(0, 9))
def test_a_prefix_of_a_prefix_is_the_shorter_of_both(maze: Maze, one: int, other: int) -> None:
    assert maze.prefix(one).prefix(other) == maze.prefix(min(one, other)).prefix(other)


@given(mazes(), st.integers(0, 8))
def test_more_steps_never_show_less(maze: Maze, steps: int) -> None:
    def shown(maze: Maze) -> set[tuple[str, str, str]]:
        return {(edge.source, edge.action, edge.target) for edge in maze.edges}

    less, more = maze.prefix(steps), maze.prefix(steps + 1)
    assert shown(less) <= shown(more) <= shown(maze)
    assert len(less.walkthrough) == steps + 1
    assert all(edge.told.first is not None and edge.told.first <= steps for edge in less.edges)
