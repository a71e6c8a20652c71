"""Runs that are rows and nothing else: any quiz, written as a run of Task2Quiz, scored as one."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import worldquiz as wq


def keep(
    folder: Path, manifest: Mapping[str, Any], rows: Iterable[wq.Row | Mapping[str, Any]]
) -> Path:
    """Write a finished run's manifest and rows; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    told = (json.dumps(asdict(row) if isinstance(row, wq.Row) else row) for row in rows)
    (folder / "rows.jsonl").write_text("".join(f"{line}\n" for line in told))
    return folder


def kept(rows: Iterable[Mapping[str, Any]], folder: Path, **manifest: Any) -> wq.Run:
    """Write lines of rows, world by world, as a finished run of Task2Quiz."""
    lines = list(rows)
    record = {
        "kind": "run", "suite": "d16e57" * 10, "agent": "a", "answerer": "b", "seed": 3,
        "max_steps": 50, "versions": {"worldquiz": "0.1.0"},
        "worlds": sorted({line["world"] for line in lines}), **manifest,
    }  # fmt: skip
    return wq.Run(keep(folder, record, lines))


def run_of(quiz: Iterable[wq.Row], folder: Path, **manifest: Any) -> wq.Run:
    """Write rows as a finished run of Task2Quiz; each is a question of its own."""
    ordered = enumerate(sorted(quiz, key=lambda row: row.world))
    return kept(({**asdict(row), "item": f"q{n}"} for n, row in ordered), folder, **manifest)


def scores_of(quiz: Iterable[wq.Row]) -> dict[str, Any]:
    """Return the scores of a quiz, as a run's."""
    with tempfile.TemporaryDirectory() as folder:
        return run_of(quiz, Path(folder)).scores
