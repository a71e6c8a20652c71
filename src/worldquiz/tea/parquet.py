"""Rows of a Parquet file within limits: a few bytes may stand for millions of long texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.extras import need
from worldquiz.trust import MOST_BYTES, MOST_RECORDS, read


def rows_of(path: Path, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of a table, some of its columns. Raises `RecordError`, `MissingExtra`."""
    pyarrow = need("pyarrow", extra="tea")
    from pyarrow import parquet

    data = read(path)
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data), read_dictionary=list(columns))
        if file.metadata.num_rows > MOST_RECORDS:
            raise RecordError(
                f"{path}: has {file.metadata.num_rows:,} rows; the limit is {MOST_RECORDS:,}"
            )
        table = file.read(columns=list(columns))
        if (size := sum(map(_size, table.columns))) > MOST_BYTES:
            raise RecordError(f"{path}: unpacks to {size:,} bytes; the limit is {MOST_BYTES:,}")
        rows: list[dict[str, Any]] = table.to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = str(error).partition("\n")[0]
        raise RecordError(f"{path}: is no table of tasks: {reason}") from error
    return rows


def _size(column: Any) -> int:
    """Return the bytes of a column once each of its texts stands by itself."""
    from pyarrow import compute, types

    if not types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = (
        compute.take(compute.binary_length(chunk.dictionary), chunk.indices)
        for chunk in column.chunks
    )
    return sum(compute.sum(each).as_py() or 0 for each in lengths)
