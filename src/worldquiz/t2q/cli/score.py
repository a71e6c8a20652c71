"""``worldquiz t2q score``: Figure 8 of the paper, by our rule of answerability or the paper's."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from worldquiz.cli.shell import Json, RunFolders, tell, waiting
from worldquiz.cli.tables import titled
from worldquiz.report.labels import decimal
from worldquiz.t2q.llm.logs import read_runs
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.quiz.answerability import Checkpoints

_COLUMNS = {
    "coverage": "answerable",
    "accuracy_answerable": "right of these",
    "accuracy_non_answerable": "right of the others",
    "from_answerable": "share of right answers that were answered",
}

CheckpointsOption = Annotated[
    Checkpoints,
    typer.Option(
        "--checkpoints",
        help="What makes a question answerable: laws, what was shown settles it; paper, the agent "
        "reached the places that it is about.",
    ),
]


def score(
    runs: RunFolders, checkpoints: CheckpointsOption = Checkpoints.LAWS, json: Json = False
) -> None:
    """Print scores by one rule of answerability, and Figure 8 of the paper. Nothing is written.

    Rows and scores.json hold what follows from the laws, whatever is asked for here.
    """
    with waiting("scoring"):
        found = [(run.name, scores(run, checkpoints)) for path in runs for run in read_runs(path)]
    document = [{"run": name, "checkpoints": checkpoints, **scored} for name, scored in found]
    tell(document, [_figure_8(name, scored, checkpoints) for name, scored in found], json=json)


def _figure_8(name: str, document: dict[str, Any], checkpoints: Checkpoints) -> Table:
    """Return by type how much was answerable, and where right answers come from."""
    table = titled(f"{name}: questions answerable by {checkpoints}, and Figure 8 of the paper")
    for column in ("", "questions", *_COLUMNS.values()):
        table.add_column(column, justify="right" if column else "left")
    for type, split in document["split"].items():
        block = document if type == "all" else document["by_type"][type]
        cells = (decimal({**block, **split}[key]) for key in _COLUMNS)
        table.add_row(type, f"{block['counts']['questions']:,}", *cells)
    return table
