"""Task2Quiz for agents that call tools: a place is a world, with its tasks and its quiz.

Records are those of `t2q.run`: the same `sit` pulls commands and answers, so the budget, the
episodes and the answers are those of any agent that gives the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.serve.served import check_agent_name, read_settings
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.remote import INSTRUCTIONS, TOOLS, Remote
from worldquiz.t2q.budget import budget
from worldquiz.t2q.run import OnSuite, Trial, sit
from worldquiz.t2q.run_folder import PlayedWorlds
from worldquiz.t2q.store import Played
from worldquiz.t2q.suites import Suite, open_suite


@dataclass(frozen=True)
class ServedSuite(OnSuite):
    """The run of an agent that comes by itself."""

    trial: Trial

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run: agent, answerer and suite."""
        return self.stated(self.trial.record())

    def require(self) -> None:
        """Check that the first game opens."""
        self.suite.first_opened(self.trial.engine)


class ServedWorlds:
    """A suite's worlds as places."""

    noun = "world"
    tools = TOOLS
    instructions = INSTRUCTIONS

    def __init__(self, work: ServedSuite) -> None:
        self.work = work

    def places(self, left: Sequence[str]) -> Sequence[str]:
        """Return the worlds that are left: each is a place."""
        return left

    async def script(self, place: str, kept: PlayedWorlds) -> str:
        """Let the agent play a world and take its quiz, and keep both."""
        remote = Remote()
        played = await visit(self.work.suite, place, self.work.trial, remote)
        kept.keep_played(played)
        return remote.farewell()

    def lose(self, place: str, error: BaseException, kept: PlayedWorlds) -> None:
        """Note why a world could not be finished."""
        kept.lose(self.work.suite.bundle(place), error)


async def visit(suite: Suite, world: str, trial: Trial, remote: Remote) -> Played:
    """Let whoever calls tools play a world and take its quiz: a script but for its last words."""
    bundle = suite.bundle(world)
    with suite.opened(bundle, trial.engine) as game:
        return await sit(game, bundle, trial, remote, lambda episodes: remote)


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedWorlds:
    """Serve a suite to an agent of some name; settings are ``max_steps``, ``budget``, ``engine``.

    Raises `KnobError`, and `RecordError` where there is no suite.
    """
    suite = open_suite(path)
    check_agent_name(name, agents.names())
    read = read_settings(told, {"max_steps": int, "budget": float, "engine": str})
    allowed = budget(read.get("max_steps"), read.get("budget"), suite.budget)
    trial = Trial(name, name, budget=allowed, engine=read.get("engine"))
    return ServedWorlds(ServedSuite(suite, trial))
