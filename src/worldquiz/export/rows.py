"""Rows as a table: a data frame, an Arrow table, or a Parquet file with Croissant metadata."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from worldquiz.errors import KnobError
from worldquiz.export.columns import Columns, pyarrow, schema
from worldquiz.export.croissant import About, File, ParquetTable, croissant
from worldquiz.extras import need
from worldquiz.facts.row import Row
from worldquiz.records import SCHEMA_VERSION, whole_file, write_json
from worldquiz.version import __version__

Library = Literal["pandas", "polars", "arrow"]
COLUMNS: Columns = {
    "run": "string", "benchmark": "string", "agent": "string", "answerer": "string",
    "world": "string", "level": "string", "item": "string", "type": "string",
    "format": "string", "prompt": "string", "choices": ["string"], "gold": "string",
    "reply": "string", "answer": "string", "shown": "bool", "episode": "int", "step": "int",
    "status": "string", "correct": "double", "score": "double", "unscored": "string",
    "points": "double", "guess": "double", "confidence": "double", "cause": "string",
    "calls": "int", "tokens": "int", "cost": "double", "seconds": "double", "measures": "string",
}  # fmt: skip
"""Each column's kind, as `worldquiz.export.columns` names kinds."""
SCHEMA = "worldquiz/questions"
GROUP = 65_536
"""Rows of a Parquet file's row group: so many are held at a time, as columns."""
_AT_ONCE = 4_096
"""Rows that become columns at a time: as objects, they take far more memory."""
DESCRIPTIONS = {
    "run": "the run's folder",
    "benchmark": "t2q, mango, tea, or that of another package",
    "agent": "who acted, a model by its name",
    "answerer": "who answered, a model by its name or its memory",
    "gold": "true of the world, whether or not it was shown",
    "shown": "whether what was seen settles the question",
    "episode": "where the question was settled, from 0",
    "step": "where in the episode; 0 is the observation at reset",
    "status": "answered, abstained, unreadable, refused, overflow, filtered or failed",
    "correct": "the reply against the gold, 0..1; null where nothing was answered",
    "score": "0..1: correct where shown, else 1 for abstaining; null where there is no grade",
    "unscored": "why there is no grade",
    "points": "in the knowledge score, at most 1; null where the question does not count there",
    "guess": "the share that an answerer who reads the question only gets right, 0..1",
    "confidence": "0..1, as the answerer stated it",
    "cause": "why an answer is right or wrong",
    "measures": "what else the benchmark tells, as JSON",
}


def plain(row: Row) -> dict[str, Any]:
    """Return a row as the plain values of its columns: text, numbers, lists and None."""
    told = {name: getattr(row, name) for name in COLUMNS}
    measures = json.dumps(row.measures, sort_keys=True) if row.measures else None
    return told | {
        "choices": list(row.choices), "status": str(row.status), "measures": measures,
    }  # fmt: skip


def frame(rows: Iterable[Row], library: Library = "pandas") -> Any:
    """Return rows as a `pandas.DataFrame`, a `polars.DataFrame` or a `pyarrow.Table`.

    Columns keep their kinds where a run has no value of them. Raises `MissingExtra` without the
    library, `ValueError` for a library that is none of the three.
    """
    table = arrow(rows)
    match library:
        case "arrow":
            return table
        case "pandas":
            need("pandas", extra="t2q")
            return table.to_pandas()
        case "polars":
            return need("polars", extra=None).from_arrow(table)
    raise ValueError(f"library {library!r}: give 'pandas', 'polars' or 'arrow'")


def arrow(rows: Iterable[Row]) -> Any:
    """Return rows as a `pyarrow.Table`. Raises `MissingExtra`."""
    pa, each = pyarrow(), iter(rows)
    parts = [pa.Table.from_pylist([], schema=schema(COLUMNS))]
    while some := [plain(row) for row in islice(each, _AT_ONCE)]:
        parts.append(pa.Table.from_pylist(some, schema=schema(COLUMNS)))
    return pa.concat_tables(parts).combine_chunks()


def _groups(rows: Iterable[Row]) -> Iterator[Any]:
    """Yield rows as tables of `GROUP` rows, the last of fewer, at least one of them.

    The schema's version is in their metadata. Raises `MissingExtra` without pyarrow.
    """
    each = iter(rows)
    told = {"schema": SCHEMA, "version": str(SCHEMA_VERSION)}
    size = GROUP
    while size == GROUP:
        found = arrow(islice(each, GROUP))
        size = len(found)
        yield found.replace_schema_metadata({**(found.schema.metadata or {}), **told})


def write(rows: Iterable[Row], path: Path) -> int:
    """Write rows as a Parquet file, whole or not at all, and return how many there are.

    Rows may come from a generator: a few thousand are held at a time. Croissant metadata go beside
    the file. Raises `KnobError` for a name that says another format, `MissingExtra` without
    pyarrow, `RecordError` where the files cannot be written.
    """
    if path.suffix.lower() not in ("", ".parquet"):
        raise KnobError(
            f"{path}: rows are written as Parquet: give a name that ends in .parquet; for CSV, use "
            f"Python: `worldquiz.load(RUN).frame().to_csv({str(path.with_suffix('.csv'))!r})`"
        )
    groups = _groups(rows)
    first = next(groups)
    from pyarrow.parquet import ParquetWriter

    count = len(first)
    with (
        whole_file(path) as stream,
        ParquetWriter(stream, first.schema, compression="zstd") as writer,
    ):
        writer.write_table(first)
        for group in groups:
            writer.write_table(group)
            count += len(group)
    with path.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    write_json(beside(path), described(File(path.name, path.stat().st_size, digest)))
    return count


def beside(path: Path) -> Path:
    """Return where a table's metadata are."""
    return path.with_suffix(".croissant.json")


def described(file: File) -> dict[str, Any]:
    """Return what Croissant's readers are told of a table in a file."""
    about = About(
        "Questions of worldquiz",
        "Questions about worlds, each with the answer that was given and its grade.",
        "https://pypi.org/project/worldquiz/",
        __version__,
    )
    one = ParquetTable(
        "questions", file.name, COLUMNS, DESCRIPTIONS, "One row a question of each run.", key=""
    )
    return croissant(about, [one], [file])
