"""Task2Quiz's part of ``worldquiz demo``: six worlds, eight pairs of baselines, their report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldquiz.runs.executor import Done, silent
from worldquiz.t2q.builder import build
from worldquiz.t2q.cli.scores import tables
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.store import RunRecord
from worldquiz.t2q.suites import Plan

PLAN = Plan("paper", seed=7, worlds=2)
PAIRS = (
    ("idle", "abstainer"),
    ("random", "abstainer"),
    ("random", "prior"),
    ("random", "worldgraph"),
    ("walkthrough", "prior"),
    ("walkthrough", "worldgraph"),
    ("explorer", "worldgraph"),
    ("explorer", "oracle"),
)
"""From knowing nothing to knowing all: what any agent's numbers lie between."""


def demo(folder: Path, jobs: int, done: Done = silent) -> Iterator[Any]:
    """Build and run in a folder, or finish what was begun; yield what is shown at the end."""
    from worldquiz.t2q.report.page import build as build_page

    runs = demonstrate(folder, jobs, done)
    page = build_page(runs, folder / "report.html")
    yield from tables(runs)
    yield f"report: {page}"


def demonstrate(folder: Path, jobs: int, done: Done = silent) -> list[RunRecord]:
    """Return the runs, made or finished."""
    suite = build(PLAN, folder / "suite", jobs=jobs, done=done)
    return [
        run(suite, Trial(agent, answerer), folder / "runs" / f"{agent}-{answerer}",
            jobs=jobs, done=done)
        for agent, answerer in PAIRS
    ]  # fmt: skip
