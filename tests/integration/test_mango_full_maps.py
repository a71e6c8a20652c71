"""Full maps as they are published: read beside unfinished ones, and asked about to their ends."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import command
from mango_data import mango_data
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.published import Layout, write


@pytest.fixture
def flat(tmp_path: Path) -> Path:
    """Three full maps in folders of their names, with their texts; one lacks its places."""
    folder = tmp_path / "flat"
    for seed, name in enumerate(("cave", "keep", "mill")):
        maze = generate(Knobs(40, loops=0.05), seed, name=name)
        full, whole = (write(maze, tmp_path / "made", layout) for layout in (*Layout,)[::-1])
        shutil.copytree(full.folder, folder / name)
        shutil.copy(whole.file("walkthrough"), folder / name)
    (folder / "mill" / "mill.nodes.json").unlink()
    (folder / "README.md").write_text("notes")
    return folder


def worldquiz(*arguments: object, code: int = 0) -> Any:
    done = command.worldquiz("mango", *arguments, "--json")
    assert done.code == code, done.err
    assert "Traceback" not in done.err
    return json.loads(done.out)


def test_what_is_whole_is_counted_and_the_rest_is_listed(flat: Path, tmp_path: Path) -> None:
    told = worldquiz("stats", flat, "--layout", "full")
    assert set(told) == {"cave", "keep", "skipped"}
    assert told["skipped"] == {"mill": f"{flat / 'mill' / 'mill.nodes.json'}: is missing"}
    one = worldquiz("stats", flat, "--game", "keep")
    assert one == {"keep": told["keep"], "skipped": told["skipped"]}
    written = worldquiz("questions", flat, "--out", tmp_path / "questions")
    assert set(written) == {"cave", "keep", "skipped"}
    alone = command.worldquiz("mango", "stats", flat / "mill")
    assert alone.code == 2
    assert "mill.nodes.json: is missing" in alone.err


def test_full_maps_are_asked_about_to_their_ends(flat: Path, tmp_path: Path) -> None:
    told = worldquiz("run", flat, "--answerer", "mapper", "--out", tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    steps = {name: generate(Knobs(40, loops=0.05), seed, name=name).steps
             for seed, name in enumerate(("cave", "keep"))}  # fmt: skip
    assert manifest["read"] == steps
    assert max(steps.values()) > 70
    assert told["df"]["all"]["success"]["macro"] == 1  # generated texts say where one is
    checked = worldquiz("check", flat)
    assert checked["sound"]
    assert checked["mazes"] == 2


def test_a_full_map_without_text_says_what_to_do(flat: Path, tmp_path: Path) -> None:
    (flat / "keep" / "keep.walkthrough").unlink()
    done = command.worldquiz("mango", "run", flat, "--answerer", "go", "--out", tmp_path / "run")
    assert done.code == 2
    assert "maze 'keep' has no walkthrough text here; put keep.walkthrough beside" in " ".join(
        done.err.split()
    )
    assert not (tmp_path / "run").exists()


def test_published_maps_beyond_step_70(tmp_path: Path) -> None:
    games = [word for name in ("library", "zenon", "balances") for word in ("--game", name)]
    told = worldquiz("run", mango_data(), "--layout", "full", *games, "--answerer", "mapper",
                     "--out", tmp_path / "run")  # fmt: skip
    read = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))["read"]
    assert read == {"balances": 122, "library": 52, "zenon": 83}
    assert told["knowledge"] > 0.5


def test_a_stopped_writing_leaves_no_half_file(tmp_path: Path) -> None:
    """SIGTERM, as a cluster sends it: what is whole stays, what is half goes."""
    for seed in range(6):
        write(generate(Knobs(24, loops=0.3), seed, name=f"maze-{seed}"), tmp_path / "mazes")
    out = tmp_path / "out"
    asked = [sys.executable, "-m", "worldquiz", "mango", "questions", str(tmp_path / "mazes"),
               "--out", str(out)]  # fmt: skip
    with subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not (out.is_dir() and any(out.glob(".*"))):
            time.sleep(0.001)
        process.terminate()
    assert process.returncode == 143
    assert not list(out.glob(".*"))
