"""What is done with finished runs: scoring again, report, export. Nothing is replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli._scores import print_scores
from worldquiz.cli._shell import Json, RunFolder, RunFolders, emit, out, waiting
from worldquiz.evals.llm.logs import read_runs
from worldquiz.evals.run import finish
from worldquiz.model.store import claimed, read_manifest


def score(run: RunFolder, json: Json = False) -> None:
    """Score a run again from its records, and write its scores.json anew."""
    read_manifest(run, "run")
    with claimed(run), waiting("scoring"):
        finished = finish(run)
    print_scores(finished, json=json)


def report(
    runs: RunFolders,
    target: Annotated[Path, typer.Option("--out", help="The page to write.")] = Path("report.html"),
    json: Json = False,
) -> None:
    """Write one self-contained page about some runs: tables, plots, maps, transcripts."""
    from worldquiz.report.page import build

    with waiting("writing the report"):
        build([one for run in runs for one in read_runs(run)], target)
    emit({"report": str(target)}) if json else out().print(f"report: {target}", markup=False)


def export(
    runs: RunFolders,
    target: Annotated[Path, typer.Option("--out", help="The Parquet file to write.")] = Path(
        "questions.parquet"
    ),
    json: Json = False,
) -> None:
    """Write every question of some runs, with answer and grade, as one Parquet table."""
    from worldquiz.export.parquet import write

    with waiting("exporting"):
        found = [one for run in runs for one in read_runs(run)]
        write(found, target)
    count = sum(len(played.bundle.questions) for run in found for played in run.worlds)
    if json:
        emit({"parquet": str(target), "rows": count})
    else:
        out().print(f"{count} rows in {target}", markup=False)
