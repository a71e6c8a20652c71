"""MANGO's formats, written: readable examples, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.mango.maze import Edge, Maze, Sight
from worldquiz.mango.published import write
from worldquiz.mango.walkthrough import WalkStep

MAZE = Maze(
    "toy",
    ("hall", 'attic "a]'),
    (
        Edge("hall", "up", 'attic "a]', Sight(1, 2), Sight(1, 2)),
        Edge('attic "a]', "down", "hall", Sight(2, 1), Sight(2, 1)),
        Edge("hall", "jump", "hall", Sight(), Sight()),
    ),
    (WalkStep(0, "Init", "Hall"), WalkStep(1, "up", "Attic\n\nDusty."), WalkStep(2, "down", "")),
    2,
)


def step(text: str, action: str = "up") -> tuple[WalkStep, ...]:
    return (MAZE.walkthrough[0], WalkStep(1, action, text), MAZE.walkthrough[2])


@pytest.mark.parametrize(
    ("maze", "fault"),
    [
        (replace(MAZE, name="a/b"), "the name 'a/b' holds a separator"),
        (replace(MAZE, walkthrough=()), "a map alone cannot be written"),
        (replace(MAZE, steps=5), "must have the steps 0 to 5"),
        (replace(MAZE, places=("hall",)), "is not among its places"),
        (replace(MAZE, walkthrough=step("a\n")), "step 1: its text begins or ends"),
        (replace(MAZE, walkthrough=step("a\rb")), "carriage return"),
        (replace(MAZE, walkthrough=step("a\n====\n==>STEP NUM: 7")), "a line that begins a step"),
        (replace(MAZE, walkthrough=step("a", "two\nlines")), "no single line"),
        (replace(MAZE, walkthrough=step("a\ud800")), "surrogates"),
        (
            replace(MAZE, edges=(Edge("hall", "up", "hall", Sight(9), Sight(9)),)),
            "shown after step 2",
        ),
    ],
)
def test_what_would_not_read_back_is_refused(maze: Maze, fault: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=fault):
        write(maze, tmp_path)
    assert not list(tmp_path.rglob("*.edges.json"))
