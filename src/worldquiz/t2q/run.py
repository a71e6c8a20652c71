"""Run an agent and an answerer over a suite, world by world, keeping worlds finished before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.errors import CatalogError, KnobError, WorldquizError
from worldquiz.facts.episode import Episode
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import HUMAN, MANIFEST, note
from worldquiz.runs.given import check_portable, code_of, name_of
from worldquiz.runs.life import live
from worldquiz.runs.losses import attempted
from worldquiz.runs.rows import read_rows
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, Brief
from worldquiz.t2q.budget import DEFAULT_BUDGET, Budget
from worldquiz.t2q.rollout import examine, play_through
from worldquiz.t2q.run_folder import PlayedWorlds
from worldquiz.t2q.scores import scores
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.suites import Suite, open_suite
from worldquiz.t2q.world.base import World
from worldquiz.version import own_version

Answerer = Callable[[Sequence[Episode]], AnswersQuiz]
"""Makes an answerer of the episodes; only the oracle looks at them."""


@dataclass(frozen=True, slots=True)
class Trial:
    """An agent and an answerer with their settings. Equal trials on equal suites give equal runs.

    Each is a name, an object, or a class or function that makes one; where both are the same object
    or class, one and the same acts in a world and answers about it.
    """

    agent: object
    answerer: object
    seed: int = 0
    budget: Budget = DEFAULT_BUDGET
    engine: str | None = None  # that worlds are played in, if not in the suite's own

    def record(self) -> dict[str, Any]:
        """Return the trial as a manifest states it."""
        return {
            "agent": name_of(self.agent),
            "answerer": name_of(self.answerer),
            "seed": self.seed,
            **self.budget.record(),
            **engine_record(self.engine),
            **code_of(agent=self.agent, answerer=self.answerer),
        }


def engine_record(engine: str | None) -> dict[str, str]:
    """Return the engine as a manifest states it: only where somebody chose one."""
    return {} if engine is None else {"engine": engine}


@dataclass(frozen=True)
class OnSuite:
    """Part common to all runs on a suite: one unit of work is one world."""

    suite: Suite
    noun = "worlds"

    @property
    def units(self) -> Sequence[str]:
        """The worlds."""
        return self.suite.worlds

    def stated(self, about: dict[str, Any]) -> dict[str, Any]:
        """Return a manifest."""
        return {
            "kind": "run",
            "suite": self.suite.digest,
            "versions": own_version(),
            "worlds": list(self.units),
            **about,
        }

    def begin(self, out: Path) -> None:
        """Note the place of the suite."""
        note(self.suite.path, out)

    def kept(self, out: Path, done: Done) -> PlayedWorlds:
        """Open the worlds kept so far."""
        return PlayedWorlds(out, done)

    def score(self, out: Path, kept: PlayedWorlds) -> dict[str, Any]:
        """Return the scores of a run whose worlds are all played."""
        return scores(read_rows(out))


@dataclass(frozen=True)
class ScriptedRun(OnSuite):
    """A run without a language model of ours."""

    trial: Trial
    jobs: int = 1

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run: agent, answerer and suite."""
        return self.stated(self.trial.record())

    def require(self) -> None:
        """Check that both can be made, that the first game opens, and that processes can start."""
        trial = self.trial
        if HUMAN in (name_of(trial.agent), name_of(trial.answerer)):
            raise CatalogError("a person plays, and takes the quiz, with `worldquiz t2q play`")
        for who, acts in ((trial.agent, True), (trial.answerer, False)):
            if agents.declared(who, acts=acts).needs_model:
                raise KnobError(f"{name_of(who)!r} needs a language model: give one")
        bundle = self.suite.first_opened(trial.engine)
        _enter(trial, bundle)
        check_portable((trial.agent, trial.answerer), self.jobs)

    def produce(self, left: Sequence[str], kept: PlayedWorlds, out: Path) -> None:
        """Play the worlds that are left, spread over processes."""
        work = partial(attempted, partial(play, self.suite.path, self.trial))
        for world, played in each(work, left, jobs=self.jobs):
            if isinstance(played, WorldquizError):
                kept.lose(self.suite.bundle(world), played)
            else:
                kept.keep_played(played)


def run(
    suite: Suite, trial: Trial, out: Path, *, jobs: int = 1, done: Done = silent
) -> dict[str, Any]:
    """Run a trial on a suite's worlds, or finish one that was begun, and return its scores.

    A killed run that is resumed ends with the bytes of an undisturbed one. Raises `CatalogError`
    for a name that nobody has, `RecordError` where `out` holds anything else.
    """
    return live(ScriptedRun(suite, trial, jobs), out, done)


def play(path: Path, trial: Trial, world: str) -> Played:
    """Play one world of the suite at `path` and take its quiz."""
    suite = _opened(path, (path / MANIFEST).stat().st_mtime_ns)
    bundle = suite.bundle(world)
    agent, answerer = _enter(trial, bundle)
    with suite.opened(bundle, trial.engine) as game:
        return asyncio.run(sit(game, bundle, trial, agent, answerer))


@lru_cache(1)
def _opened(path: Path, written: int) -> Suite:
    """Return a suite, opened once in a process: a manifest of thousands of worlds takes long."""
    return open_suite(path)


async def sit(
    world: World, bundle: Bundle, trial: Trial, agent: Agent, answerer: Answerer
) -> Played:
    """Let an agent meet a world's tasks, then an answerer its questions."""
    seed = _seed(trial, bundle)
    episodes = await play_through(
        world,
        agent,
        bundle.tasks,
        seed=seed,
        name=name_of(trial.agent),
        budget=trial.budget,
    )
    answers = await examine(answerer(episodes), episodes, bundle.questions)
    return Played(bundle, episodes, answers)


def _enter(trial: Trial, bundle: Bundle) -> tuple[Agent, Answerer]:
    """Return the agent, and the answerer who is called once there are episodes."""
    brief = Brief(bundle.spec, bundle.tasks, bundle.questions, _seed(trial, bundle))
    if trial.agent is trial.answerer and not isinstance(trial.agent, str):
        agent, answerer = agents.both(trial.agent, brief)
        return agent, lambda episodes: answerer
    agents.answerer(trial.answerer, brief)
    return agents.agent(trial.agent, brief), partial(agents.answerer, trial.answerer, brief)


def _seed(trial: Trial, bundle: Bundle) -> int:
    return rng.child_seed(trial.seed, bundle.spec.id)
