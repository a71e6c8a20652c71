"""The demo's Task2Quiz part: pairs of agent and answerer in six worlds.

In these worlds whoever wins all tasks has seen everything. So three pairs also play two worlds of
`explore`, which their tasks do not lead through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from worldquiz.cli.shell import working
from worldquiz.runs.run import Run
from worldquiz.t2q.builder import Plan, finish
from worldquiz.t2q.front import load

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


def demo(folder: Path, jobs: int) -> Iterator[Sequence[Run]]:
    """Build worlds, and let each pair play and answer."""
    for plan, pairs in ((PLAN, PAIRS), (EXPLORE, EXPLORING)):
        home, runs = folder / plan.preset, list[Run]()
        with working("Task2Quiz: building", len(plan.slots), "what is built is kept") as done:
            finish(plan, home / "suite", jobs=jobs, done=done)
        suite = load(home / "suite")
        steps = len(pairs) * len(suite.worlds)
        with working("Task2Quiz: playing", steps, "what is played is kept") as done:
            for agent, answerer in pairs:
                place = home / f"{agent}-{answerer}"
                runs.append(suite.run(
                    agent=agent, answerer=answerer, out=place, jobs=jobs, progress=done
                ))  # fmt: skip
        yield runs
