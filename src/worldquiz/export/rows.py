"""Export of rows to a data frame or a Parquet file.

The kind of a column is the name of a type, a list with the kind of its elements, or a mapping from
names to kinds.

    {"id": "string", "image": "image", "things": [{"label": "string", "position": ["double"]}]}

An image is stored as its bytes, without a path, as `datasets` does when it embeds images.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from worldquiz.errors import KnobError
from worldquiz.facts.row import Row
from worldquiz.plugins import need
from worldquiz.records import SCHEMA_VERSION, whole_file

Kind: TypeAlias = "str | list[Kind] | Mapping[str, Kind]"
Columns: TypeAlias = Mapping[str, Kind]
IMAGE = "image"


def schema(columns: Columns) -> Any:
    """Return the columns as a `pyarrow.Schema` whose metadata names the images to `datasets`."""
    pa = pyarrow()
    images = {name: {"_type": "Image"} for name, kind in columns.items() if kind == IMAGE}
    fields = [pa.field(name, _arrow(kind)) for name, kind in columns.items()]
    return pa.schema(fields, metadata={"huggingface": json.dumps({"info": {"features": images}})})


def _arrow(kind: Kind) -> Any:
    pa = pyarrow()
    if isinstance(kind, list):
        return pa.list_(_arrow(kind[0]))
    if isinstance(kind, Mapping):
        return pa.struct([pa.field(name, _arrow(each)) for name, each in kind.items()])
    if kind == IMAGE:
        return pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])
    plain = {"string": pa.string(), "int": pa.int32(), "double": pa.float64(), "bool": pa.bool_()}
    return plain[kind]


def pyarrow() -> Any:
    """Return the library that writes Parquet. Raises `MissingExtra`."""
    return need("pyarrow", extra="t2q")


COLUMNS: Columns = {
    "points": "double", "worth": "double", "correct": "double", "shown": "bool", "guess": "double",
    "run": "string", "benchmark": "string", "agent": "string", "answerer": "string",
    "world": "string", "level": "string", "item": "string", "type": "string",
    "format": "string", "prompt": "string", "choices": ["string"], "gold": "string",
    "reply": "string", "answer": "string", "episode": "int", "step": "int", "status": "string",
    "grade": "double", "unscored": "string", "handed_over": "bool", "cause": "string",
    "calls": "int", "tokens": "int", "cost": "double", "seconds": "double", "measures": "string",
}  # fmt: skip
"""Each column's kind. The knowledge of any group of rows is ``points.sum() / worth.sum()``."""
SCHEMA = "worldquiz/questions"
GROUP = 65_536
"""Rows of a Parquet file's row group, which are in memory together as columns."""
_AT_ONCE = 4_096
"""Rows that are turned into columns together: as objects, they take far more memory."""


def plain(row: Row) -> dict[str, Any]:
    """Return a row as the plain values of its columns: text, numbers, lists and None."""
    told = {name: getattr(row, name) for name in COLUMNS}
    measures = json.dumps(row.measures, sort_keys=True) if row.measures else None
    return told | {
        "choices": list(row.choices), "status": str(row.status), "measures": measures,
    }  # fmt: skip


def frame(rows: Iterable[Row]) -> Any:
    """Return rows as a `pandas.DataFrame`. Raises `MissingExtra` without the library.

    A column has its declared type even if a run has no values for it.
    """
    need("pandas", extra="t2q")
    return arrow(rows).to_pandas()


def arrow(rows: Iterable[Row]) -> Any:
    """Return rows as a `pyarrow.Table`. Raises `MissingExtra`."""
    pa, each = pyarrow(), iter(rows)
    parts = [pa.Table.from_pylist([], schema=schema(COLUMNS))]
    while some := [plain(row) for row in islice(each, _AT_ONCE)]:
        parts.append(pa.Table.from_pylist(some, schema=schema(COLUMNS)))
    return pa.concat_tables(parts).combine_chunks()


def write(rows: Iterable[Row], path: Path) -> int:
    """Write rows as a Parquet file, whole or not at all, and return their number.

    Rows may come from a generator: at most `GROUP` of them are in memory at a time. The schema's
    version is in the file's metadata. Raises `KnobError` if the file's name has another ending,
    `MissingExtra` without pyarrow, `RecordError` if the file cannot be written.
    """
    if path.suffix.lower() not in ("", ".parquet"):
        raise KnobError(
            f"{path}: rows are written as Parquet: choose a name ending in .parquet; for CSV, use "
            f"Python: `worldquiz.load(RUN).frame().to_csv({str(path.with_suffix('.csv'))!r})`"
        )
    made, each, count = schema(COLUMNS), iter(rows), 0
    told = {"schema": SCHEMA, "version": str(SCHEMA_VERSION)}
    made = made.with_metadata({**made.metadata, **told})
    from pyarrow.parquet import ParquetWriter

    with whole_file(path) as stream, ParquetWriter(stream, made, compression="zstd") as writer:
        while group := len(table := arrow(islice(each, GROUP))):
            writer.write_table(table.cast(made))
            count += group
    return count
