"""Scores of small runs of three benchmarks, on record: rewriting the code changes none of them.

Where a change is meant, write them anew and read the difference:
``WORLDQUIZ_GOLDEN=write pytest tests/golden``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import people
import worldquiz as wq
from conftest import Shared

RECORD = Path(__file__).parent / "runs.json"
SCORES = ("knowledge", "ceiling", "false_answers", "tsr", "eus")
TOLD = ("world", "item", "type", "prompt", "gold", "reply", "status", "correct", "guess", "shown")
"""Columns of a row that keep their values; of each type and status stand count, correct, points and
worth on record."""


def texts(level: str, agent: str, answerer: str) -> Callable[[Path, Shared], wq.Run]:
    """Return a function that has an agent play two drawn worlds, and an answerer answer."""

    def made(out: Path, shared: Shared) -> wq.Run:
        build = lambda path: wq.t2q.build(level, worlds=2, seed=11, out=path)  # noqa: E731
        suite = wq.t2q.load(shared(f"golden-{level}", build))
        return suite.run(agent=agent, answerer=answerer, out=out)

    return made


def mazes(answerer: str) -> Callable[[Path, Shared], wq.Run]:
    """Return a function that has a baseline answer questions about two drawn mazes."""

    def made(out: Path, shared: Shared) -> wq.Run:
        build = lambda path: wq.mango.build(mazes=2, seed=15, out=path)  # noqa: E731
        folder = shared("golden-mazes", build)
        return wq.mango.load(folder).run(answerer, choice="published", per_maze=20, out=out)

    return made


RUNS: dict[str, Callable[[Path, Shared], Any]] = {
    "t2q known": texts("easy", "explorer", "worldgraph"),
    "t2q sheet": texts("easy", "random", "sheet"),
    "t2q won": texts("explore", "walkthrough", "worldgraph"),
    "mango mapper": mazes("mapper"),
    "mango walk": mazes("walk"),
    "tea noisy": lambda out, shared: people.tasks(out),
    "tea recall": lambda out, shared: people.views(out),
}


def on_record(run: wq.Run) -> dict[str, object]:
    """Return a run's first scores, its rows by type and status, and the digest of all rows."""
    scores = {name: run.scores[name] for name in SCORES if name in run.scores}
    kinds: dict[str, list[float]] = {}
    for row in run.rows:
        sums = kinds.setdefault(f"{row.type}, {row.status}", [0, 0, 0, 0])
        for place, value in enumerate((1, row.correct, row.points, row.worth)):
            sums[place] += value or 0
    lines = sorted(json.dumps([getattr(row, name) for name in TOLD]) for row in run.rows)
    return {
        **{name: value and round(value, 9) for name, value in scores.items()},
        **{name: " ".join(f"{each:.9g}" for each in sums) for name, sums in kinds.items()},
        "rows": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
    }


@pytest.mark.parametrize("name", RUNS)
def test_the_scores_are_as_they_were(name: str, tmp_path: Path, shared: Shared) -> None:
    RUNS[name](tmp_path / "run", shared)
    found = on_record(wq.load(tmp_path / "run"))
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    if os.environ.get("WORLDQUIZ_GOLDEN") == "write":
        known[name] = found
        RECORD.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    assert found == known[name]
