"""Trace of a game: its walkthrough is played in a separate process, which is watched.

The interpreter may crash, hang, print or quit; the caller gets a list of `ShownStep` or a
`WorldError` that names the game, the step and the command.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldError
from worldquiz.mango.recorder.zmachine import checked
from worldquiz.plugins import need
from worldquiz.records import read_text

PATIENCE = 20.0
"""Seconds that one step of a game may take before its process is ended."""
_CHILD = "worldquiz.mango.recorder.child"
_PROBE = 4.0
"""Divisor of `PATIENCE` for commands that are only tried."""
_STORY = re.compile(r"\.z[1-8]$", re.IGNORECASE)
_NUMBER = re.compile(r"^\s*\d+:")


def stories(folder: Path) -> list[Path]:
    """Return the story files of a folder, sorted by name, or the one file that is given."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise RecordError(f"{folder}: no such folder of games")
    found = sorted(path for path in folder.iterdir() if path.is_file() and _STORY.search(path.name))
    if not found:
        raise RecordError(f"{folder}: contains no story file (GAME.z3, GAME.z5, GAME.z8 …)")
    doubled = [name for name, count in Counter(path.stem for path in found).items() if count > 1]
    if doubled:
        raise RecordError(f"{folder}: two games are called {doubled[0]!r}; rename one")
    return found


def commands_for(story: Path) -> tuple[str, ...] | None:
    """Return the commands in ``GAME.walkthrough_acts``, None if there is no such file.

    The file lies beside the game and has one command per line, numbered like MANGO's (``1: north``)
    or not. Raises `RecordError` if it has no commands.
    """
    path = story.with_suffix(".walkthrough_acts")
    if not path.is_file():
        return None
    found = (_NUMBER.sub("", line).strip() for line in read_text(path).splitlines())
    given = tuple(filter(None, found))
    if not given:
        raise RecordError(f"{path}: contains no commands")
    return given


@dataclass(frozen=True, slots=True)
class ShownStep:
    """Record of one step of a walkthrough."""

    step: int  # 0 is the text before any action
    action: str  # spelled out; "Init" at step 0
    text: str
    chain: tuple[int, ...]  # the player's holder, its holder, and so on; () after the end
    name: str  # the name of the object that holds the player
    over: bool  # the game says that it has ended
    look: str | None  # the text of `look`, if the player had just arrived
    back: str | None  # the command that led back when tried at this step


def trace(game: Path) -> list[ShownStep]:
    """Return the steps of a game, played by the commands beside it or by Jericho's walkthrough.

    `look` is tried after each arrival, and reverse commands after each move. Steps count from 0;
    there are none if no command moves the player. Raises `WorldError` naming the game if it is not
    a Z-machine game, crashes, hangs for longer than `PATIENCE`, or ends before the commands beside
    it do; also raises like `commands_for`.
    """
    commands = commands_for(game)
    checked(game, need("jericho.defines", extra="textworld").BINDINGS_DICT)
    job = {"game": str(game.resolve()), "commands": commands, "patience": PATIENCE / _PROBE}
    start, *messages = _messages(game, job)
    if not start["commands"]:
        raise WorldError(
            f"{game}: Jericho has no walkthrough of this game; write its commands into "
            f"{game.stem}.walkthrough_acts, one per line"
        )
    steps = (message for message in messages if "step" in message)
    found = [ShownStep(**{**step, "chain": tuple(step["chain"])}) for step in steps]
    if commands is not None and found and found[-1].step < len(commands):
        raise WorldError(
            f"{game}: the game ends at step {found[-1].step} of {len(commands)}, after "
            f"{found[-1].action!r}: remove the commands after it"
        )
    return found


def _messages(game: Path, job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Run the process that plays the game, yield its messages, and end it afterwards.

    Its stdout is discarded; its stderr goes to a file. Raises `WorldError` if it stops answering or
    ends too early.
    """
    reading, writing = Pipe(duplex=False)
    with reading, tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-m", _CHILD, str(writing.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            pass_fds=(writing.fileno(),),
            start_new_session=True,
            env={**os.environ, "TMPDIR": scratch},
        )
        writing.close()
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError), process.stdin as stream:
                stream.write(json.dumps(job).encode())
            yield from _told(game, reading, process, complaints)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _told(
    game: Path, reading: Connection, process: subprocess.Popen[bytes], complaints: Any
) -> Iterator[dict[str, Any]]:
    finished, at, commands = False, " before its first step", list[str]()
    with suppress(EOFError, OSError):  # it has ended, perhaps amid a message
        while reading.poll(PATIENCE):
            message = json.loads(reading.recv_bytes())
            commands = message.get("commands", commands)
            if (step := message.get("step", len(commands))) < len(commands):
                at = f" at step {step + 1}, after {commands[step]!r}"
            finished = "ended" in message
            yield message
        raise WorldError(
            f"{game}: hangs{at}: no answer within {PATIENCE:g} s; its process was ended"
        )
    if not finished:
        code = process.wait()
        known = {-int(each): each.name for each in signal.Signals}
        status = known.get(code, f"exit code {code}")
        complaints.seek(0)
        lines = complaints.read().decode(errors="replace").strip().splitlines()
        why = f" ({lines[-1].strip()})" if lines else ""
        raise WorldError(f"{game}: crashes{at}: its process ended with {status}{why}")
