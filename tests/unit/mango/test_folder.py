"""A run names the mazes that it asks about by place and digest, and refuses others."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz as wq
from command import worldquiz


@pytest.fixture
def mazes(tmp_path: Path) -> wq.mango.MazeSet:
    return wq.mango.build(mazes=2, seed=3, size=6, out=tmp_path / "mazes")


def run(mazes: wq.mango.MazeSet) -> wq.Run:
    return mazes.run("mapper", out=mazes.path.with_name("run"), per_maze=2)


def test_other_texts_make_another_maze(mazes: wq.mango.MazeSet) -> None:
    run(mazes)
    path = mazes.path / "maze-00" / "steps70" / "maze-00.walkthrough"
    text = path.read_text("utf-8")
    edges = path.with_name("maze-00.edges.json")
    edges.write_text(edges.read_text("utf-8").replace("\n", ""))  # that is no other maze
    run(mazes)
    path.write_text(text.replace("You are in", "You stand in", 1), "utf-8")
    with pytest.raises(wq.WorldquizError, match=r"was begun with other settings \(data was"):
        run(mazes)


def test_a_maze_that_was_changed_or_lost_is_named(mazes: wq.mango.MazeSet, tmp_path: Path) -> None:
    made, again = run(mazes), ("score", tmp_path / "run", "--regrade")
    path = mazes.path / "maze-00" / "steps70" / "maze-00.walkthrough"
    text = path.read_text("utf-8")
    path.write_text(text.replace("==>ACT: Init", "==>ACT: look", 1), "utf-8")
    assert "maze 'maze-00' differs from the one" in worldquiz(*again).err
    with pytest.raises(wq.WorldquizError, match="was begun with other settings"):
        run(mazes)
    path.with_name("maze-00.edges.json").unlink()
    path.parents[1].joinpath("full", "maze-00.edges.json").unlink()
    assert "pass the mazes of" in worldquiz(*again).err
    for verb in ("score", "check", "show"):  # these need the rows alone
        assert worldquiz(verb, made.path).code == 0


def test_moved_mazes_are_found_by_an_option(mazes: wq.mango.MazeSet, tmp_path: Path) -> None:
    made, moved = run(mazes), tmp_path / "moved"
    before = (made.path / "rows.jsonl").read_bytes()
    mazes.path.rename(moved)
    assert "pass the mazes of" in worldquiz("mango", "score", made.path, "--compat", "paper").err
    for verb in (("mango", "score", "--compat", "paper"), ("score", "--regrade")):
        assert worldquiz(*verb, made.path, "--data", moved).code == 0
    assert (made.path / "rows.jsonl").read_bytes() == before
