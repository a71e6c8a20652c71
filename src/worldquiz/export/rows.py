"""Rows as a table: a data frame, an Arrow table, or a Parquet file with Croissant metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

from worldquiz.errors import KnobError
from worldquiz.export.columns import Columns, pyarrow, schema
from worldquiz.export.croissant import About, File, ParquetTable, croissant
from worldquiz.extras import need
from worldquiz.facts.row import Row
from worldquiz.records import SCHEMA_VERSION, write_bytes, write_json
from worldquiz.version import __version__

Library = Literal["pandas", "polars", "arrow"]
COLUMNS: Columns = {
    "run": "string", "benchmark": "string", "agent": "string", "answerer": "string",
    "world": "string", "level": "string", "question": "string", "type": "string",
    "format": "string", "text": "string", "choices": ["string"], "gold": "string",
    "reply": "string", "answer": "string", "answerable": "bool", "episode": "int", "step": "int",
    "status": "string", "score": "double", "unscored": "string", "points": "double",
    "chance": "double", "confidence": "double", "cause": "string", "calls": "int",
    "tokens": "int", "cost": "double", "seconds": "double",
}  # fmt: skip
"""Each column's kind, as `worldquiz.export.columns` names kinds; in the order of `Row`."""
SCHEMA = "worldquiz/questions"
DESCRIPTIONS = {
    "run": "the run's folder",
    "benchmark": "t2q, mango, tea, or that of another package",
    "agent": "who acted, a model by its name",
    "answerer": "who answered, a model by its name or its memory",
    "gold": "true of the world, whether or not it was shown",
    "answerable": "whether the trajectory could have shown the answer",
    "episode": "where the question became answerable, from 0",
    "step": "where in the episode; 0 is the observation at reset",
    "status": "answered, abstained, unreadable, refused, overflow, filtered or failed",
    "score": "0..1; null where there is no grade",
    "unscored": "why there is no grade",
    "points": "in the knowledge score, at most 1; null where the question does not count there",
    "chance": "the score of an answerer who reads the question only, 0..1",
    "confidence": "0..1, as the answerer stated it",
    "cause": "why an answer is right or wrong",
}


def plain(row: Row) -> dict[str, Any]:
    """Return a row as plain values: text, numbers, lists and None."""
    told = {field.name: getattr(row, field.name) for field in fields(row)}
    return {**told, "choices": list(row.choices), "status": str(row.status)}


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
            need("pandas", extra="frames")
            return table.to_pandas()
        case "polars":
            return need("polars", extra="frames").from_arrow(table)
    raise ValueError(f"library {library!r}: give 'pandas', 'polars' or 'arrow'")


def arrow(rows: Iterable[Row]) -> Any:
    """Return rows as a `pyarrow.Table`. Raises `MissingExtra`."""
    return pyarrow().Table.from_pylist([plain(row) for row in rows], schema=schema(COLUMNS))


def table(rows: Iterable[Row]) -> Any:
    """Return rows as a `pyarrow.Table` with the schema's version in its metadata.

    Raises `MissingExtra` without pyarrow.
    """
    plain = arrow(rows)
    told = {"schema": SCHEMA, "version": str(SCHEMA_VERSION)}
    return plain.replace_schema_metadata({**(plain.schema.metadata or {}), **told})


def write(rows: Iterable[Row], path: Path) -> Path:
    """Write rows as a Parquet file, whole or not at all, and return its path.

    Croissant metadata go beside it. Raises `KnobError` for a name that says another format,
    `MissingExtra` without pyarrow, `RecordError` where the files cannot be written.
    """
    if path.suffix.lower() not in ("", ".parquet"):
        raise KnobError(
            f"{path}: rows are written as Parquet: give a name that ends in .parquet; for CSV, use "
            f"Python: `worldquiz.load(RUN).frame().to_csv({str(path.with_suffix('.csv'))!r})`"
        )
    whole = table(rows)
    from pyarrow import BufferOutputStream, parquet

    sink = BufferOutputStream()
    parquet.write_table(whole, sink, compression="zstd")
    data = sink.getvalue().to_pybytes()
    write_bytes(path, data)
    write_json(beside(path), described(path.name, data))
    return path


def beside(path: Path) -> Path:
    """Return where a table's metadata are."""
    return path.with_suffix(".croissant.json")


def described(name: str, data: bytes) -> dict[str, Any]:
    """Return what Croissant's readers are told of a table in a file."""
    about = About(
        "Questions of worldquiz",
        "Questions about worlds, each with the answer that was given and its grade.",
        "https://pypi.org/project/worldquiz/",
        __version__,
    )
    one = ParquetTable(
        "questions", name, COLUMNS, DESCRIPTIONS, "One row a question of each run.", key=""
    )
    file = File(name, len(data), hashlib.sha256(data).hexdigest())
    return croissant(about, [one], [file])
