"""Validation of a folder from elsewhere: ``worldquiz check``.

Nothing of it is run, and no model is called. All of it is read once within the limits of
`records`, by the same readers that the other verbs use, and compared with its manifest. So every
verb reads without harm a folder that passes. Whether its content is true is another matter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz import records
from worldquiz.errors import RecordError
from worldquiz.records import parsed, read_bytes, read_json, read_text
from worldquiz.runs.benchmark import (
    PLAN,
    Benchmark,
    DataKind,
    Kind,
    RunKind,
    kind_of,
    kind_of_plan,
    stated_kind,
)
from worldquiz.runs.folder import SCORES
from worldquiz.runs.journal import CALLS, SUFFIX, whole_lines
from worldquiz.runs.run import Run


@dataclass(frozen=True, slots=True)
class Checked:
    """A folder that may be trusted."""

    path: Path
    benchmark: str  # its title
    noun: str  # "suite"
    finished: bool
    files: int
    bytes: int

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "path": str(self.path), "trusted": True, "benchmark": self.benchmark,
            "noun": self.noun, "finished": self.finished, "files": self.files,
            "bytes": self.bytes,
        }  # fmt: skip

    def line(self) -> str:
        """Return it as a line for people."""
        state = "" if self.finished else ", not finished"
        many = "1 file" if self.files == 1 else f"{self.files:,} files"
        return (
            f"{self.path}: {self.noun}{state}, {many}, {self.bytes / 1e6:.1f} MB: may be trusted "
            "(names, limits, records, digests)"
        )


def checked(path: Path) -> Checked:
    """Return the kind of a folder. Raises `RecordError` where it may not be trusted."""
    if not path.is_dir():
        wrong = "is no folder of worldquiz" if path.exists() else "there is no such folder"
        raise RecordError(f"{path}: {wrong}")
    sizes = [_size(file) for file in _files(path)]
    _check_json(path)
    benchmark, kind, finished = _kind(path)
    if finished:
        finished = _read(path, kind)
    return Checked(path, benchmark.title, kind.noun, finished, len(sizes), sum(sizes))


def _kind(path: Path) -> tuple[Benchmark, Kind, bool]:
    """Return whose a folder is, what it is, and whether it has a manifest."""
    if (path / PLAN).is_file() and stated_kind(path) is None:
        return *kind_of_plan(path), False
    return *kind_of(path), True


def _read(path: Path, kind: Kind) -> bool:
    """Read all of a finished folder; return False for a run that was stopped."""
    read: Callable[[Path], object] = kind.check or _reader(kind)
    try:
        read(path)
        if isinstance(kind, RunKind):
            _ = Run(path).scores
    except RecordError:
        if isinstance(kind, RunKind) and not (path / SCORES).is_file():
            return False
        raise
    return True


def _reader(kind: Kind) -> Callable[[Path], object]:
    """Return the reader of a folder whose kind has no check of its own."""
    return kind.open if isinstance(kind, DataKind) else lambda path: list(kind.rows(path))


def _files(path: Path) -> Iterator[Path]:
    """Yield all files. Raises `RecordError` for names and links that lead elsewhere."""
    root, count = path.resolve(), 0
    for folder, inner, names in os.walk(path):
        here = Path(folder)
        records.plain_names((name.removeprefix(".") for name in (*inner, *names)), here)
        for name in (*inner, *names):
            records.no_link_out(here / name, root)
        count += len(names)
        if count > records.MOST_FILES:
            raise RecordError(
                f"{path}: holds more than {records.MOST_FILES:,} files, which is the limit"
            )
        yield from (here / name for name in names)


def _size(file: Path) -> int:
    if not file.is_file():
        raise RecordError(f"{file}: is no ordinary file: a device, a pipe, or a dead link")
    size = file.stat().st_size
    if size > records.MOST_BYTES:
        raise RecordError(
            f"{file}: is larger than {records.MOST_BYTES:,} bytes, which is the limit"
        )
    return size


def _check_json(folder: Path) -> None:
    """Raise `RecordError` where a document or line beside the worlds is beyond the limits."""
    for path in sorted(folder.glob("*.json")):
        read_json(path)
    for path in sorted(folder.glob("*.jsonl")):
        _check_lines(path, read_text(path).split("\n"))
    for path in (*sorted(folder.glob(".*.journal")), *sorted(folder.glob(f"{CALLS}/*{SUFFIX}"))):
        _check_lines(path, whole_lines(read_bytes(path)))


def _check_lines(path: Path, lines: Sequence[str | bytes]) -> None:
    for number, line in enumerate(lines, start=1):
        if line:
            parsed(line, f"{path}:{number}")
