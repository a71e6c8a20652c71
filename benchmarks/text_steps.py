"""Measure steps per CPU second in text worlds: ours and other engines'.

    uv run --with textworld-express python benchmarks/text_steps.py [--level medium]
        [--commands 5000] [--seconds 1] [--rounds 3] [--json]

The same random admissible commands play one world of a level through its rules in Python, through
the whole protocol (`Game`), through the Gymnasium environment, and through Jericho, in a game that
is compiled from the world. The environment plays one long episode, some worlds in turn within the
level's own budget, or a new world each time. The time of resets counts, and a step of a vector
counts once for each of its environments. TextWorldExpress is played at random, too, and lists the
valid actions at each step.

It counts user and system time of this process and its children, in the best round of each engine;
the engines take turns. Imports, compiling, and a Java machine's start and first steps are left out;
its other work during a round is not.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count, cycle, groupby, islice, product
from operator import itemgetter
from pathlib import Path
from typing import Any

import gymnasium
import psutil  # type: ignore[import-untyped]
from rich.console import Console
from rich.table import Table

from worldquiz.errors import MissingExtra
from worldquiz.t2q.gym import T2QEnv, built
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game, inventory, outcome
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.words import Command, understand

Steps = Iterator[object]
"""Plays without end; each item is one step."""
Episodes = Sequence[tuple[Any, Sequence[str]]]
"""The target of a reset (a task or a world's number), and the commands until the next reset."""
Named = Iterator[tuple[str, Steps]]
WORLDS = 20
WARM = 30_000
"""Steps until a Java machine has compiled its code, after which they are five times cheaper."""


def cpu() -> float:
    """Return the CPU seconds of this process and its children."""
    here = psutil.Process()
    return sum(sum(each.cpu_times()[:4]) for each in (here, *here.children(recursive=True)))


def rate(steps: Steps, seconds: float) -> float:
    """Return the steps per CPU second of a round."""
    done, took, began = 0, 0.0, cpu()
    while took < seconds:
        done += sum(1 for _ in islice(steps, done or 100))
        took = cpu() - began
    return done / took


def drawn(env: T2QEnv, number: int) -> Iterator[tuple[int, str]]:
    """Play an episode with random admissible commands; yield task number and command."""
    draws, over = random.Random(number), False
    _, info = env.reset(seed=number)
    while not over:
        command = draws.choice(info["admissible_commands"])
        yield info["task"], command
        _, _, won, cut, info = env.step(command)
        over = won or cut


def by_rules(spec: WorldSpec, tasks: Episodes) -> Steps:
    start, parsed = Game(spec).situation, []
    for _, commands in tasks:
        now = start
        for number, command in enumerate(commands):
            told = understand(command, now.scope())
            assert isinstance(told, Command)
            parsed.append((number, told))
            _, now, _ = outcome(now, told)
    for number, told in cycle(parsed):
        text, now, _ = outcome(now if number else start, told)
        yield text, inventory(now.carried)


def replayed(
    reset: Callable[[Any], object], step: Callable[[str], object], episodes: Episodes
) -> Steps:
    for start, commands in cycle(episodes):
        reset(start)
        yield from map(step, commands)


def by_env(env: T2QEnv, episodes: Episodes) -> Steps:
    return replayed(lambda number: env.reset(seed=number), env.step, episodes)


def by_vector(two: Any, episodes: Episodes) -> Steps:
    for seen in replayed(lambda _: two.reset(), lambda each: two.step((each, each)), episodes):
        yield from (seen, seen)


def by_express(env: Any) -> Steps:
    draws = random.Random(0)
    while True:
        (_, info), over = env.reset(gameFold="train"), False
        while not over:
            _, _, over, info = env.step(draws.choice(info["validActions"]))
            yield info


def in_python(spec: WorldSpec, tasks: Episodes, level: str) -> Named:
    """Yield the players in Python."""
    game = Game(spec)
    yield "rules alone, parsed commands", by_rules(spec, tasks)
    yield "Game", replayed(game.reset, game.step, tasks)
    yield "Game, admissible", replayed(game.reset, lambda c: (game.step(c), game.admissible), tasks)
    long = [(0, [command for _, commands in tasks for command in commands])]
    one: dict[str, Any] = {"worlds": 1, "max_steps": len(long[0][1]) + 1}
    some = T2QEnv(level, worlds=WORLDS, admissible=True)
    short = [(number, [command for _, command in drawn(some, number)]) for number in range(WORLDS)]
    for reward, admissible in product(("task", "both"), (False, True)):
        name = f"T2QEnv, {reward}{', admissible' if admissible else ''}"
        asked: dict[str, Any] = {"reward": reward, "admissible": admissible}
        yield f"{name}, one episode", by_env(T2QEnv(level, **asked, **one), long)
        yield f"{name}, {WORLDS} worlds", by_env(T2QEnv(level, **asked, worlds=WORLDS), short)
    new = T2QEnv(level, **asked)
    yield f"{name}, new worlds", (each for number in count(WORLDS) for each in drawn(new, number))
    for mode, options in (("sync", {}), ("async", {"shared_memory": False})):
        id = f"worldquiz/T2Q-{level}-v0"
        two = gymnasium.make_vec(id, 2, mode, options, reward="both", **one)
        yield f"2 of T2QEnv {mode}, both, one episode", by_vector(two, long)


def in_machines(spec: WorldSpec, tasks: Episodes, folder: Path) -> Named:
    """Yield the player of the compiled game."""
    import jericho

    from worldquiz.t2q.games import compiled, make, source

    warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
    game = folder / "game.z8"
    game.write_bytes(compiled(source(make(spec)[0].build(validate=False)), spec.id))
    env = jericho.FrotzEnv(str(game))
    yield "Jericho", replayed(lambda _: env.reset(), env.step, tasks)


def in_java(spec: WorldSpec) -> Named:
    """Yield TextWorldExpress with games of about our size."""
    from textworld_express import TextWorldExpressEnv  # type: ignore[import-not-found]

    size = f"numLocations={min(len(spec.rooms), 11)},numDistractorItems=10,includeDoors=1"
    for name in ("coin", "cookingworld"):
        env = TextWorldExpressEnv()
        env.load(name, size)
        steps = by_express(env)
        deque(islice(steps, WARM), maxlen=0)
        yield f"TextWorldExpress, {name}", steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--level", default="medium", choices=PRESETS)
    parser.add_argument("--commands", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    bundle = built(asked.level, "train", 0)
    env = T2QEnv(asked.level, worlds=1, max_steps=asked.commands + 1, admissible=True)
    script = islice(drawn(env, 0), asked.commands)
    tasks = [(bundle.tasks[number - 1], [command for _, command in part])
             for number, part in groupby(script, itemgetter(0))]  # fmt: skip
    spec, every, missing = bundle.spec, list[tuple[str, Steps]](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for group in (in_python(spec, tasks, asked.level), in_machines(spec, tasks, Path(folder)),
                      in_java(spec)):  # fmt: skip
            try:
                every += group
            except (ImportError, MissingExtra, OSError) as error:
                missing.append(f"left out: {error}")
        found = dict.fromkeys(map(itemgetter(0), every), 0.0)
        for _, (name, steps) in product(range(asked.rounds), every):
            found[name] = max(found[name], rate(steps, asked.seconds))
    if asked.json:
        print(json.dumps({name: round(value) for name, value in found.items()}, indent=2))
        return
    title = f"{asked.level}: {len(spec.rooms)} rooms, {len(spec.kinds) - len(spec.rooms)} things"
    table = Table("", "steps a CPU second", "μs", title=title)
    for name, value in found.items():
        table.add_row(name, f"{value:,.0f}", f"{1e6 / value:,.1f}")
    Console().print(table, *missing, sep="\n", markup=False)


if __name__ == "__main__":
    main()
