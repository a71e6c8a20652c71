"""kill -9 at random points: what is resumed ends with the bytes of what was never disturbed.

Two kills by default, one with its workers and one without; ``just deep`` gives twenty.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from deep import DEEP
from process import ended, start

KILLS = 20 if DEEP else 2
BUILD = ("t2q", "build", "--preset", "easy", "--seed", "31", "--jobs", "2", "--worlds")
RUN = ("--agent", "random", "--answerer", "worldgraph", "--seed", "5", "--jobs", "2")


def finish(arguments: Sequence[object]) -> float:
    """Let a command come to its end; return how many seconds that took."""
    begun = time.monotonic()
    ended(*arguments)
    return time.monotonic() - begun


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


def buried(group: int) -> bool:
    """Wait for all processes of a group to end."""
    deadline = time.monotonic() + 600
    while alive(group) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(group)


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
    assert buried(process.pid), "workers outlived the command"
    return in_time


def harass(arguments: Sequence[object], kills: int, seconds: float, draw: random.Random) -> int:
    """Kill a command again and again until it is done all the same; return how often it was hit.

    Each time it gets a little further: what it has finished before is kept.
    """
    hits = 0
    while hits < kills:
        if not kill(arguments, draw.uniform(0.1, seconds), all_of_it=hits % 2 == 0):
            break
        hits += 1
    finish(arguments)
    return hits


def harassed(
    begin: Callable[[Path], list[object]],
    folder: Path,
    kills: int,
    seconds: float,
    check: Callable[[Path], None],
) -> None:
    """Spread kills over rounds of at most four, each in a folder of its own that is then checked.

    A machine may have become faster since `seconds` were measured: a round without a hit shortens
    the time in which the next one strikes.
    """
    draw, hits, rounds = random.Random(kills), 0, 0
    while hits < kills:
        out = folder / f"round-{(rounds := rounds + 1)}"
        struck = harass(begin(out), min(4, kills - hits), seconds, draw)
        check(out)
        hits += struck
        seconds *= 1 if struck else 0.7


def test_a_killed_run_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    finish([*BUILD, "12", "--out", tmp_path / "suite"])
    command = ["t2q", "run", tmp_path / "suite", *RUN, "--out"]
    seconds = finish([*command, tmp_path / "calm"])
    expected = tree(tmp_path / "calm")

    def check(out: Path) -> None:
        assert tree(out) == expected

    harassed(lambda out: [*command, out], tmp_path, KILLS, seconds, check)


@pytest.mark.parametrize(("worlds", "games"), [("20", []), ("2", ["--games"])])
def test_a_killed_build_is_resumed_to_the_same_bytes(
    worlds: str, games: list[str], tmp_path: Path
) -> None:
    command = [*BUILD, worlds, *games, "--out"]
    seconds = finish([*command, tmp_path / "calm"])
    expected = tree(tmp_path / "calm")

    def check(out: Path) -> None:
        assert tree(out) == expected
        whole = [path for path in out.rglob("game.z8") if path.stat().st_size > 300_000]
        assert len(whole) == (2 if games else 0)

    harassed(lambda out: [*command, out], tmp_path, max(1, KILLS // 2), seconds, check)
