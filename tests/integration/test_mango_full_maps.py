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
import worldquiz as wq
from mango_data import mango_data


@pytest.fixture
def flat(tmp_path: Path) -> Path:
    """Three full maps in folders of their names, with their texts; one lacks its places."""
    folder = tmp_path / "flat"
    made = wq.mango.build(mazes=3, seed=1, size=40, loops=0.05, out=tmp_path / "made").path
    for name in ("maze-00", "maze-01", "maze-02"):
        shutil.copytree(made / name / "full", folder / name)
        shutil.copy(made / name / "steps70" / f"{name}.walkthrough", folder / name)
    (folder / "maze-02" / "maze-02.nodes.json").unlink()
    (folder / "README.md").write_text("notes")
    return folder


def worldquiz(*arguments: object, code: int = 0) -> Any:
    done = command.worldquiz("mango", *arguments, "--json")
    assert done.code == code, done.err
    assert "Traceback" not in done.err
    return json.loads(done.out)


def test_what_is_whole_is_counted_and_the_rest_is_listed(flat: Path, tmp_path: Path) -> None:
    told = worldquiz("stats", flat, "--layout", "full")
    assert set(told) == {"maze-00", "maze-01", "skipped"}
    assert told["skipped"] == {"maze-02": f"{flat / 'maze-02' / 'maze-02.nodes.json'}: is missing"}
    one = worldquiz("stats", flat, "--game", "maze-01")
    assert one == {"maze-01": told["maze-01"], "skipped": told["skipped"]}
    written = worldquiz("questions", flat, "--out", tmp_path / "questions")
    assert set(written) == {"maze-00", "maze-01", "skipped"}
    alone = command.worldquiz("mango", "stats", flat / "maze-02")
    assert alone.code == 2
    assert "maze-02.nodes.json: is missing" in alone.err


def test_full_maps_are_asked_about_to_their_ends(flat: Path, tmp_path: Path) -> None:
    told = worldquiz("run", flat, "--answerer", "mapper", "--out", tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    steps = {
        name: len((flat / name / f"{name}.walkthrough_acts").read_text().splitlines())
        for name in ("maze-00", "maze-01")
    }
    assert manifest["read"] == steps
    assert max(steps.values()) > 70
    assert told["df"]["all"]["success"]["macro"] == 1  # generated texts say where one is


def test_a_full_map_without_text_says_what_to_do(flat: Path, tmp_path: Path) -> None:
    (flat / "maze-01" / "maze-01.walkthrough").unlink()
    done = command.worldquiz("mango", "run", flat, "--answerer", "go", "--out", tmp_path / "run")
    assert done.code == 2
    said = " ".join(done.err.split())
    assert "maze 'maze-01' has no walkthrough text; put maze-01.walkthrough beside" in said
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
    wq.mango.build(mazes=6, seed=1, size=24, loops=0.3, out=tmp_path / "mazes")
    out = tmp_path / "out"
    asked = [sys.executable, "-m", "worldquiz", "mango", "questions", str(tmp_path / "mazes"),
               "--out", str(out)]  # fmt: skip
    with subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not (out.is_dir() and any(out.glob(".*"))):
            time.sleep(0.001)
        process.terminate()
    assert process.returncode == 143
    assert not list(out.glob(".*"))
