"""Does each model run survive a fault of the network at each of its requests?

    uv run python benchmarks/network.py [--only WORDS] [--most 40] [--seed 1]

A run of each benchmark asks the tests' server, which counts its requests. Then it runs with one
fault at one request and without retries: the connection is reset, half a reply comes, an error 500,
or the server is gone from there on. The run must end with a code of ours and one plain line. The
same command with `--retry-failed`, of a server that is well again, must end with the bytes of the
undisturbed run (left out are the logs of inspect, which hold times) and ask only for what failed or
was not asked. `--most` requests are drawn where a run makes more. The exit code is 1 where a law is
broken.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from command import worldquiz
from file_faults import tree
from modelserver import Failure, Raw, Reply, Request, Reset, Script, perfect, serving
from modelserver.walks import reads_walkthroughs

NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
FAULTS: dict[str, Reply] = {
    "reset": Reset(),
    "half a reply": Raw(b'{"id": "x", "object": "chat.completion", "choices": [{"ind'),
    "error 500": Failure(500, "The server had an error"),
    "gone": Reset(),
}
LASTS = "gone"  # all requests from there on
CODES = (0, 2, 3)  # done, nothing done, unfinished


@dataclass
class Faulty:
    """A model with a fault at its n-th request."""

    script: Script
    number: int = 0
    fault: str = ""

    def __post_init__(self) -> None:
        self._requests = count(1)

    def __call__(self, request: Request) -> Reply:
        """Reply to the next request."""
        number = next(self._requests)
        struck = number >= self.number if self.fault == LASTS else number == self.number
        return FAULTS[self.fault] if self.fault and struck else self.script(request)


def runs(data: Path) -> Iterator[tuple[str, list[object], Script]]:
    """Yield the runs, and make what they read."""
    suite, mazes, tasks = (data / name for name in ("suite", "mazes", "tasks"))
    done("t2q", "build", "--preset", "easy", "--worlds", 2, "--seed", 3, "--out", suite)
    yield "t2q run", ["t2q", "run", suite, "--max-steps", 3, "--batch", 20], perfect()
    done("mango", "generate", "--mazes", 2, "--size", 8, "--seed", 1, "--out", mazes)
    yield "mango run", ["mango", "run", mazes, "--per-maze", 10], reads_walkthroughs()
    done("tea", "generate", "--preset", "tiny", "--scenes", 1, "--loops", 1, "--looks", 2,
         "--trajectories", 1, "--mirrors", 0, "--size", "64x64", "--seed", 5,
         "--out", tasks)  # fmt: skip
    yield "tea run", ["tea", "run", tasks, "--tasks", 20, "--walks", 1], perfect()


def done(*words: object) -> None:
    """Let a command of this process come to its end."""
    ended = worldquiz(*words)
    assert ended.code == 0, ended.err


def asked(words: list[object], out: Path, script: Script, *more: object) -> tuple[int, str, int]:
    """Run a command against a server; return its exit code, what it said, and its requests."""
    with serving(script, minimum=NEVER) as server:
        told = ["--model", "m", "--base-url", server.base_url, "--retries", 0, "--out", out]
        ended = worldquiz(*words, *told, *more)
        return ended.code, ended.err, server.stats()["arrived"]


def problem(
    words: list[object], folder: Path, faulty: Faulty, calm: dict[str, bytes], calls: int
) -> str:
    """Return which law one fault breaks, "" where all hold."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    code, err, before = asked(words, folder / "out", faulty)
    if code not in CODES or "Traceback" in err:
        return f"ended with {code}: {err[-300:]}"
    if code == 2 and len(err.strip().splitlines()) != 1:
        return f"said: {err[-300:]!r}"
    code, err, after = asked(words, folder / "out", faulty.script, "--retry-failed")
    if code:
        return f"was not resumed: {err[-300:]}"
    left = tree(folder)
    differing = sorted(name for name in {*left, *calm} if left.get(name) != calm.get(name))
    if differing:
        return f"differs: {differing[:5]}"
    lost = before - faulty.number + 1 if faulty.fault == LASTS else 1
    if before - lost + after > calls:
        return f"asked {before} + {after} times for {calls} calls"
    return ""


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    console, draw, bad = Console(), Random(given.seed), 0
    table = Table("run", "requests", "faults", "survived", "by fault")
    with tempfile.TemporaryDirectory(prefix="network-") as name:
        room = Path(name)
        for what, words, script in runs(room / "data"):
            if given.only not in what:
                continue
            code, err, calls = asked(words, room / what / "out", script)
            assert code == 0, err
            calm, survived, tried = tree(room / what), Counter[str](), 0
            for number in sorted(draw.sample(range(1, calls + 1), min(calls, given.most))):
                for fault in FAULTS:
                    faulty = Faulty(script, number, fault)
                    broken = problem(words, room / "work", faulty, calm, calls)
                    tried += 1
                    survived[fault] += not broken
                    if broken:
                        console.print(f"{what}, request {number}, {fault}: {broken}",
                                      markup=False, soft_wrap=True)  # fmt: skip
            bad += tried - survived.total()
            told = ", ".join(f"{each} {survived[each]}" for each in FAULTS)
            console.print(f"{what}: {survived.total()} of {tried} ({told})", markup=False)
            table.add_row(what, str(calls), str(tried), str(survived.total()), told)
    console.print(table)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
