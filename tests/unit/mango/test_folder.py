"""A run's folder keeps the mazes that it asks about, and refuses to be about others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.maze import Maze
from worldquiz.mango.rows import (
    MAZES,
    begin_run,
    fingerprint,
    read_mazes,
)
from worldquiz.runs.folder import claimed

TWO = {name: generate(Knobs(6, loops=0.3), len(name), name=name) for name in ("cave", "castle")}


def begin(out: Path, mazes: dict[str, Maze] | None = None, **told: object) -> None:
    with claimed(out):
        begin_run(out, {"model": "m", **told}, TWO if mazes is None else mazes)


def files(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }


def test_a_resumed_run_keeps_every_byte(tmp_path: Path) -> None:
    begin(tmp_path / "run")
    before = files(tmp_path / "run")
    begin(tmp_path / "run")
    assert files(tmp_path / "run") == before


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    out = tmp_path / "run"
    begin(out)
    whole = files(out)
    half = out / f".{MAZES}.x7"
    (out / MAZES).rename(half)
    begin(out)
    assert files(out) == whole
    assert not half.exists()


def test_other_texts_make_another_maze(tmp_path: Path) -> None:
    maze = TWO["cave"]
    told = replace(maze.walkthrough[1], observation="Nothing.")
    other = replace(maze, walkthrough=(maze.walkthrough[0], told, *maze.walkthrough[2:]))
    assert fingerprint(other) != fingerprint(maze)
    assert fingerprint(replace(maze, edges=maze.edges[::-1])) == fingerprint(maze)
    begin(tmp_path / "run")
    with pytest.raises(RecordError, match=r"was begun by another command \(mazes was"):
        begin(tmp_path / "run", {**TWO, "cave": other})


def test_a_maze_that_was_changed_or_lost_is_named(tmp_path: Path) -> None:
    out = tmp_path / "run"
    begin(out)
    path = out / MAZES / "cave" / "steps70" / "cave.walkthrough"
    text = path.read_text("utf-8")
    path.write_text(text.replace("==>ACT: Init", "==>ACT: look", 1), "utf-8")
    for again in (read_mazes, begin):
        with pytest.raises(RecordError, match="maze 'cave' is not the one that was asked about"):
            again(out)
    path.with_name("cave.edges.json").unlink()
    with pytest.raises(RecordError, match="maze 'cave' is missing"):
        read_mazes(out)


def test_a_map_alone_is_refused_before_anything_is_kept(tmp_path: Path) -> None:
    bare = {"cave": replace(TWO["cave"], walkthrough=())}
    with pytest.raises(RecordError, match="a map alone cannot be written"):
        begin(tmp_path / "run", bare)
    assert not (tmp_path / "run" / MAZES).exists()
