"""Laws of drawings: boxes lie apart, no line runs under one, words cover none, nothing is lost."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mango_data import mango_data, mazes
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.mango import Layout, games, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.report.draw import draw
from worldquiz.mango.report.layout import floors
from worldquiz.mango.report.links import LinkKind, links
from worldquiz.mango.report.sheet import Box, DrawnLine, MapDrawing, Panel, sheet

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


def points(line: DrawnLine) -> list[tuple[float, float]]:
    return [line.at(share / 50) for share in range(51)]


def holds(box: Box, point: tuple[float, float], clear: float) -> bool:
    return (
        abs(point[0] - box.x) < box.width / 2 + clear
        and abs(point[1] - box.y) < box.height / 2 + clear
    )


def inside(panel: Panel, box: Box) -> bool:
    return (
        box.x - box.width / 2 >= 0
        and box.x + box.width / 2 <= panel.width
        and box.y - box.height / 2 >= 0
        and box.y + box.height / 2 <= panel.height
    )


def check(maze: Maze) -> MapDrawing:
    """Check every law that a drawing obeys, and return it."""
    found = sheet(maze)
    assert sorted(place for panel in found.panels for place in panel.boxes) == sorted(maze.places)
    for panel in found.panels:
        check_panel(panel)
    frames = [Box(p.x + p.width / 2, p.y + p.height / 2, p.width, p.height) for p in found.panels]
    assert all(apart(one, other) for one, other in combinations(frames, 2))
    shown = [
        number
        for panel in found.panels
        for number in (
            *(n for line in panel.lines for n in line.link.moves),
            *{line.edge for lines in panel.said.values() for line in lines},
        )
    ]
    assert sorted(shown) == list(range(len(maze.edges)))
    return found


def check_panel(panel: Panel) -> None:
    boxes = list(panel.boxes.values())
    assert all(inside(panel, box) for box in boxes)
    assert all(apart(one, other, 20) for one, other in combinations(boxes, 2))
    for line in panel.lines:
        ends = (panel.boxes[line.link.one], panel.boxes[line.link.other])
        for box in boxes:
            clear = -1.5 if box in ends else 2.0
            assert not any(holds(box, point, clear) for point in points(line))
    words = [each.box for line in panel.lines for each in line.words]
    assert all(apart(one, other) for one, other in combinations(words, 2))
    assert all(apart(one, box) for one in words for box in boxes)


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(KNOBS, st.integers(0, 10**6))
def test_generated_mazes_are_drawn_by_the_laws(knobs: Knobs, seed: int) -> None:
    check(generate(knobs, seed, name="x"))


@settings(deadline=None, max_examples=30)
@given(mazes())
def test_any_maze_is_drawn_by_the_laws(maze: Maze) -> None:
    check(maze)
    ET.fromstring(draw(maze, 9))


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
                lines += sum(len(each.link.moves) for panel in found.panels for each in panel.lines)
                moves += len(maze.edges)
    assert sum(kept) / len(kept) > 0.93
    assert lines / moves > 0.92
