"""``worldquiz score RUN --checkpoints paper``: Figure 8, answerable by the paper's rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from worldquiz.report.labels import decimal
from worldquiz.report.terminal import titled
from worldquiz.runs.rows import read_rows
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.quiz.answerability import Checkpoints
from worldquiz.t2q.rows import WorldRow
from worldquiz.t2q.run_folder import manifest_of, names_of

_COLUMNS = {
    "coverage": "answerable",
    "accuracy_answerable": "right of these",
    "accuracy_non_answerable": "right of the others",
    "from_answerable": "share of right answers that were answered",
}


def by_paper(path: Path) -> dict[str, Any]:
    """Return a run's scores by the paper's rule. Raises `RecordError`."""
    name = " + ".join(names_of(manifest_of(path)))
    return {"run": name, **scores(read_rows(path, WorldRow), Checkpoints.PAPER)}


def figure_8(document: dict[str, Any]) -> Iterator[Table]:
    """Return by type how much was answerable, and where right answers come from."""
    title = f"{document['run']}: questions answerable by the paper's rule, and its Figure 8"
    table = titled(title)
    for column in ("", "questions", *_COLUMNS.values()):
        table.add_column(column, justify="right" if column else "left")
    for type, split in document["split"].items():
        block = document if type == "all" else document["by_type"][type]
        cells = (decimal({**block, **split}[key]) for key in _COLUMNS)
        table.add_row(type, f"{block['counts']['questions']:,}", *cells)
    yield table
