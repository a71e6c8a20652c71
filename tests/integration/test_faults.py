"""Faults of the file system while a command writes: a kill, a full disk, an error that passes.

A command runs in a fork of this process, and fails or dies at the n-th change that it makes beneath
a folder. It ends with an exit code of ours and one plain line, or by the kill; the same command
then ends well, with the bytes of one that nothing disturbed; and a model is asked again at most the
calls that were under way.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from command import tree, worldquiz
from evil import written
from modelserver import serving
from modelserver.models import reads_walkthroughs

AT_ONCE = 4
"""Calls of a model under way at a time, at most."""
POINTS = 5
"""Changes of a command at which it is struck."""
FAULTS = {"kill": (0, False), "disk full": (errno.ENOSPC, True), "error": (errno.EIO, False)}
"""The number of an error, and whether all later changes fail too."""


def struck(folder: Path, number: int, fault: str) -> Callable[[str, tuple[Any, ...]], None]:
    """Return an audit hook that lets the n-th change beneath a folder fail."""
    code, lasts = FAULTS[fault]
    made = 0

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal made
        place = written(event, arguments)
        if place is None or not place.is_relative_to(folder):
            return
        made += 1
        (folder.parent / "made").write_text(str(made))
        if made == number or (lasts and made > number > 0):
            if not code:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(code, os.strerror(code))

    return hook


def run(folder: Path, words: tuple[object, ...], number: int = 0, fault: str = "error") -> Any:
    """Run a command in a fork, struck at its n-th change; return how it ended, and what it said."""
    said = folder.parent / "said"
    said.write_text("")
    if not (child := os.fork()):
        code = 70
        try:
            signal.alarm(300)
            sys.addaudithook(struck(folder, number, fault))
            ended = worldquiz(*words)
            code = ended.code
            said.write_text(ended.err)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.read_text()


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, ...]]:
    """A run of a model on a small maze: its words, and the server that counts its calls."""
    data = tmp_path_factory.mktemp("mazes") / "data"
    worldquiz("mango", "build", "--mazes", 1, "--size", 5, "--seed", 1, "--out", data)
    with serving(reads_walkthroughs(), minimum=10**9) as server:
        yield server, (
            "mango", "run", data, "--per-maze", 2, "--model", "m", "--connections", AT_ONCE,
            "--base-url", server.base_url,
        )  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="forks a process that has threads")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("command", ["t2q build", "t2q run", "mango build", "mango run"])
def test_a_writer_survives_faults(
    command: str, mazes: tuple[Any, ...], lone: Path, tmp_path: Path
) -> None:
    server, words = mazes
    if command == "t2q run":
        words = ("run", lone, "--agent", "random", "--answerer", "worldgraph", "--jobs", 1)
    elif command != "mango run":
        sizes = "--mazes 1 --size 5" if "mango" in command else "--worlds 1 --jobs 1 --preset easy"
        words = (*command.split(), *sizes.split(), "--seed", 3)
    folder = tmp_path / "work"
    words = (*words, "--out", folder / "out")

    def afresh() -> int:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return int(server.stats()["arrived"])

    afresh()
    assert worldquiz(*words).code == 0  # loads all that a fork needs
    before = afresh()
    assert run(folder, words) == (0, "")
    whole, calls = tree(folder), server.stats()["arrived"] - before
    changes = int((tmp_path / "made").read_text())
    assert changes >= 4
    assert (calls > 0) == (command == "mango run")
    for place in range(POINTS):
        number, fault = 1 + place * changes // POINTS, list(FAULTS)[place % len(FAULTS)]
        before = afresh()
        code, said = run(folder, words, number, fault)
        assert code == -signal.SIGKILL if fault == "kill" else code in (0, 1, 2, 3, 130), said
        assert "Traceback" not in said
        assert len(said.splitlines()) == (code not in (0, -signal.SIGKILL))
        assert run(folder, words)[0] == 0, (number, fault)
        assert tree(folder) == whole, (number, fault)
        assert server.stats()["arrived"] - before - calls <= AT_ONCE
