"""Lines of a run kept as they come, so that a killed run asks nothing twice.

    {"world", "type", "id", "reply", "status"?, "usage"?, "seconds"?, "failure"?}

``status`` says why there is no reply (``overflow``, ``filtered``; ``failed``, for the reason that
``failure`` gives); ``usage`` is what `llm.asking` keeps of a model's call, ``seconds`` what `human`
keeps of a person.

Each line goes to the end of a journal; a line that a killed process or a full disk left half
written is left out when the journal is read again. When all are there, the run's file is written
whole, in order, and the journal goes. So a killed run ends with the bytes of an undisturbed one.
Lines that cost money or a person's time are on the disk when `keep` returns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from worldquiz.errors import RecordError
from worldquiz.facts.answer_text import abstains
from worldquiz.facts.row import AnswerStatus
from worldquiz.records import Told, check, read_bytes, read_json, write_bytes, write_text
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import MANIFEST, SCORES, busy, check_whole
from worldquiz.runs.losses import FAILED, reason_of, unit_name

ANSWERS = "answers.jsonl"
CALLS, SUFFIX = ".calls", ".journal"
"""Where calls of models are kept, in a file for each unit that is under way (`llm.calls`)."""
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class UsageLine:
    """Usage of a reply, as `llm.records.kept_usage` gives it."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  # pydantic reads it

    calls: int
    input: int
    cached: int
    output: int
    cost: float | None
    unknown: int = 0


@dataclass(frozen=True)
class AnswerLine:
    """The keys of a line that mean the same in every benchmark; each may be absent."""

    id: str = ""
    reply: str | None = None
    status: str | None = None
    usage: UsageLine | None = None
    seconds: float | None = None
    failure: str | None = None


def row_fields(line: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    """Return what a `Row` takes from a line: reply, answer, status, and what the reply cost.

    `answer` is what was read from the reply, None if it holds no answer of the form asked for. Of a
    question that failed it says why (``unscored``): its row has no score.
    """
    if line.get("status") == FAILED:
        lost = {"status": AnswerStatus.FAILED, "unscored": str(line.get("failure"))}
        return {"reply": "", "answer": None, **lost, **spent(line)}
    abstained = abstains(line["reply"])
    status = status_of(line.get("status"), readable=answer is not None, abstained=abstained)
    return {
        "reply": line["reply"],
        "status": status,
        "answer": answer if status is AnswerStatus.ANSWERED else None,
        "seconds": line.get("seconds"),
        **spent(line),
    }


def status_of(withheld: str | None, *, readable: bool, abstained: bool = False) -> AnswerStatus:
    """Return what became of a question; `withheld` says why there is no answer, if so.

    How a reply was written ("bare", "prose") is no reason.
    """
    if withheld in tuple(AnswerStatus):
        return AnswerStatus(withheld)
    if abstained:
        return AnswerStatus.ABSTAINED
    return AnswerStatus.ANSWERED if readable else AnswerStatus.UNREADABLE


def spent(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the usage of a line's reply, None where no model was called."""
    used = line.get("usage") or {}
    return {"usage": dict(used) if used.get("calls") else None}


class JournalFile:
    """A file of lines that one process writes, and reads back whatever happened to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged = 0  # places where lines were lost

    def read(self) -> list[bytes]:
        """Return the whole lines; a torn one is taken out of the file."""
        if not self.path.is_file():
            return []
        data = read_bytes(self.path)
        lines = whole_lines(data)
        if data and not data.endswith(b"\n"):
            self.damaged = 1
            self.write(lines)
        return lines

    def write(self, lines: Iterable[bytes]) -> None:
        """Write the whole file."""
        write_bytes(self.path, b"".join(line + b"\n" for line in lines))

    def append(self, line: bytes, *, sync: bool = False) -> None:
        """Add a line; with `sync` it is on the disk, also if the power fails.

        Raises `OSError` where it cannot be written, and then leaves the file as it was.
        """
        with self.path.open("ab", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            data = memoryview(line + b"\n")
            try:
                while data:
                    data = data[stream.write(data) or 0 :]
                if sync:
                    os.fsync(stream.fileno())
            except OSError:
                stream.truncate(size)
                raise


def whole_lines(data: bytes) -> list[bytes]:
    """Return the lines of a journal but for one that was torn at its end."""
    return data.split(b"\n")[:-1]


class Lines(Generic[K]):
    """Lines so far, by their keys. One process at a time writes them."""

    def __init__(
        self,
        folder: Path,
        key: Callable[[Mapping[str, Any]], K],
        done: Done,
        *,
        whole: str = ANSWERS,
        of: Any = AnswerLine,
    ) -> None:
        """Read the lines kept so far; broken journal lines are left out, and counted as `damaged`.

        `key` tells lines apart; `done` is told the id of each line that is kept; `whole` is the
        file of a finished run; `of` is the dataclass that lines must fit.
        """
        self.done = done
        self._key = key
        self._file = JournalFile(folder / f".{whole.removesuffix('.jsonl')}{SUFFIX}")
        self._whole = folder / whole
        self._of = of
        self.losses: dict[K, BaseException] = {}  # why units could not be finished, so far
        self._about: dict[K, dict[str, Any]] = {}  # what the lines of lost units say beside
        self.lines: dict[K, dict[str, Any]] = Told({}, self._whole)
        if self._whole.is_file():
            for number, text in enumerate(read_bytes(self._whole).splitlines(), start=1):
                self._take_settled(text, f"{self._whole}:{number}")
            return
        for number, text in enumerate(self._file.read(), start=1):
            try:
                self._take(text, f"{self._file.path}:{number}")
            except RecordError:
                self._file.damaged += 1

    def _take_settled(self, text: bytes, where: str) -> None:
        self._take(text, where)

    def _take(self, text: bytes, where: str) -> None:
        check(text, self._of, where)
        self._put(Told(json.loads(text), where), where)

    def _put(self, line: dict[str, Any], where: str) -> None:
        try:
            self.lines[self._key(line)] = line
        except TypeError as error:  # a list or an object where a name belongs
            raise RecordError(f"{where}: does not say by a text what it is about") from error

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return self._whole.parent

    @property
    def damaged(self) -> int:
        """Number of places in the journal that could not be read."""
        return self._file.damaged

    def has(self, key: K) -> bool:
        """Tell whether a line is kept."""
        return key in self.lines

    def find(self, about: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the line about the same thing as `about`, None where none is kept."""
        return self.lines.get(self._key(about))

    def keep(self, line: Mapping[str, Any]) -> None:
        """Keep a line; it holds the id of what it is about.

        Raises `OSError` where it cannot be written: then nothing is kept.
        """
        paid = (line.get("usage") or {}).get("calls") or line.get("seconds") is not None
        self._file.append(_text(line).encode(), sync=bool(paid))
        self.lines[self._key(line)] = dict(line)
        self.done(unit_name(self._key(line)))

    def lose(self, about: Mapping[str, Any], error: BaseException) -> None:
        """Note why a unit could not be finished; `about` says what its line is about."""
        key = self._key(about)
        self.losses[key], self._about[key] = error, dict(about)

    def fail(self, key: K) -> None:
        """Keep that a lost unit failed, and why."""
        told = {"reply": "", "status": FAILED, "failure": reason_of(self.losses.pop(key))}
        self.keep({**self._about[key], **told})

    def failed(self) -> dict[str, str]:
        """Return why units failed, by their names."""
        return {
            unit_name(key): str(line.get("failure"))
            for key, line in self.lines.items()
            if line.get("status") == FAILED
        }

    def reopen(self, *, failed: bool) -> None:
        """Go on with a run that was settled: its lines are kept in a journal again.

        With `failed` those of failed units are left out, so that they are tried again.
        """
        left = [key for key, line in self.lines.items() if failed and line.get("status") == FAILED]
        for key in left:
            del self.lines[key]
        self._file.write(_text(line).encode() for line in self.lines.values())
        self._whole.unlink(missing_ok=True)

    def settle(self, keys: Sequence[K]) -> Path:
        """Write the lines of some keys in their order, and do away with the journal."""
        if not self._whole.is_file():
            text = "".join(f"{_text(self.lines[key])}\n" for key in keys)
            write_text(self._whole, text)
        self._file.path.unlink(missing_ok=True)
        return self._whole


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False)


def by_id(line: Mapping[str, Any]) -> str:
    """Return a line's id."""
    return str(line["id"])


def finished_file(folder: Path, whole: str = ANSWERS) -> Path:
    """Return a file that only a finished run has. Raises `RecordError` where it is not there."""
    check_whole(folder)
    if not (folder / whole).is_file():
        raise RecordError(
            f"{folder}: has no {whole} yet: give the run's command again to finish it"
        )
    return folder / whole


@dataclass(frozen=True, slots=True)
class Progress:
    """Worlds, replies and calls that a run has done so far, read from its folder alone."""

    working: bool  # whether a process writes there now
    finished: bool
    worlds: int = 0  # finished ones, where these are units
    of: int | None = None  # worlds in all
    replies: int = 0  # kept ones, where questions are units
    calls: Mapping[str, int] = field(default_factory=dict)  # of units that are under way

    def words(self) -> str:
        """Say it in a line."""
        if self.finished and not self.working:
            return "finished"
        parts = [] if self.of is None else [f"{self.worlds} of {self.of} worlds"]
        if self.replies or not parts:
            parts.append(f"{self.replies} replies kept")
        parts += [f"{name} at call {count}" for name, count in self.calls.items()]
        return ", ".join(parts) + ("" if self.working else "; nobody is working on it")


def progress_of(run: Path) -> Progress:
    """Return how far a run is. Raises `RecordError` where there is none."""
    manifest = read_json(run / MANIFEST)
    worlds = manifest.get("worlds") if isinstance(manifest, dict) else None

    def kept(path: Path) -> int:
        return len(whole_lines(path.read_bytes()))

    return Progress(
        working=busy(run),
        finished=(run / SCORES).is_file(),
        worlds=sum(path.is_dir() for path in run.glob("worlds/[!.]*")),
        of=len(worlds) if isinstance(worlds, list) else None,
        replies=sum(map(kept, run.glob(f".*{SUFFIX}"))),
        calls={
            path.name.removesuffix(SUFFIX): kept(path)
            for path in sorted((run / CALLS).glob(f"*{SUFFIX}"))
        },
    )
