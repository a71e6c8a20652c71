"""Agents and answerers of somebody else's: any object with the right methods will do.

An agent needs ``act(observation)``, an answerer ``answer(prompt)``; ``begin``, ``end`` and
``study`` are called where there are such methods. Each may be plain or `async`.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import iscoroutinefunction
from typing import Any, cast

from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.question import Prompt
from worldquiz.runs.given import settled
from worldquiz.t2q.agents.base import Agent, AnswersQuiz


class OwnAgent:
    """An agent made of any object that acts."""

    def __init__(self, made: Any) -> None:
        self._made = made

    async def begin(self, observation: Observation) -> None:
        """Tell the object, if it wants to know."""
        await _told(self._made, "begin", observation)

    async def act(self, observation: Observation) -> str | None:
        """Return the object's command."""
        command = await settled(self._made.act(observation))
        if command is None or isinstance(command, str):
            return command
        kind = type(self._made).__name__
        raise TypeError(f"{kind}.act returned {command!r}: return a command, or None to give up")

    async def end(self, observation: Observation) -> None:
        """Tell the object, if it wants to know."""
        await _told(self._made, "end", observation)


class OwnAnswerer:
    """An answerer made of any object that answers."""

    def __init__(self, made: Any) -> None:
        self._made = made

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Hand the transcripts to the object, if it wants them."""
        await _told(self._made, "study", transcripts)

    async def answer(self, prompt: Prompt) -> str:
        """Return the object's reply."""
        reply = await settled(self._made.answer(prompt))
        if isinstance(reply, str):
            return reply
        kind = type(self._made).__name__
        raise TypeError(f"{kind}.answer returned {reply!r}: return a text")


def as_agent(made: object, name: str) -> Agent:
    """Return an object as an agent. Raises `CatalogError` if it does not act."""
    if not hasattr(made, "act"):
        raise CatalogError(f"agent {name!r} plays no worlds: {type(made).__name__} has no 'act'")
    whole = _is_async(made, "begin", "act", "end")
    return cast("Agent", made) if whole else OwnAgent(made)


def as_answerer(made: object, name: str) -> AnswersQuiz:
    """Return an object as an answerer. Raises `CatalogError` if it does not answer."""
    if not hasattr(made, "answer"):
        kind = type(made).__name__
        raise CatalogError(f"answerer {name!r} takes no quiz: {kind} has no 'answer'")
    return cast("AnswersQuiz", made) if _is_async(made, "study", "answer") else OwnAnswerer(made)


def _is_async(made: object, *methods: str) -> bool:
    return all(iscoroutinefunction(getattr(made, method, None)) for method in methods)


async def _told(made: object, method: str, value: object) -> None:
    tell = getattr(made, method, None)
    if tell is not None:
        await settled(tell(value))
