"""Seconds and peak memory of the commands that read finished runs, on many worlds and runs.

    python benchmarks/scale.py [--worlds 30 100] [--runs 1 2] [--only score report compare export]

One easy world is built and played once. Each run holds copies of it under other names, so its
records are real and only their number grows. With ``--paper`` a suite without games is planned too:
every world is drawn anew, with its tasks and questions.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
    """Run a command; return its seconds, its CPU seconds and its peak memory in megabytes."""
    begun = time.monotonic()
    process = subprocess.Popen([*WORLDQUIZ, *map(str, words)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"worldquiz {' '.join(map(str, words))}: ended with {status}")
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def commands(runs: list[Path], scratch: Path) -> dict[str, tuple[object, ...]]:
    """Return what is measured, by name."""
    return {
        "score": ("score", *runs),
        "report": ("report", *runs, "--out", scratch / "page.html"),
        "compare": ("compare", runs[0], runs[-1]),
        "export": ("export", *runs, "--out", scratch / "rows.parquet"),
    }


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, nargs="+", default=[30, 100])
    parser.add_argument("--runs", type=int, nargs="+", default=[1])
    parser.add_argument("--only", choices=COMMANDS, nargs="+", default=COMMANDS)
    parser.add_argument("--paper", type=int, nargs="*", default=[], metavar="WORLDS")
    given = parser.parse_args()
    print("| runs | worlds | command | seconds | CPU seconds | peak MB | page MB |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for worlds in given.paper:
            show("-", worlds, "build --no-compile", measured(
                "t2q", "build", "--preset", "easy", "--seed", 1, "--worlds", worlds,
                "--no-compile", "--jobs", 1, "--out", scratch / f"paper-{worlds}",
            ))  # fmt: skip
        run = played(scratch) if given.only else scratch
        for worlds in given.worlds:
            made: list[Path] = []
            for count in given.runs:
                made += [
                    copies(run, worlds, scratch / f"{worlds}-{number}", number)
                    for number in range(len(made), count)
                ]
                for command, words in commands(made[:count], scratch).items():
                    if command in given.only:
                        page = scratch / "page.html"
                        page.unlink(missing_ok=True)
                        found = measured(*words)
                        size = f"{page.stat().st_size / 1e6:.1f}" if page.is_file() else ""
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
