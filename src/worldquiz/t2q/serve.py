"""Task2Quiz for agents that call tools: a place is a world, with its tasks and its quiz.

Records are those of `t2q.run`: the same `sit` pulls commands and answers, so the budget, the
episodes and the answers are those of any agent that gives the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.serve.seats import Served, read_settings
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.remote import INSTRUCTIONS, TOOLS, Remote
from worldquiz.t2q.run import OnSuite, Trial, sit
from worldquiz.t2q.run_folder import PlayedWorlds
from worldquiz.t2q.store import Played
from worldquiz.t2q.suites import Suite, open_suite
from worldquiz.t2q.world.config import budget


@dataclass(frozen=True)
class ServedSuite(OnSuite, Served):
    """A suite's worlds, or some of them, as places, and the run of whoever comes to them."""

    trial: Trial
    some: Sequence[str] = ()
    place, tools, instructions = "world", TOOLS, INSTRUCTIONS

    @property
    def work(self) -> ServedSuite:
        """The run."""
        return self

    @property
    def units(self) -> Sequence[str]:
        """The worlds."""
        return self.some or self.suite.worlds

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run: agent, answerer and suite."""
        return self.stated(self.trial.record())

    def require(self) -> None:
        """Check that the worlds are there, and that the first game opens."""
        self.suite.first_opened()
        for world in self.some:
            self.suite.entry(world)

    def places(self, left: Sequence[str]) -> Sequence[str]:
        """Return the worlds that are left: each is a place."""
        return left

    async def script(self, place: str, kept: PlayedWorlds) -> str:
        """Let the agent play a world and take its quiz, and keep both."""
        remote = Remote()
        played = await visit(self.suite, place, self.trial, remote)
        kept.keep_played(played)
        return remote.farewell()

    def lose(self, place: str, error: BaseException, kept: PlayedWorlds) -> None:
        """Note why a world could not be finished."""
        kept.lose(self.suite.bundle(place), error)


async def visit(suite: Suite, world: str, trial: Trial, remote: Remote) -> Played:
    """Let whoever calls tools play a world and take its quiz: a script but for its last words."""
    bundle = suite.bundle(world)
    with suite.opened(bundle) as game:
        return await sit(game, bundle, trial, remote, lambda episodes: remote)


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedSuite:
    """Serve a suite to an agent of some name; settings are ``max_steps`` and ``budget``.

    Raises `KnobError`, and `RecordError` where there is no suite.
    """
    suite = open_suite(path)
    known = {"max_steps": int, "budget": float}
    read = read_settings(name, agents.names(), told, known)
    allowed = budget(read.get("max_steps"), read.get("budget"), suite.budget)
    return ServedSuite(suite, Trial(name, name, budget=allowed))
