"""What is done with finished runs: scoring again, report, export. Nothing is replayed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli._scores import print_scores
from worldquiz.cli._shell import Json, RunFolder, RunFolders, emit, out, waiting
from worldquiz.errors import RecordError
from worldquiz.evals.llm.logs import read_runs
from worldquiz.evals.run import finish
from worldquiz.model.io import read_json
from worldquiz.model.store import MANIFEST, claimed, read_manifest


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
    with waiting("writing the report"):
        if _of_mazes(runs):
            _maze_page(runs, target)
        else:
            _world_page(runs, target)
    emit({"report": str(target)}) if json else out().print(f"report: {target}", markup=False)


def _world_page(runs: Sequence[Path], target: Path) -> None:
    from worldquiz.report.page import build

    build([one for run in runs for one in read_runs(run)], target)


def _maze_page(runs: Sequence[Path], target: Path) -> None:
    from worldquiz.evals.mango.scoring.contest import read_contest
    from worldquiz.report.mango.page import build

    build(read_contest(runs), target)


def _of_mazes(runs: Sequence[Path]) -> bool:
    """Return whether runs are those of ``worldquiz mango run``. Raises `RecordError` for a mix."""
    kinds = {run: _is_of_mazes(run) for run in runs}
    if len(set(kinds.values())) > 1:
        maze, world = (next(run for run in runs if kinds[run] is of) for of in (True, False))
        raise RecordError(
            f"{maze} is a run of `worldquiz mango run`, {world} is none: write a page for each kind"
        )
    return any(kinds.values())


def _is_of_mazes(run: Path) -> bool:
    path = run / MANIFEST
    manifest = read_json(path) if path.is_file() else None
    return isinstance(manifest, dict) and manifest.get("kind") == "mango"


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
