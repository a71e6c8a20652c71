"""``worldquiz mango tables``: the paper's tables, of any runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import Json, emit, out, waiting
from worldquiz.mango.scoring.tables import write_tables


def tables(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Runs of MANGO's questions.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", help="The folder to write the tables into.")],
    json: Json = False,
) -> None:
    """Write Tables 1, 2, 4, 9, 10 and 13, as far as runs fill them, and the figures' numbers."""
    with waiting("computing"):
        files = write_tables(runs, out_folder)
    if json:
        emit({"files": [str(path) for path in files]})
        return
    for path in files:
        out().print(str(path), markup=False, soft_wrap=True)
