"""Does rewarding knowledge help? Train a small policy with each reward, and test it on new worlds.

    uv run python benchmarks/learn_to_know.py OUT [--level easy] [--worlds 100] [--seeds 5]
        [--epochs 15] [--test-level explore] [--test-worlds 100]
        [--plot docs/images/learning.svg] [--write docs/explanation/learning-to-know.md]

A policy (`learned_policy`) is trained (`learning`) on `--worlds` worlds with the reward for tasks,
for knowledge, or for both. Then it plays worlds that it was not trained on, within their level's
budget of commands. An answerer that reads the text perfectly (`worldgraph`) takes the quiz,
so what is measured is what the agent went to see. Beside it stand agents that learn nothing, some
of which try to earn the reward for knowledge by a trick:

    waits     says "look" until the budget is spent
    compass   walks in each direction in turn, and reads nothing
    uniform   draws among the commands that make sense
    least     draws among those of them that it gave least often where it stands

Each training keeps its network and its curve in OUT after each epoch, each test its counts world by
world. A killed run goes on there and ends with the same numbers. A second call with more seeds only
does what is missing. PyTorch has to be installed (`just embedder`).
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path

from learned_policy import Learned, Policy, torch
from learning import REWARDS, Counts, Plan
from learning_tables import SHARES, Runs, picture, tables, write_figures

from worldquiz import rng
from worldquiz.facts import knowledge_score
from worldquiz.facts.episode import Episode, Observation, Outcome
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.question import Result
from worldquiz.memory.worldgraph import Reader
from worldquiz.records import read_json, write_json, write_text
from worldquiz.t2q import pipeline
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.scripted import plausible
from worldquiz.t2q.budget import Walkthroughs
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.training import Knowing, built
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game

# -- agents that learn nothing ----------------------------------------------------------------


class Fixed:
    """Gives commands in turn, over and over, and reads nothing."""

    def __init__(self, commands: Sequence[str]) -> None:
        self._commands = cycle(commands)

    async def begin(self, observation: Observation) -> None:
        """Ignore the task."""

    async def act(self, observation: Observation) -> str:
        """Return the next command."""
        return next(self._commands)

    async def end(self, observation: Observation) -> None:
        """Take no note."""


class Drawn:
    """Draws among the commands that make sense; `least`, among those given least often here."""

    def __init__(self, draws: random.Random, *, least: bool) -> None:
        self._draws, self._least = draws, least
        self._reader = Reader()
        self._given: Counter[tuple[str, str]] = Counter()
        self._last: str | None = None

    async def begin(self, observation: Observation) -> None:
        """Take in the start of a task."""
        self._reader.begin(observation)
        self._last = None

    async def act(self, observation: Observation) -> str:
        """Return the next command; it never gives up."""
        if self._last is not None:
            self._reader.step(self._last, observation)
        room = self._reader.now.room
        commands = sorted(plausible(self._reader))
        if self._least:
            fewest = min(self._given[room, command] for command in commands)
            commands = [each for each in commands if self._given[room, each] == fewest]
        self._last = self._draws.choice(commands)
        self._given[room, self._last] += 1
        return self._last

    async def end(self, observation: Observation) -> None:
        """Take no note."""


# -- testing ----------------------------------------------------------------------------------

Say = Callable[[str], None]
Make = Callable[[Brief], Agent]
"""Makes an agent for one world."""


def of_catalogue(name: str) -> Make:
    """Return what makes an agent of the house."""
    return partial(catalog.agent, name)


def learnt(policy: Policy) -> Make:
    """Return what makes agents of a policy."""
    return lambda brief: Learned(policy, rng.child(brief.seed, "draws"))


UNLEARNT: dict[str, Make] = {
    "random": of_catalogue("random"),
    "uniform": lambda brief: Drawn(rng.child(brief.seed, "uniform"), least=False),
    "least": lambda brief: Drawn(rng.child(brief.seed, "least"), least=True),
}
"""Agents that draw, and so are tested with each seed."""
ALWAYS: dict[str, Make] = {
    "walkthrough": of_catalogue("walkthrough"),
    "explorer": of_catalogue("explorer"),
    "waits": lambda brief: Fixed(["look"]),
    "compass": lambda brief: Fixed([f"go {way}" for way in DIRECTIONS]),
}
"""Agents that do the same whatever the seed."""


@dataclass(frozen=True)
class Test:
    """On which worlds of the split `test` agents are tested, and where that is kept."""

    level: str
    worlds: int
    out: Path

    def file(self, name: str, seed: int) -> Path:
        """Return where a test is kept: its counts, world by world."""
        return self.out / f"test-{name}-{seed}.json"

    def write(self, name: str, make: Make, seed: int, say: Say) -> None:
        """Test an agent."""
        found = [
            _tested(make, built(self.level, "test", number), seed) for number in range(self.worlds)
        ]
        write_json(self.file(name, seed), found)
        shares = {share: round(Runs([found], *names).value, 3) for share, names in SHARES.items()}
        say(f"{name} {seed} on {self.level}: {shares}")

    def read(self) -> dict[str, list[list[Counts]]]:
        """Return the tests of each agent, one a seed."""
        found: dict[str, list[list[Counts]]] = {}
        for name in (*REWARDS, *UNLEARNT, *ALWAYS):
            paths = sorted(self.out.glob(f"test-{name}-*.json"))
            if paths:
                found[name] = [read_json(path) for path in paths]
        return found


def _tested(make: Make, bundle: Bundle, seed: int) -> Counts:
    spec, tasks, questions = bundle.spec, bundle.tasks, bundle.questions
    brief = Brief(spec, tasks, questions, rng.child_seed(seed, spec.id))
    budget = Walkthroughs(PRESETS[spec.level].budget)

    async def sat() -> Played:
        episodes = await pipeline.interact(
            Game(spec), make(brief), tasks, seed=brief.seed, name="tested", budget=budget
        )
        reader = catalog.answerer("worldgraph", brief)
        return Played(bundle, episodes, await pipeline.examine(reader, episodes, questions))

    record = asyncio.run(sat())
    sitting, knowing = pipeline.sat(record), Knowing(bundle)
    knowing.shown(record.episodes[0].steps[0].revealed)
    settled = sum(result.answerable is not None for result in sitting.results)
    earned = knowledge_score.of(sitting.results)
    return {
        **_verbs(record.episodes),
        **_types(sitting.results),
        "won": sum(attempt.outcome is Outcome.WON for attempt in sitting.attempts),
        "tasks": len(tasks),
        "settled": settled,
        "earned": settled - knowing.settled,
        "questions": len(questions),
        "points": earned.points,
        "counted": earned.counted,
        "commands": sum(attempt.commands for attempt in sitting.attempts),
    }


def _types(results: Sequence[Result]) -> Counts:
    """Return how many questions of each type there are, and how many could be answered."""
    asked = Counter(f"asked {result.type}" for result in results)
    settled = (f"settled {result.type}" for result in results if result.answerable is not None)
    return {**asked, **Counter(settled)}


def _verbs(episodes: Sequence[Episode]) -> Counts:
    """Return how often each verb was given."""
    actions = [step.action for episode in episodes for step in episode.steps if step.action]
    return dict(Counter(f"verb {action.split()[0]}" for action in actions))


def experiment(plan: Plan, seeds: int, out: Path, test: Test, say: Say) -> None:
    """Train and test all that is not in a folder yet."""
    for seed in range(seeds):
        for reward in REWARDS:
            if not test.file(reward, seed).is_file():
                policy = plan.trained(reward, seed, out / f"train-{reward}-{seed}.pt", say)
                test.write(reward, learnt(policy), seed, say)
        for name, make in {**UNLEARNT, **({} if seed else ALWAYS)}.items():
            if not test.file(name, seed).is_file():
                test.write(name, make, seed, say)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--level", default="easy", choices=PRESETS)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--test-level", choices=PRESETS, help="another level to test on")
    parser.add_argument("--test-worlds", type=int, default=100)
    parser.add_argument("--plot", type=Path, help="SVG file of the learning curves")
    parser.add_argument("--write", type=Path, help="page whose tables are written again")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    asked.out.mkdir(parents=True, exist_ok=True)
    plan = Plan(asked.level, asked.worlds, asked.epochs)
    level = asked.test_level or asked.level
    test = Test(level, asked.test_worlds, asked.out / level)
    test.out.mkdir(exist_ok=True)
    experiment(plan, asked.seeds, asked.out, test, partial(print, flush=True))
    told = "\n".join(tables(test.read()))
    print(told)
    if asked.plot:
        write_text(asked.plot, picture(asked.out))
    if asked.write:
        write_figures(asked.write, told)


if __name__ == "__main__":
    main()
