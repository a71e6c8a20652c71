"""``worldquiz tea export``: tasks in the formats of other tools."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import Jobs, Json, emit, out, progress, resumable, workers
from worldquiz.cli.tables import plain
from worldquiz.records import write_folder
from worldquiz.report.html import many
from worldquiz.tea.cli.make import memory
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.export import dataset, record


def export(
    data: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `tea generate` made.")],
    out_folder: Annotated[Path, typer.Option("--out", help="The folder to write.")],
    to: Annotated[str, typer.Option(help="parquet, vlmevalkit or habitat.")],
    tasks: Annotated[int, typer.Option(min=0, help="Number of tasks to be answered.")] = TASKS,
    walks: Annotated[int, typer.Option(min=0, help="Number of walks.")] = TRIPS,
    every: Annotated[
        bool, typer.Option("--all", help="Export all tasks and walks instead of a sample.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Random seed for drawing tasks.")] = 0,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Write tasks for other tools: datasets, VLMEvalKit, Habitat."""
    began = time.monotonic()
    chosen = dataset.choose(data, record.known(to), tasks, walks, seed, every=every)
    kept = record.there(out_folder, chosen.record)
    if not kept:
        with (
            resumable("nothing was written"),
            progress("exporting", len(chosen.pieces)) as done,
        ):
            fill = partial(dataset.fill, chosen, workers(jobs), done)
            write_folder(out_folder, fill)
    found = record.check(out_folder)
    document = {
        "out": str(out_folder),
        **{name: found[name] for name in ("format", "by_type", "rows", "unreachable", "digest")},
        "scenes": len(chosen.drawn.scenes),
        "files": len(found["files"]),
        "bytes": sum(file["bytes"] for file in found["files"].values()),
        "seconds": round(time.monotonic() - began, 1),
        "memory_mb": memory(),
    }
    if json:
        emit(document)
    else:
        _print(document, kept=kept)


def _print(document: Mapping[str, Any], *, kept: bool) -> None:
    console = out()
    console.print(
        plain([(name, f"{n:,}") for name, n in document["by_type"].items()], "type", "tasks")
    )
    tasks = sum(document["by_type"].values())
    console.print(
        f"{many(tasks, 'task')} of {many(document['scenes'], 'scene')} "
        f"{'are' if kept else 'written'} in {document['out']}: {many(document['files'], 'file')}, "
        f"{document['bytes'] / 1e6:.1f} MB, all "
        f"digests and counts checked, digest {document['digest'][:16]}",
        markup=False,
        soft_wrap=True,
    )
