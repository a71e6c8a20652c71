"""Shards of real runs, each by its command, joined to the bytes of the run of one command."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from command import tree, worldquiz
from modelserver import perfect, serving

SCENES = (
    "tea", "build", "--preset", "tiny", "--seed", 7, "--scenes", 2, "--loops", 1,
    "--trajectories", 1, "--looks", 2, "--mirrors", 0, "--size", "64x64", "--jobs", 1,
)  # fmt: skip


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
        assert "is one shard of several" in refused.err
    said("merge", *reversed(parts), "--out", home / "merged")
    assert tree(home / "merged") == tree(home / "whole")


def test_a_build(tmp_path: Path) -> None:
    build = ("t2q", "build", "--preset", "easy", "--worlds", 3, "--seed", 2)
    in_shards(tmp_path, 2, *build, "--jobs", 1)


def test_a_scripted_run(easy: Path, tmp_path: Path) -> None:
    run = ("t2q", "run", easy, "--agent", "random", "--answerer", "worldgraph")
    in_shards(tmp_path, 2, *run, "--max-steps", 9, "--jobs", 1)


def test_generated_tasks(tmp_path: Path) -> None:
    in_shards(tmp_path, 2, *SCENES)


def test_a_model(easy: Path, tmp_path: Path) -> None:
    """A shard's model is asked about its own worlds only, and its log holds no others."""
    run = ("t2q", "run", easy, "--max-steps", 2, "--model", "tiny")
    with serving(perfect(), minimum=10**9) as server:
        in_shards(tmp_path, 2, *run, "--base-url", server.base_url)
        asked = Counter(call.digest for call in server.calls if call.digest)
    assert asked
    assert all(times % 2 == 0 for times in asked.values())  # by the whole, and by one shard
