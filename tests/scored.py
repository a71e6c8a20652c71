"""Runs that are rows and nothing else: any quiz, written as a run of Task2Quiz, scored as one."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import worldquiz as wq


def kept(rows: Sequence[Mapping[str, Any]], folder: Path) -> wq.Run:
    """Write lines of rows, world by world, as a finished run."""
    folder.mkdir(exist_ok=True)
    record = {
        "kind": "run", "suite": "d16e57" * 10, "agent": "a", "answerer": "b", "seed": 3,
        "max_steps": 50, "versions": {"worldquiz": "0.1.0"},
        "worlds": sorted({row["world"] for row in rows}),
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(record))
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return wq.Run(folder)


def run_of(quiz: Iterable[wq.Row], folder: Path) -> wq.Run:
    """Write rows as a finished run; each is a question of its own."""
    ordered = sorted(quiz, key=lambda row: row.world)
    return kept([{**asdict(row), "item": f"q{place}"} for place, row in enumerate(ordered)], folder)


def scores_of(quiz: Iterable[wq.Row]) -> dict[str, Any]:
    """Return the scores of a quiz, as a run's."""
    with tempfile.TemporaryDirectory() as folder:
        return run_of(quiz, Path(folder)).scores
