"""Laws of drawings: boxes lie apart, no line runs under one, words cover none, nothing is lost."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

from hypothesis import given, settings

from mango_data import mazes
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.report.draw import draw
from worldquiz.mango.report.sheet import Box, DrawnLine, MapDrawing, Panel, sheet


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


@settings(deadline=None, max_examples=30)
@given(mazes())
def test_any_maze_is_drawn_by_the_laws(maze: Maze) -> None:
    check(maze)
    ET.fromstring(draw(maze, 9))
