"""A player and an answerer of your own: any object with the right methods will do.

    python examples/own_agent.py

To give yours a name on the command line, declare an entry point of the group ``worldquiz.agents``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.question import ABSTAIN, Prompt
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.pipeline import bundle, environment, scores
from worldquiz.t2q.rollout import examine, play_through
from worldquiz.t2q.rows import rows_of
from worldquiz.t2q.store import Played
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game

WAYS = ("north", "east", "south", "west")


class Wanderer:
    """Goes round in circles and takes whatever it is told of."""

    def __init__(self) -> None:
        self._moves = 0

    async def begin(self, observation: Observation) -> None:
        """Take note of a new task."""

    async def act(self, observation: Observation) -> str | None:
        """Return a command."""
        self._moves += 1
        return f"go {WAYS[self._moves % 4]}"

    async def end(self, observation: Observation) -> None:
        """Take note of how it ended."""


class Skimmer:
    """Says yes if every long word of a question stood in what the player saw."""

    def __init__(self) -> None:
        self._text = ""

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read everything that a player saw."""
        turns = (turn for transcript in transcripts for turn in transcript)
        self._text = " ".join(turn.observation.text for turn in turns).lower()

    async def answer(self, prompt: Prompt) -> str:
        """Answer a question."""
        words = [word for word in prompt.text.lower().strip("?").split() if len(word) > 4]
        return "yes" if all(word in self._text for word in words) else ABSTAIN


async def sit() -> Played:
    spec = environment(PRESETS["medium"], 7, id="medium-7", level="medium")
    made = bundle(spec)
    episodes = await play_through(
        Game(spec), Wanderer(), made.tasks, seed=0, name="wanderer", budget=PerTask(20)
    )
    return Played(made, episodes, await examine(Skimmer(), episodes, made.questions))


def main() -> None:
    played = asyncio.run(sit())
    rows = rows_of(played, "wanderer", "skimmer")
    found = scores(rows)
    for name in ("knowledge", "knowledge_ceiling", "tsr", "eus", "known", "overclaim"):
        print(f"{name:10} {found[name]:.2f}")


if __name__ == "__main__":
    main()
