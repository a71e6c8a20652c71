"""Answerers that read nothing, and the one that knows everything: the floors and the ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from worldquiz.facts.episode import Transcript
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.question import ABSTAIN, Format, Prompt, Question, gold, prompt


class Abstainer:
    """Says that nothing can be known: full marks on all that was never shown, 0 known."""

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read nothing."""

    async def answer(self, prompt: Prompt) -> str:
        """Abstain."""
        return ABSTAIN


class Prior:
    """Answers from the question alone, always: the commonest answer of its format.

    Yes; the first choice; for a direction north; for another open question a room or lock that many
    worlds have; for a description "object", the commonest content of a holder.
    """

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read nothing."""

    async def answer(self, prompt: Prompt) -> str:
        """Return the commonest answer."""
        match prompt.format:
            case Format.YES_NO:
                return "yes"
            case Format.WHICH:
                return prompt.choices[0]
            case Format.WHERE:
                return "kitchen"
            case Format.WHAT:
                asks_way = "direction" in prompt.text or "way" in prompt.text
                return "north" if asks_way else "chest"
            case Format.DESCRIPTION:
                return "object"
            case _:
                assert_never(prompt.format)


class Oracle:
    """Knows all answers, and what the player was shown: right wherever an answer is due.

    It abstains exactly where the evidence never met a question's requirement, so it is the ceiling
    by construction. Only the catalogue makes one, from what no agent is given.
    """

    def __init__(self, questions: Sequence[Question], evidence: Evidence) -> None:
        self._replies = {
            prompt(question): ABSTAIN
            if evidence.earliest(question.requires) is None
            else gold(question)
            for question in questions
        }

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read nothing: the evidence was given."""

    async def answer(self, prompt: Prompt) -> str:
        """Return the right reply. Raises `KeyError` for a question of another quiz."""
        return self._replies[prompt]
