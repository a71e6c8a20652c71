"""Every question of some runs as one Parquet table, with Croissant metadata beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from worldquiz.export.croissant import About, File, Table, croissant
from worldquiz.export.frame import COLUMNS, arrow
from worldquiz.facts.row import Row
from worldquiz.records import SCHEMA_VERSION, write_bytes, write_json
from worldquiz.version import __version__

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
    "status": "answered, abstained, unreadable, overflow, filtered or failed",
    "score": "0..1; null where there is no grade",
    "unscored": "why there is no grade",
    "chance": "the score of an answerer who reads the question only, 0..1",
    "confidence": "0..1, as the answerer stated it",
    "cause": "why an answer is right or wrong",
}


def table(rows: Iterable[Row]) -> Any:
    """Return rows as a `pyarrow.Table` with the schema's version in its metadata.

    Raises `MissingExtra` without pyarrow.
    """
    plain = arrow(rows)
    told = {"schema": SCHEMA, "version": str(SCHEMA_VERSION)}
    return plain.replace_schema_metadata({**(plain.schema.metadata or {}), **told})


def write(rows: Iterable[Row], path: Path) -> Path:
    """Write rows as a Parquet file, whole or not at all, and return its path.

    Croissant metadata go beside it. Raises `MissingExtra` without pyarrow, `RecordError` where the
    files cannot be written.
    """
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
    one = Table("questions", name, COLUMNS, DESCRIPTIONS, "One row a question of each run.", key="")
    file = File(name, len(data), hashlib.sha256(data).hexdigest())
    return croissant(about, [one], [file])
