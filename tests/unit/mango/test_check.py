"""`worldquiz mango check`: true mazes pass, and a move that no step takes is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import worldquiz as wq
from conftest import Cli
from mango_data import mango_data
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.maze import Sight
from worldquiz.mango.published import chosen, walkthrough_faults, write


def test_a_move_that_its_step_does_not_take_is_named(cli: Cli, tmp_path: Path) -> None:
    wq.mango.build(mazes=2, seed=7, out=tmp_path / "mazes", size=7)
    done = cli("mango", "check", tmp_path / "mazes")
    assert done.code == 0, done.err
    assert "All moves agree" in done.out
    maze = generate(Knobs(12, loops=0.5), 0, name="maze-0")
    taken = next(each for each in maze.edges if each.seen.forward)
    wrong = replace(taken, action="dance")
    write(replace(maze, edges=tuple(wrong if e == taken else e for e in maze.edges)), tmp_path)
    done = cli("mango", "check", tmp_path, "--game", "maze-0", "--json")
    assert done.code == 1
    (fault, *_) = done.json["by_maze"]["maze-0"]["faults"]
    assert f"{wrong}: step {taken.seen.forward} of the walkthrough" in fault
    back = replace(taken, seen=Sight(taken.seen.forward, 1))
    faults = walkthrough_faults(replace(maze, edges=(back,)))
    assert any("is not its reverse" in each for each in faults)


def test_the_published_mazes_agree() -> None:
    mazes = [maze for maze in chosen(mango_data(), "").values() if maze.walkthrough]
    assert len(mazes) == 16
    assert [fault for maze in mazes for fault in walkthrough_faults(maze)] == []
