"""``worldquiz demo``: each installed benchmark on small data, with its baselines and a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import Jobs, Json, emit, say, workers
from worldquiz.errors import MissingExtra
from worldquiz.runs.benchmark import Benchmark, benchmarks

Shown = Callable[[Any], None]


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Folder to write into.")] = Path(
        "worldquiz-demo"
    ),
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Run each benchmark on small data with its baselines, and write a report of each.

    No network and no model is needed. It takes about two minutes on two cores. A benchmark that
    cannot run because a library is not installed is left out.
    """
    document: dict[str, Any] = {}
    lacking: list[MissingExtra] = []
    for each in (one for one in benchmarks().values() if one.demo is not None):
        try:
            document |= _part(each, folder, workers(jobs), show=not json)
        except MissingExtra as error:
            lacking.append(error)
            document[each.name] = {"left_out": str(error)}
            if not json:
                say(f"{each.title} is left out: {error}")
    if lacking and len(lacking) == len(document):
        raise lacking[0]
    if json:
        emit(document)


def _part(benchmark: Benchmark, folder: Path, jobs: int, *, show: bool) -> dict[str, Any]:
    """Run a benchmark's part: show what is for people, return what is for programs."""
    document: dict[str, Any] = {}
    told: Iterable[Any] = benchmark.demo(folder, jobs) if benchmark.demo else ()
    for one in told:
        if isinstance(one, dict):
            document |= one
        elif show:
            say(one)
    return document
