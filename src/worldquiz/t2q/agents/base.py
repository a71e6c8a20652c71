"""Protocols of agents and answerers. Both see only the game's texts, never its true state.

An agent plays; an answerer answers questions from transcripts of the play. The two are independent:
any agent can be paired with any answerer, and a model may be both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.row import AnswerStatus
from worldquiz.t2q.question import Answer, Prompt


class Agent(Protocol):
    """An agent in one world. It plays the world's tasks in order and may remember earlier ones.

    A subclass need not define `begin` and `end`: they do nothing by default.
    """

    async def begin(self, observation: Observation) -> None:
        """Start an episode: the world is back at its start, and the task is new."""
        return None

    async def act(self, observation: Observation) -> str | None:
        """Return the next command, None to give up. The first call gets `begin`'s observation."""
        ...

    async def end(self, observation: Observation) -> None:
        """Note how the episode ended; no command follows this last observation."""
        return None


class AnswersQuiz(Protocol):
    """An answerer for one world."""

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read all that an agent saw in this world, in the order played."""
        ...

    async def answers(self, prompts: Sequence[Prompt]) -> Sequence[Answer]:
        """Answer every question about the world; the answerer may read all of them first."""
        ...


@dataclass(frozen=True, kw_only=True)
class Move:
    """A model's reply when asked for a command, as given."""

    step: int  # that followed
    reply: str
    read: AnswerStatus  # "answered" if it holds a command
    left_out: int = 0  # turns that the prompt left out because the window was full
