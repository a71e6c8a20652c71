"""Protocols of agents and answerers. Neither ever receives a fact, only observations.

An agent acts; an answerer answers from transcripts. The two are independent: any agent goes with
any answerer, and a model that does both is both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.row import AnswerStatus
from worldquiz.t2q.question import Answer, Prompt


class Agent(Protocol):
    """An agent of one world. It meets the world's tasks in order and may remember across them.

    An agent that inherits from this takes no note where it says nothing else.
    """

    async def begin(self, observation: Observation) -> None:
        """Take note of a new episode: the world is as at the start again, the task is new."""
        return None

    async def act(self, observation: Observation) -> str | None:
        """Return the next command, None to give up. The first call gets `begin`'s observation."""
        ...

    async def end(self, observation: Observation) -> None:
        """Take note of how the episode ended; no command follows this last observation."""
        return None


class AnswersQuiz(Protocol):
    """An answerer for one world."""

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Take in all that an agent saw in this world, in the order played."""
        ...

    async def answers(self, prompts: Sequence[Prompt]) -> Sequence[Answer]:
        """Answer every question of the world: the protocol allows to read all of them first."""
        ...


@dataclass(frozen=True, kw_only=True)
class Move:
    """A model's reply when asked for a command, as given."""

    step: int  # that came of it
    reply: str
    read: AnswerStatus  # answered: it holds a command
    left_out: int = 0  # turns that the prompt left out because the window was full
