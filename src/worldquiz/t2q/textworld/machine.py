"""The process that runs one game, so that a game that loops or crashes ends as an error.

A game is a program from whoever made the suite, and Jericho's interpreter is written in C: it may
never come back, or end its process. So it runs in a process of its own, with limits on processor
time for each command and on memory; while a game runs, no file can grow. These limits stop what is
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

MEMORY = 2**30
"""Bytes of memory that the process may have, with all its libraries."""


def main(reading: int, writing: int, seconds: int, story: str) -> None:
    """Run a game for two pipes until the other end is closed."""
    asked, answering = Connection(reading), Connection(writing)
    warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
    import jericho

    class Game(jericho.FrotzEnv):  # type: ignore[misc]
        def load(self, story_file: str, seed: int | None = None) -> None:
            """Load a game, which runs to its first prompt at once."""
            _limit(resource.RLIMIT_FSIZE, 0)  # before, Jericho copied its library
            super().load(story_file, seed)

    def begin() -> None:
        """Let the system end this process once a command takes too long."""
        _limit(resource.RLIMIT_CPU, int(time.process_time()) + 1 + seconds)

    os.chdir("/")
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, MEMORY)
    begin()
    game = Game(story)
    while True:
        try:
            commands = json.loads(asked.recv_bytes())
        except EOFError:
            return
        texts = []
        for command in commands:
            begin()
            found = game.reset() if command is None else game.step(command)
            texts.append(str(found[0]))
        answering.send_bytes(json.dumps(texts).encode())
        answering.send_bytes(game._get_ram().tobytes())


def _limit(what: int, most: int) -> None:
    resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


if __name__ == "__main__":
    reading, writing, seconds = map(int, sys.argv[1:4])
    main(reading, writing, seconds, sys.argv[4])
