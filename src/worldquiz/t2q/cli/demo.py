"""The demo's Task2Quiz part: pairs of agent and answerer in six worlds, and their report.

In these worlds whoever wins all tasks has seen everything. So three pairs also play two worlds of
`explore`, which their tasks do not lead through.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldquiz.cli.shell import progress, resumable, waiting
from worldquiz.errors import KEPT
from worldquiz.page import html
from worldquiz.runs.run import Run, report
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
EXPLORE = Plan("explore", seed=7, worlds=2)
EXPLORING = tuple((agent, "worldgraph") for agent in ("random", "walkthrough", "explorer"))


def demo(folder: Path, jobs: int) -> Iterator[Any]:
    """Build worlds, let each pair play and answer, and write their report."""
    html.require()
    runs, told = list[Run](), list[dict[str, Any]]()
    for plan, pairs, out in ((PLAN, PAIRS, folder), (EXPLORE, EXPLORING, folder / "explore")):
        with resumable(KEPT), progress("Task2Quiz: building", len(plan.slots)) as done:
            suite = build(
                plan.preset, worlds=plan.worlds, seed=plan.seed, out=out / "suite", jobs=jobs,
                progress=done,
            )  # fmt: skip
        steps = len(pairs) * len(suite.worlds)
        with resumable(KEPT), progress("Task2Quiz: playing", steps) as done:
            for agent, answerer in pairs:
                place = out / "runs" / f"{agent}-{answerer}"
                run = suite.run(
                    agent=agent, answerer=answerer, out=place, jobs=jobs, progress=done
                )  # fmt: skip
                runs.append(run)
                told.append({
                    "preset": plan.preset, "agent": agent, "answerer": answerer,
                    "role": str(role(agent, answerer)), "scores": dict(run.scores),
                })  # fmt: skip
    with waiting("Task2Quiz: writing the report"):
        page = report(runs[: len(PAIRS)], folder / "report.html")
    yield {"report": str(page), "runs": told}
    for preset in (PLAN.preset, EXPLORE.preset):
        some = [each for each in told if each["preset"] == preset]
        yield f"Preset {preset}:"
        yield from tables_of([(f"{r['agent']} + {r['answerer']}", r["scores"]) for r in some])
    yield f"report: {page}"
