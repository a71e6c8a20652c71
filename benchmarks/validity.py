"""Is the quiz valid, and can an answerer score without knowledge? Tested on fresh worlds.

    uv run python benchmarks/validity.py [--preset paper] [--worlds 30] [--seed 4242] [--jobs 2]
                                         [--folder DIR] [--json]

On `--worlds` worlds per level, it plays the walkthrough, random, explorer and idle agents, and two
agents that choose commands without our text reader (`tests/games.py`). It measures whether

* every walkthrough wins in the game, and the tasks cover every room and entity;
* the `worldgraph` answerer, which reads text alone, is right on every answerable question and
  abstains on all others (so the text does not settle what was not shown);

and reports the knowledge score of each agent with answerers that know nothing, with `worldgraph`,
and with oracles that are wrong on 1 and on 3 of 10 questions, and the best constant answer for each
type and format.

The exit status is 1 if one of these two fails, the interval of an answerer that knows nothing is
above 0, `ceiling` differs from the oracle's score, or noisier oracles do not score less. With
`--folder`, suite and runs are kept there, and a second call does not play again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from games import play, wild
from worldquiz import rng
from worldquiz.facts.episode import Transcript
from worldquiz.facts.row import ABSTAIN
from worldquiz.runs.executor import each
from worldquiz.t2q import build
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.check import check_worlds
from worldquiz.t2q.compass import COMPASS
from worldquiz.t2q.grade import direction
from worldquiz.t2q.question import (
    CATEGORIES,
    Prompt,
    Question,
    prompt,
)
from worldquiz.t2q.rollout import Played, examine, question_rows, rows_of
from worldquiz.t2q.run import WorldsRun
from worldquiz.t2q.scores import scores
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.suites import Bundle, Suite
from worldquiz.t2q.world.config import Budget

PLAYERS = ("walkthrough", "random", "explorer", "idle")
WILD = ("admissible", "babbler")
WILD_TASKS, WILD_STEPS = 3, 60  # these agents never end a task themselves
BLIND = ("abstainer", "constant", "sheet")
NOISE = (0.1, 0.3)
LEAST = 50  # answerable questions of a type and format that a share needs


class NoisyOracle:
    """Gives wrong answers to a share of the questions, and the oracle's answers to the rest."""

    def __init__(self, oracle: catalog.Seated, noise: float, bundle: Bundle, seed: int) -> None:
        """Wrap the oracle of a world."""
        self._oracle = oracle
        self._noise = noise
        self._rng = rng.child(seed, "noise", str(noise), bundle.spec.id)
        self._questions = {prompt(question): question for question in bundle.questions}
        self._names = [name for name, kind in bundle.spec.kinds.items() if kind == "room"]

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read nothing."""

    async def answer(self, prompt: Prompt) -> str:
        """Return the oracle's reply, or at times a wrong reply."""
        (answer,) = await self._oracle.answers([prompt])
        reply = str(answer.reply)
        if self._rng.random() >= self._noise:
            return reply
        question = self._questions[prompt]
        return question.gold if reply == ABSTAIN else self._mistake(question)

    def _mistake(self, question: Question) -> str:
        names: Sequence[str]
        match question.format:
            case "yes_no":
                return "no" if question.gold == "yes" else "yes"
            case "which":
                names = question.choices
            case "description":
                names = CATEGORIES
            case "where" | "what":
                names = COMPASS if direction(question.gold) else self._names
        return self._rng.choice([each for each in names if each not in question.answers])


@dataclass
class Report:
    """The measurements."""

    sound: dict[str, object]
    ceiling: dict[str, dict[str, int]] = field(default_factory=dict)  # by agent
    knowledge: dict[str, dict[str, Any]] = field(default_factory=dict)  # by agent + answerer
    constants: dict[str, dict[str, object]] = field(default_factory=dict)  # by type and format

    @property
    def faults(self) -> list[str]:
        """Failed requirements, in words."""
        found = [] if self.sound["sound"] else ["a walkthrough or a cover fails"]
        for agent, counts in self.ceiling.items():
            if counts["wrong"] + counts["overclaimed"]:
                found.append(f"{agent}: worldgraph is wrong or answers what was not shown")
        return found + [fault for agent in PLAYERS for fault in self._of(agent)]

    def _of(self, agent: str) -> Iterator[str]:
        for answerer in BLIND:
            low, _ = self.knowledge[f"{agent} + {answerer}"]["ci"] or (0.0, 0.0)
            if low > 0:
                yield f"{agent} + {answerer}: knows nothing and scores above 0"
        names = ["oracle", *(f"noisy({noise})" for noise in NOISE)]
        ordered = [self.knowledge[f"{agent} + {name}"]["knowledge"] for name in names]
        if any(ordered) and ordered != sorted(set(ordered), reverse=True):
            yield f"{agent}: noisier oracles do not score less: {ordered}"
        oracle = self.knowledge[f"{agent} + oracle"]
        if abs(oracle["knowledge"] - oracle["ceiling"]) > 1e-9:
            yield f"{agent}: the oracle's score is not the ceiling"


def agreement(worlds: Iterable[Played]) -> dict[str, int]:
    """Count the questions on which the text-only answerer and the exam agree."""
    counts = Counter({"answerable": 0, "non_answerable": 0, "wrong": 0, "overclaimed": 0})
    for row in (r for played in worlds for r in question_rows(played)):
        right = row.grade == 1
        if not row.shown:
            counts["non_answerable"] += 1
            counts["overclaimed"] += not right
        else:
            counts["answerable"] += 1
            counts["wrong"] += not right
    return dict(counts)


def sat(suite: Path, agent: str, seed: int, world: str) -> Played:
    """Let an agent play a world and `worldgraph` take its quiz."""
    run = WorldsRun(Suite.load(suite), agent, "worldgraph", T2QSettings(seed=seed))
    return asyncio.run(run.sit(world))


def played_wild(suite: Path, seed: int, name: str, world: str) -> Played:
    """Let an agent that does not use our text reader play some tasks of a world."""
    opened = Suite.load(suite)
    bundle = opened.bundle(world)
    tasks = bundle.tasks[:WILD_TASKS]
    bundle = replace(bundle, tasks=tasks)
    seed = rng.child_seed(seed, name, world)
    with opened.opened(bundle) as game:
        episodes = play(game, wild(name, bundle, seed), tasks, seed=seed, name=name,
                        budget=Budget(WILD_STEPS))  # fmt: skip
    begun = Played(bundle, tuple(episodes), ())
    return answered(begun, "worldgraph", seed)


def answered(played: Played, answerer: str, seed: int) -> Played:
    """Return the same episodes with the answers of another answerer or a noisy oracle."""
    bundle = played.bundle
    name, _, noise = answerer.rstrip(")").partition("(")
    made = catalog.ANSWERERS.made("oracle" if noise else name, bundle, seed, played.episodes)
    if noise:
        noisy = NoisyOracle(made, float(noise), bundle, seed)
        made = catalog.ANSWERERS.seated(noisy, noisy, bundle.spec.id)
    replies = asyncio.run(examine(made, played.episodes, played.bundle.questions))
    return replace(played, answers=replies)


def headline(worlds: Iterable[Played]) -> dict[str, Any]:
    """Return the knowledge score of an agent and an answerer, its interval and its ceiling."""
    found = scores(row for played in worlds for row in rows_of(played, "", ""))
    return {
        "knowledge": found["knowledge"],
        "ci": found["knowledge_ci"],
        "ceiling": found["ceiling"],
        "coverage": found["coverage"],
        "tsr": found["tsr"],
        "eus": found["eus"],
    }


def constants(worlds: Iterable[Played]) -> dict[str, dict[str, object]]:
    """Return the best constant answer for each type and format (for choices, a position)."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for played in worlds:
        questions = {question.id: question for question in played.bundle.questions}
        for row in question_rows(played):
            if row.shown:
                question = questions[row.item]
                name = question.gold
                if question.format == "which":
                    name = f"choice {question.choices.index(question.gold) + 1}"
                answers[f"{row.type}/{row.format}"][name] += 1
    best = {}
    for kind, counter in sorted(answers.items()):
        (answer, count), total = counter.most_common(1)[0], counter.total()
        if total >= LEAST:
            best[kind] = {"answer": answer, "share": round(count / total, 3), "asked": total}
    return best


def measure(suite: Suite, folder: Path, jobs: int, seed: int) -> Report:
    """Play everything and measure."""
    report = Report(sound=(check_worlds(suite, jobs=jobs)))
    played: list[Played] = []
    readers = (*BLIND, "worldgraph", "oracle", *(f"noisy({noise})" for noise in NOISE))
    for agent in PLAYERS:
        work = partial(sat, suite.path, agent, seed)
        whole = [found for _, found in each(work, suite.worlds, jobs=jobs)]
        report.ceiling[agent] = agreement(whole)
        played += whole
        for reader in readers:
            report.knowledge[f"{agent} + {reader}"] = headline(
                answered(one, reader, seed) for one in whole
            )
    with ProcessPoolExecutor(jobs) as pool:
        for agent in WILD:
            work = partial(played_wild, suite.path, seed, agent)
            report.ceiling[agent] = agreement(pool.map(work, suite.worlds))
    report.constants = constants(played)
    return report


def show(report: Report, console: Console) -> None:
    """Print the tables."""
    console.print("Walkthroughs and covers:", report.sound)
    table = Table("agent", "answerable", "wrong", "non-answerable", "not abstained",
                  title="worldgraph, text alone")  # fmt: skip
    for agent, counts in report.ceiling.items():
        keys = ("answerable", "wrong", "non_answerable", "overclaimed")
        table.add_row(agent, *(str(counts[key]) for key in keys))
    console.print(table)
    table = Table("agent + answerer", "knowledge", "95 %", "ceiling", "coverage", "TSR", "EUS")
    for name, found in report.knowledge.items():
        shares = (found[key] for key in ("ceiling", "coverage", "tsr", "eus"))
        bounds = "-" if found["ci"] is None else "[{:.3f}, {:.3f}]".format(*found["ci"])
        table.add_row(name, f"{found['knowledge']:.3f}", bounds, *(_share(s) for s in shares))
    console.print(table)
    table = Table("type / format", "best constant", "share of answerable", "of")
    for kind, best in report.constants.items():
        table.add_row(kind, *(str(best[key]) for key in ("answer", "share", "asked")))
    console.print(table)
    console.print(*(report.faults or ["valid"]), sep="\n")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--worlds", type=int, default=30, help="worlds per level")
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="folder that keeps suite and runs")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="worldquiz-validity-") as scratch:
        folder = options.folder or Path(scratch)
        suite = build(
            options.preset, seed=options.seed, worlds=options.worlds, out=folder / "suite",
            jobs=options.jobs,
        )  # fmt: skip
        report = measure(suite, folder, options.jobs, options.seed)
    if options.json:
        told = {**asdict(report), "faults": report.faults}
        print(json.dumps(told, indent=2, sort_keys=True))
    else:
        show(report, Console())
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
