"""``worldquiz demo``: small games and a flat, floors, contestants and ceilings, and the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import Jobs, Json, emit, out, progress, resumable, waiting, workers
from worldquiz.t2q.builder import build
from worldquiz.t2q.cli.scores import rows, tables
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.store import RunRecord
from worldquiz.t2q.suites import Plan, Suite
from worldquiz.tea.cli import demo as demo_tea

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


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Where everything goes.")] = Path(
        "worldquiz-demo"
    ),
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Build six worlds and a flat, let the reference agents and answerers at them, write a report.

    Nothing of it needs a network or a model. Takes two minutes.
    """
    again = "what is done is kept: give the same command again to go on"
    with resumable(again), progress("building", len(PLAN.slots)) as done:
        suite = build(PLAN, folder / "suite", jobs=workers(jobs), done=done)
    with resumable(again), progress("playing", len(PAIRS) * len(suite.worlds)) as done:
        runs = [_run(suite, *pair, folder, jobs, done) for pair in PAIRS]
    page = folder / "report.html"
    _report(runs, page)
    tea = demo_tea.demonstrate(folder / "tea", jobs)
    if json:
        emit({**_document(runs, page), "tea": tea})
        return
    for table in tables(runs):
        out().print(table)
    out().print(f"report: {page}", markup=False)
    demo_tea.show(tea)


def _run(
    suite: Suite, agent: str, quiz: str, folder: Path, jobs: int | None, done: Callable[[str], None]
) -> RunRecord:
    return run(
        suite,
        Trial(agent, quiz),
        folder / "runs" / f"{agent}-{quiz}",
        jobs=workers(jobs),
        done=done,
    )


def _report(runs: list[RunRecord], page: Path) -> None:
    from worldquiz.t2q.report.page import build as build_page

    with waiting("writing the report"):
        build_page(runs, page)


def _document(runs: list[RunRecord], page: Path) -> dict[str, Any]:
    return {
        "report": str(page),
        "runs": [
            {"agent": row.agent, "quiz": row.answerer, "role": str(row.role), "scores": row.scores}
            for row in rows(runs)
        ],
    }
