"""Does each command survive a fault of the file system at each change that it makes?

    uv run python benchmarks/faults.py [--only WORDS] [--most 40] [--seed 1]

Each writer runs once undisturbed, which counts its changes (open, write, fsync, rename, mkdir,
unlink). Then it runs with one fault at one change: killed there, the disk full from there on, and
ENOSPC, EIO or EINTR once. `tests/file_faults.py` judges. `--most` changes of a writer are drawn
where it makes more. The exit code is 1 where a law is broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import file_faults
from command import worldquiz
from file_faults import FAULTS, Writer


def writers(data: Path) -> Iterator[Writer]:
    """Yield the commands, and make what they read."""
    suite, mazes, run = data / "suite", data / "mazes", data / "run"
    done("t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 3, "--out", suite)
    done("mango", "generate", "--mazes", 2, "--size", 6, "--seed", 1, "--out", mazes)
    done("mango", "run", mazes, "--answerer", "mapper", "--per-maze", 4, "--out", run)
    yield Writer("t2q build", (*_words("t2q build --preset easy --worlds 2 --seed 3 --jobs 1"),
                               "--no-compile", "--out", "{out}"))  # fmt: skip
    yield Writer("t2q run", ("t2q", "run", str(suite), *_words("--agent random --answerer"),
                             *_words("worldgraph --jobs 1 --out {out}")))  # fmt: skip
    yield Writer("mango generate", _words("mango generate --mazes 2 --size 6 --seed 1 --out {out}"))
    yield Writer("mango run", ("mango", "run", str(mazes),
                               *_words("--answerer mapper --per-maze 4 --out {out}")))  # fmt: skip
    yield Writer("export", ("export", str(run), "--out", "{out}.parquet"))
    yield Writer("report", ("report", str(run), "--out", "{out}.html"))
    yield Writer("tea generate", _words("tea generate --preset tiny --scenes 1 --seed 5 --jobs 1 "
                                        "--out {out}"), warm=False)  # fmt: skip


def _words(text: str) -> Sequence[str]:
    return text.split()


def done(*words: object) -> None:
    """Let a command of this process come to its end."""
    ended = worldquiz(*words)
    assert ended.code == 0, ended.err


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    file_faults.preloaded()
    console, draw, bad = Console(), Random(given.seed), 0
    table = Table("writer", "changes", "faults", "survived", "by fault")
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        room = Path(name)
        every = [each for each in writers(room / "data") if given.only in each.name]
        for writer in every:
            changes = 0

            def chosen(made: int) -> Sequence[int]:
                nonlocal changes
                changes = made
                numbers = range(1, made + 1)
                return sorted(draw.sample(numbers, min(made, given.most)))

            survived: Counter[str] = Counter()
            tried = 0
            for number, fault, what in file_faults.points(writer, room / "work", FAULTS, chosen):
                tried += 1
                survived[fault.name] += not what
                if what:
                    console.print(f"{writer.name}, change {number}, {fault.name}: {what}",
                                  markup=False, soft_wrap=True)  # fmt: skip
            bad += tried - survived.total()
            told = ", ".join(f"{each.name} {survived[each.name]}" for each in FAULTS)
            console.print(f"{writer.name}: {survived.total()} of {tried} ({told})", markup=False)
            table.add_row(writer.name, str(changes), str(tried), str(survived.total()), told)
    console.print(table)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
