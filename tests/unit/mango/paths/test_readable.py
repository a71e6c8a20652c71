"""Which questions a text settles, by example."""

from __future__ import annotations

from dataclasses import replace

from mango_data import edge, maze_of
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.paths.readable import Naming, told

UP, DOWN = edge("hall", "up", "attic", 1, 2), edge("attic", "down", "hall", 2, 1)
SLIDE = edge("attic", "slide", "cellar", 4)


def walked(*edges: Edge, texts: str) -> Maze:
    steps = [line.split("|") for line in texts.split(" / ")]
    walk = tuple(WalkStep(n, act, text.replace(";", "\n")) for n, (act, text) in enumerate(steps))
    return replace(maze_of(*edges, name="toy"), walkthrough=walk)


def test_a_move_is_readable_where_lines_name_both_its_places() -> None:
    read = told(walked(UP, DOWN, SLIDE, texts="Init|Hi;Hall / up|<< Attic >> / slide|You fall."))
    assert read.readable(UP)
    assert read.readable(DOWN)  # by its opposite
    assert not read.readable(SLIDE)
    assert read.path([UP])
    assert not read.path([UP, SLIDE])
    assert read.naming == {
        "hall": Naming.ALONE, "attic": Naming.ALONE, "cellar": Naming.NEVER,
    }  # fmt: skip


def test_a_shared_name_settles_nothing_until_another_line_does() -> None:
    north = edge("street (west)", "north", "hall", 1)
    maze = walked(UP, north, edge("street (east)", "in", "hall", 3),
                  texts="Init|Street / north|Hall / up|Attic / down|Street / in|Hall")  # fmt: skip
    read = told(maze)
    assert not read.readable(north)
    assert read.naming["street (west)"] == Naming.SHARED
    assert read.readable(UP)
    streets = frozenset(("street (west)", "street (east)"))
    assert read.taken == {("hall", "up"): {"attic"}, ("attic", "down"): streets}
    assert ("hall", "south") not in read.imputed


def test_one_of_several_outweighs_an_opposite() -> None:
    down = edge("attic", "down", "street (west)", 2)
    west, east = edge("street (west)", "dig", "hall", 9), edge("street (east)", "dig", "hall", 9)
    read = told(walked(UP, DOWN, down, west, east, texts="Init|Hall / up|Attic / down|Street"))
    assert not read.readable(DOWN)
    assert not read.readable(down)


def test_what_the_text_contradicts_is_not_readable() -> None:
    twice = "Init|Hall / up|Attic / down|Hall / up|Cellar"
    assert not told(walked(UP, SLIDE, texts=twice)).readable(UP)


def test_a_taken_move_outweighs_an_opposite() -> None:
    back = edge("attic", "down", "cellar", 2)
    read = told(walked(UP, back, texts="Init|Hall / up|Attic / down|Cellar"))
    assert read.readable(back)
    assert read.readable(UP)


def test_a_route_is_unambiguous_if_nothing_false_can_be_met() -> None:
    maze = walked(UP, SLIDE, texts="Init|Hall / up|Attic / slide|Cellar")
    assert told(maze).pair("hall", "cellar")
    assert told(maze).pair("attic", "cellar")
    assert not told(maze).pair("attic", "hall")  # by an opposite that the maze has not
    assert not told(maze).pair("cellar", "hall")
    both = replace(maze, edges=(UP, DOWN, SLIDE))
    assert told(both).pair("attic", "hall")


def test_a_false_claim_on_the_way_spoils_a_route_but_not_a_destination() -> None:
    texts = "Init|Hall / up|Attic / read sign|Cellar / wait|Attic / slide|Cellar"
    read = told(walked(UP, SLIDE, texts=texts))
    assert not read.pair("hall", "cellar")
    assert read.path([UP, SLIDE])


def test_a_step_that_may_have_moved_somebody_leaves_it_open() -> None:
    silent = "Init|Hall / up|Whee! / slide|Cellar"
    assert told(walked(UP, SLIDE, texts=silent)).taken == {}
    idle = "Init|Hall / take lamp|Taken. / up|Attic"
    assert told(walked(UP, SLIDE, texts=idle)).readable(UP)


def test_a_move_that_leads_to_several_places_is_never_readable() -> None:
    fork = edge("hall", "up", "cellar", None, 7)
    assert not told(walked(UP, fork, texts="Init|Hall / up|Attic")).readable(UP)
