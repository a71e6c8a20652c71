"""Scores of runs over three benchmarks, recorded once: rewriting the code changes none of them.

    python tests/golden_runs.py runs/golden            # compare; or: just golden
    python tests/golden_runs.py runs/golden --record   # where a score is meant to change

Data are built and runs are made by the command line alone, in a new folder. Recorded is each number
of `worldquiz score --json`, sums over the rows of `Run.frame()`, and digests of worlds, tasks and
quizzes. A number that a later version no longer prints is counted, one that differs is an error.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import worldquiz as wq
from modelserver import apart

HERE = Path(__file__).parent
RECORD = HERE / "golden" / "runs.json.gz"
PUBLISHED = Path(os.environ.get("WORLDQUIZ_DATA", HERE.parents[2] / "shared" / "data")) / "mango"
SUMMED = {"score": "score", "points": "points", "chance": "guess", "answerable": "shown"}
"""Columns of rows that are summed for each type and status, by their names on record."""
DATA = {
    "easy": "t2q build --preset easy --worlds 3 --seed 11",
    "medium": "t2q build --preset medium --worlds 3 --seed 12",
    "explore": "t2q build --preset explore --worlds 2 --seed 13",
    "paper": "t2q build --preset paper --worlds 2 --seed 14",
    "mazes": "mango build --mazes 3 --seed 15",
    "tea": "tea build --preset tiny --seed 16 --loops 1 --trajectories 4 --looks 4 --size 96x72",
}
BUILT = {
    "t2q": ("worlds/*/spec.jsonl", "worlds/*/tasks.jsonl", "worlds/*/quiz.jsonl"),
    "mango": ("*/*/*",),
    "tea": ("scenes/*/tasks.jsonl", "scenes/*/scene.json"),
}
"""The files of each benchmark's data that keep their bytes."""
MEMORIES = [
    "in-context",
    "none",
    "summary",
    "bm25",
    "embedding",
    "mem0",
    "langmem",
    "amem",
    "arigraph",
]
_MODEL = "--model m --connections 4 --retries 5"
RUNS = {
    "t2q-known": "t2q run easy --agent explorer --answerer worldgraph",
    "t2q-sheet": "t2q run easy --agent random --answerer sheet",
    "t2q-won": "t2q run medium --agent walkthrough --answerer abstainer",
    "t2q-explored": "t2q run explore --agent explorer --answerer sheet",
    "t2q-paper": "t2q run paper --agent walkthrough --answerer worldgraph",
    "t2q-constant": "t2q run paper --agent random --answerer constant --seed 3",
    **{
        f"t2q-{name}": f"t2q run easy --agent walkthrough {_MODEL} --memory {name}"
        for name in MEMORIES
    },
    "t2q-plays": f"t2q run easy {_MODEL}",
    "t2q-lossy": f"t2q run medium --agent explorer {_MODEL}",
    "mango-mapper": "mango run mazes --answerer mapper",
    "mango-walk": "mango run mazes --answerer walk --per-maze 20 --seed 2",
    "mango-published": "mango run published --answerer frequent --per-maze 10",
    "tea-noisy": "tea run tea --answerer noisy --tasks 40 --walks 4",
    "tea-blind": "tea run tea --answerer blind --tasks 40 --walks 4",
    "tea-recall": "tea recall tea --answerer noisy",
    "tea-reader": "tea recall tea --answerer reader",
}
SERVERS = {
    **{f"t2q-{name}": () for name in MEMORIES},
    "t2q-plays": ("--flaky", "0.15"),
    "t2q-lossy": ("--model", "liar", "--latency", "0.02"),
}
"""The model behind each run that has one: it fails now and then, or makes up its answers."""
KILLED = ("t2q-lossy",)
"""Runs that are killed once and given again."""
SHARDED = ("t2q-won",)
"""Runs that are made in two shards and merged."""


def worldquiz(words: Sequence[str], **options: Any) -> str:
    """Give a command in a process of its own; return what it prints."""
    command = [sys.executable, "-m", "worldquiz", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def numbers(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield each number and text of a document with its path."""
    match value:
        case dict():
            for key, each in value.items():
                yield from numbers(each, f"{path}/{key}")
        case list():
            yield path, json.dumps(value)
        case _:
            yield path, value


def rows(run: Path) -> Iterator[tuple[str, object]]:
    """Yield how many rows a run has of each type and status, and sums of their columns."""
    frame = wq.load(run).frame()
    for (kind, status), part in frame.groupby(["type", "status"]):
        yield f"{kind} {status} rows", len(part)
        for name, column in SUMMED.items():
            yield f"{kind} {status} {name}", round(float(part[column].fillna(0).sum()), 9)


def digest(folder: Path, patterns: Sequence[str]) -> str:
    """Return the digest of data's files, by name and bytes."""
    found = hashlib.sha256()
    for path in sorted(each for pattern in patterns for each in folder.glob(pattern)):
        found.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def made(folder: Path, name: str) -> Path:
    """Make a run, if it is not there."""
    out = folder / "runs" / name
    if (out / "scores.json").exists():
        return out
    benchmark, verb, data, *rest = RUNS[name].split()
    source = PUBLISHED if data == "published" else folder / data
    words = [benchmark, verb, str(source), *rest]
    with ExitStack() as stack:
        if name in SERVERS:
            words += ["--base-url", stack.enter_context(apart(*SERVERS[name])).base_url]
        environment = os.environ | {"OPENAI_API_KEY": "none"}
        if name in SHARDED:
            parts = [f"{out}-{number}" for number in (1, 2)]
            for number, part in enumerate(parts, start=1):
                worldquiz([*words, "--shard", f"{number}/2", "--out", part], env=environment)
            worldquiz(["merge", *parts, "--out", str(out)])
            return out
        if name in KILLED:
            command = [sys.executable, "-m", "worldquiz", *words, "--out", str(out)]
            killed = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
            time.sleep(9)
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        worldquiz([*words, "--out", str(out)], env=environment)
    return out


def found(folder: Path) -> dict[str, dict[str, object]]:
    """Build the data, make the runs; return their digests and numbers by name."""
    told: dict[str, dict[str, object]] = {}
    for name, command in DATA.items():
        if not (folder / name).exists():
            worldquiz([*command.split(), "--out", str(folder / name)])
        told[f"data {name}"] = {"digest": digest(folder / name, BUILT[command.split()[0]])}
    for name in RUNS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        run = made(folder, name)
        scores = json.loads(worldquiz(["score", str(run), "--json"]))
        told[name] = {**dict(numbers(scores)), **dict(rows(run))}
    return told


def differences(then: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield what differs, a line each; floats may differ by a rounding error."""
    for name, numbers_then in then.items():
        for path, value in numbers_then.items():
            other = now.get(name, {}).get(path)
            close = isinstance(value, float) and isinstance(other, int | float)
            if other is not None and (abs(value - other) > 1e-9 if close else value != other):
                yield f"{name}: {path} was {value!r}, is {other!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="new folder for data and runs")
    parser.add_argument("--record", action="store_true", help="write the numbers down")
    options = parser.parse_args()
    now = found(options.folder)
    if options.record:
        text = json.dumps(now, indent=0, sort_keys=True)
        RECORD.write_bytes(gzip.compress(text.encode(), mtime=0))
        return
    then = json.loads(gzip.decompress(RECORD.read_bytes()))
    wrong = list(differences(then, now))
    gone = sum(path not in now.get(name, {}) for name in then for path in then[name])
    print(*wrong, f"{sum(map(len, then.values()))} numbers, {gone} no longer told", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
