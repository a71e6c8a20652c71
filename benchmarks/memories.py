"""What does each memory lose, with a reader that makes no mistakes?

    uv run python benchmarks/memories.py [--worlds 1] [--seed 7] [--memory amem ...] [--json]

The walkthrough agent plays `--worlds` worlds a level of the preset `paper`, and each memory hands
what it kept to the perfect reader of the tests' model server: it answers from the text in its
prompt, exactly, and abstains on what that text does not settle. As a memory's own model it copies
what it is told as far as the memory's format allows. Memories that embed need MiniLM (`just
embedder`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from modelserver import perfect, serving
from remembering import run_model
from worldquiz.llm.client import Reach
from worldquiz.memory.catalog import memories
from worldquiz.t2q.builder import build
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.suites import Plan, Suite


def measure(suite: Suite, memory: str, folder: Path) -> dict[str, Any]:
    """Return what a run with a memory knows."""
    with serving(perfect()) as server:
        subject = Subject(agent="walkthrough", memory=memory)
        found = dict(scores(run_model(suite, subject, Reach("m", server.base_url), folder)))
    counts = found["counts"]
    return {
        "memory": memory,
        "knowledge": found["knowledge"],
        "known": found["known"],
        "answerable": counts["answerable"],
        "questions": counts["questions"],
        "remember": found["attribution"]["counts"]["remember"],
    }


def show(lines: Sequence[dict[str, Any]], console: Console) -> None:
    """Print the table, the least first."""
    table = Table("memory", "knowledge", "known", "remember", "questions")
    for line in lines:
        low, high = line["remember"]
        lost = str(low) if low == high else f"{low}..{high}"
        shares = (f"{line[key]:.3f}" for key in ("knowledge", "known"))
        table.add_row(line["memory"], *shares, lost, str(line["questions"]))
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=1, help="worlds a level")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--memory", action="append", help="memory; repeatable (all)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="worldquiz-memories-") as scratch:
        folder = Path(scratch)
        suite = build(Plan("paper", seed=options.seed, worlds=options.worlds), folder / "suite")
        names = options.memory or [each.name for each in memories()]
        lines = [measure(suite, name, folder / name) for name in names]
    lines.sort(key=lambda line: (float(line["knowledge"]), line["memory"]))
    if options.json:
        print(json.dumps(lines, indent=2))
    else:
        show(lines, Console())
    return 0


if __name__ == "__main__":
    sys.exit(main())
