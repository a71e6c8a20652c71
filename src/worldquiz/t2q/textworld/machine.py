"""A Z-machine in a process of its own, so that a game that loops or crashes ends as an error.

A process plays one game at a time and is kept for the next one: loading the interpreter takes
longer than starting a game.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from worldquiz.errors import WorldError
from worldquiz.t2q.textworld.interpreter import SECONDS

PROGRAM = "worldquiz.t2q.textworld.interpreter"
PATIENCE = 600.0
"""Seconds without an answer after which a process is ended, if it uses no processor time."""
MOST_IDLE = 4
"""Processes that are kept though they run nothing."""


class Interpreter:
    """A process that runs games."""

    def __init__(self, seconds: int = SECONDS) -> None:
        """Start it; a command may take so many seconds of processor time."""
        self._seconds = seconds
        theirs, self._asking = Pipe(duplex=False)
        self._hearing, answering = Pipe(duplex=False)
        with theirs, answering:
            ends = (theirs.fileno(), answering.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", PROGRAM, *map(str, (*ends, seconds))],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, pass_fds=ends,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
        self.end = weakref.finalize(self, _end, self._process, self._asking, self._hearing)
        _started.add(self)

    @property
    def alive(self) -> bool:
        """True if the process takes commands."""
        return bool(self.end.alive) and self._process.poll() is None

    def ask(
        self, commands: Sequence[str | None], game: Path | None = None
    ) -> tuple[list[str], bytes]:
        """Give commands, to a game that is opened first if it is named.

        Return what each printed, and the memory after them. Raises `WorldError` if no answer comes.
        """
        told: dict[str, object] = {"send": list(commands)}
        if game is not None:
            told["open"] = str(game.resolve())
        try:
            self._asking.send_bytes(json.dumps(told).encode())
            texts = json.loads(self._heard())
            return [str(text) for text in texts], self._heard()
        except (EOFError, OSError) as error:
            raise WorldError(self._fate()) from error

    def _heard(self) -> bytes:
        if not self._hearing.poll(PATIENCE):
            raise EOFError
        return self._hearing.recv_bytes()

    def _fate(self) -> str:
        """Say how the process ended; it has ended after this."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        self.end()
        if code == -signal.SIGXCPU:
            return f"loops: a command took more than {self._seconds} s of processor time"
        if code is None:
            return f"hangs: no answer within {PATIENCE:g} s"
        return f"crashes the interpreter, which ended with {_status(code)}"


def _end(process: subprocess.Popen[bytes], *connections: Connection) -> None:
    """End a process; it waits for nothing once the connections are closed."""
    for connection in connections:
        connection.close()
    process.kill()
    process.wait()


def _status(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


_idle: list[Interpreter] = []
_started: weakref.WeakSet[Interpreter] = weakref.WeakSet()
_lock = threading.Lock()


def taken() -> Interpreter:
    """Return a process that runs nothing, started if need be."""
    with _lock:
        if _idle:
            return _idle.pop()
    return Interpreter()


def given_back(interpreter: Interpreter) -> None:
    """Keep a process for the next game, or end it."""
    with _lock:
        if interpreter.alive and len(_idle) < MOST_IDLE:
            _idle.append(interpreter)
            return
    interpreter.end()


def _forked() -> None:
    """Leave all to the process that this one was forked from: two would talk to one game."""
    global _lock
    _lock = threading.Lock()
    for interpreter in list(_started):
        interpreter.end.detach()
    _idle.clear()


os.register_at_fork(after_in_child=_forked)
