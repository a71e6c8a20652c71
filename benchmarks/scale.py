"""Seconds and peak memory of the commands that read finished runs, on many worlds and runs.

    python benchmarks/scale.py [--worlds 30 100] [--runs 1 10] [--only score report compare export]
        [--jobs 1]
    python benchmarks/scale.py --only report --worlds 30 300 1000 --paint
    python benchmarks/scale.py --worlds 1000 --runs 50 --jobs 2 --paint
    python benchmarks/scale.py --worlds --build 100 1000

One easy world is built and played once. Each run holds copies of it under other names, so its
records are real and only their number grows. With ``--paint`` each page is opened in Chromium, and
the medians of three first paints and of three loads are printed. With ``--build`` suites are built:
every world is drawn anew, with its tasks and questions.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import browser, find
from worldquiz import t2q

WORLDQUIZ = (sys.executable, "-m", "worldquiz")
COMMANDS = ("score", "report", "compare", "export")
AGENTS = ("explorer", "worldgraph")


def played(scratch: Path) -> Path:
    """Play one easy world and return the run."""
    suite = t2q.build("easy", worlds=1, seed=1, out=scratch / "suite")
    agent, answerer = AGENTS
    return suite.run(agent=agent, answerer=answerer, out=scratch / "played").path


def copies(run: Path, worlds: int, out: Path, seed: int) -> Path:
    """Write a run of many copies of the one world of a run, each under a name of its own."""
    manifest = json.loads((run / "manifest.json").read_text())
    (world,) = manifest["worlds"]
    names = [f"easy-{number:05}" for number in range(worlds)]
    files = {path.name: path.read_text() for path in sorted((run / "worlds" / world).iterdir())}
    for name in names:
        folder = out / "worlds" / name
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text.replace(f'"{world}"', f'"{name}"'))
    told = {**manifest, "worlds": names, "seed": seed}
    (out / "manifest.json").write_text(json.dumps(told))
    return out


def measured(*words: object) -> tuple[float, float, float]:
    """Run a command; return its seconds, its CPU seconds and its peak memory in megabytes.

    CPU seconds are those of all its processes, the memory is that of the largest.
    """
    begun = time.monotonic()
    process = subprocess.Popen([*WORLDQUIZ, *map(str, words)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"worldquiz {' '.join(map(str, words))}: ended with {status}")
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def commands(runs: list[Path], scratch: Path, jobs: int) -> dict[str, tuple[object, ...]]:
    """Return what is measured, by name."""
    return {
        "score": ("score", *runs, "--jobs", jobs),
        "report": ("report", *runs, "--jobs", jobs, "--out", scratch / "page.html"),
        "compare": ("compare", runs[0], runs[-1]),
        "export": ("export", *runs, "--out", scratch / "rows.parquet"),
    }


def painted(page: Path) -> str:
    """Return the milliseconds until a page is first painted, and until it is loaded."""
    binary = find()
    if binary is None:
        raise SystemExit("no Chromium on PATH: leave out --paint")
    found = []
    with browser(binary) as tab:
        for _ in range(3):
            tab.open(page)
            found.append(tab.run(
                "new Promise((done) => setTimeout(() => done(["
                "performance.getEntriesByName('first-contentful-paint')[0].startTime,"
                "performance.getEntriesByType('navigation')[0].loadEventEnd]), 500))"
            ))  # fmt: skip
    paint, load = (statistics.median(column) for column in zip(*found, strict=True))
    return f"; painted after {paint:.0f} ms, loaded after {load:.0f} ms"


def built(worlds: int, scratch: Path) -> None:
    """Build a suite, and print what that took."""
    words = ("t2q", "build", "--preset", "easy", "--seed", 1, "--worlds", worlds)
    found = measured(*words, "--jobs", 1, "--out", scratch / f"built-{worlds}")
    show("-", worlds, "t2q build", found)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, nargs="*", default=[30, 100])
    parser.add_argument("--runs", type=int, nargs="+", default=[1])
    parser.add_argument("--only", choices=COMMANDS, nargs="+", default=COMMANDS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--paint", action="store_true")
    parser.add_argument("--build", type=int, nargs="*", default=[], metavar="WORLDS")
    given = parser.parse_args()
    print("| runs | worlds | command | seconds | CPU seconds | peak MB | page |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for worlds in given.build:
            built(worlds, scratch)
        if given.worlds:
            run = played(scratch)
            for worlds in given.worlds:
                read(run, worlds, given, scratch)


def read(run: Path, worlds: int, given: argparse.Namespace, scratch: Path) -> None:
    """Measure each command on copies of a run, and print what each took."""
    made: list[Path] = []
    for count in given.runs:
        made += [
            copies(run, worlds, scratch / f"{worlds}-{number}", number)
            for number in range(len(made), count)
        ]
        for command, words in commands(made[:count], scratch, given.jobs).items():
            if command in given.only:
                found, page = measured(*words), scratch / "page.html"
                size = f"{page.stat().st_size / 1e6:.1f} MB" if command == "report" else ""
                size += painted(page) if size and given.paint else ""
                show(count, worlds, command, found, size)


def show(
    runs: object, worlds: int, command: str, found: tuple[float, float, float], page: str = ""
) -> None:
    """Print a line of the table."""
    seconds, cpu, peak = found
    print(
        f"| {runs} | {worlds} | {command} | {seconds:.1f} | {cpu:.1f} | {peak:.0f} | {page} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
