"""The demo's Task2Quiz part: six worlds, eleven pairs of agent and answerer, and their report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldquiz.cli.shell import progress, resumable, waiting
from worldquiz.errors import KEPT
from worldquiz.page import html
from worldquiz.runs.run import report
from worldquiz.t2q.builder import Plan
from worldquiz.t2q.front import build
from worldquiz.t2q.tables import role, tables_of

PLAN = Plan("paper", seed=7, worlds=2)
PAIRS = (
    ("idle", "abstainer"),
    ("idle", "worldgraph"),
    ("random", "abstainer"),
    ("random", "constant"),
    ("random", "worldgraph"),
    ("walkthrough", "constant"),
    ("walkthrough", "sheet"),
    ("walkthrough", "worldgraph"),
    ("explorer", "worldgraph"),
    ("explorer", "oracle"),
)
"""From knowing nothing to knowing all: what any agent's numbers lie between."""


def demo(folder: Path, jobs: int) -> Iterator[Any]:
    """Build worlds, let each pair play and answer, and write their report."""
    html.require()
    with resumable(KEPT), progress("Task2Quiz: building", len(PLAN.slots)) as done:
        suite = build(
            PLAN.preset, worlds=PLAN.worlds, seed=PLAN.seed, out=folder / "suite", jobs=jobs,
            progress=done,
        )  # fmt: skip
    with resumable(KEPT), progress("Task2Quiz: playing", len(PAIRS) * len(suite.worlds)) as done:
        runs = [
            suite.run(
                agent=agent, answerer=answerer, out=folder / "runs" / f"{agent}-{answerer}",
                jobs=jobs, progress=done,
            )
            for agent, answerer in PAIRS
        ]  # fmt: skip
    scored = [dict(run.scores) for run in runs]
    with waiting("Task2Quiz: writing the report"):
        page = report(runs, folder / "report.html")
    told = [
        {"agent": agent, "answerer": answerer, "role": str(role(agent, answerer)), "scores": found}
        for (agent, answerer), found in zip(PAIRS, scored, strict=True)
    ]
    yield {"report": str(page), "runs": told}
    names = (" + ".join(pair) for pair in PAIRS)
    yield from tables_of(list(zip(names, scored, strict=True)))
    yield f"report: {page}"
