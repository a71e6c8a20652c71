"""Scores of runs, for programs and for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.report.tables import (
    Row,
    levels_table,
    model_tables,
    row_of,
    scores_table,
    types_table,
)
from worldquiz.t2q.store import RunRecord


def rows(runs: Sequence[RunRecord]) -> list[Row]:
    """Return the runs as rows of a table."""
    return [row_of(run, scores(run)) for run in runs]


def tables(runs: Sequence[RunRecord]) -> Iterator[Any]:
    """Yield runs beside each other: all shares, `known` by type and by level, models' parts."""
    found = rows(runs)
    yield scores_table(found)
    yield types_table(found)
    yield levels_table(found)
    yield from model_tables(found)
