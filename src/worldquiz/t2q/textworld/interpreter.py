"""The process that runs games: started by `machine`, which gives it one game after the other.

A game is a program from whoever made the suite, and Jericho's interpreter is written in C: it may
never come back, or end its process. So it runs here, with limits on processor time for each
command, on memory, and on files: while a game runs, none can be opened or grow; while it starts,
one can be opened, since the interpreter reads the story file then. These limits stop what is
broken. They are no sandbox against code that takes over the interpreter.

Requests come as JSON on one pipe, replies go as JSON and bytes on another; nothing is unpickled.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

SECONDS = 10
"""Seconds of processor time that a command may take."""
MEMORY = 2**30
"""Bytes of memory that the process may have, with all its libraries."""

_FILES = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)


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
    """Serve the pipes that are named, until the other end is closed."""
    reading, writing = (Connection(int(number)) for number in sys.argv[1:3])
    limits = Limits(int(sys.argv[3]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
    import jericho

    os.chdir("/")
    limits.memory()
    game = None
    while True:
        try:
            told = json.loads(reading.recv_bytes())
        except EOFError:
            return
        if "open" in told:
            game = None  # frees the interpreter before
            game = _opened(jericho, told["open"], limits)
        texts = [_text(game, each, limits) for each in told["send"]]
        writing.send_bytes(json.dumps(texts).encode())
        writing.send_bytes(game._get_ram().tobytes() if game else b"")


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


def _text(game: Any, command: str | None, limits: Limits) -> str:
    """Give a game a command, None for a new start, and return what it prints."""
    limits.time()
    limits.files(story=command is None)
    found = game.reset() if command is None else game.step(command)
    return str(found[0])


if __name__ == "__main__":
    main()
