"""Journal of one session's tool calls, replayed after a restart.

    RUN/.calls/easy-00.journal    a line for each call: the seat, the tool and its arguments

Beside each call stands a digest of what the agent had been told before it. A call is on the disk
before it is carried out: a server that is killed in between carries it out when it comes back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from worldquiz.errors import RecordError
from worldquiz.records import check
from worldquiz.runs.journal_file import CALLS, SUFFIX, JournalFile


@dataclass(frozen=True)
class KeptToolCall:
    """A line of a session's calls."""

    seat: str
    tool: str
    arguments: Mapping[str, Any]
    seen: str


class KeptToolCalls:
    """The calls of one session: those of before, and those that are made now."""

    def __init__(self, out: Path, place: str) -> None:
        """Read the calls that are kept, up to the first line that is none."""
        self._file = JournalFile(out / CALLS / f"{quote(place, safe='')}{SUFFIX}")
        self.kept: list[KeptToolCall] = []
        with suppress(RecordError):
            for line in self._file.read():
                check(line, KeptToolCall, self._file.path)
                self.kept.append(KeptToolCall(**json.loads(line)))

    @property
    def seat(self) -> str | None:
        """Seat that made the calls, None where there are none."""
        return self.kept[0].seat if self.kept else None

    def keep(self, seat: str, tool: str, arguments: Mapping[str, Any], seen: str) -> None:
        """Keep a call, on the disk: an agent's model may have cost money. Raises `OSError`."""
        self._file.path.parent.mkdir(parents=True, exist_ok=True)
        call = KeptToolCall(seat, tool, arguments, seen)
        text = json.dumps(vars(call), sort_keys=True, ensure_ascii=False)
        self._file.append(text.encode(), sync=True)
        self.kept.append(call)

    def forget(self) -> None:
        """Remove what is kept, once a session is finished or starts over."""
        self.kept = []
        self._file.path.unlink(missing_ok=True)
        with suppress(OSError):
            self._file.path.parent.rmdir()  # where it is empty


class ForgottenCalls:
    """Stands for the calls of a session that nobody comes back to, such as one of a trainer."""

    kept: tuple[KeptToolCall, ...] = ()

    def keep(self, seat: str, tool: str, arguments: Mapping[str, Any], seen: str) -> None:
        """Keep nothing."""

    def forget(self) -> None:
        """Forget nothing: nothing is kept."""
