"""Validation of folders that somebody else made, for ``worldquiz check``.

No code in the folder is executed, and no model is called. Every file is read once, within the size
limits of `records` and by the readers that other commands use, and compared with the manifest. A
folder that passes is safe for every command. Whether its content is true is not checked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldquiz import records
from worldquiz.errors import RecordError
from worldquiz.records import parsed, read_bytes, read_json
from worldquiz.runs.benchmark import PLAN, DataKind, RunKind, kind_of
from worldquiz.runs.benchmark import stated_kind as stated
from worldquiz.runs.folder import SCORES
from worldquiz.runs.rows import (
    CALLS,
    FOLLOWS,
    ROWS,
    SUFFIX,
    kept,
    row_of,
    whole_lines,
)
from worldquiz.runs.run import Run


def checked(path: Path) -> tuple[dict[str, Any], str]:
    """Check a folder; return a description of it as a JSON document and as one line.

    Raises `RecordError` if the folder cannot be trusted.
    """
    sizes = list(_sizes(path))
    for file in sorted(path.glob("*.json")):
        read_json(file)
    journals = [*path.glob(f".*{SUFFIX}"), *path.glob(f"{CALLS}/*{SUFFIX}")]
    for file in (*path.glob("*.jsonl"), *journals):
        lines = (whole_lines if file.suffix == SUFFIX else bytes.splitlines)(read_bytes(file))
        for number, line in enumerate(lines, start=1):
            if line:
                parsed(line, f"{file}:{number}")
    stopped = (path / PLAN).is_file() and stated(path) is None
    benchmark, kind = kind_of(path, stopped=stopped)
    finished = not stopped
    try:
        if isinstance(kind, RunKind):
            _check_run(Run(path))
        elif finished:
            (kind.check or kind.open)(path)
    except RecordError:
        if isinstance(kind, DataKind) or (path / SCORES).is_file():
            raise
        finished = False  # a run that was stopped
    document = {
        "path": str(path), "benchmark": benchmark.title, "noun": kind.noun, "finished": finished,
        "files": len(sizes), "bytes": sum(sizes), "trusted": True,
    }  # fmt: skip
    many = "1 file" if len(sizes) == 1 else f"{len(sizes):,} files"
    return document, (
        f"{path}: {kind.noun}{'' if finished else ', not finished'}, {many}, "
        f"{sum(sizes) / 1e6:.1f} MB: may be trusted (names, limits, records, digests)"
    )


def _check_run(run: Run) -> None:
    """Raise `RecordError` if a finished run's files are damaged or contradict its scores."""
    if run.kind.check:
        run.kind.check(run.path)
    run.check_scores()
    path = run.path / ROWS  # its lines were checked above
    for number, text in enumerate(read_bytes(path).splitlines(), start=1):
        line = json.loads(text)
        follows = kept(row_of(line, ""))
        for name in FOLLOWS:
            if line.get(name, follows[name]) != follows[name]:
                raise RecordError(
                    f"{path}:{number}: {name} is {json.dumps(line[name]):.40}, but the line's "
                    f"other fields give {follows[name]}: the file is damaged"
                )


def _sizes(path: Path) -> Iterator[int]:
    """Yield the size of each file. Raises `RecordError` for links out of the folder."""
    root, count = path.resolve(), 0
    for folder, inner, names in os.walk(path):
        here = Path(folder)
        records.plain_names((name.removeprefix(".") for name in (*inner, *names)), here)
        count += len(names)
        if count > records.MOST_FILES:
            raise RecordError(f"{path}: holds more files than the limit of {records.MOST_FILES:,}")
        for file in (here / name for name in (*inner, *names)):
            records.no_link_out(file, root)
            if file.name in inner:
                continue
            if not file.is_file():
                raise RecordError(f"{file}: is a device, a pipe or a dead link, not a file")
            if file.stat().st_size > records.MOST_BYTES:
                most = records.MOST_BYTES
                raise RecordError(f"{file}: is larger than the limit of {most:,} bytes")
            yield file.stat().st_size
