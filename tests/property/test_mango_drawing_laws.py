"""Laws of drawings: boxes lie apart, no line runs under one, words cover none, nothing is lost."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mango_data import mango_data, mazes
from worldquiz.mango.drawing import Box, Panel, draw, panels
from worldquiz.mango.layout import COMPASS, LinkKind, direction, floors, links
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.mango import Layout, games, read
from worldquiz.mango.maze.maze import Maze

KNOBS = st.builds(
    Knobs,
    size=st.integers(2, 25),
    branching=st.integers(2, 6),
    loops=st.floats(0, 1),
    one_way=st.floats(0, 1),
    confusable=st.floats(0, 1),
    non_compass=st.floats(0, 1),
)


def apart(one: Box, other: Box, gap: float = 0.0) -> bool:
    return (
        abs(one.x - other.x) >= (one.width + other.width) / 2 + gap
        or abs(one.y - other.y) >= (one.height + other.height) / 2 + gap
    )


def holds(box: Box, point: tuple[float, float], clear: float) -> bool:
    return (
        abs(point[0] - box.x) < box.width / 2 + clear
        and abs(point[1] - box.y) < box.height / 2 + clear
    )


def check(maze: Maze) -> list[Panel]:
    """Check every law that a drawing obeys, and return its floors."""
    found = panels(maze)
    assert sorted(place for panel in found for place in panel.boxes) == sorted(maze.places)
    frames = [Box(p.x + p.width / 2, p.y + p.height / 2, p.width, p.height) for p in found]
    assert all(apart(one, other) for one, other in combinations(frames, 2))
    for panel in found:
        boxes = panel.boxes.values()
        assert all(apart(one, other, 20) for one, other in combinations(boxes, 2))
        for moves, (start, end, _) in panel.lines.items():
            ends = {place for n in moves for place in (maze.edges[n].source, maze.edges[n].target)}
            for place, box in panel.boxes.items():
                clear = -1.5 if place in ends else 2.0
                for share in range(51):
                    x, y = (a + share / 50 * (b - a) for a, b in zip(start, end, strict=True))
                    assert not holds(box, (x, y), clear)
        for place, told in panel.said.items():
            assert all(maze.edges[number].source == place for number, _ in told)
    shown = [n for panel in found for moves in panel.lines for n in moves]
    shown += [n for panel in found for told in panel.said.values() for n in {n for n, _ in told}]
    assert sorted(shown) == list(range(len(maze.edges)))
    return found


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(KNOBS, st.integers(0, 10**6))
def test_generated_mazes_are_drawn_by_the_laws(knobs: Knobs, seed: int) -> None:
    check(generate(knobs, seed, name="x"))


@settings(deadline=None, max_examples=30)
@given(mazes())
def test_any_maze_is_drawn_by_the_laws(maze: Maze) -> None:
    check(maze)
    assert draw(maze) == draw(maze)
    ET.fromstring(draw(maze))


def straight(maze: Maze) -> Iterator[bool]:
    """Tell of each compass move within a floor whether it goes where it says, north being up."""
    joined = links(maze)
    for floor in floors(maze, joined):
        for link in joined:
            if link.kind is LinkKind.COMPASS and {link.one, link.other} <= floor.cells.keys():
                (x, y), (a, b) = floor.cells[link.one], floor.cells[link.other]
                yield ((a > x) - (a < x), (b > y) - (b < y)) == link.towards


def test_published_mazes_are_drawn_by_the_laws_as_lines_that_keep_their_directions() -> None:
    kept: list[bool] = []
    lines = moves = 0
    for layout in Layout:
        for home in games(mango_data(), layout):
            maze = read(home)
            found = check(maze)
            if layout is Layout.FULL:
                kept += straight(maze)
                lines += sum(len(moves) for panel in found for moves in panel.lines)
                moves += sum(direction(edge.action) in COMPASS for edge in maze.edges)
    assert sum(kept) / len(kept) > 0.93
    assert lines / moves > 0.95
