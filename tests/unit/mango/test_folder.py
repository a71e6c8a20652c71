"""A run's folder keeps the mazes that it asks about, and refuses to be about others."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz as wq
from command import tree, worldquiz


@pytest.fixture
def mazes(tmp_path: Path) -> wq.mango.MazeSet:
    return wq.mango.build(mazes=2, seed=3, size=6, out=tmp_path / "mazes")


def run(mazes: wq.mango.MazeSet) -> wq.Run:
    return mazes.run("mapper", out=mazes.path.with_name("run"), per_maze=2)


def test_a_finished_run_keeps_every_byte_and_sweeps_what_was_left(
    mazes: wq.mango.MazeSet,
) -> None:
    made = run(mazes)
    before = tree(made.path)
    run(mazes)
    assert tree(made.path) == before
    (made.path / ".mazes.x7").mkdir()
    (made.path / ".mazes.x7" / "half").write_text("x")
    run(mazes)
    assert tree(made.path) == before


def test_other_texts_make_another_maze(mazes: wq.mango.MazeSet) -> None:
    run(mazes)
    path = mazes.path / "maze-00" / "steps70" / "maze-00.walkthrough"
    text = path.read_text("utf-8")
    edges = path.with_name("maze-00.edges.json")
    edges.write_text(edges.read_text("utf-8").replace("\n", ""))  # that is no other maze
    run(mazes)
    path.write_text(text.replace("You are in", "You stand in", 1), "utf-8")
    with pytest.raises(wq.WorldquizError, match=r"was begun by another command \(mazes was"):
        run(mazes)


def test_a_maze_that_was_changed_or_lost_is_named(mazes: wq.mango.MazeSet) -> None:
    made = run(mazes)
    path = made.path / "mazes" / "maze-00" / "steps70" / "maze-00.walkthrough"
    path.write_text(path.read_text("utf-8").replace("==>ACT: Init", "==>ACT: look", 1), "utf-8")
    for verb in ("score", "check"):
        said = worldquiz(verb, made.path)
        assert "maze 'maze-00' is not the one that was asked about" in said.err
    with pytest.raises(wq.WorldquizError, match="maze 'maze-00' is not the one"):
        run(mazes)
    path.with_name("maze-00.edges.json").unlink()
    assert "maze 'maze-00' is missing" in worldquiz("score", made.path).err
