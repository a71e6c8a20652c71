"""What does each reward pay to agents that learn nothing, and to those that know all?

    uv run python benchmarks/reward_baselines.py [--level easy] [--worlds 40] [--split train]

Every pair of an agent and an answerer plays the same worlds, by the code that pays trainers. Who
answers without playing, or plays without reading, should earn about 0 from the quiz. A mean stands
beside its 95 % interval, taken over worlds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import asdict
from statistics import mean, stdev
from typing import get_args

from rich.console import Console
from rich.table import Table

from worldquiz.splits import Split
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.training.rewards import Rewards, played
from worldquiz.t2q.training.worlds import Worlds
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


def earned(worlds: Worlds, number: int, agent: str, answerer: str) -> Rewards:
    """Return what a pair earns in a world."""
    watched = worlds.opened(number)
    brief = Brief(watched.spec, watched.bundle.tasks, watched.bundle.questions, number)
    asyncio.run(
        played(
            watched,
            agents.agent(agent, brief),
            lambda episodes: agents.answerer(answerer, brief, episodes),
            name=agent,
            budget=worlds.budget,
        )
    )
    return watched.rewards


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
            asdict(earned(worlds, number, agent, answerer)) for number in range(asked.worlds)
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
