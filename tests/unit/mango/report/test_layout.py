"""Places on their floors, with north up."""

from __future__ import annotations

import pytest

from mango_data import edge, maze_of
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.report.layout import FEW, LinkArrays, Storey, floors, start
from worldquiz.mango.report.links import links
from worldquiz.mango.report.sheet import sheet

BACK = {"north": "south", "east": "west", "up": "down", "northeast": "southwest"}


def both(source: str, action: str, target: str, step: int) -> list[Edge]:
    return [edge(source, action, target, step), edge(target, BACK[action], source, None, step)]


def laid(*some: list[Edge]) -> list[Storey]:
    maze = maze_of(*(each for pair in some for each in pair))
    return floors(maze, links(maze))


def drawn_lines(maze: Maze) -> set[int]:
    return {
        number for panel in sheet(maze).panels for line in panel.lines for number in line.link.moves
    }


def test_north_is_up_and_east_is_right() -> None:
    (floor,) = laid(both("hall", "north", "attic", 1), both("hall", "east", "yard", 2))
    (x, y), attic, yard = (floor.cells[place] for place in ("hall", "attic", "yard"))
    assert attic == (x, y - 1)
    assert yard == (x + 1, y)


def test_a_square_closes() -> None:
    (floor,) = laid(
        both("a", "east", "b", 1), both("c", "north", "b", 2), both("d", "east", "c", 3),
        both("d", "north", "a", 4),
    )  # fmt: skip
    assert floor.cells == {"a": (0, 0), "b": (1, 0), "c": (1, 1), "d": (0, 1)}


def test_two_places_that_want_one_cell_both_keep_their_direction() -> None:
    (floor,) = laid(
        both("a", "east", "b", 1), both("b", "north", "c", 2),
        both("a", "north", "d", 3), both("d", "east", "e", 4),
    )  # fmt: skip
    cells = floor.cells
    assert cells["c"] != cells["e"]
    assert cells["c"][0] == cells["b"][0]
    assert cells["c"][1] < cells["b"][1]
    assert cells["e"][1] == cells["d"][1]
    assert cells["e"][0] > cells["d"][0]


def test_a_line_of_places_is_as_short_as_can_be() -> None:
    (floor,) = laid(*(both(f"p{n}", "east", f"p{n + 1}", n + 1) for n in range(6)))
    assert [floor.cells[f"p{n}"] for n in range(7)] == [(n, 0) for n in range(7)]


def cellar(size: int) -> list[list[Edge]]:
    """A house of six rooms with a cellar of some."""
    house = [both(f"h{n}", "east", f"h{n + 1}", n + 1) for n in range(5)]
    below = [both(f"c{n}", "east", f"c{n + 1}", n + 20) for n in range(size - 1)]
    return [*house, both("c0", "up", "h2", 10), *below]


def test_a_few_places_are_drawn_beside_what_they_hang_on() -> None:
    (floor,) = laid(*cellar(FEW))
    assert floor.cells["c0"][1] > floor.cells["h2"][1]
    assert floor.cells["c0"][0] != floor.cells["h2"][0]  # straight below would read as south


def test_more_places_have_a_floor_of_their_own() -> None:
    first, second = laid(*cellar(FEW + 1))
    assert (first.level, second.level) == (0, -1)
    assert set(second.cells) == {"c0", "c1", "c2", "c3"}


def test_what_no_climb_leads_to_has_no_level() -> None:
    found = laid(*cellar(1), [edge("h0", "pray", "x0", 30)],
                 *(both(f"x{n}", "east", f"x{n + 1}", n + 40) for n in range(FEW)))  # fmt: skip
    assert [floor.level for floor in found] == [0, None]


def test_the_floor_where_the_walkthrough_starts_comes_first() -> None:
    maze = maze_of(*(each for pair in cellar(FEW + 1) for each in pair))
    turned = Maze(maze.name, maze.places[::-1], maze.edges, (), maze.steps)
    assert start(turned) == "h0"
    assert "h0" in floors(turned, links(turned))[0].cells


def test_a_maze_without_places_or_moves_can_be_laid_out() -> None:
    assert sheet(Maze("none", (), ())).panels == ()
    (panel,) = sheet(Maze("one", ("a",), ())).panels
    assert set(panel.boxes) == {"a"}


def test_settling_never_makes_a_drawing_worse() -> None:
    maze = generate(Knobs(size=30, loops=0.3), 5, name="x")
    joined = [link for link in links(maze)]
    spread = {place: (3 * (n % 6), 3 * (n // 6)) for n, place in enumerate(maze.places)}
    grid = LinkArrays(spread, joined)
    before = grid.cost()
    for n in range(30):
        grid.improve(n)
        assert grid.cost() <= before
        before = grid.cost()
    grid.settle()
    assert grid.cost() <= before
    assert len(set(grid.cells().values())) == 30


@pytest.mark.slow
def test_every_move_is_a_line_or_told_in_the_box_that_it_leaves() -> None:
    maze = generate(Knobs(size=40, loops=0.4, one_way=0.2, non_compass=0.3), 2, name="x")
    told = [
        (place, line.edge)
        for panel in sheet(maze).panels
        for place, lines in panel.said.items()
        for line in lines
    ]
    assert {number for _, number in told} | drawn_lines(maze) == set(range(len(maze.edges)))
    assert not {number for _, number in told} & drawn_lines(maze)
    assert all(maze.edges[number].source == place for place, number in told)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_equal_mazes_equal_drawings_whatever_the_order_of_their_edges(seed: int) -> None:
    maze = generate(Knobs(size=15), seed, name="x")
    again = Maze(maze.name, maze.places, maze.edges, maze.walkthrough, maze.steps)
    assert sheet(again) == sheet(maze)
