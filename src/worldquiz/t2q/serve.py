"""Task2Quiz for agents that call tools: each session gets a world, with its tasks and its quiz.

The same method (`WorldsRun.sit`) plays the world as in any other run, so an agent has the same
budget and records as any other agent that gives the same commands and answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldquiz.serve.seats import Served
from worldquiz.t2q.agents.remote import INSTRUCTIONS, TOOLS
from worldquiz.t2q.run import WorldsRun
from worldquiz.t2q.run_folder import PlayedWorlds


class ServedSuite(WorldsRun, Served):
    """A suite whose worlds are served to agents, and the run that records their play."""

    place, tools, instructions = "world", TOOLS, INSTRUCTIONS

    @property
    def work(self) -> ServedSuite:
        """The run."""
        return self

    def require(self) -> None:
        """Check that the first game opens."""
        self.suite.first_opened()

    def places(self, left: Sequence[str]) -> Sequence[str]:
        """Return the worlds that are left, each of which one session plays."""
        return left

    async def script(self, place: str, kept: PlayedWorlds) -> str:
        """Let the agent play a world and take its quiz, and store the results."""
        played, farewell = await self.by_tools(place)
        kept.keep_played(played)
        return farewell

    def lose(self, place: str, error: BaseException, kept: PlayedWorlds) -> None:
        """Record why a world could not be finished."""
        kept.losses[place] = error
