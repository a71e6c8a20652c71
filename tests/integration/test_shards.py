"""Shards of real runs, each by its command, joined to the bytes of the run of one command."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from command import worldquiz
from modelserver import Script, perfect, serving
from worldquiz.mango.maze_set import build as build_mazes
from worldquiz.t2q.suites import Suite

NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
SCENES = (
    "tea", "build", "--preset", "tiny", "--seed", 7, "--scenes", 2, "--loops", 1,
    "--trajectories", 1, "--looks", 2, "--mirrors", 0, "--size", "64x64", "--jobs", 1,
)  # fmt: skip


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file but inspect's logs, which hold times."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".eval"
    }


def said(*arguments: object) -> str:
    """Return what a command prints, which must succeed."""
    told = worldquiz(*arguments)
    assert told.code == 0, told.err
    return told.out


def in_shards(home: Path, of: int, *command: object) -> None:
    """Do a command whole and in shards; the shards join to the same bytes, in any order."""
    said(*command, "--out", home / "whole")
    parts = [home / f"part-{index}" for index in range(1, of + 1)]
    for index, part in enumerate(parts, start=1):
        told = said(*command, "--out", part, "--shard", f"{index}/{of}")
        assert told.startswith(f"shard {index}/{of}: ")
        assert "`worldquiz merge` joins the shards" in told
        refused = worldquiz("show", part)
        assert (refused.code, refused.out) == (2, "")
        assert "is a shard of a whole" in refused.err
    said("merge", *reversed(parts), "--out", home / "merged")
    assert tree(home / "merged") == tree(home / "whole")


def test_a_build(tmp_path: Path) -> None:
    build = ("t2q", "build", "--preset", "easy", "--worlds", 3, "--seed", 2)
    in_shards(tmp_path, 2, *build, "--jobs", 1)
    finished = worldquiz("build", tmp_path / "part-1")
    assert finished.code == 2
    assert "is a shard of a whole" in finished.err


def test_a_scripted_run(suite: Suite, tmp_path: Path) -> None:
    run = ("t2q", "run", suite.path, "--agent", "random", "--answerer", "worldgraph")
    in_shards(tmp_path, 2, *run, "--max-steps", 9, "--jobs", 1)


def test_generated_tasks_and_a_run_on_them(tmp_path: Path) -> None:
    in_shards(tmp_path, 2, *SCENES)
    run = ("tea", "run", tmp_path / "whole", "--answerer", "random", "--tasks", 20, "--walks", 2)
    (tmp_path / "runs").mkdir()
    in_shards(tmp_path / "runs", 2, *run)
    parts = (tmp_path / "runs" / "part-1", tmp_path / "runs" / "part-2")
    said("merge", *parts, "--out", tmp_path / "elsewhere")
    again = worldquiz("report", tmp_path / "elsewhere", "--out", tmp_path / "page.html")
    assert again.code == 0, again.err  # it finds its pictures from there


@pytest.mark.parametrize(
    ("command", "script"),
    [
        (("t2q", "run", "suite", "--max-steps", 2, "--batch", 20), perfect()),
        (("tea", "run", "tasks", "--tasks", 10, "--walks", 1), perfect()),
    ],
    ids=lambda command: command[0] if isinstance(command, tuple) else "",
)
def test_models(command: tuple[object, ...], script: Script, suite: Suite, tmp_path: Path) -> None:
    """A shard's model is asked about its own worlds only, and its log holds no others."""
    data = {"suite": suite.path, "mazes": tmp_path / "mazes", "tasks": tmp_path / "tasks"}
    if "mazes" in command:
        build_mazes(mazes=2, seed=3, out=data["mazes"], size=6)
    if "tasks" in command:
        said(*SCENES, "--out", data["tasks"])
    words = [data.get(str(word), word) for word in command]
    with serving(script, minimum=NEVER) as server:
        in_shards(tmp_path, 2, *words, "--model", "tiny", "--base-url", server.base_url)
        asked = Counter(call.digest for call in server.calls if call.digest)
    assert asked
    assert all(times % 2 == 0 for times in asked.values())  # by the whole, and by one shard
