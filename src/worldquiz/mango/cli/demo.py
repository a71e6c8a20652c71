"""The demo's MANGO part: two mazes, a lower bound and the map builder, and their report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldquiz.cli.shell import progress, resumable, waiting
from worldquiz.errors import KEPT
from worldquiz.mango.maze_set import MazeSet, build
from worldquiz.mango.questions import require_libraries
from worldquiz.page import html
from worldquiz.page.terminal import means
from worldquiz.runs.run import Run, report

SEED, MAZES, PER_MAZE = 7, 2, 20


def demo(folder: Path, jobs: int) -> Iterator[Any]:
    """Generate mazes, have both baselines answer, and write their report."""
    require_libraries()
    html.require()
    home = folder / "mango"
    with resumable(KEPT), waiting("MANGO: generating mazes"):
        mazes = build(mazes=MAZES, seed=SEED, out=home / "mazes")
    runs = [_run(mazes, answerer, home) for answerer in ("go", "mapper")]
    with waiting("MANGO: writing the report"):
        page = report(runs, home / "report.html")
    yield {"mango": {"report": str(page), "runs": {run.name: run.scores for run in runs}}}
    count = len(runs[0].rows)
    yield f"MANGO: {count} questions about {MAZES} mazes, which their walkthroughs show in full."
    yield means({run.name: run.each_row() for run in runs})
    yield f"report: {page}"


def _run(mazes: MazeSet, answerer: str, home: Path) -> Run:
    with resumable(KEPT), progress(f"MANGO: {answerer}", 2 * MAZES * PER_MAZE) as done:
        return mazes.run(answerer, out=home / answerer, per_maze=PER_MAZE, progress=done)
