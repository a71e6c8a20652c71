"""The drawing as SVG: what it says of each place and move, and that it is only text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from mango_data import edge, maze_of
from mango_page import NASTY
from worldquiz.mango.maze.maze import Edge, Maze, Sight
from worldquiz.mango.report.draw import draw, first_told, state

MAZE = maze_of(
    edge("hall", "north", "attic", 1, 4),
    edge("attic", "south", "hall", 4, 1),
    edge("hall", "east", "yard", 2),
    edge("yard", "pray", "hall", 7),
    edge("yard", "wave", "yard", 8),
    edge("attic", "up", "roof", None),
)
SVG = "{http://www.w3.org/2000/svg}"


def root(maze: Maze = MAZE, steps: int = 3) -> ET.Element:
    return ET.fromstring(draw(maze, steps))


def moves(tree: ET.Element) -> dict[str, str]:
    """Return what each move is marked as, by its numbers."""
    return {
        each.attrib["data-e"]: each.attrib["class"].split()[1]
        for each in tree.iter()
        if "data-e" in each.attrib
    }


def test_every_place_and_move_is_there_once() -> None:
    tree = root()
    places = [each.attrib["data-p"] for each in tree.iter() if "data-p" in each.attrib]
    assert sorted(places) == ["0", "1", "2", "3"]
    assert set(moves(tree)) == {"0", "1", "2", "3", "4", "5"}


@pytest.mark.parametrize(
    ("steps", "hall_to_attic", "attic_to_hall"),
    [(0, "unseen", "unseen"), (1, "taken", "imputed"), (4, "taken", "taken")],
)
def test_moves_are_marked_as_of_a_step(steps: int, hall_to_attic: str, attic_to_hall: str) -> None:
    found = moves(root(steps=steps))
    assert (found["0"], found["1"]) == (hall_to_attic, attic_to_hall)
    assert found["5"] == "unseen"


def test_the_best_of_parallel_moves_counts() -> None:
    edges = [edge("a", "in", "b", None, 3), edge("a", "north", "b", 5), edge("a", "up", "b", None)]
    assert [state(edges, step) for step in (2, 3, 5)] == ["unseen", "imputed", "taken"]


def test_what_the_text_has_told_counts_not_what_the_game_showed() -> None:
    late = Edge("a", "north", "b", Sight(1), Sight(6))
    assert [state([late], step) for step in (1, 6)] == ["unseen", "taken"]


def test_places_are_told_of_by_the_first_move_that_names_them() -> None:
    assert first_told(MAZE) == [0, 1, 2, None]  # the walkthrough starts in the hall
    classes = {each.attrib["data-p"]: each.attrib["class"] for each in root().iter(f"{SVG}g")
               if "data-p" in each.attrib}  # fmt: skip
    assert classes == {"0": "place told start", "1": "place told", "2": "place told",
                       "3": "place untold"}  # fmt: skip


def test_one_way_moves_have_an_arrow_and_others_do_not() -> None:
    heads = [each for each in root(maze_of(edge("a", "north", "b", 1))).iter(f"{SVG}path")
             if each.attrib["class"] == "head"]  # fmt: skip
    assert len(heads) == 1
    both = maze_of(edge("a", "north", "b", 1), edge("b", "south", "a", 2))
    assert "head" not in draw(both, 9)


def test_the_words_of_moves_without_direction_are_written() -> None:
    text = "".join(root().itertext())
    assert "▲ up" in text
    assert "wave: back here" in text
    labels = [each for each in root().iter(f"{SVG}text") if each.attrib.get("class") == "label"]
    assert {"".join(each.itertext()) for each in labels} == {"pray", "▲ up"}


def test_parallel_moves_share_a_line_and_say_both_words() -> None:
    maze = maze_of(edge("a", "north", "b", 1), edge("a", "climb wall", "b", 2))
    tree = root(maze)
    assert [each.attrib["data-e"] for each in tree.iter(f"{SVG}g") if "data-e" in each.attrib] == [
        "0 1"
    ]
    assert "climb wall" in "".join(tree.itertext())


def test_names_are_text() -> None:
    maze = maze_of(edge(NASTY, "north", "b", 1), edge("b", NASTY, "c", 2), name=NASTY)
    svg = draw(maze, 9)
    assert "<img" not in svg
    names = {each.text for each in ET.fromstring(svg).iter(f"{SVG}title")}
    assert NASTY in names


def test_equal_mazes_equal_text() -> None:
    assert draw(MAZE, 3) == draw(MAZE, 3)
    assert not re.search(r"\d\.\d\d", draw(MAZE, 3))  # nothing finer than tenths of a pixel
