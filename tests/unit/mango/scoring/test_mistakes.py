"""Why answers of the map builder are wrong, a case for each cause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mango_data import edge, maze_of
from worldquiz.mango.asking.ask import destination, route
from worldquiz.mango.mapper.mapper import Mapper
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.paths.pairs import Route, pairs
from worldquiz.mango.paths.path_tree import Net
from worldquiz.mango.scoring.grade import Question
from worldquiz.mango.scoring.mistakes import MistakeCause, mistakes

UP, DOWN = edge("hall", "up", "attic", 1, 2), edge("attic", "down", "hall", 2, 1)
SLIDE = edge("attic", "slide", "cellar", 2)


def walked(*edges: Edge, texts: str) -> Maze:
    steps = [line.split("|") for line in texts.split(" / ")]
    walk = tuple(WalkStep(n, act, text) for n, (act, text) in enumerate(steps))
    return replace(maze_of(*edges, name="toy", steps=len(walk) - 1), walkthrough=walk)


def causes(maze: Maze, *path: Edge) -> dict[str, int]:
    mapper = Mapper(maze.walkthrough, maze.places, maze.actions)
    found = mistakes(maze, 9, mapper, [destination("toy", path)])
    assert (found["asked"], found["wrong"]) == (1, 1)
    return {cause: n for cause, n in found["causes"].items() if n}


DARK = edge("hall", "down", "crypt", 1)
WEST, EAST = edge("hall", "out", "street (west)", 1), edge("attic", "out", "street (east)", 9)
CHUTE = edge("cellar", "climb", "attic", None, 2)
YARD = edge("attic", "out", "yard", 2)
FORK = edge("hall", "up", "cellar", 3)


@pytest.mark.parametrize(
    ("maze", "path", "cause"),
    [
        (walked(DARK, texts="Init|Hall / down|It is pitch black."), [DARK], MistakeCause.UNNAMED),
        (walked(WEST, EAST, texts="Init|Attic / out|Street / in|Hall / out|Street"), [WEST],
         MistakeCause.SHARED),
        (walked(UP, SLIDE, CHUTE, texts="Init|Hall / up|Attic / slide|Cellar"), [CHUTE],
         MistakeCause.UNTAKEN),
        (walked(UP, FORK, DOWN, YARD, texts="Init|Hall / up|Attic / out|Yard / in|Attic / down|Hall"
         " / up|Cellar"), [UP, YARD], MistakeCause.SEVERAL),
        (walked(UP, edge("attic", "down", "cellar", None, 1), texts="Init|Cellar / in|Hall / up|A"
         "ttic"), [edge("attic", "down", "cellar", None, 1)], MistakeCause.REVERSE),
        (walked(UP, SLIDE, texts="Init|Hall / up|Cellar / wait|Attic"), [UP], MistakeCause.MISREAD),
        (walked(UP, texts="Init|Attic / wait|Hall / up|Whee!"), [UP], MistakeCause.MISSED),
    ],
)  # fmt: skip
def test_each_cause(maze: Maze, path: list[Edge], cause: MistakeCause) -> None:
    assert causes(maze, *path) == {cause: 1}


def asked(maze: Maze) -> list[Question]:
    net = Net.of(maze)
    found = pairs(net, Route.ANY)
    return [
        route("toy", net, (a, b), easy=found, every=found)
        for a in range(len(net.places)) for b in range(len(net.places)) if found.shortest[a][b]
    ]  # fmt: skip


def test_routes_by_a_move_that_is_none() -> None:
    texts = "Init|Hall / up|Attic / slide|Cellar / wait|A rat. / dig|You dig."
    maze = walked(UP, SLIDE, edge("cellar", "dig", "hall", 4), texts=texts)
    found = mistakes(maze, 9, Mapper(maze.walkthrough, maze.places), asked(maze))
    assert found["asked"] == 6
    assert found["wrong"] == 3
    assert found["causes"] == dict.fromkeys(map(str, MistakeCause), 0) | {"reverse": 1, "missed": 2}
    assert found["unambiguous_wrong"] == 0


def test_nothing_is_wrong_with_a_clear_text() -> None:
    maze = walked(UP, DOWN, SLIDE, texts="Init|Hall / up|Attic / slide|Cellar")
    found = mistakes(maze, 9, Mapper(maze.walkthrough, maze.places), asked(maze))
    assert found["wrong"] == 0
    assert found["asked"] == found["unambiguous"] == 4
    assert set(found["causes"].values()) == {0}


def test_what_cannot_be_answered_yet_is_not_asked() -> None:
    maze = walked(UP, DOWN, SLIDE, texts="Init|Hall / up|Attic / slide|Cellar")
    mapper = Mapper(maze.walkthrough[:1], maze.places)
    assert mistakes(maze, 0, mapper, [destination("toy", [UP])])["asked"] == 0
