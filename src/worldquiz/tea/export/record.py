"""The manifest of an export, and the check of a folder against it.

`manifest.json` is written last: the request, counts, and the SHA-256 of every file. Checking
reads every file again: digests, and that tables hold as many rows as were written. An export that
fails the check never gets its name.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, did_you_mean
from worldquiz.export.columns import pyarrow
from worldquiz.export.croissant import File
from worldquiz.records import digest, read_json, write_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.version import own_version

KIND = "tea-export"
FORMATS = ("parquet", "vlmevalkit")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Selection of the tasks to export, and their source: equal values, equal bytes."""

    digest: str  # of the folder of generated tasks
    seed: int
    every: bool  # all tasks, not a sample
    tasks: int = 0  # of the sample
    walks: int = 0  # of the sample
    scenes: tuple[str, ...] = ()  # by name
    licences: tuple[str, ...] = ()  # of the scenes' models, by name


def known(name: str) -> str:
    """Return a format's name. Raises `RecordError` for one that there is not."""
    if name not in FORMATS:
        raise RecordError(f"--to {name!r}: no such format{did_you_mean(name, FORMATS)}")
    return name


def wanted(name: str, drawn: Drawn) -> dict[str, Any]:
    """Return the request of an export, as a JSON document: equal documents, equal bytes."""
    versions = own_version()
    told = json.loads(json.dumps(asdict(drawn)))
    return {"kind": KIND, "format": name, "drawn": told, "versions": versions}


def key(record: Mapping[str, Any]) -> str:
    """Return the digest of an export's request."""
    return digest(json.dumps(record, sort_keys=True))


def there(out: Path, record: Mapping[str, Any]) -> bool:
    """Tell whether a folder holds this very export.

    Raises `RecordError` where it holds anything else.
    """
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return False
    path = out / MANIFEST
    if not path.is_file():
        raise RecordError(f"{out}: is there and no export of tasks: choose another folder")
    found = read_json(path)
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise RecordError(f"{out}: holds something else than an export: choose another folder")
    differing = [
        f"{name} was {found.get(name)!r}, is now {value!r}"
        for name, value in record.items()
        if found.get(name) != value
    ]
    if differing:
        raise RecordError(
            f"{out}: holds another export ({'; '.join(differing)}): choose another folder or "
            "delete it"
        )
    return True


def files(folder: Path) -> list[File]:
    """Return every file of a folder but its manifest, by name."""
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != MANIFEST:
            with path.open("rb") as stream:
                total = hashlib.file_digest(stream, "sha256").hexdigest()
            found.append(File(name, path.stat().st_size, total))
    return found


def finish(folder: Path, record: Mapping[str, Any], counts: Mapping[str, Any]) -> None:
    """Write the manifest of a folder's files."""
    every = {file.name: {"sha256": file.sha256, "bytes": file.bytes} for file in files(folder)}
    write_json(
        folder / MANIFEST,
        {**record, **counts, "files": every, "digest": digest(json.dumps(every, sort_keys=True))},
    )


def check(folder: Path) -> dict[str, Any]:
    """Return the manifest of an export that is whole.

    Raises `RecordError` naming the first file that is missing, strange or changed, and counts that
    are not those of the tables.
    """
    manifest = read_json(folder / MANIFEST)
    told, found = manifest["files"], {file.name: file for file in files(folder)}
    for name in sorted(set(told) | set(found)):
        if name not in found:
            raise RecordError(f"{folder / name}: is missing: delete the folder and export again")
        if name not in told or told[name]["sha256"] != found[name].sha256:
            raise RecordError(
                f"{folder / name}: is not as it was written: delete the folder and export again"
            )
    wrote = (manifest["rows"], manifest["by_type"])
    if COUNTS[manifest["format"]](folder) != wrote:
        raise RecordError(
            f"{folder}: the files hold other numbers of tasks than were written: export again"
        )
    return dict(manifest)


Counts = tuple[dict[str, int], dict[str, int]]
"""Rows by their kind, and by type of task."""


def _parquet(folder: Path) -> Counts:
    pyarrow()
    from pyarrow import parquet

    rows: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for path in sorted(folder.glob("*/*.parquet")):
        rows[path.parent.name] += parquet.read_metadata(path).num_rows
        if path.parent.name == "tasks":
            types.update(parquet.read_table(path, columns=["type"]).column("type").to_pylist())
    return dict(rows), dict(types)


def _tables(folder: Path) -> Counts:
    csv.field_size_limit(sys.maxsize)
    rows: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for path in sorted(folder.glob("*.tsv")):
        kind = path.name.split("_")[1]
        rows[kind] += 0
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                rows[kind] += all(row[name] for name in ("image", "question", "answer", "id"))
                types[row["type"]] += kind == "open"
    return dict(rows), dict(types)


COUNTS = {"parquet": _parquet, "vlmevalkit": _tables}
