"""Lines that people filled in: a CSV file, or JSONL with the same fields.

Needed are the columns ``game``, ``task``, ``source`` and ``answer``; the others of `Filled` may be
left out. What a line means is for others to say; here it is only read, with its place.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from worldquiz.errors import RecordError, did_you_mean
from worldquiz.records import read_bytes

NEEDED = ("game", "task", "source", "answer")


@dataclass(frozen=True, slots=True)
class Filled:
    """A line as it was filled in."""

    game: str = ""
    task: str = ""
    source: str = ""
    actions: str = ""
    target: str = ""
    answer: str = ""
    rater: str = ""
    minutes: str = ""
    steps: str = ""
    id: str = ""
    note: str = ""


def filled(path: Path) -> Iterator[tuple[str, Filled]]:
    """Yield the lines of a file with their place. Raises `RecordError`."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(
            f"{path}: is no text in UTF-8 (byte {error.start}): save it as CSV in UTF-8"
        ) from error
    if path.suffix.lower() == ".csv":
        return _of_csv(path, text)
    if path.suffix.lower() == ".jsonl":
        return _of_jsonl(path, text)
    raise RecordError(f"{path}: answers of people are a .csv or a .jsonl file")


def _of_csv(path: Path, text: str) -> Iterator[tuple[str, Filled]]:
    table = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(table, [])]
        _check_columns(header, f"{path}:1")
        begun = table.line_num + 1
        for row in table:
            where = f"{path}:{begun}"
            begun = table.line_num + 1
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                raise RecordError(
                    f"{where}: {len(row)} columns, and the first line has {len(header)}"
                )
            yield where, Filled(**dict(zip(header, row, strict=True)))
    except csv.Error as error:
        raise RecordError(f"{path}:{table.line_num}: is no CSV: {error}") from error


def _of_jsonl(path: Path, text: str) -> Iterator[tuple[str, Filled]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{where}: is no JSON ({error})") from error
        if not isinstance(found, dict):
            raise RecordError(f"{where}: {line.strip()[:40]!r} is no object")
        _check_columns(list(found), where)
        yield where, Filled(**{name: _cell(value) for name, value in found.items()})


def _check_columns(names: Sequence[str], where: str) -> None:
    known = [each.name for each in fields(Filled)]
    for name in names:
        if name not in known:
            raise RecordError(f"{where}: no column {name!r} is known{did_you_mean(name, known)}")
    if len(set(names)) < len(names):
        raise RecordError(f"{where}: a column is there twice")
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise RecordError(f"{where}: lacks the columns {', '.join(missing)}; commas between them")


def _cell(value: object) -> str:
    """Return a value of JSON as a cell of CSV has it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
