"""The calls of one unit of work, kept as they come: a killed run loses the call under way.

A world of Task2Quiz is hundreds of calls one after the other, at a local model hours. Its moves
follow from the replies, since a world has no other source of chance. So the replies are all that
is kept: when the run goes on, the world is played again from its first command, and each call is
answered from here, by its number in the unit and the digest of its prompt, without being made.
Calls are numbered as they are prepared, so replies may come in any order (`llm.usage`). A prompt
that differs from the one on record shows that the moves lead elsewhere (another version of a
library, say): then the unit starts over.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from worldquiz.errors import RecordError
from worldquiz.llm.model import Completion, FunctionCall, Message
from worldquiz.records import check, digest
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.journal_file import CALLS, SUFFIX, JournalFile, whole_lines
from worldquiz.runs.losses import Passing
from worldquiz.runs.notices import notice

T = TypeVar("T")
TRIES = 3
"""Times that the folder of calls is made before it counts as one that cannot be made."""


class Diverged(Passing):
    """A unit that is played again asks something else than it did before."""


@dataclass(frozen=True)
class KeptCall:
    """A line of a unit's calls."""

    call: int
    prompt: str
    reply: Completion


class Calls:
    """The calls of one unit: those of before, and those that are made now."""

    def __init__(self, out: Path, unit: str, done: Done = silent) -> None:
        """Read the calls that are kept; `done.within`, if it has that, is told of each new one."""
        self._unit, self._told = unit, getattr(done, "within", None)
        self._file = JournalFile(out / CALLS / f"{quote(unit, safe='')}{SUFFIX}")
        self._known: dict[int, dict[str, Any]] = {}
        for told in _told(self._file.read(), self._file.path):
            self._known[told["call"]] = told
        self._made = len(self._known)

    def find(self, number: int, messages: Sequence[Message]) -> tuple[str, Completion | None]:
        """Return the digest of a call's messages, and the reply if the call was made before.

        Raises `Diverged` where another prompt was sent then.
        """
        asked = digest_of(messages)
        told = self._known.get(number)
        if told is None:
            return asked, None
        if told["prompt"] != asked:
            raise Diverged(f"call {number + 1} asks something else than before")
        return asked, _reply(told["reply"])

    def keep(self, number: int, asked: str, reply: Completion) -> None:
        """Keep a call, on the disk: it cost money or time."""
        told = {"call": number, "prompt": asked, "reply": asdict(reply)}
        text = json.dumps(told, sort_keys=True, ensure_ascii=False)
        self._append(text.encode())
        self._made += 1
        if self._told is not None:
            self._told(self._unit, self._made)

    def _append(self, line: bytes) -> None:
        """Append a line; the folder is made for the first one.

        Another process that finishes its last unit may take the empty folder away in between.
        """
        for _ in range(TRIES):
            with suppress(FileNotFoundError):
                return self._file.append(line, sync=True)
            self._file.path.parent.mkdir(parents=True, exist_ok=True)
        return self._file.append(line, sync=True)

    def forget(self) -> None:
        """Remove what is kept, once the unit is finished or starts over."""
        self._made, self._known = 0, {}
        self._file.path.unlink(missing_ok=True)
        with suppress(OSError):  # no call was kept, or those of other units lie there
            self._file.path.parent.rmdir()


async def gone_on(unit: str, calls: Calls, play: Callable[[], Awaitable[T]]) -> T:
    """Play a unit on from its calls of before; from its beginning where they lead elsewhere."""
    try:
        return await play()
    except Diverged as error:
        notice(f"{unit}: {error}: it starts over")
        calls.forget()
        return await play()


def digest_of(messages: Sequence[Message]) -> str:
    """Return a digest of messages that are sent."""
    return digest(json.dumps(messages, sort_keys=True))


def made(out: Path) -> Iterator[tuple[str, list[Completion]]]:
    """Yield the replies to each unit that a run is at, by its name. Nothing is written."""
    for path in sorted((out / CALLS).glob(f"*{SUFFIX}")):
        lines, _ = whole_lines(path.read_bytes())
        replies = [_reply(told["reply"]) for told in _told(lines, path)]
        yield unquote(path.name.removesuffix(SUFFIX)), replies


def _told(lines: Iterable[bytes], where: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines that record a call; a call on any other line is made again."""
    for line in lines:
        with suppress(RecordError):
            check(line, KeptCall, where)
            yield json.loads(line)


def _reply(told: Mapping[str, Any]) -> Completion:
    calls = tuple(FunctionCall(**each) for each in told["tool_calls"])
    return Completion(**{**told, "tool_calls": calls})
