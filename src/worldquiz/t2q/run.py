"""Run a player and a quiz taker over a suite, world by world; what was finished before is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from worldquiz import rng
from worldquiz.errors import CatalogError, KnobError
from worldquiz.facts.episode import Episode
from worldquiz.records import write_json
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed, unfinished, world_folder, write_folder
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, Brief
from worldquiz.t2q.store import Bundle, Played, Run, read_run, write_played
from worldquiz.t2q.suite import Suite, open_suite, versions
from worldquiz.t2q.world.base import World

Taker = Callable[[Sequence[Episode]], AnswersQuiz]
"""Makes a quiz taker of the episodes; only the oracle looks at them."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Who plays and who answers. Equal trials on equal suites give equal runs."""

    agent: str
    quiz: str
    seed: int = 0
    max_steps: int = t2q.MAX_STEPS  # commands a task

    def __post_init__(self) -> None:
        if self.max_steps < 0:
            raise KnobError(f"max steps: {self.max_steps} is below 0")


def run(suite: Suite, trial: Trial, out: Path, *, jobs: int = 1, done: Done = silent) -> Run:
    """Run a trial on a suite's worlds, or finish one that was begun, and write its scores.

    A killed run that is resumed ends with the bytes of an undisturbed one. Raises `CatalogError`
    for a name that nobody has, `WorldError` for a suite without games, `RecordError` where `out`
    holds anything else.
    """
    suite.require_games()
    if "human" in (trial.agent, trial.quiz):
        raise CatalogError("a person plays, and takes the quiz, with `worldquiz play`")
    _enter(trial, suite.bundle(suite.worlds[0]))
    with claimed(out):
        start(suite, trial, suite.worlds, out)
        todo = unfinished(out, suite.worlds, done)
        for world, played in each(partial(play, suite.path, trial), todo, jobs=jobs):
            write_folder(world_folder(out, world), partial(write_played, played=played))
            done(world)
        return finish(out)


def play(path: Path, trial: Trial, world: str) -> Played:
    """Play one world of the suite at `path` and take its quiz."""
    suite = open_suite(path)
    bundle = suite.bundle(world)
    player, taker = _enter(trial, bundle)
    with suite.opened(bundle) as game:
        return asyncio.run(sit(game, bundle, trial, player, taker))


async def sit(world: World, bundle: Bundle, trial: Trial, player: Agent, taker: Taker) -> Played:
    """Let a player meet a world's tasks, then a taker its questions."""
    seed = _seed(trial, bundle)
    episodes = await t2q.interact(
        world, player, bundle.tasks, seed=seed, name=trial.agent, max_steps=trial.max_steps
    )
    answers = await t2q.examine(taker(episodes), episodes, bundle.questions)
    return Played(bundle, episodes, answers)


def _enter(trial: Trial, bundle: Bundle) -> tuple[Agent, Taker]:
    """Return the player, and the taker who is called once there are episodes."""
    brief = Brief(bundle.spec, bundle.tasks, bundle.questions, _seed(trial, bundle))
    agents.taker(trial.quiz, brief)
    return agents.player(trial.agent, brief), partial(agents.taker, trial.quiz, brief)


def _seed(trial: Trial, bundle: Bundle) -> int:
    return rng.child_seed(trial.seed, bundle.spec.id)


def start(suite: Suite, trial: Trial, worlds: Sequence[str], out: Path) -> None:
    """Write a run's manifest, or check that it is the one begun here."""
    record = {
        "kind": "run",
        "suite": suite.digest,
        **asdict(trial),
        "versions": versions(),
        "worlds": list(worlds),
    }
    begin(out, MANIFEST, record)


def finish(out: Path) -> Run:
    """Score a run whose worlds are all played."""
    whole = read_run(out)
    write_json(out / "scores.json", t2q.scores(whole))
    return whole
