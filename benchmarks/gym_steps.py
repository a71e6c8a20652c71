"""Measure steps per second of TEA's environments, alone and several at once.

    uv run python benchmarks/gym_steps.py [--level tiny] [--envs 2] [--steps 2000]

One environment, and `--envs` at once, act at random, each in one world. A step of a vector counts
once for each of its environments. In addition, a walk is measured with different observations,
since only observed data are drawn. `text_steps.py` measures Task2Quiz's environment.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
from rich.console import Console
from rich.table import Table

import worldquiz.gym  # noqa: F401  # registers the environments


def played(make: Callable[[], Any], steps: int) -> float:
    """Return steps per second of a randomly acting environment or vector, with resets."""
    env = make()
    env.reset(seed=0)
    env.action_space.seed(0)
    alone = not hasattr(env, "num_envs")
    actions = [env.action_space.sample() for _ in range(steps)]
    began = time.perf_counter()
    for action in actions:
        ended = env.step(action)[2:4]
        if alone and any(ended):
            env.reset()
    took = time.perf_counter() - began
    env.close()
    return (1 if alone else int(env.num_envs)) * steps / took


def measured(level: str, envs: int, steps: int) -> dict[str, float]:
    """Return steps per second of wall time, for one environment and for vectors."""
    name = f"worldquiz/TEA-{level}-v0"
    found = {"one": played(partial(gymnasium.make, name, worlds=envs), steps)}
    for mode in ("sync", "async"):
        apart = {"context": "spawn"} if mode == "async" else {}
        vector = partial(gymnasium.make_vec, name, envs, mode, apart, worlds=envs)
        found[f"{envs} {mode}"] = played(vector, steps)
    return found


def walked(level: str, steps: int) -> dict[str, float]:
    """Return steps per second of a walk through one apartment, for each set of observations."""
    from worldquiz_scenes.build import build
    from worldquiz_scenes.env import EVERYTHING, SceneEnv
    from worldquiz_scenes.generate import suite
    from worldquiz_scenes.render import Canvas

    found, size = {}, (160, 120)
    with Canvas(build(suite(level, 0, 1)[0]), size=size) as canvas:
        for observe in (("pose",), ("depth", "pose"), EVERYTHING):
            make = partial(SceneEnv, canvas, observe=observe, size=size, steps=100)
            found[f"walk, {', '.join(observe)}"] = played(make, steps)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", choices=("tiny", "paper"), default="tiny")
    parser.add_argument("--envs", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = measured(asked.level, asked.envs, asked.steps)
    found |= walked(asked.level, asked.steps)
    if asked.json:
        print(json.dumps({name: round(value, 1) for name, value in found.items()}))
        return
    title = f"TEA, {asked.level}, {asked.steps} steps"
    first, whole = next(iter(found.items()))
    table = Table("steps", "a second", f"of: {first}", title=title)
    for name, value in found.items():
        table.add_row(name, f"{value:,.0f}", f"{value / whole:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
