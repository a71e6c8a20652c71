"""Scoring finished runs of any kind, spread over processes or machines.

Many runs are dealt out whole. Few are taken apart, where their kind says how (`ScoreParts`), so
that one run of a thousand worlds keeps every process busy. The scores are the same either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.runs.benchmark import kind_of_run
from worldquiz.runs.executor import Done, current_cluster, each, silent
from worldquiz.runs.folder import claimed
from worldquiz.runs.run import Run

LEAST = 10
"""Parts from which processes are begun: fewer are done before these are ready."""
MANY = 2
"""Runs for each process from which runs are dealt out whole."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A run to score, or a part of one."""

    run: Path
    place: int = 0  # among the run's parts
    part: Any = None  # what its kind split off; None: the whole run


def score_all(
    runs: Sequence[Run], *, jobs: int = 1, done: Done = silent
) -> dict[Path, dict[str, Any]]:
    """Score runs again from their records, and write each ``scores.json`` anew (`Run.score`).

    Raises `RecordError` if a run is not finished, or another process writes into it.
    """
    alone = {run.path: run for run in runs}
    parts = {path: _parts(run) for path, run in alone.items()}
    with ExitStack() as held:
        if not spreads(sum(map(len, parts.values())), jobs):
            for run in alone.values():
                run.score()
                done(run.name)
        else:
            for path in alone:
                held.enter_context(claimed(path))
            whole = len(alone) >= MANY * jobs
            for path, found in _spread(parts, jobs, whole=whole):
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


def _parts(run: Run) -> Sequence[Any]:
    """Return what a run is scored in: a run of most kinds, as a whole."""
    parts = run.kind.parts
    return parts.split(run.path) if parts else [None]


def _spread(
    parts: dict[Path, Sequence[Any]], jobs: int, *, whole: bool
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the scores of each run, once all of its parts are there."""
    units = [
        Unit(path, place, part)
        for path, some in parts.items()
        for place, part in enumerate([None] if whole else some)
    ]
    wanted = {path: 1 if whole else len(some) for path, some in parts.items()}
    graded: dict[Path, dict[int, Any]] = {path: {} for path in parts}
    for unit, found in each(_work, units, jobs=jobs):
        graded[unit.run][unit.place] = found
        if len(graded[unit.run]) == wanted[unit.run]:
            some = graded.pop(unit.run)
            yield unit.run, found if unit.part is None else _joined(unit.run, some)


def _work(unit: Unit) -> Any:
    """Score a whole run, or grade a part of one."""
    if unit.part is None:
        return Run(unit.run).computed()
    parts = kind_of_run(unit.run)[1].parts
    assert parts is not None  # it gave the part
    return parts.grade(unit.part)


def _joined(path: Path, graded: dict[int, Any]) -> dict[str, Any]:
    """Return a run's scores from its graded parts."""
    run = Run(path)
    parts = run.kind.parts
    assert parts is not None  # it gave the parts
    return run.computed(lambda: parts.join(path, [graded[place] for place in sorted(graded)]))
