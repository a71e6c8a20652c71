"""Does a run take what `worldquiz estimate` said that it would?

    uv run python benchmarks/estimates.py [--level easy ...] [--worlds 2] [--seed 11]
                                          [--max-steps 12] [--json]

Each memory is estimated, then run with the tests' model server: its model plays sensibly, and as a
memory's model it copies what it is told as far as the memory's format allows. Tokens of the server
are characters / 4, as the estimate has them by default, and the estimate is told how long the
model's replies are (`REPLY`), so what is compared is the prompts and the number of calls.
Memories that embed need MiniLM (`just embedder`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from modelserver import perfect, serving
from remembering import run_model
from worldquiz.llm.client import Reach
from worldquiz.memory.catalog import memories
from worldquiz.t2q.budget import budget
from worldquiz.t2q.builder import build
from worldquiz.t2q.llm.estimate import estimate
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.suites import Plan, Suite

REPLY = 24
"""Tokens of the test model's replies, about."""
NUMBERS = ("calls", "input", "output")


def measure(suite: Suite, memory: str, folder: Path, steps: int | None) -> dict[str, Any]:
    """Return what a run with a memory was said to take, and what it took."""
    subject = Subject(memory=memory, budget=budget(steps, None, suite.budget))
    said = estimate(suite, subject, None, reply=REPLY)
    with serving(perfect()) as server:
        run = run_model(suite, subject, Reach("m", server.base_url), folder)
    return {"memory": memory, "said": said, "took": scores(run)["usage"]}


def rows(line: dict[str, Any]) -> Iterator[list[str]]:
    """Yield what was said and taken for each purpose and number, with the share of the likely."""
    said, took = line["said"], line["took"]
    for purpose, used in took["by_purpose"].items():
        for name in NUMBERS:
            ends = [said[end]["by_purpose"][purpose][name] for end in ("low", "likely", "high")]
            inside = "" if ends[0] <= used[name] <= ends[2] else "OUTSIDE"
            share = f"{used[name] / ends[1]:.2f}" if ends[1] else "-"
            yield [purpose, name, *(f"{end:,}" for end in ends), f"{used[name]:,}", share, inside]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--level", action="append", help="preset; repeatable (easy)")
    parser.add_argument("--memory", action="append", help="memory; repeatable (all)")
    parser.add_argument("--worlds", type=int, default=2, help="worlds a level")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--max-steps", type=int, help="most commands of each task")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    names = options.memory or [each.name for each in memories()]
    lines = []
    with tempfile.TemporaryDirectory(prefix="worldquiz-estimates-") as scratch:
        folder = Path(scratch)
        for level in options.level or ["easy"]:
            suite = build(Plan(level, seed=options.seed, worlds=options.worlds), folder / level)
            for name in names:
                run = folder / f"{level}-{name}"
                line = {"level": level, **measure(suite, name, run, options.max_steps)}
                lines.append(line)
                print(level, name, "done", file=sys.stderr)
    if options.json:
        print(json.dumps(lines, indent=2))
        return 0
    table = Table("level", "memory", "for", "number", "low", "likely", "high", "took", "share", "")
    for line in lines:
        for row in rows(line):
            table.add_row(line["level"], line["memory"], *row)
    Console(width=140).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
