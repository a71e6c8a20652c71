"""How many steps a second do the Gymnasium environments make, alone and many at once?

    uv run python benchmarks/gym_steps.py [--of T2Q] [--level medium] [--envs 2] [--steps 2000]

T2Q: the same commands are given to one game of a level: to the Z-machine alone, which neither reads
the state nor tells what was shown; to the environment with each reward; and to as many environments
at once, in turn and in processes. MANGO and TEA: one environment as text and structured, and as
many structured ones at once, which act at random in one world each. A step of a vector counts once
for each of its environments.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
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


def played(make: Callable[[], Any], steps: int) -> float:
    """Return steps a second of an environment or a vector that acts at random, resets included."""
    env = make()
    env.reset(seed=0)
    env.action_space.seed(0)
    alone = not hasattr(env, "num_envs")

    def step(action: Any) -> None:
        ended = env.step(action)[2:4]
        if alone and any(ended):
            env.reset()

    actions = [env.action_space.sample() for _ in range(steps)]
    found = rate(step, actions, 1 if alone else env.num_envs)
    env.close()
    return found


def of_other(of: str, level: str, envs: int, steps: int) -> dict[str, float]:
    """Return steps a second of environments of MANGO or TEA, by what makes them."""
    name = f"worldquiz/{of}-{level}-v0"
    few: dict[str, Any] = {"worlds": envs}
    found = {
        f"one, {seen}": played(partial(gymnasium.make, name, observation=seen, **few), steps)
        for seen in ("text", "structured")
    }
    for mode in ("sync", "async"):
        apart = {"context": "spawn"} if mode == "async" else {}
        make = partial(gymnasium.make_vec, name, envs, mode, apart, observation="structured", **few)
        found[f"{envs} {mode}, structured"] = played(make, steps)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--of", choices=("T2Q", "MANGO", "TEA"), default="T2Q")
    parser.add_argument("--level", default="medium")
    parser.add_argument("--envs", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.of == "T2Q":
        found = measured(asked.level, asked.envs, asked.steps)
    else:
        found = of_other(asked.of, asked.level, asked.envs, asked.steps)
    if asked.json:
        print(json.dumps({name: round(value, 1) for name, value in found.items()}))
        return
    title = f"{asked.of}, {asked.level}, {asked.steps} steps"
    first, whole = next(iter(found.items()))
    table = Table("steps", "a second", f"of: {first}", title=title)
    for name, value in found.items():
        table.add_row(name, f"{value:,.0f}", f"{value / whole:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
