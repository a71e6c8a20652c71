"""The claim of a folder in an object store: one writer at a time, without locks of a file system.

    FOLDER/.claims/00000007.json    {"copy", "host", "process", "length", "until"}

The claim with the highest number holds. Claiming is creating the next number on the condition that
there is none, which the store decides: of two who try, one wins. The holder writes its claim anew
again and again, each time for `length` seconds more, and lets it go by setting ``until`` to 0. A
holder that was killed does not, so half a length after ``until`` anybody may claim the folder, and
the working copy of the dead one at once.

Between machines whose clocks differ by less than half a length, two never write at a time: a holder
that could not renew its claim in time uploads nothing before it has claimed the folder anew.
"""

from __future__ import annotations

import json
import os
import re
import socket
import time
from typing import Any

from worldquiz import trust
from worldquiz.errors import KnobError, RecordError

CLAIMS = ".claims"
"""The folder of claims within a folder of a store."""
LENGTH = "WORLDQUIZ_LEASE"
"""The environment variable that says for how many seconds a claim holds unless it is renewed."""
USUAL, SHORTEST = 60.0, 0.5
_NAME = re.compile(r"(\d{8})\.json")
_MOST = 10_000
"""Bytes of a claim."""
_LONGEST, _LATEST = 86_400.0, 1e11
"""Seconds that a claim holds at most, and the largest point in time that one may state."""


class Lost(RecordError):
    """Another process has claimed the folder meanwhile."""


def length() -> float:
    """Return for how many seconds a claim holds. Raises `KnobError`."""
    told = os.environ.get(LENGTH) or str(USUAL)
    try:
        found = float(told)
    except ValueError:
        found = 0.0
    if not SHORTEST <= found <= _LONGEST:
        raise KnobError(f"{LENGTH}={told!r}: give the seconds of a claim, at least {SHORTEST}")
    return found


class Lease:
    """A claim of one folder by one working copy."""

    def __init__(self, files: Any, root: str, where: str, copy: str) -> None:
        """Name a folder: `root` within the store `files`, `where` for errors; nothing is asked."""
        self._files, self._where = files, where
        self._folder = f"{root}/{CLAIMS}"
        self._told: dict[str, Any] = {
            "copy": copy, "host": socket.gethostname(), "process": os.getpid(), "length": length(),
        }  # fmt: skip
        self._number, self._ends = 0, 0.0  # of the claim that is held; when by the own clock

    @property
    def length(self) -> float:
        """For how many seconds it holds unless it is renewed."""
        return float(self._told["length"])

    @property
    def sure(self) -> bool:
        """Tell whether nobody else can hold the folder now."""
        return time.monotonic() < self._ends

    def holder(self) -> str | None:
        """Return who holds the folder, None if it is free."""
        return _who(self._latest()[1])

    def take(self) -> None:
        """Claim the folder. Raises `Lost` where another process holds it."""
        number, held = self._latest()
        if held and held["copy"] != self._told["copy"] and (who := _who(held)):
            until = time.strftime("%H:%M:%S", time.localtime(held["until"] + held["length"] / 2))
            raise Lost(
                f"{self._where}: another worldquiz is writing here ({who}); wait for it. If it was "
                f"killed, the folder is free at {until}"
            )
        self._create(number + 1)

    def renew(self) -> None:
        """Hold the folder for longer. Raises `Lost` where another process has claimed it."""
        begun = time.monotonic()
        if self._latest()[0] != self._number:
            self._ends = 0.0
            raise Lost(f"{self._where}: another worldquiz has claimed this folder meanwhile")
        if begun >= self._ends:  # somebody may be about to claim it
            self._create(self._number + 1)
            return
        self._files.pipe_file(self._key(self._number), self._record())
        self._ends = begun + self.length

    def release(self) -> None:
        """Let the folder go, if it is still held."""
        if self._latest()[0] == self._number:
            self._files.pipe_file(self._key(self._number), self._record(until=0.0))
        self._ends = 0.0

    def _create(self, number: int) -> None:
        begun = time.monotonic()
        lost = Lost(f"{self._where}: another worldquiz has just claimed this folder; wait for it")
        try:
            self._files.pipe_file(self._key(number), self._record(), mode="create")
        except FileExistsError as error:
            raise lost from error
        if self._latest()[0] != number:
            raise lost
        self._number, self._ends = number, begun + self.length
        older = [self._key(each) for each in self._numbers() if each < number]
        if older:
            self._files.rm(older)

    def _record(self, until: float | None = None) -> bytes:
        ends = time.time() + self.length if until is None else until
        return json.dumps({**self._told, "until": ends}, sort_keys=True).encode()

    def _key(self, number: int) -> str:
        return f"{self._folder}/{number:08}.json"

    def _numbers(self) -> dict[int, int]:
        """Return the numbers of all claims with the bytes that each has."""
        try:
            found = self._files.ls(self._folder, detail=True)
        except FileNotFoundError:
            return {}
        names = ((_NAME.fullmatch(each["name"].rpartition("/")[2]), each) for each in found)
        return {int(name[1]): int(each["size"]) for name, each in names if name}

    def _latest(self) -> tuple[int, dict[str, Any] | None]:
        """Return the highest number with what its claim says; 0 and None where there is none."""
        sizes = self._numbers()
        if not sizes:
            return 0, None
        number = max(sizes)
        return number, self._read(number, sizes[number])

    def _read(self, number: int, size: int) -> dict[str, Any]:
        try:
            told = trust.loads(self._files.cat_file(self._key(number)) if size <= _MOST else b"")
            return _checked(told)
        except FileNotFoundError as error:
            raise Lost(f"{self._where}: another worldquiz is just claiming this folder") from error
        except (ValueError, TypeError, KeyError) as error:
            raise RecordError(
                f"{self._where}/{CLAIMS}/{number:08}.json: is no claim of worldquiz: delete it"
            ) from error


def _checked(told: Any) -> dict[str, Any]:
    """Return what a claim says. Raises `ValueError`, `TypeError`, `KeyError` for what is none."""
    length, until = float(told["length"]), float(told["until"])
    if not (0 < length <= _LONGEST and 0 <= until < _LATEST):
        raise ValueError("no claim holds that long")
    return {
        "copy": str(told["copy"]), "host": str(told["host"])[:100],
        "process": int(told["process"]), "length": length, "until": until,
    }  # fmt: skip


def _who(held: dict[str, Any] | None) -> str | None:
    """Return who holds a folder by its latest claim, None if nobody does."""
    if held is None or time.time() > held["until"] + held["length"] / 2:
        return None
    return f"process {held['process']} on {held['host']}"
