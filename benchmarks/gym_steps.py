"""How many steps a second does the Gymnasium environment make, beside the bare Z-machine?

    uv run python benchmarks/gym_steps.py [--level medium] [--envs 2] [--steps 2000] [--json]

The same commands are given to one game of a level: to the Z-machine alone, which neither reads the
state nor tells what was shown; to the environment with each reward; and to as many environments at
once, in turn and in processes. A step of a vector counts once for each of its environments.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium
from rich.console import Console
from rich.table import Table

import worldquiz  # noqa: F401  # names the environments
from worldquiz.t2q.training.worlds import built
from worldquiz.t2q.world.play import Machine

WORDS = ("go north", "go south", "go east", "go west", "look", "inventory")


def rate(step: Callable[[str], object], commands: Sequence[str], at_once: int = 1) -> float:
    """Return steps a second of wall time."""
    began = time.perf_counter()
    for command in commands:
        step(command)
    return at_once * len(commands) / (time.perf_counter() - began)


def bare(level: str, folder: Path, commands: Sequence[str]) -> float:
    machine = Machine(built(level, "train", 0, folder)[1] / "game.z8")
    machine.start()
    found = rate(machine.send, commands)
    machine.close()
    return found


def alone(name: str, reward: str, options: dict[str, Any], commands: Sequence[str]) -> float:
    env = gymnasium.make(name, reward=reward, **options)
    env.reset()
    found = rate(env.step, commands)
    env.close()
    return found


def at_once(name: str, mode: str, envs: int, options: dict[str, Any], commands: Any) -> float:
    apart = {"shared_memory": False} if mode == "async" else {}
    many: Any = gymnasium.make_vec(name, envs, mode, apart, reward="both", **options)
    many.reset()
    found = rate(lambda command: many.step((command,) * envs), commands, envs)
    many.close()
    return found


def measured(level: str, envs: int, steps: int) -> dict[str, float]:
    """Return steps a second by what makes them."""
    name = f"worldquiz/T2Q-{level}-v0"
    commands = random.Random(0).choices(WORDS, k=steps)
    with tempfile.TemporaryDirectory() as folder:
        options = {"worlds": 1, "folder": folder, "max_steps": steps + 1}
        found = {"bare Z-machine": bare(level, Path(folder), commands)}
        for reward in ("task", "both"):
            found[f"one, reward {reward}"] = alone(name, reward, options, commands)
        for mode in ("sync", "async"):
            found[f"{envs} {mode}"] = at_once(name, mode, envs, options, commands)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", default="medium")
    parser.add_argument("--envs", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = measured(asked.level, asked.envs, asked.steps)
    if asked.json:
        print(json.dumps({name: round(value, 1) for name, value in found.items()}))
        return
    table = Table("steps", "a second", "of the bare", title=f"{asked.level}, {asked.steps} steps")
    for name, value in found.items():
        table.add_row(name, f"{value:,.0f}", f"{value / found['bare Z-machine']:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
