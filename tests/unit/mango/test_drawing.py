"""The drawing of a maze: what steps tell of, what questions are about, and that names are text."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import people
from mango_data import edge, maze_of
from worldquiz.mango.drawing import draw, drawings, plan
from worldquiz.mango.maze import Maze
from worldquiz.mango.rows import read_mazes

NASTY = "</script><img src=x onerror=alert(1)> & \"'"


def test_steps_tell_of_every_move_once_in_the_order_of_the_walkthrough(tmp_path: Path) -> None:
    run = people.mazes(tmp_path / "run")
    found = drawings(run)("maze-00")
    (maze,) = read_mazes(run).values()
    assert found is not None
    first = {part: step.step for step in found.steps for part in step.shows}
    assert {n: first.get(n) for n, _ in enumerate(maze.edges)} == {
        n: each.told.first for n, each in enumerate(maze.edges)
    }
    places = range(len(maze.edges), len(maze.edges) + len(maze.places))
    assert set(places) <= first.keys()
    assert found.steps[1].text.startswith(f"> {maze.walkthrough[1].action}\n")
    assert drawings(run)("elsewhere") is None


def test_a_question_is_about_a_route_and_its_ends(tmp_path: Path) -> None:
    run = people.mazes(tmp_path / "run")
    found = drawings(run)("maze-00")
    (maze,) = read_mazes(run).values()
    assert found is not None
    assert len(found.about) == 4
    for parts in found.about.values():
        route = [maze.edges[n] for n in parts if n < len(maze.edges)]
        assert all(one.target == two.source for one, two in pairwise(route))
        ends = {maze.places[n - len(maze.edges)] for n in parts if n >= len(maze.edges)}
        assert ends == {route[0].source, route[-1].target}


def test_one_way_moves_have_an_arrow_and_others_do_not() -> None:
    one = draw(maze_of(edge("a", "north", "b", 1)))
    both = draw(maze_of(edge("a", "north", "b", 1), edge("b", "south", "a", 2)))
    assert (one.count('Z"'), both.count('Z"')) == (1, 0)


def test_moves_without_a_line_are_told_in_the_box_that_they_leave() -> None:
    maze = maze_of(edge("hall", "up", "roof", 1), edge("hall", "wave", "hall", 2),
                   edge("hall", "north", "attic", 3), edge("hall", "pray", "attic", 4))  # fmt: skip
    said = [text for _, text in plan(maze).said["hall"]]
    assert said == ["▲ up: roof", "→ wave: back here", "→ pray: attic"]


def test_names_are_text_and_a_maze_without_moves_can_be_drawn() -> None:
    maze = maze_of(edge(NASTY, "north", "b", 1), edge("b", NASTY, "c", 2), name=NASTY)
    assert "<img" not in draw(maze)
    ET.fromstring(draw(maze))
    ET.fromstring(draw(Maze("one", ("a",), ())))
