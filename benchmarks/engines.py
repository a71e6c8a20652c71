"""What spreading work costs: one process, processes, and Ray, side by side in one run.

    uv run python benchmarks/engines.py [--units 400] [--busy 0.5] [--json]

Printed for each engine are the seconds to start, until the first of two empty units is done; then
what an empty unit costs in milliseconds, over `--units` of them; then the seconds that 16 units
take that wait for half a second each, and 16 that compute for `--busy` CPU seconds each. Processes
start afresh for every piece of work, so their start is in each figure; a cluster starts once. What
waits is measured well on a busy machine too; what computes, and Ray's start, want a quiet one. The
load of the machine is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

from worldquiz.runs.cluster import Cluster
from worldquiz.runs.executor import each, on

FEW, WAIT = 16, 0.5  # units, seconds


@dataclass(frozen=True, slots=True)
class Measured:
    """One engine with a number of workers; seconds, but `unit` is milliseconds."""

    engine: str
    workers: int
    start: float
    unit: float
    waiting: float
    busy: float


def empty(item: int) -> int:
    """Do nothing."""
    return item


def compute(seconds: float, item: int = 0) -> int:
    """Use so much CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        item += 1
    return item


def took(work: object, items: Sequence[object], jobs: int) -> float:
    """Return how many seconds some work takes, in all."""
    begun = time.perf_counter()
    for _ in each(work, items, jobs=jobs):  # type: ignore[arg-type]
        pass
    return time.perf_counter() - begun


def measured(engine: str, workers: int, units: int, busy: float) -> Measured:
    """Measure one engine from its start."""
    begun = time.perf_counter()
    with on("ray") if engine == "Ray" else nullcontext() as cluster:
        if isinstance(cluster, Cluster):
            cluster.start(workers)
        took(empty, range(2), workers)
        start = time.perf_counter() - begun
        unit = 1000 * took(empty, range(units), workers) / units
        waiting = took(time.sleep, [WAIT] * FEW, workers)
        return Measured(engine, workers, start, unit, waiting, took(compute, [busy] * FEW, workers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=400)
    parser.add_argument("--busy", type=float, default=0.5, help="CPU seconds")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    engines = [("this process", 1), ("processes", 2), ("Ray", 1), ("Ray", 2)]
    found = [measured(name, jobs, options.units, options.busy) for name, jobs in engines]
    if options.json:
        print(json.dumps([asdict(one) for one in found]))
        return
    table = Table(
        "engine", "workers", "start, s", "empty unit, ms", "16 that wait, s", "16 busy, s"
    )
    for one in found:
        figures = (f"{value:.1f}" for value in (one.start, one.unit, one.waiting, one.busy))
        table.add_row(one.engine, str(one.workers), *figures)
    Console().print(table, f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
