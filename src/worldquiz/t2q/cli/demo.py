"""Task2Quiz in the demo: five pairs of agent and answerer play six worlds of the paper's levels.

Winning all tasks shows everything there, but not in two `explore` worlds that one pair plays too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from worldquiz.cli.shell import working
from worldquiz.page.labels import decimal
from worldquiz.runs.run import Run
from worldquiz.t2q.builder import Plan, finish
from worldquiz.t2q.front import load

PLAN = Plan("paper", seed=7, worlds=2)
PAIRS = (
    ("idle", "abstainer"),
    ("random", "worldgraph"),
    ("walkthrough", "sheet"),
    ("walkthrough", "worldgraph"),
    ("explorer", "oracle"),
)
"""Baselines from knowing nothing to knowing everything."""
EXPLORE = Plan("explore", seed=7, worlds=2)


def demo(folder: Path, jobs: int) -> Iterator[tuple[str, Sequence[Run]]]:
    """Build worlds, let each pair play and answer, and yield each finding with its runs."""
    runs = _played(folder, PLAN, PAIRS, jobs)
    idle, acting, guessing = (run.scores for run in runs[:3])
    counts, guessed = acting["counts"], decimal(guessing["knowledge"])
    won = "wins {won} of {tasks} tasks, and is shown the answers to {answerable} of {questions}"
    yield f"the random agent {won.format(**counts)} questions.", runs
    nothing = decimal(idle["knowledge"])
    yield f"knowledge is {guessed} for a guesser, {nothing} for abstaining from everything.", runs
    (run,) = _played(folder, EXPLORE, (("walkthrough", "worldgraph"),), jobs)
    most = decimal(run.scores["ceiling"])
    yield f"winning every task of the preset `explore` leaves a ceiling of {most}.", [run]


def _played(folder: Path, plan: Plan, pairs: Sequence[tuple[str, str]], jobs: int) -> list[Run]:
    home, runs = folder / plan.preset, list[Run]()
    with working("Task2Quiz: building", len(plan.slots), "what is built is kept") as done:
        finish(plan, home / "suite", jobs=jobs, done=done)
    suite = load(home / "suite")
    steps = len(pairs) * len(suite.worlds)
    with working("Task2Quiz: playing", steps, "what is played is kept") as done:
        for agent, answerer in pairs:
            place = home / f"{agent}-{answerer}"
            runs.append(
                suite.run(agent=agent, answerer=answerer, out=place, jobs=jobs, progress=done)
            )
    return runs
