"""Building the paper's 30 worlds, with and without games, beside a bare Inform compile of them.

All use the same number of processes, by turns, and the best of each counts: its CPU seconds, those
of its processes included, and its wall time. The bare side only turns the finished sources into
games. A build draws the worlds, plans and covers their tasks, asks the quizzes and writes the
suite; with games it also generates the sources and compiles them.

    uv run python benchmarks/build.py [--jobs 2] [--rounds 2] [--json]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from math import inf
from pathlib import Path

from rich.console import Console
from rich.table import Table

from worldquiz.t2q.builder import build
from worldquiz.t2q.games import compiled
from worldquiz.t2q.suites import Plan

SEED = 7


def compile_one(text: str) -> int:
    return len(compiled(text, "benchmark"))


def bare(sources: Sequence[str], jobs: int) -> None:
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        assert all(pool.map(compile_one, sources))


def ours(jobs: int, *, games: bool) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="worldquiz-benchmark-"))
    return build(Plan("paper", SEED, games=games), folder / "suite", jobs=jobs).path


def measure(jobs: int, rounds: int) -> dict[str, dict[str, float]]:
    """Return CPU and wall seconds by what takes them."""
    suite = ours(jobs, games=True)
    sources = [path.read_text() for path in sorted(suite.glob("worlds/*/game.ni"))]
    contenders: dict[str, Callable[[], object]] = {
        "bare Inform compile": partial(bare, sources, jobs),
        "t2q build": partial(ours, jobs, games=False),
        "t2q build --games": partial(ours, jobs, games=True),
    }
    best = {name: {"cpu": inf, "wall": inf} for name in contenders}
    for _, (name, work) in product(range(rounds), contenders.items()):
        cpu, began = sum(os.times()[:4]), time.perf_counter()
        work()
        took = {"cpu": sum(os.times()[:4]) - cpu, "wall": time.perf_counter() - began}
        best[name] = {key: min(took[key], best[name][key]) for key in took}
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.jobs, options.rounds)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    table = Table("", "CPU seconds", "wall seconds", title=f"30 worlds, {options.jobs} jobs")
    for name, took in found.items():
        table.add_row(name, f"{took['cpu']:.1f}", f"{took['wall']:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
