"""Building the paper's 30 worlds against the bare Inform compile of the same 30 sources.

Both sides run in the same process pool size, by turns, and the best time of each counts. The bare
side only turns the finished sources into games; ours also draws the worlds, plans and covers their
tasks, asks the quizzes, generates the sources and writes the suite.

    uv run python benchmarks/build.py [--jobs 2] [--rounds 2] [--json]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.table import Table

from worldquiz.t2q.builder import build
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.world.inform import compiled

SEED = 7


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def compile_one(text: str) -> int:
    return len(compiled(text, "benchmark"))


def bare(sources: Sequence[str], jobs: int) -> None:
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        assert all(pool.map(compile_one, sources))


def ours(jobs: int) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="worldquiz-benchmark-"))
    build(plan(), folder / "suite", jobs=jobs)
    return folder / "suite"


def plan() -> Plan:
    return Plan(preset="paper", seed=SEED)


def measure(jobs: int, rounds: int) -> dict[str, float]:
    suite = ours(jobs)
    sources = [path.read_text() for path in sorted(suite.glob("worlds/*/game.ni"))]
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    for _ in range(rounds):
        times["bare"].append(seconds(lambda: bare(sources, jobs)))
        times["ours"].append(seconds(lambda: ours(jobs)))
    result = {name: min(values) for name, values in times.items()}
    result["ratio"] = result["ours"] / result["bare"]
    result["worlds"] = len(sources)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = measure(options.jobs, options.rounds)
    if options.json:
        print(json.dumps(result, indent=2, sort_keys=True))
        return
    table = Table(
        "", "seconds", "ratio", title=f"{result['worlds']:.0f} worlds, {options.jobs} jobs"
    )
    table.add_row("bare Inform compile", f"{result['bare']:.1f}", "1.00")
    table.add_row("worldquiz t2q build", f"{result['ours']:.1f}", f"{result['ratio']:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
