"""The command line: run to its end, or killed halfway in a process group of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from command import Said, worldquiz
from modelserver import Running

PATIENCE = 1800  # seconds: ends what hangs, and fails no busy machine


def start(*arguments: object, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a command; `env` adds to this process's environment variables."""
    return subprocess.Popen(
        [sys.executable, "-m", "worldquiz", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, **(env or {})},
    )  # fmt: skip


def ended(*arguments: object, code: int = 0, env: Mapping[str, str] | None = None) -> Said:
    """Let a command come to its end, which is to be with this exit code.

    It runs in this process, but for one with environment variables of its own.
    """
    if env is None:
        said = worldquiz(*arguments)
    else:
        process = start(*arguments, env=env)
        out, err = process.communicate()
        said = Said(process.returncode, out, err)
    assert said.code == code, said.err
    return said


def killed(
    enough: Callable[[], bool], *arguments: object, env: Mapping[str, str] | None = None
) -> bool:
    """Kill a command and its workers once enough is done; tell whether it was still running."""
    process, deadline = start(*arguments, env=env), time.monotonic() + PATIENCE
    while process.poll() is None and not enough():
        assert time.monotonic() < deadline, "the command does not get on"
        time.sleep(0.002)
    if in_time := process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return in_time


def answered(server: Running) -> int:
    """Return the calls of a server so far, once those that a killed command had sent have ended."""
    found = -1
    while found != len(server.calls) or found != server.stats()["arrived"]:
        found = len(server.calls)
        time.sleep(0.3)
    return found


def killed_amid(journal: Path, lines: int, *arguments: object) -> None:
    """Kill a command once its journal has so many lines, and leave half a line behind them."""
    assert killed(
        lambda: journal.is_file() and journal.read_bytes().count(b"\n") >= lines, *arguments
    )
    with journal.open("ab") as stream:
        stream.write(b'{"id": "half a li')
