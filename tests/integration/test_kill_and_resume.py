"""kill -9 at random points: what is resumed ends with the bytes of what was never disturbed."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from deep import DEEP
from process import ended, start

KILLS = 8 if DEEP else 1
BUILD = ("t2q", "build", "--preset", "easy", "--seed", "31", "--jobs", "2", "--worlds")
RUN = ("--agent", "random", "--answerer", "worldgraph", "--seed", "5", "--jobs", "2")


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file, hidden ones too; a compiled game's header holds the day it was made."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".z8"
    }


def alive(group: int) -> bool:
    """Tell whether a process of a group still runs; one that waits to be buried does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, found = path.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(found) == group and state != "Z":
            return True
    return False


def kill(arguments: Sequence[object], delay: float, *, all_of_it: bool) -> bool:
    """Kill a command after a while, with its workers or without; tell whether that was in time."""
    process = start(*arguments)
    time.sleep(delay)
    in_time = process.poll() is None
    if all_of_it and in_time:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
    deadline = time.monotonic() + 600
    while alive(process.pid):
        assert time.monotonic() < deadline, "workers outlived the command"
        time.sleep(0.02)
    return in_time


def harassed(command: Sequence[object], folder: Path) -> dict[str, bytes]:
    """Return what a command leaves that is killed again and again until it is done all the same.

    A machine may have become faster since the undisturbed command was measured: where no kill came
    in time, the next ones come sooner.
    """
    begun = time.monotonic()
    ended(*command, folder / "calm")
    seconds, draw, hits, rounds = time.monotonic() - begun, random.Random(KILLS), 0, 0
    while hits < KILLS:
        out = folder / f"round-{(rounds := rounds + 1)}"
        all_of_it = (hits + rounds) % 2 == 0
        struck = kill([*command, out], draw.uniform(0.1, seconds), all_of_it=all_of_it)
        ended(*command, out)
        assert tree(out) == tree(folder / "calm")
        hits += struck
        seconds *= 1 if struck else 0.7
    return tree(folder / "calm")


def test_a_killed_run_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    ended(*BUILD, "12", "--out", tmp_path / "suite")
    assert harassed(["t2q", "run", tmp_path / "suite", *RUN, "--out"], tmp_path)


@pytest.mark.parametrize(("worlds", "games"), [("20", []), ("2", ["--games"])])
def test_a_killed_build_is_resumed_to_the_same_bytes(
    worlds: str, games: list[str], tmp_path: Path
) -> None:
    assert harassed([*BUILD, worlds, *games, "--out"], tmp_path)
    whole = [path for path in tmp_path.rglob("game.z8") if path.stat().st_size > 300_000]
    assert len(whole) % 2 == 0
    assert bool(whole) == bool(games)
