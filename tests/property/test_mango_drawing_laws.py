"""Laws of drawings: boxes lie apart, no line runs under one, words cover none, nothing is lost."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

from hypothesis import given, settings

from mango_data import mazes
from worldquiz.mango.drawing import Box, draw, plan
from worldquiz.mango.mazes import Maze


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


def check(maze: Maze) -> None:
    """Check every law that a drawing obeys."""
    found = plan(maze)
    boxes = found.boxes.values()
    assert sorted(found.boxes) == sorted(maze.places)
    assert all(apart(one, other, 20) for one, other in combinations(boxes, 2))
    for moves, (start, end, _) in found.lines.items():
        ends = {place for n in moves for place in (maze.edges[n].source, maze.edges[n].target)}
        for place, box in found.boxes.items():
            clear = -1.5 if place in ends else 2.0
            for share in range(51):
                x, y = (a + share / 50 * (b - a) for a, b in zip(start, end, strict=True))
                assert not holds(box, (x, y), clear)
    for place, told in found.said.items():
        assert all(maze.edges[number].source == place for number, _ in told)
    shown = [n for moves in found.lines for n in moves]
    shown += [n for told in found.said.values() for n in {n for n, _ in told}]
    assert sorted(shown) == list(range(len(maze.edges)))


@settings(deadline=None, max_examples=30)
@given(mazes())
def test_any_maze_is_drawn_by_the_laws(maze: Maze) -> None:
    check(maze)
    assert draw(maze) == draw(maze)
    ET.fromstring(draw(maze))
