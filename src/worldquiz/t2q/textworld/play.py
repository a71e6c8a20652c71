"""A text world to be played: commands in, observations and revealed facts out of a Z-machine.

The true state is read from the machine's memory. Whatever an agent types, the state is what the
machine's object tree says: parents of things, and the attributes *open* and *locked*. Nothing is
inferred from text or from which command was meant, so no command can make the state drift
(TextWorld's own tracker drifts on ``enter door``).
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from worldquiz.errors import MissingExtra, WorldError
from worldquiz.facts.fact import Fact
from worldquiz.t2q.textworld import machine
from worldquiz.t2q.textworld.inform import MAP_COMMAND
from worldquiz.t2q.world.commands import Command
from worldquiz.t2q.world.game import Game, outcome
from worldquiz.t2q.world.situation import GONE, HANDS, Situation
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, WorldSpec
from worldquiz.zmachine import Objects, checked

SECONDS = 10
"""Seconds of processor time that a command may take."""
PATIENCE = 600.0
"""Seconds without an answer after which a process is ended, if it uses no processor time."""
OPEN_BIT, LOCKED_BIT = 13, 10
"""Inform 7's attribute numbers (6M62); `Machine` is checked against TextWorld's facts in tests."""

_NUMBERED = re.compile(r"^(\d{1,5}) (.+)$", re.MULTILINE)
_INVENTORY = re.compile(r"<inventory>\n(.*?)</inventory>", re.DOTALL)
_STATUS = re.compile(r"\n>[^\n]*-=[^\n]*=-[^\n]*\Z")


class Machine:
    """One game in an interpreter, which is another process: see `machine`."""

    def __init__(self, game: Path) -> None:
        """Load a game. Raises `MissingExtra` without Jericho, `WorldError` if it is no game."""
        if find_spec("jericho") is None:
            raise MissingExtra("jericho", "textworld")
        if not game.is_file():
            raise WorldError(f"{game}: no such game; build the suite with --games")
        try:
            self._story = checked(game)
        except WorldError as error:
            raise WorldError(f"{error}; build the suite again") from error
        self._game, self._ram, self.inventory = game, b"", ""
        theirs, self._asking = Pipe(duplex=False)
        self._hearing, answering = Pipe(duplex=False)
        with theirs, answering:
            ends = (theirs.fileno(), answering.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", machine.__name__, *map(str, (*ends, SECONDS)),
                 str(game.resolve())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, pass_fds=ends,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
        self.close = weakref.finalize(
            self, _end, os.getpid(), self._process, self._asking, self._hearing
        )
        listing = self._asked([None, MAP_COMMAND])[-1]
        self.numbers = {name: int(number) for number, name in _NUMBERED.findall(listing)}
        if "yourself" not in self.numbers:
            self.close()
            raise WorldError(f"{game}: not a game of worldquiz (it does not list its objects)")
        self.player = self.numbers.pop("yourself")

    def start(self) -> str:
        """Restart and return the first text."""
        text, _, carried = self._asked([None, "tw-extra-infos inventory", "inventory"])
        self._kept(carried)
        return _clean(text)

    def send(self, command: str) -> str:
        """Give the game a command; return its text. The inventory's text is kept beside it."""
        return self._kept(self._asked([command])[0])

    def _asked(self, commands: Sequence[str | None]) -> list[str]:
        """Give commands, None to start anew; return what each printed, and keep the memory.

        Raises `WorldError` where the game does not come back.
        """
        try:
            self._asking.send_bytes(json.dumps(commands).encode())
            texts, self._ram = json.loads(self._heard()), self._heard()
        except (EOFError, OSError) as error:
            raise WorldError(f"{self._game}: {self._fate()}: build the suite again") from error
        return [str(text) for text in texts]

    def _heard(self) -> bytes:
        if not self._hearing.poll(PATIENCE):
            raise EOFError
        return self._hearing.recv_bytes()

    def _fate(self) -> str:
        """Say how the process ended; it has ended after this."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        self.close()
        if code is None:
            return f"hangs: no answer within {PATIENCE:g} s"
        if code == -signal.SIGXCPU:
            return f"loops: a command took more than {SECONDS} s of processor time"
        status = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"crashes the interpreter, which ended with {status}"

    def _kept(self, text: str) -> str:
        carried = _INVENTORY.search(text)
        if carried:
            self.inventory = carried[1].strip()
        return _clean(_INVENTORY.sub("", text))

    def memory(self) -> Objects:
        """Return the objects as they stand."""
        return Objects(self._ram, self._story)


def _end(owner: int, process: subprocess.Popen[bytes], *pipes: Connection) -> None:
    """End a game's process, unless this one was forked from its owner."""
    if os.getpid() == owner:
        for pipe in pipes:
            pipe.close()
        process.kill()
        process.wait()


def _clean(text: str) -> str:
    """Return a reply without status bar and surplus blank lines."""
    return re.sub(r"\n{3,}", "\n\n", _STATUS.sub("", text)).strip()


class TextWorld(Game):
    """One world in one Z-machine; goals are judged on the machine's memory."""

    def __init__(self, spec: WorldSpec, game: Path) -> None:
        """Load a world's game. Raises `WorldError` if the game is another world's."""
        super().__init__(spec)
        self._machine = Machine(game)
        self._game = game
        missing = sorted(set(spec.kinds) - set(self._machine.numbers))
        if missing:
            self.close()
            raise WorldError(f"{game}: has no {missing[0]!r}: not the game of world {spec.id!r}")
        self._names = {self._machine.numbers[name]: name for name in spec.kinds}
        self._spots = {**self._names, self._machine.player: HANDS, 0: GONE}
        self._placed, self._lids = spec.of_kind(*MOVABLE, *HOLDERS), spec.of_kind(*LOCKABLE)

    def close(self) -> None:
        """Free the Z-machine."""
        self._machine.close()

    def _started(self) -> str:
        text = self._machine.start()
        self._now = self._read()
        return text

    def _done(self, command: Command) -> tuple[str, Iterable[Fact]]:
        *_, shown = outcome(self._now, command)
        text = self._machine.send(str(command))
        self._now = self._read()
        return text, shown

    def _inventory(self) -> str:
        return self._machine.inventory

    def _read(self) -> Situation:
        """Read how things stand. Raises `WorldError` where the memory is not that of the game."""
        tree, numbers = self._machine.memory(), self._machine.numbers
        try:
            return Situation(
                self.spec,
                self._names[tree.parent(self._machine.player)],
                {name: self._spots[tree.parent(numbers[name])] for name in self._placed},
                frozenset(name for name in self._lids if tree.has(numbers[name], OPEN_BIT)),
                frozenset(name for name in self._lids if tree.has(numbers[name], LOCKED_BIT)),
            )
        except (LookupError, ValueError) as error:
            raise WorldError(
                f"{self._game}: does what no game of world {self.spec.id!r} does: it is damaged: "
                "build the suite again"
            ) from error


def from_suite(spec: WorldSpec, folder: Path) -> TextWorld:
    """Open the game that a suite keeps in a world's folder."""
    return TextWorld(spec, folder / "game.z8")
