"""What do agents without learning earn in the Gymnasium environments of MANGO and TEA?

    uv run python benchmarks/gym_baselines.py [--worlds 50] [--json]

Mean reward of an episode over test worlds, with the steps it took. MANGO: an idle agent, a random
one and the walkthrough of the maze. TEA: a random walk, one that walks straight on, one that goes
to the thing if it sees it and turns otherwise, and the shortest way.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from worldquiz.mango.gym import WAYS, MazeEnv
from worldquiz.rng import child
from worldquiz.scenes.env import LONGEST
from worldquiz.tea.gym import WalkEnv

_THERE = r"{} \(([\d.]+) m, turn (-?\d+)\)"
Act = Callable[[str], str | None]


def episode(env: Any, act: Act, seed: int) -> tuple[float, int]:
    """Return the reward of an episode, and its steps; None ends it."""
    seen, _ = env.reset(seed=seed)
    total, steps, over = 0.0, 0, False
    while not over and (action := act(seen["text"])) is not None:
        seen, reward, done, cut, _ = env.step(action)
        total, steps, over = total + reward, steps + 1, done or cut
    return total, steps


def walkthrough(env: MazeEnv) -> Iterator[str]:
    """Yield the commands of the maze that the episode is in, once it has begun."""
    for step in env._game.maze.walkthrough[1:]:
        yield step.action


def maze_agents(env: MazeEnv, seed: int) -> dict[str, Act]:
    draw, commands = child(seed, "random explorer"), walkthrough(env)
    return {
        "idle": lambda text: None,
        "random": lambda text: draw.choice(WAYS),
        "walkthrough": lambda text: next(commands, None),
    }


def seeker(text: str) -> str:
    """Go to the thing if it is in view, else turn by a third of a circle and walk a little."""
    label = re.escape(text.split("Go to the ")[1].split(". ")[0])
    found = re.search(_THERE.format(label), text)
    if found is None:
        return json.dumps({"turn": 60, "walk": 0.5})
    return json.dumps({"turn": float(found[2]), "walk": min(float(found[1]), LONGEST)})


def shortest(env: WalkEnv) -> Act:
    def act(text: str) -> str:
        errand, walk = env._errand, env._walk
        assert walk is not None
        move = errand.ways.to(errand.goal).moves(walk.walker.pose, LONGEST)[0]
        return json.dumps({"turn": move.turn, "walk": move.walk})

    return act


def walkers(env: WalkEnv, seed: int) -> dict[str, Act]:
    draw = random.Random(seed)
    return {
        "random": lambda text: json.dumps(
            {"turn": draw.uniform(-180, 180), "walk": draw.uniform(0, LONGEST)}
        ),
        "straight on": lambda text: json.dumps({"walk": LONGEST}),
        "seeker": seeker,
        "shortest way": shortest(env),
    }


def measured(worlds: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return reward and steps, by environment and agent."""
    found: dict[str, dict[str, list[tuple[float, int]]]] = {}
    for level in ("small", "medium", "large"):
        for reward in ("moves", "routes"):
            env: Any = MazeEnv(level, split="test", reward=reward)
            name = f"MANGO-{level}, reward {reward}"
            for seed in range(worlds):
                for agent, act in maze_agents(env, seed).items():
                    found.setdefault(name, {}).setdefault(agent, []).append(episode(env, act, seed))
    for level in ("tiny", "paper"):
        env = WalkEnv(level, split="test", observation="text", worlds=worlds)
        for seed in range(worlds):
            for agent, act in walkers(env, seed).items():
                name = f"TEA-{level}"
                found.setdefault(name, {}).setdefault(agent, []).append(episode(env, act, seed))
        env.close()
    return {
        name: {
            agent: {"reward": fmean(r for r, _ in each), "steps": fmean(s for _, s in each)}
            for agent, each in agents.items()
        }
        for name, agents in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = measured(asked.worlds)
    if asked.json:
        print(json.dumps(found))
        return
    table = Table("environment", "agent", "reward", "steps", title=f"{asked.worlds} test worlds")
    for name, agents in found.items():
        for agent, each in agents.items():
            table.add_row(name, agent, f"{each['reward']:.2f}", f"{each['steps']:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
