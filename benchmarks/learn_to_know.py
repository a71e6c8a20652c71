"""Does rewarding knowledge help? Train a small policy with each reward, and test it on new worlds.

    uv run python benchmarks/learn_to_know.py OUT [--level easy] [--worlds 100] [--seeds 5]
        [--epochs 15] [--plot docs/images/learning.svg] [--write docs/explanation/PAGE.md]

A policy (`learned_policy`) is trained (`learning`) on `--worlds` worlds with the reward for tasks,
for knowledge, or for both. Then it plays as many worlds that it was not trained on, within the
level's budget of commands. An answerer that reads the text perfectly (`worldgraph`) takes the quiz,
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
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from learned_policy import Learned, Policy, torch
from learning import Counts, Plan, Playground, Remembered
from numpy.typing import NDArray

from worldquiz import rng
from worldquiz.facts import knowledge_score
from worldquiz.facts.episode import Episode, Observation, Outcome
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.records import read_json, write_json, write_text
from worldquiz.report import canvas
from worldquiz.t2q import pipeline
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.scripted import plausible
from worldquiz.t2q.budget import Walkthroughs
from worldquiz.t2q.gym import Knowing, built
from worldquiz.t2q.memory.worldgraph import Reader
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.world.config import PRESETS

REWARDS = ("task", "both", "knowledge")
SHARES = {
    "TSR": ("won", "tasks"),
    "coverage": ("settled", "questions"),
    "reward for knowledge": ("earned", "questions"),
    "knowledge": ("points", "counted"),
}
"""What is measured, each by its counts above and below the line."""
RESAMPLES = 10_000


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


def tested(make: Make, level: str, worlds: int, seed: int, root: Path) -> list[Counts]:
    """Return what an agent's runs in the worlds of the split `test` come to, world by world."""
    return [_tested(make, *built(level, "test", number, root), seed) for number in range(worlds)]


def _tested(make: Make, bundle: Bundle, folder: Path, seed: int) -> Counts:
    spec, tasks, questions = bundle.spec, bundle.tasks, bundle.questions
    brief = Brief(spec, tasks, questions, rng.child_seed(seed, spec.id))
    world = Remembered(spec, folder, Playground.kept.setdefault(folder, ({}, {})))
    budget = Walkthroughs(PRESETS[spec.level].budget)

    async def sat() -> Played:
        episodes = await pipeline.interact(
            world, make(brief), tasks, seed=brief.seed, name="tested", budget=budget
        )
        reader = catalog.answerer("worldgraph", brief)
        return Played(bundle, episodes, await pipeline.examine(reader, episodes, questions))

    record = asyncio.run(sat())
    world.close()
    sitting, knowing = pipeline.sat(record), Knowing(bundle)
    knowing.shown(record.episodes[0].steps[0].revealed)
    settled = sum(result.answerable is not None for result in sitting.results)
    earned = knowledge_score.of(sitting.results)
    return {
        **_verbs(record.episodes),
        "won": sum(attempt.outcome is Outcome.WON for attempt in sitting.attempts),
        "tasks": len(tasks),
        "settled": settled,
        "earned": settled - knowing.settled,
        "questions": len(questions),
        "points": earned.points,
        "counted": earned.counted,
        "commands": sum(attempt.commands for attempt in sitting.attempts),
    }


def _verbs(episodes: Sequence[Episode]) -> Counts:
    """Return how often each verb was given."""
    actions = [step.action for episode in episodes for step in episode.steps if step.action]
    return dict(Counter(f"verb {action.split()[0]}" for action in actions))


# -- the experiment ---------------------------------------------------------------------------


def experiment(plan: Plan, seeds: int, out: Path, say: Callable[[str], None]) -> None:
    """Train and test all that is not in a folder yet."""
    for seed in range(seeds):
        for reward in REWARDS:
            path = out / f"test-{reward}-{seed}.json"
            if not path.is_file():
                policy = plan.trained(reward, seed, out / f"train-{reward}-{seed}.pt", say)
                _write_tested(learnt(policy), plan, seed, path, say)
        for name, make in {**UNLEARNT, **({} if seed else ALWAYS)}.items():
            path = out / f"test-{name}-{seed}.json"
            if not path.is_file():
                _write_tested(make, plan, seed, path, say)


def _write_tested(
    make: Make, plan: Plan, seed: int, path: Path, say: Callable[[str], None]
) -> None:
    found = tested(make, plan.level, plan.worlds, seed, plan.root)
    write_json(path, found)
    say(f"{path.stem}: " + ", ".join(f"{name} {Runs([found], name).value:.3f}" for name in SHARES))


# -- what came of it --------------------------------------------------------------------------

Floats = NDArray[np.float64]


class Runs:
    """One share of an agent's runs: counts by seed and world."""

    def __init__(self, runs: Sequence[Sequence[Counts]], share: str) -> None:
        self.above, self.below = (
            np.array([[world[name] for world in run] for run in runs], dtype=float)
            for name in SHARES[share]
        )

    @property
    def value(self) -> float:
        """The share over all worlds of all seeds."""
        return float(self.above.sum() / self.below.sum())

    def drawn(self, worlds: NDArray[np.int64], name: str) -> Floats:
        """Return the share in each draw of worlds, (draws, worlds), and of as many seeds.

        Seeds are drawn for each agent by itself, by its name.
        """
        stream = np.random.default_rng(rng.child_seed(0, "seeds", name))
        count = len(self.above)
        seeds = stream.multinomial(count, [1 / count] * count, size=len(worlds))
        above, below = (
            ((seeds @ counts) * worlds).sum(axis=1) for counts in (self.above, self.below)
        )
        return np.asarray(above / below)


def drawn_worlds(count: int) -> NDArray[np.int64]:
    """Return how often each draw has each world: (draws, worlds), the same for all agents."""
    stream = np.random.default_rng(rng.child_seed(0, "worlds"))
    return stream.multinomial(count, [1 / count] * count, size=RESAMPLES)


def bounds(draws: Floats) -> str:
    """Return the 95 % interval of draws."""
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"[{low:.2f}, {high:.2f}]"


def read_tested(out: Path) -> dict[str, list[list[Counts]]]:
    """Return the tests of each agent, one a seed."""
    found: dict[str, list[list[Counts]]] = {}
    for name in (*REWARDS, *UNLEARNT, *ALWAYS):
        paths = sorted(out.glob(f"test-{name}-*.json"))
        if paths:
            found[name] = [read_json(path) for path in paths]
    return found


def tables(tests: dict[str, list[list[Counts]]]) -> Iterator[str]:
    """Yield the tables of the results page."""
    (count,) = {len(run) for runs in tests.values() for run in runs}
    worlds = drawn_worlds(count)
    yield from _head("Agent", "Seeds", *SHARES)
    for name, runs in tests.items():
        shares = [Runs(runs, share) for share in SHARES]
        cells = [f"{one.value:.2f} {bounds(one.drawn(worlds, name))}" for one in shares]
        yield _line(_shown(name), str(len(runs)), *cells)
    yield ""
    yield from _head("Difference", *SHARES)
    for left, right in DIFFERENCES:
        if left in tests and right in tests:
            cells = [_difference(tests, left, right, share, worlds) for share in SHARES]
            yield _line(f"{_shown(left)} less {_shown(right)}", *cells)
    yield ""
    verbs = ("go", "open", "unlock", "take", "examine", "look", "other")
    yield from _head("Share of commands", *verbs)
    for name, runs in tests.items():
        yield _line(_shown(name), *(f"{share:.2f}" for share in _spread(runs, verbs)))


DIFFERENCES = (
    ("both", "task"), ("knowledge", "task"), ("both", "knowledge"),
    ("knowledge", "least"), ("knowledge", "random"), ("explorer", "knowledge"),
)  # fmt: skip


def _shown(name: str) -> str:
    return f"trained for {name}" if name in REWARDS else name


def _difference(
    tests: dict[str, list[list[Counts]]], left: str, right: str, share: str, worlds: Any
) -> str:
    ours, theirs = Runs(tests[left], share), Runs(tests[right], share)
    draws = ours.drawn(worlds, left) - theirs.drawn(worlds, right)
    return f"{ours.value - theirs.value:+.2f} {bounds(draws)}"


def _spread(runs: Sequence[Sequence[Counts]], verbs: Sequence[str]) -> list[float]:
    """Return the share of each verb among all commands, all others as the last."""
    given: Counter[str] = Counter()
    for run in runs:
        for world in run:
            given.update({name[5:]: n for name, n in world.items() if name.startswith("verb ")})
    named = [given[verb] / given.total() for verb in verbs[:-1]]
    return [*named, 1 - sum(named)]


def _head(first: str, *rest: str) -> Iterator[str]:
    yield _line(first, *rest)
    yield _line("---", *("---:" for _ in rest))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def picture(out: Path) -> str:
    """Return the learning curves: the worlds that are trained on, a thin line a seed."""

    def fill(figure: Any) -> None:
        for axes, share in zip(figure.subplots(1, 2), ("TSR", "coverage"), strict=True):
            for place, reward in enumerate(REWARDS):
                curves = [
                    _curve(path, share) for path in sorted(out.glob(f"train-{reward}-*.json"))
                ]
                colour = canvas.stand_in(place)
                for curve in curves:
                    axes.plot(range(1, len(curve) + 1), curve, color=colour, lw=0.6, alpha=0.45)
                mean = np.mean(curves, axis=0)
                axes.plot(range(1, len(mean) + 1), mean, color=colour, lw=2.2, label=reward)
            axes.set(title=share, xlabel="epochs (100 worlds each)", ylim=(0, 1.02))
            axes.tick_params(length=0)
        axes.legend(title="trained for", frameon=False, loc="lower right")

    label = "Task success and coverage over epochs of training, for each reward"
    return canvas.standalone(canvas.svg(fill, (9.6, 3.4), "learning", label))


def _curve(path: Path, share: str) -> list[float]:
    above, below = SHARES[share]
    return [epoch[above] / epoch[below] for epoch in read_json(path)]


_MARKS = re.compile(r"(<!-- FIGURES -->\n).*(<!-- /FIGURES -->)", re.DOTALL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--level", default="easy", choices=PRESETS)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--plot", type=Path, help="SVG file of the learning curves")
    parser.add_argument("--write", type=Path, help="page whose tables are written again")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    asked.out.mkdir(parents=True, exist_ok=True)
    plan = Plan(asked.level, asked.worlds, asked.epochs, asked.out / "games")
    experiment(plan, asked.seeds, asked.out, partial(print, flush=True))
    told = "\n".join(tables(read_tested(asked.out)))
    print(told)
    if asked.plot:
        write_text(asked.plot, picture(asked.out))
    if asked.write:
        page = asked.write.read_text("utf-8")
        write_text(asked.write, _MARKS.sub(lambda marks: f"{marks[1]}{told}\n{marks[2]}", page))


if __name__ == "__main__":
    main()
