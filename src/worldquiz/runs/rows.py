"""Rows as a run keeps them: ``rows.jsonl``, one JSON object per line, in the order of questions.

    {"benchmark", "agent", "answerer", "world", "level", "item", "type", "format", "prompt",
     "choices", "gold", "reply", "answer", "shown", "episode", "step", "status", "correct",
     "unscored", "points", "worth", "guess", "handed_over", "cause", "usage", "seconds", "measures"}

These are the fields of `Row` except ``run``, which is the folder's name. Points, worth and cause
are written for people who read the file. When it is loaded, they are computed again from the other
fields. All commands on a finished run read its rows through this module.

While a run is in progress, each line is appended to a journal. A killed process or a full disk may
leave an incomplete last line, which is dropped when the journal is read again. When all lines are
there, they are written to the file in order, and the journal is removed, so a run that was killed
and continued ends with the same bytes as any other. A line that cost money or a person's time is
safe on the disk when `Lines.keep` returns. The line of a reply before it is graded:

    {"world", "type", "item", "reply", "status"?, "usage"?, "seconds"?, "failure"?}

``status`` says why there is no complete reply: ``overflow``, ``filtered``, ``cut``, or ``failed``,
with the reason in ``failure``. ``usage`` is the `Usage` of a model's call, and ``seconds`` is the
time that a person took (`human`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import quote

from pydantic import AfterValidator, Field

from worldquiz.errors import RecordError
from worldquiz.facts.answer_text import declined
from worldquiz.facts.replies import claim, is_whole
from worldquiz.facts.row import AnswerStatus, Row, Usage
from worldquiz.records import Told, check, read_bytes, write_bytes, write_text
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import SCORES, check_whole
from worldquiz.runs.losses import FAILED, reason_of, unit_name

ROWS = "rows.jsonl"
LARGEST = 2**30
"""Limit of a row's counts, so that sums of two fit into a Parquet column."""
CALLS, SUFFIX = ".calls", ".journal"
"""Folder of model calls, a file for each unit under way (`llm.calls`); suffix of journals."""
K = TypeVar("K", bound=Hashable)
ItemKey = tuple[str, str, str]
"""A question of a run: its world, its type and its id."""
_KEPT = tuple(each.name for each in fields(Row) if each.name != "run")
FOLLOWS = ("points", "worth", "cause")
"""Fields that follow from the other fields, written for people who read the file."""


def _small(usage: Usage) -> Usage:
    if max(usage.calls, usage.input, usage.cached, usage.output, usage.unknown) >= LARGEST:
        raise ValueError(f"a count is {LARGEST:,} or more")
    return usage


@dataclass(frozen=True, kw_only=True)
class RowLine(Row):
    """Schema of a line of ``rows.jsonl``, with the ranges of its numbers."""

    run: str = ""
    correct: Annotated[float, Field(ge=0, le=1)] | None
    guess: Annotated[float, Field(ge=0, le=1)] | None = None
    usage: Annotated[Usage, AfterValidator(_small)] | None = None  # type: ignore[assignment]
    episode: Annotated[int, Field(ge=0, lt=LARGEST)] | None = None
    step: Annotated[int, Field(ge=0, lt=LARGEST)] | None = None


def kept(row: Row) -> dict[str, Any]:
    """Return a row as the JSON object of its line in ``rows.jsonl``."""
    told = {name: getattr(row, name) for name in _KEPT}
    found = {"choices": list(row.choices), "status": str(row.status)}
    return {**told, **found, **{name: getattr(row, name) for name in FOLLOWS}}


def row_of(line: Mapping[str, Any], run: str) -> Row:
    """Return the row in a line of ``rows.jsonl``; `run` is the name of its run."""
    told = {name: line[name] for name in _KEPT if name in line}
    choices, status = tuple(told.pop("choices", ())), AnswerStatus(told.pop("status"))
    return Row(run=run, **told, choices=choices, status=status)


def write_rows(folder: Path, rows: Iterable[Row], name: str = ROWS) -> None:
    """Write the rows of a run to a file, which appears whole or not at all."""
    text = (json.dumps(kept(row), sort_keys=True, ensure_ascii=False) for row in rows)
    write_text(folder / name, "".join(f"{line}\n" for line in text))


def read_rows(folder: Path, of: type[RowLine] = RowLine) -> Iterator[Row]:
    """Yield the rows of a finished run, in order, after checking them against the schema `of`.

    Raises `RecordError` if the run is not finished, or if a line is not a row.
    """
    return rows_in(finished_file(folder, ROWS), of, folder.resolve().name)


def rows_in(path: Path, of: type[RowLine] = RowLine, run: str = "") -> Iterator[Row]:
    """Yield the rows of a file one by one. Raises `RecordError` for a damaged file."""
    with path.open("rb") as lines:
        for _, line in _told(lines, path, by_item, of, once=True):
            yield row_of(line, run)


def _told(
    lines: Iterable[bytes],
    path: Path,
    key: Callable[[Mapping[str, Any]], K],
    of: Any,
    *,
    once: bool,
) -> Iterator[tuple[K, Told]]:
    """Yield the key and content of each line of type `of`; with `once`, no two keys may be equal.

    Raises `RecordError`.
    """
    first: dict[K, int] = {}
    for number, text in enumerate(lines, start=1):
        where = f"{path}:{number}"
        line = Told(check(text, of, where), where)
        try:
            known = first.setdefault(key(line), number)
        except TypeError as error:  # a list or an object where a name belongs
            raise RecordError(f"{where}: the world's or question's name is not a string") from error
        if once and known != number:
            raise RecordError(
                f"{where}: is about {unit_name(key(line))}, as is line {known}, so the "
                "file is damaged: restore it, or delete one of the lines"
            )
        yield key(line), line


def by_item(line: Mapping[str, Any]) -> ItemKey:
    """Return the key of the question that a line is about."""
    return line["world"], line["type"], line["item"]


def about_item(key: ItemKey) -> dict[str, str]:
    """Return the fields of a line that name its question."""
    return dict(zip(("world", "type", "item"), key, strict=True))


def reply_line(row: Row) -> dict[str, Any] | None:
    """Return a row's reply as a line that can be graded again, None if there is no reply."""
    withheld = row.status in (AnswerStatus.FAILED, AnswerStatus.OVERFLOW, AnswerStatus.FILTERED)
    cut = row.status is AnswerStatus.CUT and not is_whole(row.reply)
    if withheld or cut or not row.reply or not row.asked:
        return None
    key = row.world, row.type, row.item
    return {**about_item(key), "reply": row.reply, "usage": row.usage, "seconds": row.seconds}


def row_fields(line: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    """Return the fields of a `Row` that the line of a reply determines, apart from the score.

    `answer` was read from the reply; it is None if the reply has no answer in the required form. A
    failed question has no score; ``unscored`` gives the reason.
    """
    if line.get("status") == FAILED:
        lost = {"status": AnswerStatus.FAILED, "unscored": str(line.get("failure"))}
        return {"reply": "", "answer": None, **lost, **spent(line)}
    status = status_of(line, readable=answer is not None)
    return {
        "reply": line["reply"],
        "status": status,
        "answer": answer if status is AnswerStatus.ANSWERED else None,
        "seconds": line.get("seconds"),
        **spent(line),
    }


def status_of(line: Mapping[str, Any], *, readable: bool) -> AnswerStatus:
    """Return a question's status from its line; the reply is None if a person skipped it."""
    if (withheld := line.get("status")) is not None:
        return AnswerStatus(withheld)
    if readable or line["reply"] is None:
        return AnswerStatus.ANSWERED if readable else AnswerStatus.ABSTAINED
    return declined(claim(str(line["reply"]))) or AnswerStatus.UNREADABLE


def spent(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry ``usage`` of a line; its value is None if no model was called."""
    used = line.get("usage") or {}
    return {"usage": dict(used) if used.get("calls") else None}


class JournalFile:
    """A file to which one process appends lines, and which can be read even after a crash."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of_unit(cls, out: Path, unit: str) -> JournalFile:
        """Return the journal of model calls for an unfinished unit, such as a world."""
        return cls(out / CALLS / f"{quote(unit, safe='')}{SUFFIX}")

    def read(self) -> list[bytes]:
        """Return the complete lines; an incomplete last line is removed from the file."""
        if not self.path.is_file():
            return []
        data = read_bytes(self.path)
        if not data.endswith(b"\n"):
            data = data[: data.rfind(b"\n") + 1]
            write_bytes(self.path, data)
        return whole_lines(data)

    def append(self, line: bytes, *, sync: bool = False) -> None:
        """Add a line; with `sync`, it survives a power failure.

        Raises `OSError` if the line cannot be written; the file is then unchanged.
        """
        while True:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # another process removed the empty folder
                stream = self.path.open("ab", buffering=0)
                break
        with stream:
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

    def forget(self) -> None:
        """Remove the file, and the folder of model calls if this leaves it empty."""
        self.path.unlink(missing_ok=True)
        if self.path.parent.name == CALLS:
            with suppress(OSError):
                self.path.parent.rmdir()


def whole_lines(data: bytes) -> list[bytes]:
    """Return the lines of a journal, without an incomplete last line."""
    return data.split(b"\n")[:-1]


class Lines(Generic[K]):
    """Lines that a run has kept so far, by key. Only one process at a time may write them."""

    def __init__(
        self,
        folder: Path,
        key: Callable[[Mapping[str, Any]], K],
        done: Done,
        whole: str,
        of: Any = dict,
    ) -> None:
        """Read the lines kept so far, from the file `whole` of a finished run or from the journal.

        `key` returns a line's key; `done` gets the name of each new line; `of` is the type of
        lines. Raises `RecordError` for a line of another type.
        """
        self.folder, self.done = folder, done
        self._key = key
        self._file = JournalFile(folder / f".{whole.removesuffix('.jsonl')}{SUFFIX}")
        self._whole = folder / whole
        self.losses: dict[K, BaseException] = {}  # why units could not be finished, so far
        self._about: dict[K, dict[str, Any]] = {}  # further fields in lines of lost units
        settled = self._whole.is_file()
        path = self._whole if settled else self._file.path
        texts = read_bytes(path).splitlines() if settled else self._file.read()
        self.lines: dict[K, dict[str, Any]] = Told({}, self._whole)
        self.lines.update(_told(texts, path, key, of, once=settled))

    def has(self, key: K) -> bool:
        """Return whether a line is kept."""
        return key in self.lines

    def find(self, about: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the kept line with the same key as `about`, None if there is none."""
        return self.lines.get(self._key(about))

    def spent(self) -> list[Usage]:
        """Return the model usage of the lines so far."""
        return [Usage(**line["usage"]) for line in self.lines.values() if line.get("usage")]

    def keep(self, line: Mapping[str, Any]) -> None:
        """Append a line, which must name its unit, to the journal.

        Raises `OSError` if the line cannot be written; nothing is then kept.
        """
        paid = (line.get("usage") or {}).get("calls") or line.get("seconds") is not None
        self._file.append(_text(line).encode(), sync=bool(paid))
        self.lines[self._key(line)] = dict(line)
        self.done(unit_name(self._key(line)))

    def lose(self, about: Mapping[str, Any], error: BaseException) -> None:
        """Remember the error of a unit that has no line; `about` names the unit."""
        if self.find(about) is None:
            key = self._key(about)
            self.losses[key], self._about[key] = error, dict(about)

    def fail(self, key: K) -> None:
        """Keep a line that records a unit as failed, with the error that `lose` remembered."""
        told = {"reply": "", "status": FAILED, "failure": reason_of(self.losses.pop(key))}
        self.keep({**self._about[key], **told})

    def reopen(self, *, failed: bool) -> None:
        """Continue a finished run: move its lines back into a journal.

        With `failed`, the lines of failed units are dropped, so that these units are tried again.
        """
        left = [key for key, line in self.lines.items() if failed and line.get("status") == FAILED]
        for key in left:
            del self.lines[key]
        write_text(self._file.path, "".join(f"{_text(line)}\n" for line in self.lines.values()))
        self._whole.unlink(missing_ok=True)

    def settle(self, keys: Sequence[K]) -> None:
        """Write the finished file with the lines of `keys`, in this order; remove the journal."""
        if not self._whole.is_file():
            write_text(self._whole, "".join(f"{_text(self.lines[key])}\n" for key in keys))
        self._file.forget()


class Rows(Lines[ItemKey]):
    """Rows that a run has kept so far, graded as replies come. Only one process may write them."""

    def __init__(
        self, folder: Path, done: Done, graded: Callable[[Mapping[str, Any]], Row]
    ) -> None:
        """Read the rows kept so far; `graded` turns a reply's line into its row."""
        super().__init__(folder, by_item, done, ROWS, RowLine)
        self._graded = graded

    def keep(self, line: Mapping[str, Any]) -> None:
        """Grade a reply and keep its row, unless the row is already there."""
        if self.find(line) is None:
            super().keep(kept(self._graded(line)))


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False)


def finished_file(folder: Path, whole: str = ROWS) -> Path:
    """Return the path of a file of a finished run. Raises `RecordError` if it is missing."""
    check_whole(folder)
    if (folder / whole).is_file():
        return folder / whole
    if (folder / SCORES).is_file():
        raise RecordError(
            f"{folder}: {whole} is missing, though the run was finished: restore it, or run the "
            "command again in a new folder"
        )
    raise RecordError(f"{folder}: has no {whole} yet: run its command again to finish it")
