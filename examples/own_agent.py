"""Your own agent and answerer: any objects with the right methods will do.

    python examples/own_agent.py

To name yours on the command line, declare an entry point in the group ``worldquiz.agents``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence

import worldquiz as wq
from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.row import ABSTAIN
from worldquiz.t2q.question import Prompt

WAYS = ("north", "east", "south", "west")


class Wanderer:
    """Walks in circles and ignores what it sees."""

    def __init__(self) -> None:
        self._moves = 0

    def act(self, observation: Observation) -> str | None:
        """Return a command."""
        self._moves += 1
        return f"go {WAYS[self._moves % 4]}"


class Skimmer:
    """Says yes if every long word of a question occurred in what the agent saw."""

    def __init__(self) -> None:
        self._text = ""

    def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read everything that an agent saw."""
        turns = (turn for transcript in transcripts for turn in transcript)
        self._text = " ".join(turn.observation.text for turn in turns).lower()

    def answer(self, prompt: Prompt) -> str:
        """Answer a question."""
        words = [word for word in prompt.text.lower().strip("?").split() if len(word) > 4]
        return "yes" if all(word in self._text for word in words) else ABSTAIN


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        suite = wq.t2q.build("medium", worlds=1, seed=7, out=f"{scratch}/suite")
        run = suite.run(agent=Wanderer, answerer=Skimmer, max_steps=20, out=f"{scratch}/run")
        for name in ("knowledge", "ceiling", "false_answers", "tsr", "eus"):
            print(f"{name:13} {run.scores[name]:.2f}")


if __name__ == "__main__":
    main()
