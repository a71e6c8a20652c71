"""The demo's Task2Quiz part: pairs of agent and answerer in six worlds, and in two of `explore`.

In the six worlds whoever wins all tasks has seen everything; through those of `explore` the tasks
do not lead.
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
"""From knowing nothing to knowing all: what any agent's numbers lie between."""
EXPLORE = Plan("explore", seed=7, worlds=2)


def demo(folder: Path, jobs: int) -> Iterator[tuple[str, Sequence[Run]]]:
    """Build worlds, let each pair play and answer, and say what comes of it."""
    runs = _played(folder, PLAN, PAIRS, jobs)
    idle, acting, guessing = (run.scores for run in runs[:3])
    counts, guessed = acting["counts"], decimal(guessing["knowledge"])
    won = "{won} of {tasks} tasks, yet sees {answerable} of {questions} answers"
    yield f"random play wins {won.format(**counts)}.", runs
    nothing = decimal(idle["knowledge"])
    yield f"guessing earns {guessed}, declining every question {nothing}.", runs
    (run,) = _played(folder, EXPLORE, (("walkthrough", "worldgraph"),), jobs)
    share = decimal(run.scores["coverage"])
    yield f"winning every task of `explore` shows {share} of the answers.", [run]


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
