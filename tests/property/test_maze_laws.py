"""Laws of mazes: what is written reads back; a generated maze is all there and all shown."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.mango.generate import generate
from worldquiz.mango.mazes import Edge, Maze, Sight
from worldquiz.mango.published import Home, Layout, read, write
from worldquiz.mango.settings import Knobs
from worldquiz.mango.walkthrough import AGAIN, WalkStep

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=30)
OBSERVATION = st.one_of(
    TEXT, st.sampled_from([" ===", "===\n==", "a\n\n=====", "==>ACT: north", "\u2028", "a\n \n="])
).map(lambda text: text.strip("\n"))
ACTION = st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters="\n\r\x85"))
ACTION = ACTION.filter(lambda action: action.lower() not in AGAIN)
KNOBS = st.builds(
    Knobs,
    size=st.integers(2, 40),
    branching=st.integers(2, 6),
    loops=st.floats(0, 1),
    one_way=st.floats(0, 1),
    confusable=st.floats(0, 1),
    non_compass=st.floats(0, 1),
)


@st.composite
def mazes(draw: st.DrawFn) -> Maze:
    """Draw a maze that can be written: any names, any text that holds no block of its own."""
    steps = draw(st.integers(0, 4))
    places = draw(st.lists(TEXT, unique=True, max_size=4))
    place = st.sampled_from(places)
    keys = draw(st.lists(st.tuples(place, ACTION, place), max_size=5, unique=True) if places
                else st.just([]))  # fmt: skip
    some = ACTION | st.sampled_from([action for _, action, _ in keys] or ["wait"])
    acts = {number: draw(some) for number in range(1, steps + 1)}

    def sights(*actions: Collection[str]) -> st.SearchStrategy[Sight]:
        """Draw the steps of a move, among those that take it, and that take a way back."""
        when = [[n for n, act in acts.items() if act in some] for some in actions]
        return st.builds(Sight, *(st.sampled_from([None, *numbers]) for numbers in when))

    edges = []
    for a, action, b in keys:
        back = {other for one, other, two in keys if (one, two) == (b, a)}
        told = draw(sights(acts.values(), acts.values()))
        edges.append(Edge(a, action, b, draw(sights({action}, back)), told))
    walkthrough = [WalkStep(0, "Init", draw(OBSERVATION))]
    walkthrough += [WalkStep(n, act, draw(OBSERVATION)) for n, act in acts.items()]
    return Maze("toy", tuple(places), tuple(edges), tuple(walkthrough), steps)


@pytest.mark.slow
@settings(deadline=None)
@given(mazes())
def test_what_is_written_reads_back_as_the_same_maze(maze: Maze) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = write(maze, Path(folder))
        full = Home(home.game, home.folder.with_name("full"), Layout.FULL)
        assert read(home) == maze
        assert read(full) == maze  # its text is the other layout's


@given(mazes(), st.integers(0, 4), st.integers(0, 4))
def test_a_prefix_shows_no_more_and_of_a_prefix_the_shorter_counts(
    maze: Maze, one: int, other: int
) -> None:
    less, more = (maze.prefix(steps) for steps in sorted((one, other)))
    assert maze.prefix(one).prefix(other) == less.prefix(min(one, other))
    assert {edge.key for edge in less.edges} <= {edge.key for edge in more.edges}
    assert all(edge.told.first is not None for edge in less.edges)


def reached(maze: Maze, start: str) -> set[str]:
    found, queue = {start}, deque([start])
    while queue:
        place = queue.popleft()
        fresh = {edge.target for edge in maze.edges if edge.source == place} - found
        found |= fresh
        queue.extend(fresh)
    return found


@settings(deadline=None, max_examples=60)
@given(KNOBS, st.integers(0, 2**32))
def test_a_generated_maze_is_whole_and_its_walkthrough_shows_all_of_it(
    knobs: Knobs, seed: int
) -> None:
    maze = generate(knobs, seed, name="toy")
    assert len(maze.places) == len(set(maze.places)) == knobs.size
    assert all(reached(maze, place) == set(maze.places) for place in maze.places)
    assert all(edge.seen.first is not None and edge.seen == edge.told for edge in maze.edges)
    ways = {(edge.source, edge.action): edge.target for edge in maze.edges}
    assert len(ways) == len(maze.edges)
    here = maze.places[0]
    for step in maze.walkthrough[1:]:
        here = ways[here, step.action]
        assert step.observation.lower().startswith(f"{here}\n")
        assert all(action in step.observation for place, action in ways if place == here)


@settings(deadline=None, max_examples=20)
@given(KNOBS, st.integers(0, 2**32))
def test_equal_knobs_and_seeds_give_equal_mazes_that_can_be_written(
    knobs: Knobs, seed: int
) -> None:
    maze = generate(knobs, seed, name="toy")
    assert maze == generate(knobs, seed, name="toy")
    with tempfile.TemporaryDirectory() as folder:
        assert read(write(maze, Path(folder))) == maze
