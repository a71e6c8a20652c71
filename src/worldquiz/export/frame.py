"""Rows as a table: a data frame of pandas or polars, or an Arrow table for Parquet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Literal

from worldquiz.export.columns import Columns, pyarrow, schema
from worldquiz.extras import need
from worldquiz.facts.row import Row

Library = Literal["pandas", "polars", "arrow"]
COLUMNS: Columns = {
    "run": "string", "benchmark": "string", "agent": "string", "answerer": "string",
    "world": "string", "level": "string", "question": "string", "type": "string",
    "format": "string", "text": "string", "choices": ["string"], "gold": "string",
    "reply": "string", "answer": "string", "answerable": "bool", "episode": "int", "step": "int",
    "status": "string", "score": "double", "unscored": "string", "chance": "double",
    "confidence": "double", "cause": "string", "calls": "int", "tokens": "int", "cost": "double",
    "seconds": "double",
}  # fmt: skip
"""Each column's kind, as `worldquiz.export.columns` names kinds; in the order of `Row`."""


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
