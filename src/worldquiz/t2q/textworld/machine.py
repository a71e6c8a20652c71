"""A Z-machine in a process of its own, so that a game that loops or crashes ends as an error.

A game is a program from whoever made the suite, and Jericho's interpreter is written in C: it may
never come back, or end its process. So this module is also the program of a process that runs one
game, with limits on processor time for each command, on memory, and on files: while a game runs,
none can be opened or grow; while it starts, one can be opened, since the interpreter reads the
story file then. These limits stop what is broken. They are no sandbox against code that takes over
the interpreter.

Requests come as JSON on one pipe, replies go as JSON and bytes on another; nothing is unpickled.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
import weakref
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError

SECONDS = 10
"""Seconds of processor time that a command may take."""
MEMORY = 2**30
"""Bytes of memory that the process may have, with all its libraries."""
PATIENCE = 600.0
"""Seconds without an answer after which a process is ended, if it uses no processor time."""
_FILES = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)


class Interpreter:
    """A process that runs one game. Raises `WorldError` where it does not start."""

    def __init__(self, game: Path) -> None:
        """Start it; a command may take `SECONDS`."""
        theirs, self._asking = Pipe(duplex=False)
        self._hearing, answering = Pipe(duplex=False)
        with theirs, answering:
            ends = (theirs.fileno(), answering.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, *map(str, (*ends, SECONDS)),
                 str(game.resolve())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, pass_fds=ends,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
        pipes = (self._asking, self._hearing)
        self.end = weakref.finalize(self, _end, os.getpid(), self._process, *pipes)

    def ask(self, commands: Sequence[str | None]) -> tuple[list[str], bytes]:
        """Give commands; None starts the game anew.

        Return what each printed, and the memory after them. Raises `WorldError` if no answer comes.
        """
        try:
            self._asking.send_bytes(json.dumps(commands).encode())
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
            return f"loops: a command took more than {SECONDS} s of processor time"
        if code is None:
            return f"hangs: no answer within {PATIENCE:g} s"
        return f"crashes the interpreter, which ended with {_status(code)}"


def _end(owner: int, process: subprocess.Popen[bytes], *connections: Connection) -> None:
    """End a process, unless this one was forked from its owner."""
    if os.getpid() == owner:
        for connection in connections:
            connection.close()
        process.kill()
        process.wait()


def _status(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


class Limits:
    """Limits of the game's process on time, memory and files, set in the operating system."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._number = 0  # that the story file has while it is open

    def memory(self) -> None:
        """Limit memory, for good."""
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def time(self) -> None:
        """Let the system end this process once a command takes too long."""
        most = int(time.process_time()) + 1 + self._seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))

    def no_limit_to_files(self) -> None:
        """Let Jericho copy its library; no game runs."""
        self._files(*(resource.getrlimit(each)[1] for each in _FILES))
        self._number = os.open(os.devnull, os.O_RDONLY)
        os.close(self._number)

    def files(self, *, story: bool) -> None:
        """Let no file be opened, but for the `story` file by a game that starts; none may grow."""
        self._files(self._number + 1 if story else 0, 0)

    def _files(self, number: int, size: int) -> None:
        for limit, most in zip(_FILES, (number, size), strict=True):
            resource.setrlimit(limit, (most, resource.getrlimit(limit)[1]))


def main() -> None:
    """Run the game that is named, for the pipes that are named, until the other end is closed."""
    reading, writing = (Connection(int(number)) for number in sys.argv[1:3])
    limits = Limits(int(sys.argv[3]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
    import jericho

    os.chdir("/")
    limits.memory()
    game = _opened(jericho, sys.argv[4], limits)
    while True:
        try:
            commands = json.loads(reading.recv_bytes())
        except EOFError:
            return
        texts = []
        for command in commands:
            limits.time()
            limits.files(story=command is None)
            found = game.reset() if command is None else game.step(command)
            texts.append(str(found[0]))
        writing.send_bytes(json.dumps(texts).encode())
        writing.send_bytes(game._get_ram().tobytes())


def _opened(jericho: Any, path: str, limits: Limits) -> Any:
    """Load a game: it runs to its first prompt at once, so the limits stand before."""

    class Game(jericho.FrotzEnv):  # type: ignore[misc]
        def load(self, story_file: str, seed: int | None = None) -> None:
            """Read the story file, and let nothing but it be open from here on."""
            self.story_file = story_file.encode()
            self._cache[story_file] = (Path(story_file).read_bytes(), {}, None)
            limits.files(story=True)
            super().load(story_file, seed)

    limits.time()
    limits.no_limit_to_files()
    return Game(path)


if __name__ == "__main__":
    main()
