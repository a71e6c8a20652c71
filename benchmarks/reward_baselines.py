"""What does each reward pay to agents that learn nothing, and to those that know all?

    uv run python benchmarks/reward_baselines.py [--level easy] [--worlds 40] [--split train]

Every pair of an agent and an answerer plays the same worlds. The rewards `task` and `knowledge` are
those of Gymnasium's environment; `quiz` is the knowledge score of the answers. Who answers without
playing, or plays without reading, should earn about 0 from the quiz. A mean stands beside its 95 %
interval, taken over worlds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from statistics import mean, stdev
from typing import get_args

from rich.console import Console
from rich.table import Table

from worldquiz.splits import Split
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.pipeline import examine, interact
from worldquiz.t2q.training import Worlds, quiz_score
from worldquiz.t2q.world.config import PRESETS

PAIRS = (
    ("idle", "abstainer"),
    ("idle", "constant"),
    ("idle", "sheet"),
    ("idle", "wording"),
    ("explorer", "constant"),
    ("explorer", "wording"),
    ("idle", "worldgraph"),
    ("random", "worldgraph"),
    ("walkthrough", "worldgraph"),
    ("explorer", "worldgraph"),
    ("explorer", "oracle"),
)
"""Lower bounds first: the first six read nothing that the game says."""
REWARDS = ("task", "knowledge", "quiz")


async def earned(worlds: Worlds, number: int, agent: str, answerer: str) -> dict[str, float]:
    """Return what a pair earns in a world."""
    watched = worlds.opened(number)
    bundle = watched.bundle
    brief = Brief(watched.spec, bundle.tasks, bundle.questions, number)
    episodes = await interact(
        watched, agents.agent(agent, brief), bundle.tasks,
        seed=number, name=agent, budget=worlds.budget,
    )  # fmt: skip
    answers = await examine(agents.answerer(answerer, brief, episodes), episodes, bundle.questions)
    replies = [answer.reply for answer in answers]
    return {
        "task": watched.earned("task"),
        "knowledge": watched.earned("knowledge"),
        "quiz": quiz_score(bundle, episodes, bundle.questions, replies),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", default="easy", choices=PRESETS)
    parser.add_argument("--split", default="train", choices=get_args(Split))
    parser.add_argument("--worlds", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    worlds = Worlds(asked.level, asked.split, worlds=asked.worlds)
    found = {
        f"{agent} + {answerer}": [
            asyncio.run(earned(worlds, number, agent, answerer)) for number in range(asked.worlds)
        ]
        for agent, answerer in PAIRS
    }
    if asked.json:
        print(json.dumps(found))
        return
    table = Table("agent + answerer", *REWARDS, title=f"{asked.level}, {asked.worlds} worlds")
    for pair, each in found.items():
        table.add_row(pair, *(_mean([one[name] for one in each]) for name in REWARDS))
    Console(width=80).print(table)


def _mean(values: list[float]) -> str:
    half = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{mean(values):+.2f} ± {half:.2f}"


if __name__ == "__main__":
    main()
