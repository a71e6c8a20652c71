"""Scores of runs, for programs and for people."""

from __future__ import annotations

from collections.abc import Sequence

from worldquiz.cli.shell import emit, out
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.report.model_tables import model_tables
from worldquiz.t2q.report.tables import Row, levels_table, row_of, scores_table, types_table
from worldquiz.t2q.store import Run


def rows(runs: Sequence[Run]) -> list[Row]:
    """Return the runs as rows of a table."""
    return [row_of(run, scores(run)) for run in runs]


def print_scores(run: Run, *, json: bool) -> None:
    """Print the scores of one run."""
    if json:
        emit(scores(run))
    else:
        print_tables([run])


def print_tables(runs: Sequence[Run]) -> None:
    """Print runs beside each other: all shares, `known` by type and by level, models' parts."""
    found, console = rows(runs), out()
    console.print(scores_table(found))
    console.print(types_table(found))
    console.print(levels_table(found))
    for table in model_tables(found):
        console.print(table)
