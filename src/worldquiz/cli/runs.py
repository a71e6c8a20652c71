"""What is done with finished runs: scoring again, report, export. Nothing is replayed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import Json, RunFolder, RunFolders, emit, out, waiting
from worldquiz.errors import RecordError
from worldquiz.records import read_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.run import Run
from worldquiz.t2q.cli.scores import tables
from worldquiz.t2q.llm.logs import read_runs

_COMMANDS = {"mango": "worldquiz mango run", "tea-run": "worldquiz tea run"}
"""The kinds of runs that have a page of their own, and where they come from."""


def score(run: RunFolder, json: Json = False) -> None:
    """Score a run again from its records, and write its scores.json anew."""
    with waiting("scoring"):
        found = Run(run).score()
    if json:
        emit(found)
        return
    for table in tables(read_runs(run)):
        out().print(table)


def report(
    runs: RunFolders,
    target: Annotated[Path, typer.Option("--out", help="The page to write.")] = Path("report.html"),
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The tasks that runs of `worldquiz tea run` are about, if they were moved.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write one self-contained page about some runs: tables, plots, maps, transcripts."""
    with waiting("writing the report"):
        match _kind(runs):
            case "mango":
                _maze_page(runs, target)
            case "tea-run":
                _scene_page(runs, data, target)
            case _:
                _world_page(runs, target)
    emit({"report": str(target)}) if json else out().print(f"report: {target}", markup=False)


def _world_page(runs: Sequence[Path], target: Path) -> None:
    from worldquiz.t2q.report.page import build

    build([one for run in runs for one in read_runs(run)], target)


def _maze_page(runs: Sequence[Path], target: Path) -> None:
    from worldquiz.mango.report.page import build
    from worldquiz.mango.scoring.read_contest import read_contest

    build(read_contest(runs), target)


def _scene_page(runs: Sequence[Path], data: Path | None, target: Path) -> None:
    from worldquiz.tea.exam.contest import read_contest
    from worldquiz.tea.report.page import build

    build(read_contest(runs, data), target)


def _kind(runs: Sequence[Path]) -> str | None:
    """Return which command's runs these are, None for worlds'. Raises `RecordError` for a mix."""
    kinds = {run: _kind_of(run) for run in runs}
    for run, kind in kinds.items():
        other = next((one for one in runs if kinds[one] != kind), None)
        if kind is not None and other is not None:
            raise RecordError(
                f"{run} is a run of `{_COMMANDS[kind]}`, {other} is none: write a page for each "
                "kind"
            )
    return kinds[runs[0]]


def _kind_of(run: Path) -> str | None:
    path = run / MANIFEST
    manifest = read_json(path) if path.is_file() else None
    kind = manifest.get("kind") if isinstance(manifest, dict) else None
    return kind if kind in _COMMANDS else None


def export(
    runs: RunFolders,
    target: Annotated[Path, typer.Option("--out", help="The Parquet file to write.")] = Path(
        "questions.parquet"
    ),
    json: Json = False,
) -> None:
    """Write every question of some runs, with answer and grade, as one Parquet table."""
    from worldquiz.export.questions import write

    with waiting("exporting"):
        rows = [row for run in runs for row in Run(run).rows]
        write(rows, target)
    if json:
        emit({"parquet": str(target), "rows": len(rows)})
    else:
        out().print(f"{len(rows)} rows in {target}", markup=False)
