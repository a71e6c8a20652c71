"""A game that is being played, command by command, in a process of its own that is watched.

Run as a program it plays: it reads commands from stdin, one JSON text a line, and sends what the
game answers to the file descriptor that it is given. What may befall the game (a crash, a hang, its
end) reaches nobody else, who gets a `WorldError` that names it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError
from worldquiz.mango.maze.recorder.child import Player, forked, tell
from worldquiz.mango.maze.recorder.trace import PATIENCE, known_games, playing
from worldquiz.mango.maze.recorder.words import asks_restart
from worldquiz.zmachine import checked

_SCORED = re.compile(
    r"scored?[^\d-]{0,40}(-?\d+)\D{1,40}(?:out of|total of|possible)\D{0,40}(\d+)", re.I
)
_ASKED_SCORE = None
"""What is sent in place of a command to be told the score."""


class LiveGame:
    """One game. Close it when done."""

    def __init__(self, game: Path, *, patience: float = PATIENCE) -> None:
        """Start it. Raises `WorldError` for no Z-machine game, and as `send` does."""
        checked(game, known_games())
        self.game, self._patience = game, patience
        self.commands: list[str] = []
        self._left = ExitStack()
        arguments = ["worldquiz.mango.maze.recorder.live", str(game.resolve())]
        self._process, self._reading = self._left.enter_context(playing(arguments))
        try:
            self.first, self.over = self._told()
        except BaseException:
            self.close()
            raise

    def send(self, command: str) -> tuple[str, bool]:
        """Give a command; return the text, and whether the game has ended.

        Raises `WorldError` where the game crashes, or answers nothing for as long as the patience
        lasts.
        """
        self.commands.append(command)
        self._say(command)
        return self._told()

    def score(self) -> tuple[int, int] | None:
        """Return the points that the game says it gives, and the most; None where it says none."""
        self._say(_ASKED_SCORE)
        found = self._heard()["score"]
        return None if found is None else (int(found[0]), int(found[1]))

    def _say(self, command: str | None) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()

    def _told(self) -> tuple[str, bool]:
        heard = self._heard()
        return str(heard["text"]), bool(heard["over"])

    def _heard(self) -> dict[str, Any]:
        with suppress(EOFError, OSError):
            if self._reading.poll(self._patience):
                found: dict[str, Any] = json.loads(self._reading.recv_bytes())
                return found
            raise WorldError(f"{self._where()} no answer within {self._patience:g} s")
        raise WorldError(f"{self._where()} its process has ended")

    def _where(self) -> str:
        after = f" after {self.commands[-1]!r}" if self.commands else ""
        return f"{self.game}: step {len(self.commands)}{after}:"

    def close(self) -> None:
        """End its process."""
        self._left.close()


def told_score(text: str) -> tuple[int, int] | None:
    """Return the points and the most of them that a game's answer to ``score`` tells."""
    match = _SCORED.search(" ".join(text.split()))
    return (int(match[1]), int(match[2])) if match and int(match[2]) else None


def _score(player: Player, patience: float) -> tuple[int, int] | None:
    """Return the score of a known game, or what another says when it is asked, in a fork."""
    if player.points is not None:
        return player.points
    asked = [] if player.halted or player.over else forked(lambda: [player.send("score")], patience)
    return told_score(str(asked[0])) if asked else None


def main(arguments: Sequence[str]) -> None:
    """Play a game by the commands that come."""
    writing, game = arguments
    say = partial(tell, Connection(int(writing), readable=False))
    player = Player(game, [], PATIENCE)
    say({"text": player.first, "over": player.halted})
    for line in sys.stdin:
        command = json.loads(line)
        if command is _ASKED_SCORE:
            say({"score": _score(player, PATIENCE / 4)})
            continue
        text = player.send(command)
        say({"text": text, "over": player.halted or player.over or asks_restart(text)})


if __name__ == "__main__":
    main(sys.argv[1:])
