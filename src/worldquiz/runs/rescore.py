"""Scoring finished runs of any kind, spread over processes or machines.

The scores are the same either way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from worldquiz.runs.executor import Done, current_cluster, each, silent
from worldquiz.runs.folder import claimed
from worldquiz.runs.run import Run

LEAST = 10
"""Runs from which processes are begun: fewer are done before these are ready."""


def score_all(
    runs: Sequence[Run], *, jobs: int = 1, done: Done = silent
) -> dict[Path, dict[str, Any]]:
    """Score runs again from their records, and write each ``scores.json`` anew (`Run.score`).

    Raises `RecordError` if a run is not finished, or another process writes into it.
    """
    alone = {run.path: run for run in runs}
    with ExitStack() as held:
        for path in alone:
            held.enter_context(claimed(path))
        for path, found in each(
            _scored, list(alone), jobs=jobs if spreads(len(alone), jobs) else 1
        ):
            alone[path].keep(found)
            done(alone[path].name)
    return {path: run.scores for path, run in alone.items()}


def spreads(units: int, jobs: int) -> bool:
    """Tell whether so many units are worth processes; those of a cluster are asked for."""
    return current_cluster() is not None or (jobs > 1 and units >= LEAST)


def each_run(
    work: Callable[[Path], dict[str, Any]], paths: Sequence[Path], *, jobs: int = 1
) -> dict[Path, dict[str, Any]]:
    """Return what `work`, which must be importable by name, makes of runs."""
    jobs = jobs if spreads(len(paths), jobs) else 1
    found = dict(each(work, paths, jobs=jobs))
    return {path: found[path] for path in paths}


def _scored(path: Path) -> dict[str, Any]:
    return Run(path).computed()
