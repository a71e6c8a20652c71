"""Places on their floors, with north up."""

from __future__ import annotations

import pytest

from mango_data import edge, maze_of
from worldquiz.mango.layout import (
    FEW,
    LinkArrays,
    LinkKind,
    Storey,
    direction,
    floors,
    links,
    start,
)
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Edge, Maze

BACK = {"north": "south", "east": "west", "up": "down", "northeast": "southwest"}


def both(source: str, action: str, target: str, step: int) -> list[Edge]:
    return [edge(source, action, target, step), edge(target, BACK[action], source, None, step)]


def laid(*some: list[Edge]) -> list[Storey]:
    maze = maze_of(*(each for pair in some for each in pair))
    return floors(maze, links(maze))


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


@pytest.mark.parametrize(
    ("action", "towards"),
    [
        ("north", "north"), ("NE", "northeast"), ("up", "up"), ("d", "down"),
        ("climb down rope", "down"), ("go up", "up"), ("push pram east", "east"),
        ("stand up", None), ("in", None), ("pray", None), ("", None), ("north wall", None),
    ],
)  # fmt: skip
def test_a_move_says_where_it_points(action: str, towards: str | None) -> None:
    assert direction(action) == towards


def test_all_moves_between_two_places_are_one_link() -> None:
    maze = maze_of(
        edge("hall", "in", "attic", 3),
        edge("attic", "south", "hall", 2),
        edge("hall", "up", "attic", 1),
    )
    (link,) = links(maze)
    assert (link.one, link.other, link.there, link.back) == ("hall", "attic", (2, 0), (1,))
    assert (link.kind, link.towards) == (LinkKind.COMPASS, (0, -1))
    assert link.both_ways


def test_what_was_told_first_gives_the_direction() -> None:
    moves = (edge("a", "west", "b", 5), edge("a", "north", "b", 2), edge("a", "east", "b", None))
    assert [link.towards for link in links(maze_of(*moves))] == [(0, -1)]


def test_a_passage_that_bends_lies_between_its_directions() -> None:
    maze = maze_of(edge("house", "east", "yard", 1), edge("yard", "north", "house", 2))
    assert [link.towards for link in links(maze)] == [(1, 1)]


def test_a_passage_that_leads_the_same_way_twice_keeps_the_first() -> None:
    maze = maze_of(edge("a", "north", "b", 1), edge("b", "north", "a", 2))
    assert [link.towards for link in links(maze)] == [(0, -1)]


@pytest.mark.parametrize(
    ("action", "kind", "towards"),
    [
        ("up", LinkKind.VERTICAL, (0, -1)),
        ("down", LinkKind.VERTICAL, (0, 1)),
        ("pray", LinkKind.OTHER, None),
    ],
)
def test_climbs_and_other_moves(
    action: str, kind: LinkKind, towards: tuple[int, int] | None
) -> None:
    (link,) = links(maze_of(edge("a", action, "b", 1)))
    assert (link.kind, link.towards, link.both_ways) == (kind, towards, False)


def test_a_move_back_to_where_it_starts_is_no_link() -> None:
    assert links(maze_of(edge("a", "north", "a", 1))) == ()
