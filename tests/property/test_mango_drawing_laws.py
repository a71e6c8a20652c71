"""Laws of drawings: boxes lie apart, no line runs under one, words cover none, nothing is lost."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

from hypothesis import given, settings

from mango_data import mazes
from worldquiz.mango.drawing import Box, Panel, draw, panels
from worldquiz.mango.maze.maze import Maze


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


@settings(deadline=None, max_examples=30)
@given(mazes())
def test_any_maze_is_drawn_by_the_laws(maze: Maze) -> None:
    check(maze)
    assert draw(maze) == draw(maze)
    ET.fromstring(draw(maze))
